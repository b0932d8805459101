"""The host: rooms by their codes, through crashes, idleness and age."""

import gc
import weakref
from asyncio import Event, create_task, gather, sleep
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from krig.engine.rules import PRESETS, Rules
from krig.errors import (
    Draining,
    GameNotOver,
    NewerSchema,
    NoSuchGame,
    NoSuchRoom,
    Quarantined,
    StorageUnavailable,
    TooManyRooms,
    UnreadableEntry,
)
from krig.host import host as host_module
from krig.host.settings import HostSettings
from krig.log.log import LogName
from krig.protocol.limits import Limits
from krig.protocol.session import CloseCode
from krig.room import commands as c
from krig.room import facts as f
from krig.room.evolve import fold
from krig.room.room import Phase, Presence
from tests.host.stage import Page, Stage, settle


async def test_a_room_is_found_by_its_code_and_no_other_is() -> None:
    stage = Stage()
    await stage.open("Kari")
    assert (await stage.host.table(stage.code)).room.code == stage.code
    with pytest.raises(NoSuchRoom):
        await stage.host.table("NONE5")


async def test_a_room_is_read_once_for_all_who_ask_together() -> None:
    stage = Stage()
    await stage.open("Kari")
    host, before = stage.new_host(), stage.log.reads
    one, two = await gather(host.table(stage.code), host.table(stage.code))
    assert one is two
    assert stage.log.reads == before + 1


async def test_a_full_process_makes_no_more_rooms() -> None:
    stage = Stage(HostSettings(limits=Limits(rooms=1)))
    await stage.open("Kari")
    with pytest.raises(TooManyRooms):
        await stage.host.open_room(Rules(), None)


async def test_a_code_that_is_taken_is_drawn_again() -> None:
    stage = Stage()
    first = await stage.host.open_room(Rules(), None)
    stage.servers = 0  # the same luck once more
    second = await stage.new_host().open_room(Rules(), None)
    assert first != second
    assert sorted(await stage.log.codes()) == sorted([first, second])


async def test_a_room_that_may_have_been_stored_is_looked_for_and_made_once() -> None:
    stage = Stage()
    stage.log.fails = ["unsure"]
    code = await stage.host.open_room(Rules(), None)
    assert await stage.log.codes() == [code]
    stage.log.fails = ["lost"]
    other = await stage.host.open_room(Rules(), None)
    assert sorted(await stage.log.codes()) == sorted([code, other])
    assert stage.log.appends == 3, "the second was stored by its own second try"
    stage.log.fails = ["lost"] * 10
    with pytest.raises(StorageUnavailable):
        await stage.host.open_room(Rules(), None)


async def test_a_room_that_another_server_made_of_the_same_code_stays_theirs() -> None:
    stage, twin = Stage(), Stage()
    code = await twin.host.open_room(Rules(), None)
    [entry] = await twin.log.chapter(code)
    theirs = replace(entry, nonce="theirs")
    await stage.log.write(LogName(code, 1), 0, theirs)
    stage.log.fails = ["lost"]
    assert await stage.host.open_room(Rules(), None) != code, "of the same luck"
    assert await stage.log.chapter(code) == [theirs]


async def test_a_long_game_is_recorded_while_others_are_served() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", rules=Rules(round_limit=240))
    await stage.deal(*pages)
    await stage.play_out(*pages)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await sleep(0)

    served = create_task(others())
    assert (await stage.host.record(stage.code, 1))["game"] == 1
    served.cancel()
    assert turns > 2


async def test_a_record_is_there_when_its_game_is_over_and_not_before() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", rules=Rules(round_limit=2))
    await stage.deal(*pages)
    with pytest.raises(GameNotOver):
        await stage.host.record(stage.code, 1)
    with pytest.raises(NoSuchGame):
        await stage.host.record(stage.code, 2)
    await stage.play_out(*pages)
    assert (await stage.host.record(stage.code, 1))["game"] == 1


