"""Which log a name means: a path, or a URL."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from krig.errors import StorageUnavailable
from krig.log.log import Log
from krig.log.memory import MemoryLog
from krig.log.sqlite import SqliteLog


def open_log(where: str | Path) -> Log:
    """Open the log that a setting names.

    A path, or `sqlite:///absolute/path`, is an SQLite file, made if it is not there;
    `memory:` lasts as long as the process.

    Raises:
        StorageUnavailable: in one line, why it cannot be opened.
        NewerSchema: a newer Krig has written it.
    """
    path = path_of(where)
    return MemoryLog() if path is None else SqliteLog(path)


def path_of(where: str | Path) -> Path | None:
    """The SQLite file that a setting names; None: it names no file.

    Raises:
        StorageUnavailable: it names no log.
    """
    if isinstance(where, Path):
        return where
    if where == "memory:":
        return None
    if "://" not in where:
        return Path(where)
    url = urlsplit(where)
    if url.scheme == "nats":
        raise StorageUnavailable("A log on NATS is not built yet.")
    if url.scheme != "sqlite" or url.netloc or not url.path.strip("/"):
        raise StorageUnavailable(
            f"{where} names no log: give a path, sqlite:///path or memory: instead."
        )
    return Path(url2pathname(url.path))
