"""A table: judge, append, publish, with a log and a clock that the test holds."""

import pytest

from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.errors import NewerSchema, Quarantined
from krig.host.settings import HostSettings
from krig.log.log import LogName
from krig.protocol.limits import Limits
from krig.room import commands as c
from krig.room import facts as f
from krig.room.handoff import claim_of
from krig.room.room import Phase, Presence
from tests.host.stage import Page, Stage, secret, settle


async def test_two_players_and_a_watcher_play_a_whole_game() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    watcher = await stage.enter(None)
    await stage.deal(kari, ola)
    await stage.play_out(kari, ola)
    assert kari.view == ola.view == watcher.view
    assert kari.view["room"]["phase"] == "lobby"
    assert kari.view["last"]["game"] == 1
    assert len(watcher.told("game_ended")) == 1
    record = await stage.host.record(stage.code, 1)
    assert record["outcome"] is not None
    shown = [r["up"] for x in record["rounds"] for r in x["battles"]]
    turned = [event["cards"] for event in watcher.told("turned")]
    assert [[list(pair) for pair in up] for up in shown] == turned


async def test_a_rematch_is_the_next_lobby_of_the_same_numbers() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", rules=Rules(round_limit=3))
    for game in (1, 2, 3):
        await stage.deal(*pages)
        await stage.play_out(*pages)
        assert pages[0].view["last"]["game"] == game
    assert pages[0].v == stage.table.room.v  # the pages complained of no gap


# Append, then publish ----------------------------------------------------------------


async def test_nothing_is_told_before_it_is_stored() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    stage.log.gate.clear()
    told = len(kari.got), len(ola.got)
    kari.ask(c.ChangeName("Kaja"), 7)
    ola.ask(c.ChangeName("KAJA"), 8)
    kari.ask(c.SetTempo(f.Tempo.FAST, False), 9)
    await settle()
    assert (len(kari.got), len(ola.got)) == told
    assert stage.table.room.place(Seat(0)).name == "Kari"
    stage.log.gate.set()
    await settle()
    kinds = [m["type"] for m in kari.got[told[0] :]]
    assert kinds == ["events", "ack", "events", "ack"]
    assert [m["code"] for m in ola.messages("error")] == ["name_taken"]


async def test_a_refusal_by_what_is_not_stored_is_judged_again() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    anna, eva = await stage.enter("Anna"), await stage.enter("Eva")
    stage.log.gate.clear()
    kari.ask(c.SetTempo(f.Tempo.FAST, False))  # in flight, so that the next two wait
    anna.ask(c.TakeSeat(Seat(3), "Anna"), 1)
    eva.ask(c.TakeSeat(Seat(3), "Eva"), 2)
    stage.log.fails = ["ok", "full"]
    stage.log.gate.set()
    await settle()
    assert anna.codes() == eva.codes() == ["storage_unavailable"]
    assert stage.table.room.seats[3] is None


async def test_four_flips_while_an_append_is_in_flight_are_one_entry() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", "Anna", "Max")
    await stage.deal(*pages)
    v = stage.table.room.v
    stage.log.gate.clear()
    pages[0].ask(c.SetTempo(f.Tempo.FAST, False))
    for page in pages:
        page.flip()
    await settle()
    stage.log.gate.set()
    await settle()
    assert stage.table.room.v == v + 2
    last = (await stage.log.chapter(stage.code))[-1]
    assert [type(fact) for fact in last.facts] == [f.Flipped] * 4


async def test_what_waits_behind_the_end_of_a_game_is_judged_in_the_next_lobby() -> (
    None
):
    stage = Stage()
    pages = await stage.open("Kari", "Ola", rules=Rules(round_limit=1))
    kari, ola = pages
    await stage.deal(*pages)
    while not kari.view["table"]["flipped"]:
        kari.flip()
        await settle()
    stage.log.gate.clear()
    ola.flip()
    ola.ask(c.SetTempo(f.Tempo.SLOW, True), 5)
    kari.ask(c.ChangeName("Kaja"), 6)
    stage.log.gate.set()
    await settle()
    for _ in range(20):  # where the first round is a war
        await stage.press(*pages)
    first = await stage.log.read(LogName(stage.code, 1))
    room = stage.table.room
    assert room.chapter == 2
    assert room.tempo is f.Tempo.SLOW
    assert room.place(Seat(0)).name == "Kaja"
    flipped = [e for _, e in first if any(isinstance(x, f.Flipped) for x in e.facts)]
    assert first[-1][1] == flipped[-1]
    assert kari.view["room"]["game"] == 2


# What can go wrong in the log --------------------------------------------------------