# Crashes -----------------------------------------------------------------------------


class Crash(Exception):
    """The process is gone."""


async def played(stage: Stage, until: int) -> tuple[Page, Page]:
    """Play as far as the log has so many entries; the server may die at any of them."""
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(round_limit=4))
    for who in (kari, ola):
        who.be_ready()
    await settle()
    kari.ask(c.Start(1))
    await settle()
    for who in (kari, ola):
        who.reveal()
    await settle()
    while stage.table.room.v < until and stage.table.room.chapter == 1:
        await stage.press(kari, ola)
        await stage.clock.wait(0)
    return kari, ola


@pytest.mark.parametrize("lost", [False, True], ids=["told", "stored-but-not-told"])
async def test_after_a_crash_at_any_entry_all_resume_at_the_same_card(
    lost: bool,
) -> None:
    whole = Stage()
    await played(whole, 10_000)
    last = whole.table.room.v
    for at in range(7, last):
        stage = Stage()
        kari, ola = await played(stage, at)
        if lost:
            stage.log.gate.clear()
            for page in (kari, ola):
                if page.must_press:
                    page.flip()
            await settle()
            stage.host = Stage().host  # the process dies with the append in flight
            stage.log.gate.set()
            await settle()
        before = await stage.log.chapter(stage.code)
        expected = fold(before) if before else None
        stage.host = stage.new_host()
        kari = await stage.enter("Kari", back=kari)
        ola = await stage.enter("Ola", back=ola)
        await stage.clock.wait(0)
        room = stage.table.room
        assert expected is not None
        assert room.code == expected.code
        if expected.phase is Phase.PLAYING:
            assert room.game == expected.game
            assert room.seed == expected.seed
        assert kari.view == ola.view
        assert (kari.player, ola.player) == (1, 2)
        await stage.clock.wait(14)
        assert {kari.state, ola.state} == {"here"}, "the whole allowance anew"
        if room.phase is Phase.PLAYING:
            await stage.play_out(kari, ola)
            assert stage.table.room.last is not None
            assert len(stage.table.room.last.counts) == 2


async def test_a_game_that_ended_as_the_server_died_leads_to_the_next_lobby() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(round_limit=1))
    await stage.deal(kari, ola)
    original = stage.log.append
    chapter = LogName(stage.code, 1)

    async def no_next(log: LogName, after: int, entry: f.Entry) -> int:
        if log != chapter:
            raise Crash
        return await original(log, after, entry)

    stage.log.append = no_next  # type: ignore[method-assign]
    for _ in range(30):
        await stage.press(kari, ola)
        if kari.closed:
            break
    stage.log.append = original  # type: ignore[method-assign]
    await stage.clock.wait(1)
    stage.host = stage.new_host()
    kari = await stage.enter("Kari")
    await stage.clock.wait(1)
    assert kari.view["room"]["game"] == 2
    assert kari.view["last"]["ending"] == "round_limit"
    stored = [entry for _, entry in await stage.log.read(chapter)]
    assert fold(stored).phase is Phase.OVER
    assert not any(isinstance(x, f.Reopened) for e in stored for x in e.facts)


async def test_a_restart_gives_a_timed_game_neither_time_nor_takes_it() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(time_limit=10))
    await stage.deal(kari, ola)
    await stage.clock.wait(5)
    await stage.press(kari, ola)
    stage.host = stage.new_host()
    stage.clock.wall += 3_600_000
    kari = await stage.enter("Kari", back=kari)
    clock = stage.table.room.clock
    assert clock is not None
    assert 5_000 <= clock.used < 5_100
    assert clock.since is not None
    assert clock.since >= stage.clock.now() - 1


