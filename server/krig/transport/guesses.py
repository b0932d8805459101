"""Room codes that led nowhere: typing errors, or somebody who tries them all.

Rule 1: only failures are counted, and generously: a party behind one address may make
many typing errors.
Rule 2: when there are many failures everywhere, an address that has had one waits; so
a thousand addresses find no more than a few.
Rule 3: who must wait is told so before anything is looked up: that a room is there is
what they want to know.
"""

from typing import Final

from krig.errors import TooFast
from krig.transport.bucket import Bucket
from krig.transport.crowd import household, is_public

OF_ONE: Final = 200
"""Failures of one address at once: thirty guests, five each, and some to spare."""

OF_ONE_PER_SECOND: Final = 0.1

OF_ALL: Final = 300
"""Failures of all public addresses together."""

OF_ALL_PER_SECOND: Final = 1.0

MOST_ADDRESSES: Final = 20_000
"""Remembered; then the oldest is forgotten."""


class Guesses:
    """Counts failures by public address; at home everybody may share one."""

    def __init__(self, now: float) -> None:
        self._all = Bucket(OF_ALL_PER_SECOND, OF_ALL, now)
        self._of: dict[str, Bucket] = {}
        self._are_many_until = now

    def check(self, address: str, now: float) -> None:
        """See whether an address may look for a room.

        Raises:
            TooFast: it has failed too often, or failed at all while very many do.
        """
        bucket = self._of.get(household(address))
        if bucket is None:
            return
        if now < self._are_many_until or not bucket.has_one(now):
            raise TooFast("Too many room codes were tried from here; wait a minute.")

    def failed(self, address: str, now: float) -> None:
        """A room was looked for that is not there."""
        if not is_public(address):
            return
        home = household(address)
        # Taken out and put back, so that who failed last is forgotten last.
        bucket = self._of.pop(home, None) or Bucket(OF_ONE_PER_SECOND, OF_ONE, now)
        self._of[home] = bucket
        bucket.take(now)
        if len(self._of) > MOST_ADDRESSES:
            del self._of[next(iter(self._of))]
        wait = self._all.take(now)
        if wait:
            self._are_many_until = now + wait
