"""Who sees a table: coming, going, coming back, and what each is sent."""

from itertools import count

from krig.engine.seats import Seat
from krig.host.settings import HostSettings
from krig.protocol.limits import Limits
from krig.room import commands as c
from krig.room import facts as f
from krig.room.handoff import claim_of
from krig.room.room import Presence
from tests.host.stage import Page, Stage, settle


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
    stage.table.drain(count(100))
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
    await stage.foreign(f.HistoryCut("another"))
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
    assert (await stage.enter(None)).closed == 4505
    assert pages[1].closed is None, "who is in stays in"
    assert (await stage.enter("Ola")).closed is None


async def test_a_closed_or_crowded_room_lets_in_whoever_comes_to_sit() -> None:
    stage = Stage(HostSettings(limits=Limits(watchers=1)))
    (kari,) = await stage.open("Kari")
    await stage.enter(None)
    assert (await stage.enter(None)).closed == 4505
    kari.ask(c.CloseRoom(True))
    await settle()
    for who in ("Ola", "Eva", "Max"):
        page = await stage.enter(who)
        page.ask(c.TakeSeat(None, who))
        await settle()
        assert page.closed is None
        assert page.player is not None
    assert (await stage.enter("Liv")).closed == 4505, "every seat is taken"
    kari.ask(c.OfferSeat(Seat(0)), 7)
    await settle()
    claim = kari.messages("offered")[-1]["code"]
    tablet = await stage.enter("Tablet")
    tablet.ask(c.ClaimSeat(claim_of(claim)))
    await settle()
    assert (tablet.player, kari.closed) == (1, 4502)
    assert (await stage.enter("Liv")).closed == 4505


async def test_not_everybody_with_a_token_may_come_in_to_sit() -> None:
    stage = Stage(HostSettings(limits=Limits(watchers=1)))
    await stage.open("Kari")
    pages = [await stage.enter(f"Guest {n}") for n in range(22)]
    assert [page.closed for page in pages] == [None] * 21 + [4505]


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


async def test_who_sits_down_or_goes_is_told_to_watch_no_more() -> None:
    stage = Stage()
    (kari,) = await stage.open("Kari")
    eva, other = await stage.enter("Eva"), await stage.enter(None)
    await stage.clock.wait(1)
    eva.ask(c.TakeSeat(None, "Eva"))
    await stage.clock.wait(1)
    await stage.leave(other)
    await stage.clock.wait(1)
    assert [m["watchers"] for m in kari.messages("presence")][-3:] == [2, 1, 0]


async def test_how_many_watch_is_told_to_nobody_who_knows_it() -> None:
    stage = Stage()
    kari, ola = await stage.open("Kari", "Ola")
    watcher = await stage.enter(None)
    await stage.clock.wait(1)
    before = len(watcher.messages("presence"))
    await stage.leave(ola)
    again = await stage.enter("Ola")
    await stage.clock.wait(1)
    assert len(watcher.messages("presence")) == before
    assert [m["watchers"] for m in again.messages("presence")] == [1]


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
    stage.table.drain(count(100))
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