async def test_who_missed_something_before_a_restart_is_told_it_after_it() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    watcher = await stage.enter(None)
    await stage.leave(watcher)
    for name in ("Kaja", "Karin"):
        kari.ask(c.ChangeName(name))
        await settle()
    stage.host = stage.new_host()
    kari = await stage.enter("Kari", back=kari)
    assert kari.messages("welcome")[0]["sync"] == "in_sync"
    watcher = await stage.enter(None, back=watcher)
    assert watcher.messages("welcome")[0]["sync"] == "events"
    assert watcher.view == kari.view
    assert watcher.view["seats"][0]["name"] == "Karin"


async def test_a_record_is_made_once_and_none_of_a_game_that_is_played() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(round_limit=1))
    await stage.deal(kari, ola)
    before = stage.log.reads
    with pytest.raises(GameNotOver):
        await stage.host.record(stage.code, 1)
    assert stage.log.reads == before
    await stage.play_out(kari, ola)
    once = await stage.host.record(stage.code, 1)
    before = stage.log.reads
    assert await stage.host.record(stage.code, 1) == once
    assert stage.log.reads == before
    await stage.host.remove(stage.code)
    with pytest.raises(NoSuchRoom):
        await stage.host.record(stage.code, 1)
    assert not stage.host._records


async def test_a_damaged_record_says_so_and_nothing_of_what_is_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=Rules(round_limit=1))
    await stage.deal(kari, ola)
    await stage.play_out(kari, ola)

    async def damaged(*_: object) -> Any:
        raise UnreadableEntry("GAME/1 cannot be read: 'c0ffee' is no list.")

    monkeypatch.setattr(stage.log, "read", damaged)
    with pytest.raises(Quarantined, match=r"^$"):
        await stage.host.record(stage.code, 1)


async def test_everybody_s_return_to_a_restarted_server_is_two_entries() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", "Eva", "Liv")
    before = stage.table.room.v
    stage.host = stage.new_host()
    for page in pages:
        await stage.enter(page.who, back=page)
        await stage.clock.wait(0.3)
    await stage.clock.wait(1)
    first, second = [e.facts for e in await stage.log.chapter(stage.code)][before:]
    assert [type(fact) for fact in first] == [f.Reopened, f.SeatCame]
    assert [type(fact) for fact in second] == [f.SeatCame] * 3
    await stage.clock.wait(20)
    assert {p.presence for _, p in stage.table.room.humans} == {Presence.HERE}


async def test_a_return_that_shows_is_written_down_at_once() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.leave(ola)
    await stage.clock.wait(4)
    assert kari.view["seats"][1]["state"] == "away"
    await stage.enter("Ola")
    assert kari.view["seats"][1]["state"] == "here"


async def test_seats_whose_pages_do_not_return_after_a_restart_are_away() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    stage.host = stage.new_host()
    kari = await stage.enter("Kari", back=kari)
    await stage.clock.wait(14.9)
    assert kari.view["seats"][1]["state"] == "here"
    await stage.clock.wait(0.2)
    assert kari.view["seats"][1]["state"] == "away"


async def test_nothing_runs_in_a_room_that_nobody_came_back_to() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    host = stage.new_host()
    table = await host.table(stage.code)
    v, before = table.room.v, stage.clock.pending
    stage.host = host
    await stage.clock.wait(0)
    assert stage.clock.pending == before
    assert table.room.v == v


# Faults ------------------------------------------------------------------------------


async def test_a_room_that_cannot_be_read_is_set_aside_and_others_are_not() -> None:
    stage = Stage()
    await stage.open("Kari")
    bad = stage.code
    await stage.open("Ola")
    stage.log._rooms[bad][1][0] = b"{"
    host = stage.new_host()
    for _ in range(2):
        with pytest.raises(Quarantined):
            await host.table(bad)
    assert (await host.table(stage.code)).room.code == stage.code


async def test_a_room_that_could_not_be_looked_up_can_be_later() -> None:
    stage = Stage()
    await stage.open("Kari")
    host = stage.new_host()
    stage.log.blind = True
    with pytest.raises(StorageUnavailable):
        await host.table(stage.code)
    stage.log.blind = False
    assert (await host.table(stage.code)).room.code == stage.code