async def foreign(stage: Stage, *facts: f.Fact) -> None:
    """Another server writes an entry."""
    room = stage.table.room
    entry = f.Entry(room.v + 1, room.at, "foreign", facts)
    name = LogName(stage.code, room.chapter)
    stored = await stage.log.read(name)
    await stage.log.write(name, len(stored), entry)


async def test_after_a_lost_race_the_command_is_judged_again() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    ola, anna = await stage.enter("Ola"), await stage.enter("Anna")
    await foreign(stage, f.SeatTaken(Seat(1), "Eva", secret("Eva")))
    ola.ask(c.TakeSeat(Seat(1), "Ola"), 1)
    anna.ask(c.TakeSeat(None, "Anna"), 2)
    await settle()
    assert ola.codes() == ["seat_occupied"]
    assert [m["id"] for m in anna.messages("ack")] == [2]
    assert [s and s["name"] for s in kari.view["seats"]] == [
        "Kari",
        "Eva",
        "Anna",
        None,
    ]
    assert kari.view == ola.view == anna.view


async def test_another_server_may_end_the_game_and_open_the_next() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    watcher = await stage.enter(None)
    other = stage.new_host()
    theirs = await other.table(stage.code)
    eva = await stage.enter("Eva", host=other)
    for who in ("Kari", "Ola"):
        page = await stage.enter(who, host=other)
        page.ask(c.LeaveSeat())
        await settle()
    await stage.clock.wait(0.1)
    assert theirs.room.chapter == 2
    kari.ask(c.SetTempo(f.Tempo.SLOW, False), 3)
    await settle()
    assert stage.table.room == theirs.room
    assert kari.closed == 4502
    assert eva.view == watcher.view
    assert watcher.view["last"]["ending"] == "abandoned"


async def test_who_loses_every_race_for_ten_seconds_is_told_busy() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    stage.log.fails = ["conflict"] * 200
    v = kari.v
    kari.ask(c.SetTempo(f.Tempo.SLOW, False), 1)
    await stage.clock.wait(9.5)
    assert kari.codes() == []
    await stage.clock.wait(1)
    assert kari.codes() == ["busy"]
    assert kari.messages("error")[0]["retry"] is True
    assert kari.v == v
    assert stage.log.appends < 80, "a conflict that shows nothing new is not hammered"


@pytest.mark.parametrize("stored", ["unsure", "lost"])
async def test_a_result_nobody_knows_is_looked_up_and_counts_once(stored: str) -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    entries = len(await stage.log.chapter(stage.code))
    stage.log.fails = [stored]
    kari.flip(id=4)
    await settle()
    assert [m["id"] for m in kari.messages("ack")] == [4]
    assert len(kari.told("flipped")) == len(ola.told("flipped")) == 1
    assert len(await stage.log.chapter(stage.code)) == entries + 1
    ola.flip()
    await settle()
    assert kari.view == ola.view
    assert kari.view["table"]["round"] == 2 or kari.view["table"]["battle"] == 1


async def test_an_unknown_result_waits_until_the_log_can_be_read() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    stage.log.fails, stage.log.blind = ["unsure"], True
    kari.ask(c.ChangeName("Kaja"), 1)
    await stage.clock.wait(3)
    assert kari.messages("ack") == []
    assert ola.messages("trouble") == [{"type": "trouble", "on": True}]
    stage.log.blind = False
    await stage.clock.wait(1)
    assert [m["id"] for m in kari.messages("ack")] == [1]
    assert [m["on"] for m in ola.messages("trouble")] == [True, False]


async def test_a_full_disk_refuses_and_changes_nothing() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    room = stage.table.room
    stage.log.down = True
    kari.ask(c.ChangeName("Kaja"), 1)
    await settle()
    error = kari.messages("error")[0]
    assert (error["code"], error["retry"]) == ("storage_unavailable", True)
    assert stage.table.room is room
    late = await stage.enter(None)  # reads and resumes still work
    assert late.view == ola.view
    assert late.messages("trouble") == [{"type": "trouble", "on": True}]
    await stage.clock.wait(2)
    stage.log.down = False
    await stage.clock.wait(1)  # and nobody had to ask for anything
    assert [m["on"] for m in ola.messages("trouble")] == [True, False]
    kari.ask(c.ChangeName("Kaja"), 2)
    await settle()
    assert [m["id"] for m in kari.messages("ack")] == [2]


