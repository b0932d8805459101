"""The log of a single server: the promises of the port, and those about the disk."""

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from krig.errors import (
    Conflict,
    LogError,
    NewerSchema,
    StorageUnavailable,
    Unknown,
    UnreadableEntry,
)
from krig.log.log import Log, LogName
from krig.log.sqlite import SqliteLog
from krig.log.sqlite_file import APPLICATION, FILE_SCHEMA
from tests.log.contract import LOBBY, RoomLogContract, entry, fill

ROOT = Path(__file__).parents[2]


class TestSqliteLog(RoomLogContract):
    def open(self, folder: Path) -> Log:
        return SqliteLog(folder / "krig.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "krig.db"


@pytest.fixture
async def log(path: Path) -> AsyncIterator[SqliteLog]:
    log = SqliteLog(path)
    yield log
    await log.aclose()


class Disk:
    """The connection that writes, with a disk whose COMMIT does as the test says."""

    def __init__(self, log: SqliteLog) -> None:
        self._con = log._writer._con
        self.commit: Callable[[], object] = self.write
        log._writer._con = self  # type: ignore[assignment]

    def write(self) -> sqlite3.Cursor:
        return self._con.execute("COMMIT")

    def execute(self, statement: str, *values: tuple[str, int]) -> object:
        if statement == "COMMIT":
            return self.commit()
        return self._con.execute(statement, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self._con, name)


def python(program: str, *arguments: object) -> "subprocess.Popen[bytes]":
    """Another process, with what it prints on a pipe."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def printed_by(program: str, *arguments: object) -> str:
    """What another process prints until its good end."""
    process = python(program, *arguments)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err.decode()
    return out.decode()


# What is on the disk.


async def test_a_file_opened_again_has_everything(path: Path) -> None:
    log = SqliteLog(path)
    versions = await fill(log, LOBBY, 10)
    await log.aclose()
    log = SqliteLog(path)
    assert await log.read(LOBBY) == [(n, entry(n)) for n in versions]
    with pytest.raises(Conflict):
        await log.append(LOBBY, 0, entry())
    await log.append(LOBBY, versions[-1], entry(11))
    await log.aclose()


async def test_a_closed_log_is_one_file_that_names_its_maker(path: Path) -> None:
    log = SqliteLog(path)
    await fill(log, LOBBY, 3)
    await log.aclose()
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "krig.db",
        "krig.db.lock",
    ]
    con = sqlite3.connect(path)
    assert con.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert con.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert con.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == (
        FILE_SCHEMA,
    )
    con.close()


async def test_every_commit_is_synced(log: SqliteLog) -> None:
    full = log._writer._con.execute("PRAGMA synchronous").fetchone()
    assert full == (2,)  # FULL; NORMAL would lose the newest entries in a power cut


async def write_and_forget(path: Path) -> None:
    log = SqliteLog(path)
    for n in range(30):
        await asyncio.gather(
            *(
                log.append(LogName(f"R{n}", chapter), 0, entry(1, "x" * 3000))
                for chapter in range(1, 41)
            )
        )
    for n in range(30):
        await log.forget(f"R{n}")
    await log.aclose()


def test_what_a_forgotten_room_held_is_given_back(path: Path) -> None:
    asyncio.run(write_and_forget(path))
    assert path.stat().st_size < 30 * 40 * 3000 / 3


APPEND_FOR_EVER = """
import asyncio, os, sys
from pathlib import Path
from krig.log.log import LogName
from krig.log.sqlite import SqliteLog
from krig.room.facts import Entry, Slept

async def play(log, name):
    version = len(await log.read(name))
    while True:
        entry = Entry(version + 1, 0, "", (Slept(),))
        version = await log.append(name, version, entry)
        os.write(1, f"{name.code} {version}\\n".encode())

async def main():
    log = SqliteLog(Path(sys.argv[1]))
    await asyncio.gather(*(play(log, LogName(f"R{n}", 1)) for n in range(8)))

asyncio.run(main())
"""


def acknowledged_until_killed(path: Path, after: int) -> Iterator[tuple[str, int]]:
    """What a server says it has stored, killed when it has said so many things."""
    with python(APPEND_FOR_EVER, path) as server:
        assert server.stdout
        for said, line in enumerate(server.stdout, 1):
            code, version = line.decode().split()
            yield code, int(version)
            if said == after:
                server.kill()
    assert server.returncode == -signal.SIGKILL


async def test_nothing_acknowledged_is_lost_or_doubled_by_kill_9(path: Path) -> None:
    dice = random.Random(9)
    told: dict[str, int] = {}
    for _ in range(10):
        told.update(dict(acknowledged_until_killed(path, dice.randrange(1, 400))))
        log = SqliteLog(path)
        for code, version in told.items():
            stored = [found.v for _, found in await log.read(LogName(code, 1))]
            assert stored == list(range(1, len(stored) + 1))
            assert version <= len(stored)
        await log.aclose()
    assert sum(told.values()) > 500


# One commit for many.


async def test_what_waits_is_committed_together_and_wakes_the_loop_once(
    log: SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, may_go_on = Disk(log), threading.Event()
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    wakings: list[object] = []

    def commit() -> None:
        loop.call_soon_threadsafe(begun.set)
        may_go_on.wait(60)
        disk.write()

    disk.commit = commit
    first = asyncio.ensure_future(log.append(LOBBY, 0, entry()))
    await begun.wait()
    disk.commit = disk.write
    wake = loop.call_soon_threadsafe

    def count(callback: Callable[..., object], *values: object) -> object:
        wakings.append(callback)
        return wake(callback, *values)

    monkeypatch.setattr(loop, "call_soon_threadsafe", count)
    before = log.commits
    others = [
        asyncio.ensure_future(log.append(LogName(f"R{n // 2}", 1), 0, entry()))
        for n in range(100)  # and each room twice: the second is a conflict
    ]
    await asyncio.sleep(0)
    may_go_on.set()
    outcomes = await asyncio.gather(first, *others, return_exceptions=True)
    assert Counter(map(type, outcomes)) == {int: 51, Conflict: 50}
    assert log.commits == before + 2
    assert wakings == [log._deliver, log._deliver]


async def test_reading_does_not_wait_for_a_commit(log: SqliteLog) -> None:
    await fill(log, LOBBY, 2)
    disk, may_go_on = Disk(log), threading.Event()
    disk.commit = lambda: may_go_on.wait(60) and disk.write()
    append = asyncio.ensure_future(log.append(LOBBY, 2, entry(3, "slow")))
    await asyncio.sleep(0)
    assert len(await log.read(LOBBY)) == 2
    assert await log.newest("KRIG") == LOBBY
    assert await log.codes() == ["KRIG"]
    assert not append.done()
    may_go_on.set()
    assert await append == 3


async def test_an_append_that_cannot_be_written_harms_nobody_beside_it(
    log: SqliteLog,
) -> None:
    beyond = LogName("KRIG", 2**70)  # SQLite has no such number
    outcomes = await asyncio.gather(
        log.append(LOBBY, 0, entry(1)),
        log.append(beyond, 0, entry(1)),
        log.append(LOBBY, 1, entry(2)),
        log.append(LOBBY, 1, entry(2)),
        return_exceptions=True,
    )
    assert [type(each) for each in outcomes] == [int, OverflowError, int, Conflict]
    assert len(await log.read(LOBBY)) == 2


# A disk that fails.


async def test_nothing_is_stored_or_followed_before_its_commit(log: SqliteLog) -> None:
    disk = Disk(log)
    follower = log.follow(LOBBY)
    first = asyncio.ensure_future(anext(follower))

    def fail() -> None:
        raise sqlite3.OperationalError("disk I/O error")

    disk.commit = fail
    outcomes = await asyncio.gather(
        *(log.append(LOBBY, n, entry(n + 1, "lost")) for n in range(3)),
        log.forget("KRIG"),
        log.check(),
        return_exceptions=True,
    )
    assert [type(each) for each in outcomes] == [StorageUnavailable] * 5
    assert await log.read(LOBBY) == []
    disk.commit = disk.write
    await log.append(LOBBY, 0, entry(1, "kept"))
    assert (await first)[1].nonce == "kept"
    assert len(await log.read(LOBBY)) == 1


async def test_after_a_failed_fsync_nobody_knows(log: SqliteLog) -> None:
    disk = Disk(log)

    def fail() -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
        raise error

    disk.commit = fail
    with pytest.raises(Unknown):
        await log.append(LOBBY, 0, entry(1, "mine"))
    disk.commit = disk.write
    if not await log.read(LOBBY):  # as a host does, by its nonce
        await log.append(LOBBY, 0, entry(1, "mine"))
    assert len(await log.read(LOBBY)) == 1


def fill_the_disk(log: SqliteLog) -> Callable[[], object]:
    con = log._writer._con
    (pages,) = con.execute("PRAGMA page_count").fetchone()
    con.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    return lambda: con.execute(f"PRAGMA max_page_count = {2**30}").fetchall()


def make_it_read_only(log: SqliteLog) -> Callable[[], object]:
    con = log._writer._con
    con.execute("PRAGMA query_only = ON")
    return lambda: con.execute("PRAGMA query_only = OFF")


def lock_it(log: SqliteLog) -> Callable[[], object]:
    log._writer._con.execute("PRAGMA busy_timeout = 0").fetchall()
    other = sqlite3.connect(log.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other.close


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        pytest.param(fill_the_disk, "full", id="full"),
        pytest.param(make_it_read_only, "readonly", id="read-only"),
        pytest.param(lock_it, "locked", id="locked"),
    ],
)
async def test_trouble_with_the_disk_is_told_and_passes(
    log: SqliteLog, trouble: Callable[[SqliteLog], Callable[[], object]], why: str
) -> None:
    await fill(log, LOBBY, 3)
    over = trouble(log)
    large = entry(4, "x" * 10_000)
    appends = (log.append(LogName(f"R{n}", 1), 0, large) for n in range(5))
    outcomes = await asyncio.gather(
        log.append(LOBBY, 3, large), *appends, return_exceptions=True
    )
    assert {type(each) for each in outcomes} == {StorageUnavailable}
    assert all(why in str(each) for each in outcomes)
    assert len(await log.read(LOBBY)) == 3
    assert await log.codes() == ["KRIG"]
    if why != "full":  # the row that `check` changes needs no page more
        with pytest.raises(StorageUnavailable, match=why):
            await log.check()
    over()
    await log.check()
    assert await log.append(LOBBY, 3, large) == 4


NO_ROOM = """
import asyncio, resource, sys
from pathlib import Path
from krig.errors import StorageUnavailable
from krig.log.log import LogName
from krig.log.sqlite import SqliteLog
from krig.room.facts import Entry, Flipped

LOBBY = LogName("KRIG", 1)

def entry(v):
    return Entry(v, 0, "", (Flipped(1),))

async def main():
    path = Path(sys.argv[1])
    log = SqliteLog(path)
    for n in range(10):
        await log.append(LOBBY, n, entry(n + 1))
    size = Path(f"{path}-wal").stat().st_size
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, hard))
    for asked in (log.append(LOBBY, 10, entry(11)), log.check()):
        try:
            await asked
        except StorageUnavailable as error:
            print(type(error).__name__)
    print(len(await log.read(LOBBY)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    await log.check()
    print(await log.append(LOBBY, 10, entry(11)))
    await log.aclose()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no RLIMIT_FSIZE")
async def test_a_write_that_the_system_cuts_short_leaves_nothing(path: Path) -> None:
    assert printed_by(NO_ROOM, path).split() == [
        "StorageUnavailable",
        "StorageUnavailable",
        "10",
        "11",
    ]
    log = SqliteLog(path)
    assert [found.v for _, found in await log.read(LOBBY)] == list(range(1, 12))
    await log.aclose()


# A file that cannot be opened.

OPEN = """
import os, sys
from pathlib import Path
from krig.errors import KrigError
from krig.log.sqlite import SqliteLog

if os.geteuid() == 0:  # root may write what is read-only
    os.seteuid(65534)
try:
    SqliteLog(Path(sys.argv[1]))
except KrigError as error:
    print(type(error).__name__, error)
"""


def test_another_server_is_kept_off_in_one_line(path: Path) -> None:
    async def hold() -> None:
        log = SqliteLog(path)
        with pytest.raises(StorageUnavailable, match=r"Another server has .* open"):
            SqliteLog(path)
        link = path.with_name("link.db")
        link.symlink_to(path)
        with pytest.raises(StorageUnavailable, match="Another server"):
            SqliteLog(link)
        refused = await asyncio.to_thread(printed_by, OPEN.replace("== 0", "< 0"), path)
        assert refused == f"StorageUnavailable Another server has {path} open.\n"
        await log.append(LOBBY, 0, entry())
        await log.aclose()
        await SqliteLog(path).aclose()

    asyncio.run(hold())


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that any user may go into, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.mark.parametrize("what", ["file", "folder"])
async def test_what_is_read_only_is_told_in_one_line(
    public_folder: Path, what: str
) -> None:
    path = public_folder / "krig.db"
    if what == "file":
        await SqliteLog(path).aclose()
        os.chmod(path, 0o444)
        os.chmod(f"{path}.lock", 0o666)
    os.chmod(public_folder, 0o777 if what == "file" else 0o555)
    refused = await asyncio.to_thread(printed_by, OPEN, path)
    assert refused.startswith(f"StorageUnavailable {path}")
    assert refused.count("\n") == 1


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    tmp_path.joinpath("file").touch()
    for where in (tmp_path / "file" / "krig.db", tmp_path):
        with pytest.raises(StorageUnavailable, match=str(tmp_path)):
            SqliteLog(where)


def foreign(path: Path) -> None:
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE meta (key TEXT, value INTEGER)")
    con.execute("INSERT INTO meta VALUES ('schema', 1)")  # as ours, by chance
    con.commit()
    con.close()


def newer(path: Path) -> None:
    asyncio.run(SqliteLog(path).aclose())
    con = sqlite3.connect(path)
    con.execute("UPDATE meta SET value = value + 1 WHERE key = 'schema'")
    con.commit()
    con.close()


def torn(path: Path) -> None:
    asyncio.run(SqliteLog(path).aclose())
    path.write_bytes(path.read_bytes()[:3000])


@pytest.mark.parametrize(
    ("make", "error"),
    [
        pytest.param(
            lambda path: path.write_bytes(b"Dear diary, " * 999),
            StorageUnavailable,
            id="no-database",
        ),
        pytest.param(foreign, StorageUnavailable, id="somebody-elses"),
        pytest.param(torn, StorageUnavailable, id="torn"),
        pytest.param(newer, NewerSchema, id="newer"),
    ],
)
def test_a_file_that_is_no_log_is_left_as_it_is(
    path: Path, make: Callable[[Path], None], error: type[LogError]
) -> None:
    make(path)
    before = path.read_bytes()
    for _ in range(2):  # and the lock is free again
        with pytest.raises(error, match=str(path)):
            SqliteLog(path)
    assert path.read_bytes() == before


async def test_an_unreadable_entry_quarantines_its_room_alone(path: Path) -> None:
    log = SqliteLog(path)
    for code in ("BAD", "GOOD"):
        await fill(log, LogName(code, 1), 3)
    await log.aclose()
    con = sqlite3.connect(path)
    con.execute("UPDATE entry SET body = x'7b' WHERE code = 'BAD' AND n = 2")
    con.commit()
    con.close()
    log = SqliteLog(path)
    with pytest.raises(UnreadableEntry, match=r"^Entry 2 of BAD/1 cannot be read"):
        await log.read(LogName("BAD", 1))
    with pytest.raises(UnreadableEntry):
        await anext(log.follow(LogName("BAD", 1)))
    assert len(await log.read(LogName("GOOD", 1))) == 3
    assert await log.append(LogName("GOOD", 1), 3, entry(4)) == 4
    assert await log.newest("BAD") == LogName("BAD", 1)
    await log.aclose()


def damage_the_middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(data)


async def test_a_damaged_page_is_told_and_not_skipped(path: Path) -> None:
    log = SqliteLog(path)
    for n in range(20):
        rows = (log.append(LogName(f"R{n:02}", c), 0, entry()) for c in range(40))
        await asyncio.gather(*rows)
    await log.aclose()
    damage_the_middle(path)
    log = SqliteLog(path)
    found = Counter[object]()
    for n in range(20):
        try:
            for chapter in range(40):
                found[len(await log.read(LogName(f"R{n:02}", chapter)))] += 1
        except StorageUnavailable as error:
            found["malformed" in str(error)] += 1
    assert found.keys() == {1}
    await log.aclose()
