"""A log that lasts as long as its process: for tests, simulation and trying out.

It keeps bytes, as on disk, so that what cannot be written is found here too.
"""

from collections.abc import Iterator

from krig.errors import Conflict, StorageUnavailable
from krig.log.codec import decode, encode
from krig.log.local import LocalLog
from krig.log.log import LogName
from krig.room.facts import Entry


class MemoryLog(LocalLog):
    """Every log as a list of bytes; an entry's version is its place, from 1."""

    def __init__(self) -> None:
        super().__init__()
        self._rooms: dict[str, dict[int, list[bytes]]] = {}
        self._closed = False

    async def append(self, log: LogName, after: int, entry: Entry) -> int:
        """Store an entry behind version `after`; return its version."""
        self._still_open()
        data = encode(entry)
        if after != len(self._rows(log)):
            raise Conflict(f"{log} is not at version {after}.")
        chapters = self._rooms.setdefault(log.code, {})
        chapters.setdefault(log.chapter, []).append(data)
        self._stored(log, after + 1, entry)
        return after + 1

    async def read(self, log: LogName, after: int = 0) -> list[tuple[int, Entry]]:
        """Every entry behind `after`, in order, with its version."""
        self._still_open()
        return list(self._entries(log, after))

    async def newest(self, code: str) -> LogName | None:
        """The newest chapter of a room, or None: there is no such room."""
        self._still_open()
        chapters = self._rooms.get(code)
        return LogName(code, max(chapters)) if chapters else None

    async def codes(self) -> list[str]:
        """Every room that has something stored."""
        self._still_open()
        return sorted(self._rooms)

    async def forget(self, code: str) -> None:
        """Remove every chapter of a room."""
        self._still_open()
        self._rooms.pop(code, None)
        self._forgotten(code)

    async def check(self) -> None:
        """Return: memory takes appends as long as it is open."""
        self._still_open()

    async def aclose(self) -> None:
        """Let everybody go; what was stored is gone with the process."""
        self._closed = True
        self._hang_up()

    def _rows(self, log: LogName) -> list[bytes]:
        return self._rooms.get(log.code, {}).get(log.chapter, [])

    def _entries(self, log: LogName, after: int) -> Iterator[tuple[int, Entry]]:
        for version, data in enumerate(self._rows(log)[after:], after + 1):
            yield version, decode(data, log, version)

    def _still_open(self) -> None:
        if self._closed:
            raise StorageUnavailable("The log is closed.")