async def test_deadlines_and_arrivals_outlast_a_full_disk() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    kari.flip()
    await stage.leave(ola)
    await stage.clock.wait(4)
    assert kari.view["seats"][1]["state"] == "away"
    stage.log.down = True
    ola = await stage.enter("Ola", back=ola)
    await stage.clock.wait(20)
    stage.log.down = False
    await stage.clock.wait(0.5)
    assert kari.view["seats"][1]["state"] == "here", (
        "the page is open, so they are here"
    )
    assert kari.view == ola.view
    at = kari.v
    await stage.clock.wait(16)
    assert kari.v > at, "and the deadlines run again"


async def test_an_outage_is_no_busy_loop() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    stage.log.down = True
    before = stage.log.appends
    await stage.clock.wait(25)
    assert stage.log.appends - before <= 10 / 0.25 + 2


async def test_an_entry_that_cannot_be_folded_sets_only_this_room_aside() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    good = stage.code
    (ola,) = await stage.open("Ola")
    bad, room = stage.code, (await stage.host.table(stage.code)).room
    entry = f.Entry(room.v + 7, room.at, "foreign", (f.Slept(),))
    name = LogName(bad, 1)
    stored = await stage.log.read(name)
    await stage.log.write(name, len(stored), entry)
    ola.ask(c.SetTempo(f.Tempo.SLOW, False), 1)
    await settle()
    assert ola.closed == 4512
    with pytest.raises(Quarantined):
        await stage.host.table(bad)
    kari.ask(c.SetTempo(f.Tempo.SLOW, False), 1)
    await settle()
    assert [m["id"] for m in kari.messages("ack")] == [1]
    assert (await stage.host.table(good)).room.tempo is f.Tempo.SLOW
    await stage.clock.wait(60)
    assert stage.clock.pending == 0


async def test_a_room_that_a_newer_server_writes_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")

    async def newer(*_: object) -> list[tuple[int, f.Entry]]:
        raise NewerSchema("schema 2")

    stage.log.fails = ["conflict"]
    monkeypatch.setattr(stage.log, "read", newer)
    kari.ask(c.SetTempo(f.Tempo.SLOW, False), 1)
    await settle()
    assert kari.closed == 4411
    with pytest.raises(NewerSchema):
        await stage.host.table(stage.code)
    monkeypatch.undo()
    assert (await stage.host.table(stage.code)).room.code == stage.code


# Coming, going, coming back ----------------------------------------------------------


async def test_who_comes_back_gets_nothing_the_events_or_a_snapshot() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    watcher = await stage.enter(None)
    await stage.leave(watcher)

    again = await stage.enter(None, back=watcher)
    assert again.messages("welcome")[0]["sync"] == "in_sync"
    await stage.leave(again)

    for i in range(30):
        kari.ask(c.ChangeName(f"Kari {i}"))
        await settle()
    behind = await stage.enter(None, back=watcher)
    assert behind.messages("welcome")[0]["sync"] == "events"
    assert behind.view == kari.view
    await stage.leave(behind)

    kari.ask(c.ChangeName("Kari"))
    await settle()
    far = await stage.enter(None, back=watcher)
    assert far.messages("welcome")[0]["sync"] == "snapshot"
    assert far.view == kari.view

    watcher.epoch = "another history"
    other = await stage.enter(None, back=watcher)
    assert other.messages("welcome")[0]["sync"] == "snapshot"

    ahead = Page(None)
    ahead.v, ahead.epoch, ahead.view = kari.v + 5, kari.epoch, kari.view
    again = await stage.enter(None, back=ahead)
    assert again.messages("welcome")[0]["sync"] == "snapshot"


async def test_the_second_page_of_a_seat_closes_the_first() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    second = await stage.enter("Kari")
    assert (kari.closed, second.closed) == (4502, None)
    await stage.leave(kari)
    await stage.clock.wait(10)
    assert ola.view["seats"][0]["state"] == "here"
    assert second.player == 1


async def test_the_first_page_does_not_wait_for_a_slow_disk_to_be_closed() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    stage.log.gate.clear()
    second = await stage.enter("Kari")
    assert (kari.closed, second.closed) == (4502, None)
    stage.log.gate.set()
    await settle()
    assert second.state == "here"


async def test_of_two_tabs_that_only_watched_the_one_that_sits_down_stays() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    one, two = await stage.enter("Ola"), await stage.enter("Ola")
    one.ask(c.TakeSeat(None, "Ola"))
    await settle()
    assert (one.closed, two.closed) == (None, 4502)
    await stage.leave(two)
    await stage.clock.wait(5)
    assert one.state == "here"


