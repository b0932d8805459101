"""What rings at a table: deadlines, clocks that jump, and timers let go of."""

import pytest

from krig.engine.rules import Rules
from krig.room import commands as c
from krig.room import facts as f
from krig.room.room import Phase
from tests.host.stage import Stage, settle


async def test_deadlines_that_fall_together_are_one_entry_and_fall_once() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", "Anna", "Max")
    await stage.deal(*pages)
    v = stage.table.room.v
    await stage.clock.wait(14.9)
    assert stage.table.room.v == v
    await stage.clock.wait(0.2)
    assert stage.table.room.v == v + 1
    last = (await stage.log.chapter(stage.code))[-1]
    assert [type(fact) for fact in last.facts] == [f.Flipped] * 4
    assert {page.state for page in pages} == {"away"}


async def test_an_entry_does_not_begin_a_deadline_anew() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    kari.flip()
    for i in range(14):
        await stage.clock.wait(1)
        kari.ask(c.ChangeName(f"Kari {i}"))
        await settle()
    assert ola.state == "here"
    await stage.clock.wait(1.1)
    assert ola.state == "away"


async def test_a_faster_tempo_counts_at_once() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    await stage.deal(kari, bots=1)
    kari.ask(c.SetTempo(f.Tempo.SLOW, False))
    kari.ask(c.SetAutoplay(True))
    await stage.clock.wait(0.5)
    kari.ask(c.SetTempo(f.Tempo.FAST, False))
    await settle()
    assert not kari.told("turned")
    await stage.clock.wait(0.6)
    assert len(kari.told("turned")) == 1


async def test_each_stage_of_a_deal_has_its_own_three_seconds() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    for page in (kari, ola):
        page.be_ready()
    await settle()
    kari.ask(c.Start(1))
    await settle()
    kari.reveal()
    await stage.clock.wait(3.1)  # Ola does not
    assert kari.told("deal_voided")[0]["withheld"] == [1]
    await stage.clock.wait(2.5)
    kari.be_ready()  # at the last moment, so that the reveal begins now
    await stage.clock.wait(2.5)
    assert len(kari.told("deal_voided")) == 1
    assert kari.view["room"]["deal"]["missing"] == [0]
    await stage.clock.wait(0.6)
    assert len(kari.told("deal_voided")) == 2
    assert kari.view["room"]["phase"] == "playing"


@pytest.mark.parametrize("jump", [-7200, -5, 5, 7200], ids=str)
async def test_a_wall_clock_that_jumps_moves_no_deadline(jump: int) -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    await stage.clock.wait(5)
    stage.clock.wall += jump * 1000
    kari.flip()
    await stage.clock.wait(9.8)
    assert ola.state == "here"
    await stage.clock.wait(0.4)
    assert ola.state == "away"


@pytest.mark.parametrize("jump", [-7200, 7200], ids=str)
async def test_a_wall_clock_that_jumps_takes_no_time_from_a_timed_game(
    jump: int,
) -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(time_limit=10))
    await stage.deal(kari, ola)
    kari.ask(c.SetAutoplay(True))
    ola.ask(c.SetAutoplay(True))
    await stage.clock.wait(30)
    stage.clock.wall += jump * 1000
    await stage.clock.wait(10)  # and the game goes on, entry by entry
    kari.ask(c.Pause(True))
    await stage.clock.wait(60)
    kari.ask(c.Pause(False))
    await settle()
    room = stage.table.room
    assert room.clock is not None
    assert 39_000 < room.clock.used < 41_000


async def test_a_timed_game_ends_when_its_time_is_over() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(time_limit=10))
    await stage.deal(kari, ola)
    kari.ask(c.SetTempo(f.Tempo.SLOW, False))
    await settle()
    for _ in range(65):
        kari.ask(c.SetTempo(f.Tempo.SLOW, bool(_ % 2)))
        kari.flip()
        ola.flip()
        await stage.clock.wait(10)
        if kari.view["room"]["game"] == 2:
            break
    assert kari.view["last"]["ending"] == "time_limit"


async def test_a_table_with_nobody_sleeps_and_lets_go_of_every_timer() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    await stage.leave(kari)
    await stage.leave(ola)
    await stage.clock.wait(3 + 120 + 5)
    room = stage.table.room
    assert room.asleep
    assert room.phase is Phase.PLAYING
    assert stage.clock.pending == 0
    kari = await stage.enter("Kari", back=kari)
    await stage.clock.wait(30)
    assert stage.table.room.asleep, "to look at it is no tap"
    kari.flip()
    await settle()
    assert not stage.table.room.asleep


async def test_no_timer_is_left_when_a_table_is_closed_with_an_append_in_flight() -> (
    None
):
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    stage.log.gate.clear()
    kari.flip()
    await settle()
    table = stage.table
    table.close(4410, "the server stops")
    assert (kari.closed, ola.closed) == (4410, 4410)
    stage.log.gate.set()
    await settle()
    assert stage.clock.pending == 0
    assert table.is_idle
