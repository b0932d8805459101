"""How many rooms one address may open, and how fast.

Only public addresses are counted: at home everybody may share one.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from krig.errors import TooFast, TooManyRooms
from krig.host.ports import Clock
from krig.protocol.limits import Limits
from krig.transport.bucket import Bucket
from krig.transport.crowd import Crowd, Newcomer, household, is_public

MOST_ADDRESSES = 10_000
"""Addresses remembered; then the oldest is forgotten, with what it opened."""


class Opener:
    """An address that has opened rooms."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket = bucket
        self.rooms: set[str] = set()
        """Those that were still there when somebody last looked."""
        self.opening = 0
        """Those that are just being opened."""

    def may_open(self, most: int) -> bool:
        """Whether one more would not be too many."""
        return len(self.rooms) + self.opening < most


class Doorkeeper:
    """Who may open one more room."""

    def __init__(
        self,
        crowd: Crowd,
        clock: Clock,
        limits: Limits,
        is_there: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._crowd = crowd
        self._clock = clock
        self._limits = limits
        self._is_there = is_there
        self._openers: dict[str, Opener] = {}

    @asynccontextmanager
    async def letting(self, address: str) -> AsyncIterator[set[str]]:
        """Let an address open one more room, whose code goes into the set.

        Raises:
            TooFast: it has opened too many in the last minute.
            TooManyRooms: the server is nearly full, or too many of its rooms live.
        """
        if not self._crowd.has_place_for(Newcomer.ROOM):
            raise TooManyRooms
        if not is_public(address):
            yield set()
            return
        opener = self._opener(household(address))
        if opener.bucket.take(self._clock.monotonic()):
            raise TooFast("Too many rooms were opened from here; wait a minute.")
        most = self._limits.rooms_an_address
        if not opener.may_open(most):
            for code in tuple(opener.rooms):
                if not await self._is_there(code):
                    opener.rooms.discard(code)
        if not opener.may_open(most):
            raise TooManyRooms("Too many rooms that were opened from here still live.")
        opener.opening += 1
        try:
            yield opener.rooms
        finally:
            opener.opening -= 1

    def _opener(self, home: str) -> Opener:
        a_minute = self._limits.rooms_a_minute
        opener = self._openers.pop(home, None)
        if opener is None:
            now = self._clock.monotonic()
            opener = Opener(Bucket(a_minute / 60, a_minute, now))
        # Put back at the end, so that who asked last is forgotten last.
        self._openers[home] = opener
        if len(self._openers) > MOST_ADDRESSES:
            del self._openers[next(iter(self._openers))]
        return opener