async def test_a_page_that_came_while_its_seat_was_being_taken_takes_it_over() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    ola = await stage.enter("Ola")
    stage.log.gate.clear()
    ola.ask(c.TakeSeat(None, "Ola"))
    await stage.leave(ola)
    again = await stage.enter("Ola")
    again.ask(c.TakeSeat(None, "Ola"), 2)
    stage.log.gate.set()
    await stage.clock.wait(10)
    assert again.closed is None
    assert again.player == 2
    assert again.state == "here"
    assert [m["id"] for m in again.messages("ack")] == [2]


async def test_a_page_on_another_server_closes_the_one_here() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    there = await stage.enter("Kari", host=stage.new_host())
    ola.ask(c.SetTempo(f.Tempo.SLOW, False))  # so that this server catches up
    await settle()
    assert (kari.closed, there.closed) == (4502, None)


async def test_a_seat_is_away_three_seconds_after_its_page_is_gone() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.leave(ola)
    await stage.clock.wait(2.9)
    assert kari.view["seats"][1]["state"] == "here"
    await stage.clock.wait(0.2)
    assert kari.view["seats"][1]["state"] == "away"


async def test_a_page_that_is_back_within_three_seconds_was_never_gone() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.leave(ola)
    await stage.clock.wait(2)
    await stage.enter("Ola", back=ola)
    await stage.clock.wait(10)
    assert kari.view["seats"][1]["state"] == "here"
    states = {e["seats"][1]["state"] for e in kari.told("seats") if e["seats"][1]}
    assert states == {"here"}


async def test_who_left_is_a_stranger_and_their_token_dead() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    ola.ask(c.LeaveSeat(), 1)
    await settle()
    assert ola.player is None
    assert ola.closed is None, "they may watch"
    ola.ask(c.TakeSeat(None, "Ola"), 2)
    await settle()
    assert ola.codes() == ["not_seated"]
    again = await stage.enter("Ola")
    assert again.closed == 4501
    assert again.got == []


async def test_who_is_kicked_is_sent_away_and_does_not_come_back() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    kari.ask(c.Kick(Seat(1), f.Player(2)), 1)
    await settle()
    assert ola.closed == 4504
    assert (await stage.enter("Ola")).closed == 4501
    assert kari.view["seats"][1] is None


async def test_who_is_kicked_from_a_seat_just_taken_is_the_one_who_goes() -> None:
    stage = Stage()
    kari, ola, anna = await stage.open("Kari", "Ola", "Anna")
    stage.log.gate.clear()
    kari.ask(c.SetTempo(f.Tempo.FAST, False))  # in flight: the rest is one entry
    ola.ask(c.TakeSeat(Seat(3), "Ola"))
    anna.ask(c.TakeSeat(Seat(1), "Anna"))
    kari.ask(c.Kick(Seat(3), f.Player(2)), 1)
    kari.ask(c.Kick(Seat(1), f.Player(3)), 2)
    stage.log.gate.set()
    await settle()
    assert (ola.closed, anna.closed, kari.closed) == (4504, 4504, None)
    assert [m["id"] for m in kari.messages("ack")] == [1, 2]


async def test_whose_page_goes_before_their_seat_is_stored_is_away_like_anybody() -> (
    None
):
    stage = Stage()
    (kari,) = await stage.open("Kari")
    ola = await stage.enter("Ola")
    stage.log.gate.clear()
    ola.ask(c.TakeSeat(None, "Ola"))
    await stage.leave(ola)
    stage.log.gate.set()
    await stage.clock.wait(4)
    assert kari.view["seats"][1]["state"] == "away"


async def test_nothing_is_sent_behind_a_close() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    stage.log.gate.clear()
    kari.ask(c.ChangeName("Kaja"), 1)
    second = await stage.enter("Kari")
    stage.table.drain(100)
    stage.log.gate.set()
    await stage.clock.wait(1)
    assert [page.closed for page in (kari, second, ola)] == [4502, 4410, 4410]
    assert [page.behind for page in (kari, second, ola)] == [0, 0, 0]


# History cut -------------------------------------------------------------------------


async def test_when_history_was_cut_everybody_gets_it_anew() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    watcher = await stage.enter(None)
    gone = await stage.enter(None)
    await stage.leave(gone)
    was = kari.epoch
    await foreign(stage, f.HistoryCut("another"))
    kari.ask(c.ChangeName("Kaja"), 1)
    await settle()
    for page in (kari, ola, watcher):
        assert page.epoch == "another"
        assert page.messages("welcome")[-1]["sync"] == "snapshot"
        assert page.player == {kari: 1, ola: 2, watcher: None}[page]
    assert kari.view == ola.view == watcher.view
    assert kari.view["seats"][0]["name"] == "Kaja"
    assert (gone.epoch, gone.v + 2) == (was, kari.v)
    again = await stage.enter(None, back=gone)
    assert again.messages("welcome")[0]["sync"] == "snapshot"
    again = await stage.enter(None, back=watcher)
    assert again.messages("welcome")[0]["sync"] == "in_sync"


