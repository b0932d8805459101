"""Listening to a log that only this process appends to."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from krig.errors import StorageUnavailable
from krig.log.local import KEPT, Ears, LocalLog
from krig.log.log import LogName
from krig.log.memory import MemoryLog
from krig.log.sqlite import SqliteLog
from krig.room.facts import Entry
from tests.log.contract import LOBBY, entry, fill

Read = list[tuple[int, Entry]]


@pytest.fixture(params=["memory:", "krig.db"])
async def log(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[MemoryLog | SqliteLog]:
    memory = request.param == "memory:"
    log = MemoryLog() if memory else SqliteLog(tmp_path / request.param)
    yield log
    await log.aclose()


async def test_an_entry_between_reading_and_listening_is_not_lost(
    log: MemoryLog | SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    (known,) = await fill(log, LOBBY, 1)
    read = log.read

    async def read_while_somebody_appends(name: LogName, after: int = 0) -> Read:
        stored = await read(name, after)
        await log.append(LOBBY, known, entry(2, "in between"))
        return stored

    monkeypatch.setattr(log, "read", read_while_somebody_appends)
    follower = log.follow(LOBBY)
    assert [(await anext(follower))[1].v for _ in range(2)] == [1, 2]


async def test_an_entry_that_is_read_and_heard_comes_once(
    log: MemoryLog | SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = log.read

    async def read_after_somebody_appended(name: LogName, after: int = 0) -> Read:
        await log.append(LOBBY, 0, entry(1))
        return await read(name, after)

    monkeypatch.setattr(log, "read", read_after_somebody_appended)
    follower = log.follow(LOBBY)
    version, first = await anext(follower)
    await log.append(LOBBY, version, entry(2))
    assert [first.v, (await anext(follower))[1].v] == [1, 2]


async def test_a_follower_waits_out_a_storage_that_does_not_answer(
    log: MemoryLog | SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = log.read
    asked = asyncio.Event()

    async def fail_once(name: LogName, after: int = 0) -> Read:
        monkeypatch.setattr(log, "read", read)
        asked.set()
        raise StorageUnavailable("The disk is away.")

    monkeypatch.setattr(log, "read", fail_once)
    waiting = asyncio.ensure_future(anext(log.follow(LOBBY)))
    await asked.wait()
    await log.append(LOBBY, 0, entry(1))  # so it is back, and need not be waited for
    assert (await waiting)[1] == entry(1)


async def test_a_slow_hearer_loses_the_oldest_words() -> None:
    log = MemoryLog()
    hearer = log.hear("KRIG")
    for n in range(KEPT + 3):
        await log.tell("KRIG", f"{n}")
    assert await anext(hearer) == "3"


async def leave_a_hearer(log: LocalLog, code: str) -> None:
    log.hear(code)


async def leave_a_follower(log: LocalLog, code: str) -> None:
    task = asyncio.ensure_future(anext(log.follow(LogName(code, 1))))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("leave", [leave_a_hearer, leave_a_follower])
async def test_nothing_is_kept_of_those_who_left(
    leave: Callable[[LocalLog, str], "asyncio.Future[None]"],
) -> None:
    log = MemoryLog()
    for n in range(300):
        await leave(log, f"R{n}")
    gc.collect()
    await asyncio.sleep(0)
    assert (len(log._news), len(log._words)) == (0, 0)
    assert len(log._news._rooms) + len(log._words._rooms) < 100


def test_a_listener_that_is_let_go_of_is_not_told() -> None:
    ears: Ears[str] = Ears()
    ear = ears.open("KRIG")
    assert len(ears) == 1
    del ear
    ears.say("KRIG", "anybody?")
    assert len(ears) == 0
