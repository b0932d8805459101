"""The port of a room log: what every place that keeps rooms must do.

Rule 1: an append is atomic and conditional: it succeeds only when `after` is the log's
newest version, and when it returns the entry is on stable storage.
Rule 2: a version is opaque to everybody but the log, except that 0 is «nothing yet».
Rule 3: `follow`, `tell` and `hear` are for servers that share a log; one that has it to
itself needs none of them.
Rule 4: an append that raises `Conflict` wrote nothing; after `Unknown` the writer looks
for its own nonce before it sends again.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from krig.room.facts import Entry


@dataclass(frozen=True, slots=True)
class LogName:
    """The log of one chapter of a room, written `CODE/1`."""

    code: str
    chapter: int
    """1-based."""

    def __str__(self) -> str:
        return f"{self.code}/{self.chapter}"


Chapter = tuple[LogName, list[tuple[int, Entry]]]
"""A chapter that was begun, and its entries with their versions."""


class Log(Protocol):
    """An append-only record of rooms, one log a chapter."""

    exclusive: bool
    """No other process can append while this one has the log open."""

    async def append(self, log: LogName, after: int, entry: Entry) -> int:
        """Store an entry behind version `after`; return its version.

        Raises:
            Conflict: the log's newest version is not `after`; nothing was written.
            Unknown: it may or may not have been stored; so too if it was cancelled.
            StorageUnavailable: nothing was written, and the storage says why.
        """
        ...

    async def read(self, log: LogName, after: int = 0) -> list[tuple[int, Entry]]:
        """Every entry behind `after`, in order, with its version; empty: none.

        Raises:
            UnreadableEntry: what is stored is no entry; the others are untouched.
            NewerSchema: a newer Krig wrote one of them.
            StorageUnavailable: the storage does not answer, and says why.
        """
        ...

    def follow(self, log: LogName, after: int = 0) -> AsyncIterator[tuple[int, Entry]]:
        """Every entry behind `after`, and those to come: ordered, without a gap.

        It waits out a storage that does not answer, and ends when the log is closed or
        the room forgotten. It raises as `read` does for an entry it cannot read.
        """
        ...

    async def newest(self, code: str) -> LogName | None:
        """The newest chapter of a room, or None: there is no such room."""
        ...

    async def latest(self, code: str) -> Chapter | None:
        """The newest chapter of a room with all its entries, in one go; None: no room.

        Raises:
            UnreadableEntry, NewerSchema, StorageUnavailable: as `read` does.
        """
        ...

    async def codes(self) -> list[str]:
        """Every room that has something stored."""
        ...

    async def forget(self, code: str) -> None:
        """Remove every chapter of a room."""
        ...

    async def tell(self, code: str, text: str) -> None:
        """Send a lossy word to every server that hears the room, this one too."""
        ...

    def hear(self, code: str) -> AsyncIterator[str]:
        """What is told about a room from now on; may lose words."""
        ...

    async def check(self) -> None:
        """Return when an append would work now.

        Raises:
            StorageUnavailable: it would not, and why.
        """
        ...

    async def aclose(self) -> None:
        """Finish what is queued and let go of the storage."""
        ...
