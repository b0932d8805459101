"""A copy of an SQLite log, made while a server writes it, its way back, and a look.

Rule 1: the original is opened to be read only, so its server stays the only one that
writes, and the copy is of one moment.
Rule 2: a copy has its name only when it is whole, on stable storage and looked through.
Rule 3: a copy is put in place with nothing of the file that was there: SQLite would
play that one's write-ahead log into it. What was there is kept beside it.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from krig.errors import KrigError, StorageUnavailable
from krig.log.codec import decode
from krig.log.lock import lock, unlock
from krig.log.log import LogName
from krig.log.sqlite_file import MARK_COPY, PRIVATE, open_to_read, unavailable
from krig.room.evolve import fold


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds."""

    rooms: int
    entries: int
    faults: tuple[str, ...]
    """What of it cannot be read, one sentence each."""


def back_up(path: Path, to: Path) -> Found:
    """Copy a log to a new file, and say what is in the copy.

    Raises:
        StorageUnavailable: there is no log, or no way to make the copy.
        NewerSchema: a newer Krig has written it.
    """
    if to.exists():
        raise StorageUnavailable(f"{to} is there already, and was not touched.")
    return _copy(path, to)


def restore(copy: Path, path: Path) -> Found:
    """Put a copy where a log is that no server has open, and say what is in it.

    The copy stays; what was there before is kept as `….before`.

    Raises:
        StorageUnavailable: a server has it open, or there is no copy to read.
        NewerSchema: a newer Krig has written the copy.
    """
    held = lock(path)
    try:
        new = path.with_name(f"{path.name}.new")
        found = _copy(copy, new)
        before = path.with_name(f"{path.name}.before")
        for rest in ("-shm", "-wal", ""):
            before.with_name(before.name + rest).unlink(missing_ok=True)
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        for rest in ("-wal", ""):
            there = path.with_name(path.name + rest)
            if there.exists():
                there.rename(before.with_name(before.name + rest))
        new.rename(path)
        _sync_names(path.parent)
    except OSError as error:
        raise StorageUnavailable(f"{path}: {error.strerror}.") from error
    finally:
        unlock(held)
    return found


def _copy(path: Path, to: Path) -> Found:
    """Make a copy under a name of its own, or over a copy that was there."""
    part = to.with_name(f"{to.name}.part")
    try:
        with closing(open_to_read(path)) as original:
            part.unlink(missing_ok=True)
            part.touch(mode=PRIVATE)
            with closing(sqlite3.connect(part, isolation_level=None)) as copy:
                original.backup(copy)
                copy.execute(MARK_COPY)
                copy.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        found = look_through(part)
        _sync(part)
        part.rename(to)
        _sync_names(to.parent)
    except sqlite3.Error as error:
        raise unavailable(path, error) from error
    except OSError as error:
        raise StorageUnavailable(f"{to}: {error.strerror}.") from error
    finally:
        for rest in ("", "-wal", "-shm"):
            part.with_name(part.name + rest).unlink(missing_ok=True)
    return found


def look_through(path: Path) -> Found:
    """Read everything: the file's own structure, each entry, and each newest chapter.

    Raises:
        StorageUnavailable: there is no log.
        NewerSchema: a newer Krig has written it.
    """
    with closing(open_to_read(path)) as con:
        try:
            checked = [row[0] for row in con.execute("PRAGMA quick_check")]
            faults = [] if checked == ["ok"] else checked
            chapters = con.execute(
                "SELECT code, chapter, count(*) FROM entry GROUP BY code, chapter"
            ).fetchall()
            newest = {code: chapter for code, chapter, _ in chapters}
            for code, chapter, _ in chapters:
                name = LogName(code, chapter)
                faults += _faults(con, name, whole=newest[code] == chapter)
        except sqlite3.Error as error:
            raise unavailable(path, error) from error
    return Found(len(newest), sum(row[2] for row in chapters), tuple(faults))


def _faults(con: sqlite3.Connection, name: LogName, *, whole: bool) -> Iterator[str]:
    """What is wrong with a chapter; one that goes on must lead to a state as well."""
    rows = con.execute(
        "SELECT n, body FROM entry WHERE code = ? AND chapter = ? ORDER BY n",
        (name.code, name.chapter),
    )
    try:
        entries = [decode(body, name, n) for n, body in rows]
        if whole:
            fold(entries)
    except KrigError as error:
        yield str(error)
    except Exception as error:
        yield f"{name} leads to no state: {type(error).__name__}."


def _sync_names(folder: Path) -> None:
    """Have a folder's list of names on stable storage, where that can be asked for."""
    if sys.platform != "win32":
        _sync(folder)


def _sync(path: Path) -> None:
    """Have a file, or a folder's list of names, on stable storage."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
