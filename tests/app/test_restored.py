"""A server that starts on a backup gives every room of it a new history."""

import asyncio
from pathlib import Path

from krig.app.compose import start
from krig.app.settings import Settings
from krig.log.backup import back_up
from krig.log.sqlite import SqliteLog
from tests.log.golden import ROOMS
from tests.log.test_backup import keep


async def test_every_room_of_a_copy_has_a_new_epoch_once(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "krig.db")
    for name in ROOMS:
        await keep(log, name.upper(), name)
    await log.aclose()
    copy = tmp_path / "copy.db"
    await asyncio.to_thread(back_up, log.path, copy)

    async def epochs(data: Path) -> list[tuple[str, int]]:
        async with start(Settings(data=data)) as parts:
            tables = [await parts.host.table(name.upper()) for name in ROOMS]
            return [(table.room.epoch, table.room.v) for table in tables]

    before = await epochs(log.path)
    restored = await epochs(copy)
    again = await epochs(copy)
    for (epoch, v), (new, after), same in zip(before, restored, again, strict=True):
        assert epoch != new
        assert after == v + 1
        assert same == (new, after)