# The janitor and the end -------------------------------------------------------------


async def test_idle_tables_leave_memory_and_are_read_again() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    stage.host.start()
    await stage.clock.wait(120)
    assert stage.host.tables, "somebody is there"
    await stage.leave(kari)
    await stage.clock.wait(120)
    assert not stage.host.tables
    assert stage.clock.pending == 1, "only the janitor's own"
    kari = await stage.enter("Kari", back=kari)
    assert kari.player == 1
    await stage.host.aclose()
    assert stage.clock.pending == 0


async def test_the_janitor_forgets_each_room_by_its_own_limit() -> None:
    stage = Stage(HostSettings(game_lives=3600, finished_lives=7200))
    stage.host.start()
    (kari,) = await stage.open("Kari")
    lobby = stage.code
    await stage.leave(kari)
    pages = await stage.open("Kari", "Ola", rules=Rules())
    playing = stage.code
    table = await stage.host.table(playing)
    for page in pages:
        page.be_ready()
    await settle()
    pages[0].ask(c.Start(1))
    await settle()
    for page in pages:
        page.reveal()
    await settle()
    assert table.room.phase is Phase.PLAYING
    for page in pages:
        await stage.leave(page)
    await stage.clock.wait(480)
    assert sorted(await stage.log.codes()) == sorted([lobby, playing])
    await stage.clock.wait(420)
    assert await stage.log.codes() == [playing]
    await stage.clock.wait(3600)
    assert await stage.log.codes() == []
    with pytest.raises(NoSuchRoom):
        await stage.host.table(playing)
    await stage.host.aclose()


async def test_a_server_that_starts_finds_and_forgets_what_is_too_old() -> None:
    stage = Stage()
    await stage.open("Kari")
    host = stage.new_host()
    host.start()
    await stage.clock.wait(500)
    assert await stage.log.codes() == [stage.code]
    await stage.clock.wait(300)
    assert await stage.log.codes() == []
    await host.aclose()


async def test_a_room_that_is_being_forgotten_is_there_no_more() -> None:
    stage = Stage()
    stage.host.start()
    (kari,) = await stage.open("Kari")
    await stage.leave(kari)
    await stage.clock.wait(600)
    stage.log.gate.clear()
    await stage.clock.wait(120)
    with pytest.raises(NoSuchRoom):
        await stage.host.table(stage.code)
    stage.log.gate.set()
    await settle()
    assert await stage.log.codes() == []
    with pytest.raises(NoSuchRoom):
        await stage.host.table(stage.code)
    await stage.host.aclose()


async def test_a_wall_clock_that_was_put_right_forgets_no_game() -> None:
    stage = Stage()
    stage.clock.wall = 1_000.0  # no battery: it is 1970
    stage.host.start()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    stage.clock.wall += 1_700_000_000_000
    await stage.press(kari, ola)
    await stage.leave(kari)
    await stage.leave(ola)
    await stage.clock.wait(600)
    assert not stage.host.tables
    assert await stage.log.codes() == [stage.code]
    await stage.host.aclose()


@pytest.mark.parametrize("restarted", [False, True], ids=["let-go", "looked-up"])
async def test_a_wall_clock_that_was_put_right_ages_no_room_that_is_not_at_hand(
    restarted: bool,
) -> None:
    stage = Stage()
    stage.host.start()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    await stage.leave(kari)
    await stage.leave(ola)
    await stage.clock.wait(1000)
    assert not stage.host.tables
    if restarted:
        await stage.host.aclose()
        stage.host = stage.new_host()
        stage.host.start()
    stage.clock.wall += 40 * 24 * 3600 * 1000
    await stage.clock.wait(1000)
    assert await stage.log.codes() == [stage.code]
    await stage.clock.wait(30 * 24 * 3600)
    assert await stage.log.codes() == []
    await stage.host.aclose()


