"""Rooms are kept as long as the limits say, and their space is given back."""

from pathlib import Path

from krig.app.compose import start
from krig.app.settings import DAY, HOUR, Settings
from krig.host.host import Host
from krig.host.settings import HostSettings
from krig.log.sqlite import SqliteLog
from tests.host.stage import FakeChance, FakeClock
from tests.log.test_backup import keep

LIVES = HostSettings(lobby_lives=600, game_lives=HOUR, finished_lives=2 * HOUR)


async def test_a_file_of_rooms_whose_time_is_over_is_small_again(
    tmp_path: Path,
) -> None:
    log, clock = SqliteLog(tmp_path / "krig.db"), FakeClock()
    for number in range(40):
        await keep(log, f"ROOM{number}", "krieg-40-two")
    newest = await log.newest("ROOM0")
    assert newest is not None
    clock.wall = float((await log.read(newest))[-1][1].at)
    await log.aclose()
    full = log.path.stat().st_size
    log = SqliteLog(tmp_path / "krig.db")
    host = Host(log, clock, FakeChance(), server="1", settings=LIVES)
    for sweep in range(3):
        await host._sweep()
        assert len(await log.codes()) == 40, sweep
        clock._move(clock.seconds + HOUR - 60)
    clock._move(clock.seconds + 600)
    await host._sweep()
    assert await log.codes() == []
    await host.aclose()
    await log.aclose()
    assert log.path.stat().st_size < full / 4


async def test_the_settings_say_how_long_rooms_are_kept() -> None:
    async def lives(**given: object) -> tuple[float, float, float, float]:
        settings = Settings.model_validate({"log": "memory:", **given})
        async with start(settings) as parts:
            s = parts.host._settings
            return s.lobby_lives, s.game_lives, s.finished_lives, s.idle_after

    assert await lives() == (600, 30 * DAY, 30 * DAY, 30)
    assert await lives(public=True) == (600, DAY, 30 * DAY, 30)
    assert await lives(
        public=True,
        abandoned_game_hours=2,
        finished_game_hours=1,
        empty_lobby_minutes=1,
        idle_seconds=5,
    ) == (60, 2 * HOUR, HOUR, 5)
