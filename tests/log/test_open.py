"""Which log a setting names."""

from pathlib import Path

import pytest

from krig.errors import StorageUnavailable
from krig.log.memory import MemoryLog
from krig.log.open import open_log
from krig.log.sqlite import SqliteLog


async def test_memory_is_a_log_that_lasts_as_long_as_the_process() -> None:
    assert isinstance(open_log("memory:"), MemoryLog)


async def test_a_path_is_a_file_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a b?c#d%20.db"
    for where in (path, str(path)):
        log = open_log(where)
        assert isinstance(log, SqliteLog)
        await log.aclose()
        assert path.exists()


async def test_a_url_is_an_absolute_path(tmp_path: Path) -> None:
    log = open_log(f"sqlite://{tmp_path}/my%20krig.db")
    assert isinstance(log, SqliteLog)
    assert log.path.name == "my krig.db"
    assert log.path.parent.samefile(tmp_path)
    await log.aclose()


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("nats://a,b,c?streams=64", "not built yet"),
        ("postgres://a/krig", "names no log"),
        ("sqlite://host/krig.db", "names no log"),
        ("sqlite://", "names no log"),
        ("sqlite:///", "names no log"),
    ],
)
def test_what_is_no_log_is_refused_in_one_line(where: str, why: str) -> None:
    with pytest.raises(StorageUnavailable, match=why) as refused:
        open_log(where)
    assert "\n" not in str(refused.value)
