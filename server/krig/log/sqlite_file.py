"""The SQLite file of a log: its form, and how it is opened.

A file that cannot be read, or is not ours, is reported, and never deleted, moved,
repaired or written to.
"""

import sqlite3
from pathlib import Path
from typing import Final

from krig.errors import NewerSchema, StorageUnavailable

APPLICATION: Final = 0x4B726967
"""`Krig` in the header of the file, so that no other file is taken for a log."""

FILE_SCHEMA: Final = 1
"""The number of the form of the tables; that of the entries is in each of them."""

CREATE: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    f"INSERT INTO meta VALUES ('schema', {FILE_SCHEMA}), ('checks', 0)",
    """CREATE TABLE entry (
        code TEXT NOT NULL, chapter INTEGER NOT NULL, n INTEGER NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (code, chapter, n)
    ) WITHOUT ROWID""",
    f"PRAGMA application_id = {APPLICATION}",
)

MARK_COPY: Final = "INSERT OR REPLACE INTO meta VALUES ('copy', 1)"
ADOPT: Final = "DELETE FROM meta WHERE key = 'copy'"

CHECK: Final = "UPDATE meta SET value = value + 1 WHERE key = 'checks'"
"""A row that changes each time: SQLite does not write what is as it was."""

PRIVATE: Final = 0o600
"""Its owner's alone: a log holds what nobody may know yet, and everybody's name."""

BUSY: Final = 1.0
"""How long a commit waits for somebody else's lock on the file (s)."""

WAL_KEPT: Final = 16 * 2**20
"""A WAL that grew is cut back to this once it is in the file (bytes)."""

CACHE: Final = 32 * 2**20
"""Each room in play writes to a page of its own; these many bytes hold 8,000."""


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    con = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY,
    )
    con.execute("PRAGMA cell_size_check = ON")
    return con


def open_file(path: Path) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Open the file, or make it: the connection that writes, and the one that reads.

    Raises:
        StorageUnavailable: it is not ours, or takes no append now.
        NewerSchema: a newer Krig has written it.
    """
    try:
        path.touch(mode=PRIVATE)
        writing = _connect(path, "rwc")
        try:
            _prepare(path, writing)
            return writing, _connect(path, "ro")
        except BaseException:
            writing.close()
            raise
    except sqlite3.Error as error:
        raise unavailable(path, error) from error
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be opened: {error.strerror}."
        ) from error


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the file beside the server that writes it: nothing in it is changed.

    Raises:
        StorageUnavailable: it is not there, or not ours.
        NewerSchema: a newer Krig has written it.
    """
    try:
        reading = _connect(path, "ro")
        try:
            (application,) = reading.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION:
                raise StorageUnavailable(f"{path} is no log of Krig's.")
            _check_schema(path, reading)
        except BaseException:
            reading.close()
            raise
    except sqlite3.Error as error:
        raise unavailable(path, error) from error
    return reading


def is_copy(con: sqlite3.Connection) -> bool:
    """Whether the file came out of a backup, so that pages may know more than it."""
    row = con.execute("SELECT value FROM meta WHERE key = 'copy'").fetchone()
    return row is not None


def _prepare(path: Path, con: sqlite3.Connection) -> None:
    """See whose file it is before it is touched, and that it takes a row."""
    (application,) = con.execute("PRAGMA application_id").fetchone()
    (tables,) = con.execute("SELECT count(*) FROM sqlite_master").fetchone()
    new = application == 0 and tables == 0
    if not new:
        if application != APPLICATION:
            raise StorageUnavailable(f"{path} is no log of Krig's; it was not touched.")
        _check_schema(path, con)
    con.execute("PRAGMA auto_vacuum = INCREMENTAL")
    (mode,) = con.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StorageUnavailable(f"{path} cannot have a write-ahead log where it is.")
    con.execute("PRAGMA synchronous = FULL")
    con.execute("PRAGMA fullfsync = ON")  # macOS, where fsync alone does not reach it
    con.execute(f"PRAGMA cache_size = {-CACHE // 1024}")
    con.execute(f"PRAGMA journal_size_limit = {WAL_KEPT}").fetchall()
    con.execute("BEGIN IMMEDIATE")
    for statement in CREATE if new else (CHECK,):
        con.execute(statement)
    con.execute("COMMIT")


def _check_schema(path: Path, con: sqlite3.Connection) -> None:
    row = con.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    schema = row[0] if row else None
    if not isinstance(schema, int) or schema < 1:
        raise StorageUnavailable(f"{path} does not say which schema it has.")
    if schema > FILE_SCHEMA:
        raise NewerSchema(
            f"{path} was written by a newer Krig (schema {schema}, and this one "
            f"reads none above {FILE_SCHEMA})."
        )


def unavailable(path: Path, error: sqlite3.Error) -> StorageUnavailable:
    """What SQLite says, as an error of ours."""
    name = getattr(error, "sqlite_errorname", None)
    return StorageUnavailable(f"{path}: {error}{f' ({name})' if name else ''}.")
