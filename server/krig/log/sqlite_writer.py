"""The thread that writes an SQLite log: it commits whatever waits, together.

Rule 1: an append is answered after the COMMIT that holds it, never before.
Rule 2: an append that conflicts, or that cannot be written at all, harms no other of
its transaction; if the storage fails, nothing of the transaction is written and
everybody in it is told so.
Rule 3: a failed fsync leaves it open what is on the disk. The appends are `Unknown`: to
this process they are not stored, after a power cut they may be, unless the next commit
has written over them.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from krig.errors import Conflict, Unknown
from krig.log.log import LogName
from krig.log.pace import Pace
from krig.log.sqlite_file import ADOPT, CHECK, unavailable
from krig.room.facts import Entry

SHRINK: Final = 256
"""Pages given back to the file system after a room was forgotten, where a quarter of
the file is free; the others are kept for rooms to come."""

JOIN_SECONDS: Final = 2.0
"""What is queued gets so long to be committed when the log is closed."""

HEADS: Final = 50_000
"""So many newest versions are kept in mind before they are all looked up anew."""


@dataclass(frozen=True, slots=True)
class Append:
    """Store an entry, if its writer knew all before it."""

    done: "asyncio.Future[int]"
    log: LogName
    after: int
    body: bytes
    entry: Entry


@dataclass(frozen=True, slots=True)
class Forget:
    """Remove every chapter of a room."""

    done: "asyncio.Future[int]"
    code: str


@dataclass(frozen=True, slots=True)
class Check:
    """Write something, to see whether that works."""

    done: "asyncio.Future[int]"


@dataclass(frozen=True, slots=True)
class Adopt:
    """The file is no copy any more: every room in it has a history of its own."""

    done: "asyncio.Future[int]"


Job = Append | Forget | Check | Adopt
Outcome = tuple[Job, int | Exception]


class Writer:
    """One thread with one connection, and the jobs that wait for its next commit."""

    def __init__(
        self,
        path: Path,
        con: sqlite3.Connection,
        deliver: Callable[[list[Outcome]], None],
    ) -> None:
        """Start writing; `deliver` is called in the loop, once a commit."""
        self.commits = 0
        """How often something was committed: what the disk had to do."""
        self._path = path
        self._con = con
        self._deliver = deliver
        self._heads: dict[LogName, int] = {}
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(
            target=self._write, name="krig-log-writer", daemon=True
        )
        self._thread.start()

    def put(self, job: Job) -> None:
        """Do it with the next commit, after what was put before."""
        self._jobs.put(job)

    def stop(self) -> None:
        """Take no more after this; what was put before is committed still."""
        self._jobs.put(None)

    def join(self) -> None:
        """Wait until all is committed, and close the connection.

        A disk that does not answer is not waited for: what it was given is not
        acknowledged, and the process is to end.
        """
        self._thread.join(JOIN_SECONDS)
        if not self._thread.is_alive():
            self._con.close()

    def _write(self) -> None:
        """Commit what waits, as soon as the pace allows, until there is no more."""
        pace = Pace()
        going_on = True
        while going_on:
            waiting = [self._jobs.get()]
            time.sleep(pace.wait(time.monotonic()))
            while True:
                try:
                    waiting.append(self._jobs.get_nowait())
                except Empty:
                    break
            going_on = None not in waiting
            jobs = [job for job in waiting if job and not job.done.cancelled()]
            if jobs:
                pace.began(time.monotonic(), len(jobs))
                self._answer(self._commit(jobs))
                if any(isinstance(job, Forget) for job in jobs):
                    self._shrink()

    def _answer(self, outcomes: list[Outcome]) -> None:
        """Wake the loop, once for all of them."""
        try:
            loop = outcomes[0][0].done.get_loop()
            loop.call_soon_threadsafe(self._deliver, outcomes)
        except RuntimeError:
            pass  # The loop is closed, and nobody waits any more.

    def _commit(self, jobs: list[Job]) -> list[Outcome]:
        """Do all of it in one transaction; say what became of each."""
        committing = False
        heads: dict[LogName, int] = {}
        try:
            self._con.execute("BEGIN IMMEDIATE")
            outcomes = self._apply(jobs, heads)
            committing = True
            self._con.execute("COMMIT")
        except Exception as error:
            self._roll_back()
            if len(jobs) > 1 and not _is_the_storages(error):
                # One of them cannot be written at all; alone it harms only itself.
                return [each for job in jobs for each in self._commit([job])]
            return [(job, _failure(self._path, error, committing)) for job in jobs]
        self.commits += 1
        self._heads.update(heads)
        return outcomes

    def _apply(self, jobs: list[Job], heads: dict[LogName, int]) -> list[Outcome]:
        """Do it inside the transaction; `heads` learns the newest versions."""
        outcomes: list[Outcome] = []
        rows: list[tuple[str, int, int, bytes]] = []
        for job in jobs:
            outcome: int | Exception = 0
            if isinstance(job, Append):
                outcome = self._judge(job, heads)
                if isinstance(outcome, int):
                    heads[job.log] = outcome
                    rows.append((job.log.code, job.log.chapter, outcome, job.body))
            elif isinstance(job, Forget):
                self._insert(rows)
                rows = []
                self._remove(job.code, heads)
            else:
                self._con.execute(CHECK if isinstance(job, Check) else ADOPT)
            outcomes.append((job, outcome))
        self._insert(rows)
        return outcomes

    def _judge(self, job: Append, heads: dict[LogName, int]) -> int | Conflict:
        """The version that an entry gets, if its writer knew all before it."""
        head = heads.get(job.log)
        if head is None:
            head = self._head(job.log)
        if job.after != head:
            return Conflict(f"{job.log} is not at version {job.after}.")
        return head + 1

    def _head(self, log: LogName) -> int:
        """The newest version before this transaction."""
        head = self._heads.get(log)
        if head is None:
            if len(self._heads) >= HEADS:
                self._heads.clear()
            (head,) = self._con.execute(
                "SELECT coalesce(max(n), 0) FROM entry WHERE code = ? AND chapter = ?",
                (log.code, log.chapter),
            ).fetchone()
            self._heads[log] = head
        return int(head)

    def _insert(self, rows: list[tuple[str, int, int, bytes]]) -> None:
        self._con.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", rows)

    def _remove(self, code: str, heads: dict[LogName, int]) -> None:
        self._con.execute("DELETE FROM entry WHERE code = ?", (code,))
        # Which of them were the room's is not worth a search: ask the file again.
        self._heads.clear()
        heads.clear()

    def _roll_back(self) -> None:
        self._heads.clear()
        try:
            if self._con.in_transaction:
                self._con.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # The next BEGIN fails and says why.

    def _shrink(self) -> None:
        """Give back a part of the file, if much of it is free."""
        try:
            (free,) = self._con.execute("PRAGMA freelist_count").fetchone()
            (pages,) = self._con.execute("PRAGMA page_count").fetchone()
            if free * 4 > pages:
                # `execute` takes one step of it, and each step gives back one page.
                self._con.executescript(f"PRAGMA incremental_vacuum({SHRINK})")
        except sqlite3.Error:
            self._roll_back()  # Nobody waits for it; the next append meets the same.


def _is_the_storages(error: Exception) -> bool:
    """Whether an error is that of the whole file and not of one append."""
    return isinstance(error, sqlite3.Error) and not isinstance(
        error, sqlite3.IntegrityError | sqlite3.DataError
    )


def _failure(path: Path, error: Exception, committing: bool) -> Exception:
    """What the appends of a transaction that failed are told."""
    if not isinstance(error, sqlite3.Error):
        return error
    if committing and "FSYNC" in (getattr(error, "sqlite_errorname", None) or ""):
        return Unknown(f"{path}: {error}; it may be stored all the same.")
    return unavailable(path, error)
