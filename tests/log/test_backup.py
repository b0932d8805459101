"""A copy made beside a running server: whole, of one moment, and looked through."""

import asyncio
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from krig.errors import NewerSchema, StorageUnavailable
from krig.log.backup import Found, back_up, look_through, restore
from krig.log.codec import decode, encode
from krig.log.log import LogName
from krig.log.sqlite import SqliteLog
from tests.log.contract import entry
from tests.log.golden import ROOMS, stored


async def keep(log: SqliteLog, code: str, room: str = "teams-clock") -> int:
    """Store a golden room; return how many entries it has."""
    chapter, after, count = 0, 0, 0
    for line in stored(room):
        found = decode(line)
        if type(found.facts[0]).__name__ == "ChapterOpened":
            chapter, after = chapter + 1, 0
        after = await log.append(LogName(code, chapter), after, found)
        count += 1
    return count


def _names(folder: Path, part: str) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if part in each.name)


async def test_a_copy_made_while_entries_are_written_is_of_one_moment(
    tmp_path: Path,
) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    there = await keep(log, "GOLD")
    name, told, busy = LogName("BUSY", 1), 0, asyncio.Event()

    async def write() -> None:
        nonlocal told
        first, *rest = map(decode, stored("teams-clock"))
        for each in (first, *rest[:-2]):
            await log.append(name, told, each)
            told += 1
            if told == 5:
                busy.set()

    writing = asyncio.create_task(write())
    await busy.wait()
    before = told
    copy = tmp_path / "copy.db"
    found = await asyncio.to_thread(back_up, log.path, copy)
    after = told
    await writing
    await log.aclose()
    assert found.rooms == 2
    assert found.faults == ()
    assert before <= found.entries - there <= after + 1
    assert _names(tmp_path, "copy") == ["copy.db"]
    restored = SqliteLog(copy)
    assert restored.is_copy
    stored_there = [each.v for _, each in await restored.read(name)]
    assert stored_there == list(range(1, found.entries - there + 1))
    await restored.append(name, len(stored_there), entry(len(stored_there) + 1))
    await restored.aclose()


async def test_a_copy_that_was_taken_over_is_none_any_more(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    await keep(log, "GOLD")
    assert not log.is_copy
    await log.aclose()
    back_up(log.path, tmp_path / "copy.db")
    copy = SqliteLog(tmp_path / "copy.db")
    await copy.adopt()
    await copy.aclose()
    again = SqliteLog(tmp_path / "copy.db")
    assert not again.is_copy
    await again.aclose()


async def test_a_copy_is_put_in_place_of_a_file_whose_server_was_killed(
    tmp_path: Path,
) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    there = await keep(log, "GOLD")
    copy = tmp_path / "copy.db"
    back_up(log.path, copy)
    await keep(log, "LATE")
    with pytest.raises(StorageUnavailable, match="open"):
        restore(copy, log.path)
    killed = tmp_path / "killed"
    killed.mkdir()
    for rest in ("", "-wal", "-shm"):  # as it is on the disk before it is closed
        shutil.copy(f"{log.path}{rest}", killed / f"krig.db{rest}")
    await log.aclose()
    assert restore(copy, killed / "krig.db") == Found(1, there, ())
    assert copy.exists()
    restored = SqliteLog(killed / "krig.db")
    assert restored.is_copy
    assert await restored.codes() == ["GOLD"]
    await restored.aclose()
    assert look_through(killed / "krig.db.before").rooms == 2
    restore(copy, killed / "krig.db")  # as often as one likes


async def test_a_log_and_its_copy_are_their_owner_s_alone(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    await keep(log, "GOLD")
    back_up(log.path, tmp_path / "copy.db")
    for name in ("krig.db", "krig.db-wal", "krig.db-shm", "copy.db"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    await log.aclose()


async def test_every_golden_room_is_read_through(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    count = 0
    for number, room in enumerate(ROOMS):
        count += await keep(log, f"R{number}", room)
    await log.aclose()
    assert look_through(log.path) == Found(len(ROOMS), count, ())


async def test_what_cannot_be_read_is_named_and_the_rest_is_copied(
    tmp_path: Path,
) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    await keep(log, "GOOD")
    await keep(log, "HALF")
    await log.append(LogName("FALL", 1), 0, entry())
    await log.aclose()
    with closing(sqlite3.connect(log.path)) as con, con:
        con.execute("UPDATE entry SET body = '{' WHERE code = 'HALF' AND n = 3")
    found = back_up(log.path, tmp_path / "copy.db")
    assert found.rooms == 3
    assert len(found.faults) == 2
    assert any("HALF/1" in fault for fault in found.faults)
    assert (tmp_path / "copy.db").exists()


def test_no_file_is_overwritten_and_none_is_made_up(tmp_path: Path) -> None:
    there = tmp_path / "there.db"
    there.write_text("mine")
    with pytest.raises(StorageUnavailable, match="was not touched"):
        back_up(tmp_path / "krig.db", there)
    with pytest.raises(StorageUnavailable):
        back_up(tmp_path / "krig.db", tmp_path / "copy.db")
    with pytest.raises(StorageUnavailable):
        back_up(there, tmp_path / "copy.db")
    assert [each.name for each in tmp_path.iterdir()] == ["there.db"]
    assert there.read_text() == "mine"


async def test_a_newer_file_is_left_to_a_newer_krig(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    await log.aclose()
    with closing(sqlite3.connect(log.path)) as con, con:
        con.execute("UPDATE meta SET value = 99 WHERE key = 'schema'")
    with pytest.raises(NewerSchema):
        look_through(log.path)
    newer = encode(entry()).replace(b'"schema":1', b'"schema":99')
    with closing(sqlite3.connect(log.path)) as con, con:
        con.execute("UPDATE meta SET value = 1 WHERE key = 'schema'")
        con.execute("INSERT INTO entry VALUES ('NEW', 1, 1, ?)", (newer,))
    (fault,) = look_through(log.path).faults
    assert "schema 99" in fault


async def test_looking_changes_nothing_and_waits_for_nobody(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    await keep(log, "GOLD")
    written = log.path.read_bytes()
    assert (await asyncio.to_thread(look_through, log.path)).faults == ()
    assert log.path.read_bytes() == written
    await log.aclose()
