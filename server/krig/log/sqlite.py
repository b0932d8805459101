"""The log of a single server: one SQLite file, one thread that writes it.

Rule 1: only one connection writes, and only it brings the WAL into the file (versions
of SQLite before 3.51.3 can damage a file that two do this to). The other one only
reads, in a thread of its own, so that reading never waits for a commit's disk.
Rule 2: this object belongs to one event loop, which each commit wakes once.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from krig.errors import StorageUnavailable
from krig.log.codec import decode, encode
from krig.log.local import LocalLog
from krig.log.lock import lock, unlock
from krig.log.log import Chapter, LogName
from krig.log.sqlite_file import is_copy, open_file, unavailable
from krig.log.sqlite_writer import Adopt, Append, Check, Forget, Job, Outcome, Writer
from krig.room.facts import Entry

T = TypeVar("T")

NEWEST: Final = "SELECT max(chapter) FROM entry WHERE code = ?"
ENTRIES: Final = (
    "SELECT n, body FROM entry WHERE code = ? AND chapter = ? AND n > ? ORDER BY n"
)
CODES: Final = """
    WITH RECURSIVE room(code) AS (
        SELECT min(code) FROM entry
        UNION ALL
        SELECT (SELECT min(code) FROM entry WHERE code > room.code)
        FROM room WHERE room.code IS NOT NULL
    )
    SELECT code FROM room WHERE code IS NOT NULL"""
"""One seek a room, where DISTINCT would read the whole table."""


class SqliteLog(LocalLog):
    """Every room of a server in one file; an entry's version is its place, from 1."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it, with its folder.

        Raises:
            StorageUnavailable: in one line, why that cannot be.
            NewerSchema: a newer Krig has written it.
        """
        super().__init__()
        self.path = path = path.resolve()  # or a link would get a lock of its own
        self._lock = lock(path)
        try:
            writing, self._reading = open_file(path)
        except BaseException:
            unlock(self._lock)
            raise
        self.is_copy = is_copy(self._reading)
        """It came out of a backup: pages may remember more than it holds."""
        self._writer = Writer(path, writing, self._deliver)
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="krig-log-reader")
        self._closing: asyncio.Future[None] | None = None

    @property
    def commits(self) -> int:
        """How often something was committed: what the disk had to do."""
        return self._writer.commits

    # What the loop's thread does.

    async def append(self, log: LogName, after: int, entry: Entry) -> int:
        """Store an entry behind version `after`; return its version.

        To cancel it is to not wait for it: it may be stored all the same.
        """
        body = encode(entry)
        return await self._do(lambda done: Append(done, log, after, body, entry))

    async def read(self, log: LogName, after: int = 0) -> list[tuple[int, Entry]]:
        """Every entry behind `after`, in order, with its version."""
        return await self._ask(lambda: self._entries(log, after))

    async def newest(self, code: str) -> LogName | None:
        """The newest chapter of a room, or None: there is no such room."""
        return await self._ask(lambda: self._newest(code))

    async def latest(self, code: str) -> Chapter | None:
        """The newest chapter of a room with all its entries; None: no room."""
        return await self._ask(lambda: self._latest(code))

    async def codes(self) -> list[str]:
        """Every room that has something stored."""
        return [code for (code,) in await self._ask(lambda: self._rows(CODES))]

    async def forget(self, code: str) -> None:
        """Remove every chapter of a room."""
        await self._do(lambda done: Forget(done, code))

    async def adopt(self) -> None:
        """Take a copy for the original from now on."""
        await self._do(Adopt)
        self.is_copy = False

    async def check(self) -> None:
        """Return when an append would work now: write and commit something."""
        await self._do(Check)

    async def aclose(self) -> None:
        """Commit what is queued and let go of the file."""
        if self._closing is None:
            self._writer.stop()
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _do(self, job: Callable[["asyncio.Future[int]"], Job]) -> int:
        self._still_open()
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._writer.put(job(done))
        return await done

    async def _ask(self, question: Callable[[], T]) -> T:
        self._still_open()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, question)
        except sqlite3.Error as error:
            raise unavailable(self.path, error) from error

    async def _close(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._readers, self._let_go)
        self._readers.shutdown()
        self._hang_up()

    def _still_open(self) -> None:
        if self._closing is not None:
            raise StorageUnavailable(f"{self.path} is closed.")

    def _deliver(self, outcomes: list[Outcome]) -> None:
        """Answer everybody of one commit."""
        for job, outcome in outcomes:
            if isinstance(outcome, Exception):
                if not job.done.done():
                    job.done.set_exception(outcome)
                continue
            if not job.done.done():
                job.done.set_result(outcome)
            if isinstance(job, Append):
                self._stored(job.log, outcome, job.entry)
            elif isinstance(job, Forget):
                self._forgotten(job.code)

    # What the reader's thread does.

    def _rows(self, question: str, *values: str | int) -> list[tuple[Any, ...]]:
        return self._reading.execute(question, values).fetchall()

    def _newest(self, code: str) -> LogName | None:
        (chapter,) = self._rows(NEWEST, code)[0]
        return None if chapter is None else LogName(code, chapter)

    def _latest(self, code: str) -> Chapter | None:
        chapter = self._newest(code)
        stored = [] if chapter is None else self._entries(chapter, 0)
        return (chapter, stored) if chapter is not None and stored else None

    def _entries(self, log: LogName, after: int) -> list[tuple[int, Entry]]:
        rows = self._rows(ENTRIES, log.code, log.chapter, after)
        return [(n, decode(body, log, n)) for n, body in rows]

    def _let_go(self) -> None:
        # The one that writes goes last: then it is the one that empties the WAL.
        self._reading.close()
        self._writer.join()
        unlock(self._lock)
