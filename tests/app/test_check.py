"""`krig serve --check`: a line each, and a code that a script can read."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from krig.app.cli import main
from krig.log.sqlite import SqliteLog
from tests.log.test_backup import keep


def check(*given: object) -> int:
    return main(["serve", "--check", *map(str, given)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file with one room in it."""

    async def make() -> None:
        log = SqliteLog(tmp_path / "krig.db")
        await keep(log, "GOLD")
        await log.aclose()

    asyncio.run(make())
    return tmp_path / "krig.db"


def test_a_good_store_is_read_through_and_left_as_it_is(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = data.read_bytes()
    assert check("--data", data) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("configuration: ok")
    assert second.startswith(f"store: ok, {data}: 1 rooms")
    assert data.read_bytes() == before


def test_a_store_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--data", tmp_path / "new" / "krig.db") == 0
    assert "will be made" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        pytest.param("UPDATE entry SET body = '{' WHERE n = 2", "GOLD/1", id="entry"),
        pytest.param("UPDATE meta SET value = 99", "newer Krig", id="newer"),
        pytest.param("PRAGMA application_id = 7", "no log of Krig's", id="not-ours"),
    ],
)
def test_what_is_wrong_with_a_store_is_said(
    data: Path, damage: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(data)) as con, con:
        con.execute(damage)
    assert check("--data", data) == 1
    assert words in capsys.readouterr().err


def test_a_wrong_setting_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--port", 70000) == 1
    assert "KRIG_PORT" in capsys.readouterr().err
    assert check("--log", "cups://tea") == 1
    assert "cups://tea" in capsys.readouterr().err
    assert check("--log", "memory:") == 0


def test_a_proxy_that_nobody_told_of_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = ("--public-url", "https://krig.example")
    assert check("--data", tmp_path / "krig.db", *url) == 0
    assert "proxy" in capsys.readouterr().err