async def test_rooms_that_cannot_be_read_keep_the_janitor_from_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host_module, "SWEPT", 2)
    stage = Stage()
    codes = [await stage.host.open_room(Rules(), None) for _ in range(5)]
    bad = sorted(codes)[:2]
    latest = stage.log.latest

    async def newer(code: str) -> Any:
        if code in bad:
            raise NewerSchema("schema 2")
        return await latest(code)

    monkeypatch.setattr(stage.log, "latest", newer)
    host = stage.new_host()
    host.start()
    await stage.clock.wait(900)
    assert await stage.log.codes() == bad
    await host.aclose()


async def test_the_janitor_outlasts_a_log_that_fails() -> None:
    stage = Stage()
    stage.host.start()
    (kari,) = await stage.open("Kari")
    await stage.leave(kari)
    await stage.clock.wait(100)
    stage.log.blind = True
    host = stage.new_host()
    host.start()
    await stage.clock.wait(200)
    stage.log.blind = False
    await stage.clock.wait(700)
    assert await stage.log.codes() == []
    await host.aclose()
    await stage.host.aclose()


async def test_a_server_that_stops_says_when_to_come_back_and_keeps_nothing() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola", rules=PRESETS["krieg_240"])
    await stage.deal(kari, ola)
    stage.log.gate.clear()
    kari.flip()
    await settle()
    await stage.host.drain(iter((1500, 1502)))
    assert kari.messages("drain") == [{"type": "drain", "retry_after_ms": 1500}]
    assert ola.messages("drain") == [{"type": "drain", "retry_after_ms": 1502}]
    assert (kari.closed, ola.closed) == (4410, 4410)
    stage.log.gate.set()
    await stage.host.aclose()
    assert stage.clock.pending == 0
    assert not stage.host.tables
    with pytest.raises(Draining):
        await stage.host.open_room(Rules(), None)
    last = (await stage.log.chapter(stage.code))[-1]
    assert [type(fact) for fact in last.facts] == [f.Flipped]


async def test_a_server_stops_while_nobody_knows_whether_a_flip_was_stored() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    stage.log.fails, stage.log.blind = ["unsure"], True
    kari.ask(c.ChangeName("Kaja"))
    await stage.clock.wait(1)
    await stage.host.aclose()
    assert stage.clock.pending == 0


async def test_a_room_that_is_forgotten_while_it_is_read_is_gone_and_not_set_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage()
    await stage.open("Kari")
    host = stage.new_host()
    newest = stage.log.newest

    async def then_forget(code: str) -> LogName | None:
        found = await newest(code)
        await stage.log.forget(code)
        return found

    monkeypatch.setattr(stage.log, "newest", then_forget)
    with pytest.raises(NoSuchRoom):
        await host.table(stage.code)
    assert host.quarantined == 0
    await host.aclose()


async def test_a_room_that_somebody_comes_to_while_it_is_looked_up_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    await stage.leave(kari)
    host = stage.new_host()
    await stage.clock.wait(700)
    read, came = stage.log.read, list[Page]()

    async def and_somebody_comes(log: LogName, after: int = 0) -> Any:
        found = await read(log, after)
        if not came:
            came.append(Page("Kari"))
            came.append(await stage.enter("Kari", host=host))
        return found

    monkeypatch.setattr(stage.log, "read", and_somebody_comes)
    host.start()
    await stage.clock.wait(61)
    assert await stage.log.codes() == [stage.code]
    came[-1].ask(c.ChangeName("Kaja"), 3)
    await stage.clock.wait(1)
    assert came[-1].messages("ack")[-1]["id"] == 3
    await host.aclose()


