"""How fast one address may open rooms.

Only public addresses are counted: at home everybody may share one.
"""

from krig.errors import TooFast
from krig.transport.bucket import Bucket
from krig.transport.crowd import is_public

MOST_BUCKETS = 10_000
"""Addresses remembered; then all are forgotten, to nobody's harm."""


class Doorkeeper:
    """How fast one public address may open rooms."""

    def __init__(self, rooms_a_minute: int) -> None:
        self._rooms_a_minute = rooms_a_minute
        self._buckets: dict[str, Bucket] = {}

    def check(self, address: str, now: float) -> None:
        """Let an address open one more room.

        Raises:
            TooFast: it has opened too many in the last minute.
        """
        if not is_public(address):
            return
        if len(self._buckets) >= MOST_BUCKETS:
            self._buckets.clear()
        fresh = Bucket(self._rooms_a_minute / 60, self._rooms_a_minute, now)
        if self._buckets.setdefault(address, fresh).take(now):
            raise TooFast("Too many rooms were opened from here; wait a minute.")
