"""A table: judge, append, publish, with a log and a clock that the test holds."""

import pytest

from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.errors import NewerSchema, Quarantined
from krig.host.table import GATHER
from krig.log import codec
from krig.log.log import LogName
from krig.room import commands as c
from krig.room import facts as f
from tests.host.stage import Stage, secret, settle


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


async def test_what_waits_with_the_end_of_a_game_is_no_part_of_its_entry() -> None:
    stage = Stage()
    pages = await stage.open("Kari", "Ola", rules=Rules(round_limit=1))
    kari, ola = pages
    await stage.deal(*pages)
    kari.flip()
    await settle()
    stage.log.gate.clear()
    kari.ask(c.ChangeName("Kaja"))  # in flight, so that the next two wait
    ola.flip()
    ola.ask(c.SetTempo(f.Tempo.SLOW, True), 5)
    stage.log.gate.set()
    await settle()
    (*_, (_, last)) = await stage.log.read(LogName(stage.code, 1))
    assert last.facts == (f.Flipped(Seat(1)),)
    assert stage.table.room.chapter == 2
    assert [m["id"] for m in ola.messages("ack")] == [5]


# What can go wrong in the log --------------------------------------------------------


async def test_after_a_lost_race_the_command_is_judged_again() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    ola, anna = await stage.enter("Ola"), await stage.enter("Anna")
    await stage.foreign(f.SeatTaken(Seat(1), "Eva", secret("Eva")))
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
        await stage.clock.wait(GATHER)
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


async def test_what_another_server_stored_in_its_place_is_not_taken_for_ours() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    ola = await stage.enter("Ola")
    stage.log.gate.clear()
    stage.log.fails = ["lost"]
    ola.ask(c.TakeSeat(Seat(1), "Ola"), 1)
    await stage.foreign(f.SeatTaken(Seat(1), "Eva", secret("Eva")))
    stage.log.gate.set()
    await settle()
    assert (ola.codes(), ola.messages("ack")) == (["seat_occupied"], [])
    assert kari.view["seats"][1]["name"] == "Eva"


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


async def test_who_comes_after_a_trouble_that_nobody_saw_end_is_told_its_end() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    stage.log.down = True
    kari.ask(c.ChangeName("Kaja"), 1)
    await stage.leave(kari)
    await stage.clock.wait(1)
    stage.log.down = False
    late = await stage.enter(None)
    await stage.clock.wait(1)
    assert [m["on"] for m in late.messages("trouble")] == [True, False]


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


async def test_what_the_next_release_writes_is_read_and_followed_by_what_this_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codec, "READABLE", f.SCHEMA + 1)
    stage = Stage()
    (kari,) = await stage.open("Kari")
    room, chapter = stage.table.room, LogName(stage.code, 1)
    slow = (f.TempoSet(f.Tempo.SLOW, False),)
    theirs = f.Entry(room.v + 1, room.at, "theirs", slow, schema=f.SCHEMA + 1)
    await stage.log.write(chapter, room.v, theirs)
    kari.ask(c.ChangeName("Kaja"), 1)
    await settle()
    assert (kari.closed, kari.view["room"]["tempo"]) == (None, "slow")
    written = await stage.log.chapter(stage.code)
    assert [e.schema for e in written[-2:]] == [f.SCHEMA + 1, f.SCHEMA]


async def test_a_lobby_of_the_preset_tells_its_rules() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari", rules=PRESETS["krig_klassisk"])
    assert kari.view["room"]["rules"]["war_down"] == 3