async def test_a_room_that_whoever_runs_the_server_closes_is_gone_for_everybody() -> (
    None
):
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    code = stage.code
    kari.ask(c.Flip(1, 1, 0))  # an append is under way
    await stage.host.remove(code)
    assert kari.closed == ola.closed == CloseCode.NO_SUCH_ROOM
    assert await stage.log.codes() == []
    with pytest.raises(NoSuchRoom):
        await stage.host.table(code)
    with pytest.raises(NoSuchRoom):
        await stage.host.remove(code)
    await settle()
    assert await stage.log.codes() == []
    assert stage.clock.pending == 0


async def test_a_text_is_shown_to_everybody() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    assert stage.host.say("Back in two minutes.") == 2
    for page in (kari, ola):
        assert page.got[-1] == {"type": "notice", "text": "Back in two minutes."}


async def test_a_chapter_that_is_being_opened_does_not_outlive_its_closed_room() -> (
    None
):
    stage = Stage()
    pages = await stage.open("Kari", "Ola")
    await stage.deal(*pages)
    for page in pages:
        page.ask(c.LeaveSeat())
    await settle()
    table = await stage.host.table(stage.code)
    assert table.room.phase is Phase.OVER
    table._ring([c.OpenChapter(1)])
    await stage.host.remove(stage.code)
    await settle()
    assert await stage.log.codes() == []


async def test_who_was_on_the_way_to_a_room_that_is_removed_does_not_get_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage()
    await stage.open("Kari")
    host = stage.new_host()
    read, slowly = stage.log.read, Event()

    async def read_slowly(log: LogName, after: int = 0) -> Any:
        found = await read(log, after)
        await slowly.wait()
        return found

    monkeypatch.setattr(stage.log, "read", read_slowly)
    coming = create_task(host.table(stage.code))
    await settle()
    removing = create_task(host.remove(stage.code))
    await settle()
    late = create_task(host.table(stage.code))
    await settle()
    assert isinstance(late.exception(), NoSuchRoom)
    slowly.set()
    await removing
    assert (await coming).closed
    assert host.tables == ()
    with pytest.raises(NoSuchRoom):
        await host.table(stage.code)
    await host.aclose()


@pytest.mark.parametrize(("rooms", "length"), [(24_300, 5), (24_301, 6)])
async def test_codes_grow_with_the_rooms_that_are_stored(
    monkeypatch: pytest.MonkeyPatch, rooms: int, length: int
) -> None:
    stage = Stage()
    stage.host.start()

    async def codes() -> list[str]:
        return [f"ROOM{n}" for n in range(rooms)]

    monkeypatch.setattr(stage.log, "codes", codes)
    await stage.clock.wait(60)
    code = await stage.host.open_room(PRESETS["krieg_40"], None)
    assert len(code) == length
    await stage.host.aclose()


async def test_rooms_that_are_opened_at_once_are_counted_too() -> None:
    stage = Stage(HostSettings(limits=Limits(rooms=3)))
    stage.log.gate.clear()
    opening = [
        create_task(stage.host.open_room(PRESETS["krieg_40"], None)) for _ in range(8)
    ]
    await settle()
    stage.log.gate.set()
    came_to = await gather(*opening, return_exceptions=True)
    assert sum(isinstance(each, TooManyRooms) for each in came_to) == 5
    await stage.host.aclose()


async def test_a_disk_that_takes_nothing_is_told_of_once_and_not_at_every_try() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    stage.log.down = True
    await stage.leave(kari)  # which the host tries to store for as long as it takes
    with capture_logs() as lines:
        await stage.clock.wait(60)
    assert stage.log.appends > 20
    assert [line["event"] for line in lines].count("storage_unavailable") == 1
    await stage.host.aclose()


async def test_a_room_that_is_gone_is_forgotten_without_a_collection_of_garbage() -> (
    None
):
    stage = Stage()
    code = await stage.host.open_room(PRESETS["krieg_40"], None)
    kept = weakref.ref(await stage.host.table(code))
    gc.disable()
    try:
        await stage.host.remove(code)
        await settle()
        assert kept() is None
    finally:
        gc.enable()
