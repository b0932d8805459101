"""What the logs of a single process share: every entry passes here, so they listen.

Rule 1: a follower listens before it reads, so that no entry falls in between; what it
hears twice it drops by its version.
Rule 2: nobody waits for a slow listener. It loses what it did not hear in time; a
follower then reads it from the storage, a hearer never learns it.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Generic, TypeVar
from weakref import WeakSet

from krig.errors import StorageUnavailable
from krig.log.log import Chapter, LogName
from krig.room.facts import Entry

T = TypeVar("T")

KEPT = 256
"""How much a listener may lag behind before it loses something."""

RETRY = 1.0
"""After so long a follower tries a storage again that did not answer (s)."""


class Ear(Generic[T]):
    """One listener, and what was said that it has not heard yet."""

    __slots__ = ("__weakref__", "_bell", "_said", "closed", "missed")

    def __init__(self) -> None:
        self._said: deque[T] = deque()
        self._bell = asyncio.Event()
        self.closed = False
        """Nothing more will be said."""
        self.missed = False
        """It was too slow, and something is lost."""

    def say(self, what: T) -> None:
        """Let it be heard, at the cost of the oldest if too much waits."""
        if len(self._said) == KEPT:
            self._said.popleft()
            self.missed = True
        self._said.append(what)
        self._bell.set()

    async def ring(self, most: float) -> None:
        """Wait until something is said, or it is closed, or that many seconds pass."""
        if not self.closed:
            self._bell.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._bell.wait(), most)

    def start_over(self) -> None:
        """Forget what was said until now."""
        self._said.clear()
        self.missed = False

    def close(self) -> None:
        """End it, once what was said is heard."""
        self.closed = True
        self._bell.set()

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        while not self._said:
            if self.closed:
                raise StopAsyncIteration
            self._bell.clear()
            await self._bell.wait()
        return self._said.popleft()


class Ears(Generic[T]):
    """Everybody who listens, by room; whoever lets go of an ear has stopped."""

    def __init__(self) -> None:
        self._rooms: dict[str, WeakSet[Ear[T]]] = {}
        self._sweep_at = 64
        self._closed = False

    def __len__(self) -> int:
        return sum(map(len, self._rooms.values()))

    def open(self, code: str) -> Ear[T]:
        """Listen to a room from now on."""
        if len(self._rooms) >= self._sweep_at:
            self._rooms = {code: ears for code, ears in self._rooms.items() if ears}
            self._sweep_at = 64 + 2 * len(self._rooms)
        ear: Ear[T] = Ear()
        if self._closed:
            ear.close()
        self._rooms.setdefault(code, WeakSet()).add(ear)
        return ear

    def say(self, code: str, what: T) -> None:
        """Tell everybody who listens to the room."""
        for ear in self._rooms.get(code, ()):
            ear.say(what)

    def close(self, code: str) -> None:
        """End everybody's listening to the room."""
        for ear in self._rooms.pop(code, ()):
            ear.close()

    def close_all(self) -> None:
        """End everybody's listening, and that of whoever comes later."""
        self._closed = True
        for code in list(self._rooms):
            self.close(code)


class LocalLog(ABC):
    """A log that only this process appends to: it can tell of each entry itself."""

    exclusive = True

    def __init__(self) -> None:
        self._news: Ears[tuple[LogName, int, Entry]] = Ears()
        self._words: Ears[str] = Ears()

    @abstractmethod
    async def read(self, log: LogName, after: int = 0) -> list[tuple[int, Entry]]:
        """Every entry behind `after`, in order, with its version."""

    @abstractmethod
    async def newest(self, code: str) -> LogName | None:
        """The newest chapter of a room, or None: there is no such room."""

    async def latest(self, code: str) -> Chapter | None:
        """The newest chapter of a room with all its entries; None: no room."""
        chapter = await self.newest(code)
        stored = [] if chapter is None else await self.read(chapter)
        return (chapter, stored) if chapter is not None and stored else None

    async def follow(
        self, log: LogName, after: int = 0
    ) -> AsyncIterator[tuple[int, Entry]]:
        """Every entry behind `after`, and those to come: ordered, without a gap."""
        ear = self._news.open(log.code)
        while not ear.closed:
            ear.start_over()
            try:
                stored = await self.read(log, after)
            except StorageUnavailable:
                await ear.ring(RETRY)
                continue
            for version, entry in stored:
                yield version, entry
                after = version
            async for name, version, entry in ear:
                if ear.missed:
                    break
                if name == log and version > after:
                    yield version, entry
                    after = version

    async def tell(self, code: str, text: str) -> None:
        """Send a lossy word to everybody who hears the room."""
        self._words.say(code, text)

    def hear(self, code: str) -> AsyncIterator[str]:
        """What is told about a room from now on; may lose words."""
        return self._words.open(code)

    def _stored(self, log: LogName, version: int, entry: Entry) -> None:
        """Tell the followers of an entry that is on stable storage."""
        self._news.say(log.code, (log, version, entry))

    def _forgotten(self, code: str) -> None:
        """End the followers of a room that is no more."""
        self._news.close(code)

    def _hang_up(self) -> None:
        """End everybody who listens."""
        self._news.close_all()
        self._words.close_all()