async def test_a_player_who_saw_more_than_is_stored_proves_that_history_was_cut() -> (
    None
):
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.leave(kari)
    kari.v += 5
    was = kari.epoch
    kari = await stage.enter("Kari", back=kari)
    assert kari.epoch == ola.epoch != was
    assert kari.view == ola.view
    assert kari.state == "here"


async def test_a_closed_or_crowded_room_takes_no_more_watchers_but_its_players() -> (
    None
):
    stage = Stage(HostSettings(limits=Limits(watchers=2)))
    kari, ola = await stage.open("Kari", "Ola")
    pages = [await stage.enter(None) for _ in range(3)]
    assert [page.closed for page in pages] == [None, None, 4505]
    await stage.leave(pages[0])
    kari.ask(c.CloseRoom(True))
    await settle()
    assert (await stage.enter("Eva")).closed == 4505
    assert pages[1].closed is None, "who is in stays in"
    assert (await stage.enter("Ola")).closed is None


async def test_how_many_watch_is_told_once_for_all_who_come_together() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    await stage.clock.wait(1)
    before = len(kari.messages("presence"))
    for _ in range(5):
        await stage.enter(None)
    await stage.clock.wait(1)
    told = kari.messages("presence")[before:]
    assert [m["watchers"] for m in told] == [5]


async def test_a_viewer_whose_send_raises_harms_nobody() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    bad = await stage.enter("Eva")
    bad.ask(c.TakeSeat(None, "Eva"))
    await settle()
    bad.breaks = True
    bad.ask(c.ChangeName("Kari"), 1)
    bad.ask(c.SetTempo(f.Tempo.FAST, False), 2)
    kari.ask(c.Kick(Seat(2), f.Player(3)), 3)
    await settle()
    assert [m["id"] for m in kari.messages("ack")] == [3]
    new = await stage.enter("Max")
    new.ask(c.TakeSeat(None, "Max"), 4)
    await settle()
    assert [m["id"] for m in new.messages("ack")] == [4]
    assert kari.view == ola.view == new.view
    stage.table.drain(100)
    assert kari.closed == 4410


async def test_reactions_reach_everybody_and_leave_no_trace() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    v = kari.v
    stage.table.react(ola, 3)
    assert kari.messages("reaction") == [
        {"type": "reaction", "player": 2, "reaction": 3}
    ]
    assert stage.table.room.v == v


# The clock ---------------------------------------------------------------------------


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


async def test_a_hidden_page_with_autoplay_is_away_and_one_in_view_is_not() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    kari.ask(c.SetAutoplay(True))
    await settle()
    assert kari.state == "auto"
    stage.table.hear_pong(kari, True)
    await settle()
    assert kari.state == "away"
    stage.table.hear_pong(kari, False)
    await settle()
    assert kari.state == "auto"
    place = stage.table.room.place(Seat(0))
    assert place.presence is Presence.AUTO


async def test_a_page_that_was_hidden_before_it_had_a_seat_is_hidden_at_it() -> None:
    stage = Stage()
    await stage.open("Kari")
    ola = await stage.enter("Ola")
    stage.table.hear_pong(ola, True)
    ola.ask(c.TakeSeat(None, "Ola"))
    await settle()
    stage.table.hear_pong(ola, True)
    await settle()
    assert stage.table.room.place(Seat(1)).hidden


async def test_a_lobby_of_the_preset_tells_its_rules() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari", rules=PRESETS["krig_klassisk"])
    assert kari.view["room"]["rules"]["war_down"] == 3


async def test_a_seat_moves_to_another_device_and_the_old_page_is_told() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    await stage.deal(kari, ola)
    kari.ask(c.OfferSeat(Seat(0)), 7)
    await settle()
    [offered] = kari.messages("offered")
    assert not ola.messages("offered"), "only who offers it is told the code"
    assert offered["for_ms"] == 120_000
    phone = await stage.enter("Kari's phone")
    phone.ask(c.ClaimSeat(claim_of(offered["code"])), 8)
    await settle()
    assert phone.messages("you")[-1]["player"] == 1
    assert kari.closed == 4502
    assert (await stage.enter("Kari")).closed == 4501
    await stage.press(phone, ola)
    game = stage.table.room.game
    assert game is not None
    assert (game.rounds, game.battle) > (0, 0)
