"""The log that lasts as long as its process."""

from pathlib import Path

import pytest

from krig.errors import UnreadableEntry
from krig.log.log import Log
from krig.log.memory import MemoryLog
from tests.log.contract import LOBBY, RoomLogContract, entry


class TestMemoryLog(RoomLogContract):
    def open(self, folder: Path) -> Log:
        return MemoryLog()


async def test_what_cannot_be_written_is_not_stored() -> None:
    log = MemoryLog()
    with pytest.raises(UnreadableEntry):
        await log.append(LOBBY, 0, entry(1, "\ud800"))
    assert await log.codes() == []
