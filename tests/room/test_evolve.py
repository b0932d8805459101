"""The fold, and what viewers are told."""

from dataclasses import replace
from random import Random

import pytest

from krig.engine import events as told
from krig.engine.fairness import seed_of
from krig.engine.outcome import Ending
from krig.engine.rules import PRESETS, MidWar, Rules
from krig.engine.seats import Seat
from krig.engine.shuffle import deal_label, shuffled
from krig.errors import RoomWornOut, Unfoldable
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.evolve import evolve, fold
from krig.room.room import MOST_DEAD_TOKENS, MOST_ENTRIES, Phase, Presence, Room
from tests.room.scene import Scene, token, with_a_war


def test_an_entry_that_does_not_follow_is_no_part_of_the_room() -> None:
    scene = Scene()
    for v in (scene.room.v, scene.room.v + 2):
        with pytest.raises(Unfoldable):
            evolve(scene.room, f.Entry(v, 0, "n", (f.Slept(),)))
    with pytest.raises(Unfoldable):
        evolve(None, f.Entry(1, 0, "n", (f.Slept(),)))
    with pytest.raises(Unfoldable):
        evolve(None, f.Entry(1, 0, "n", ()))
    with pytest.raises(Unfoldable):
        fold([])


def test_time_never_goes_back() -> None:
    scene = Scene()
    room, _ = evolve(scene.room, f.Entry(2, scene.now - 9_000, "n", (f.Reopened(),)))
    assert room.at == scene.now


def test_a_chapter_folds_by_itself() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.play_out()
    first = len(scene.entries)
    scene.next_lobby()
    scene.ready("Kari")
    assert fold(scene.entries[first:]) == scene.room
    assert fold(scene.entries[:first]).phase is Phase.OVER


def one_by_one(entries: list[f.Entry]) -> Room:
    """What `evolve` alone comes to."""
    room: Room | None = None
    for entry in entries:
        room, _ = evolve(room, entry)
    assert room is not None
    return room


@pytest.mark.parametrize("seed", range(8))
def test_flips_folded_in_one_run_come_to_the_room_of_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any time, said twice, by the clock, while asleep, up to every limit."""
    chance = Random(seed)
    timed = bool(seed % 2)
    limits = {"round_limit": None, "time_limit": 10} if timed else {"round_limit": 9}
    scene = Scene(replace(PRESETS["krieg_240"], **limits), seed)
    scene.begin("Kari", "Ola", "Anna")
    if timed:
        most = len(scene.entries) + 10 + seed
        monkeypatch.setattr("krig.room.evolve.MOST_ENTRIES", most)
    while scene.look().phase is Phase.PLAYING:
        assert fold(scene.entries) == one_by_one(scene.entries) == scene.room
        seat = chance.choice(scene.game.waiting)
        by = chance.choices(list(f.FlippedBy), (9, 1, 1))[0]
        scene.now += chance.randrange(-500, 3000)
        scene.write(scene.room, [f.Flipped(seat, by)])
    assert fold(scene.entries) == one_by_one(scene.entries) == scene.room


def test_the_seed_is_that_of_everybodys_nonces_and_nobody_elses() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ask("Kari", c.SeatBot(Seat(2), True))
    attempt = scene.room.attempt
    nonces = {
        Seat(i): bytes.fromhex(scene.nonce(who))
        for i, who in enumerate(("Kari", "Ola"))
    }
    scene.deal()
    seed = seed_of(
        bytes.fromhex(attempt.game_id), bytes.fromhex(attempt.server_nonce), nonces
    )
    assert scene.room.seed == seed
    deck = scene.room.rules.deck
    cards = shuffled(seed, deal_label(deck), deck.cards)
    assert scene.game.seats[0].stock == cards[:17], "krieg_40 cuts the deck"
    assert scene.told[-2:] == (
        e.CardsDealt(1),
        e.BattleOpened(1, 0, (Seat(0), Seat(1), Seat(2))),
    )


def test_a_press_is_told_face_down_and_the_last_turns_all_cards() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    top = [held.stock[0] for held in scene.game.seats]
    scene.flip("Ola")
    assert list(scene.told) == [e.SeatFlipped(Seat(1), f.FlippedBy.PLAYER)]
    scene.flip("Kari")
    turned = next(x for x in scene.told if isinstance(x, told.CardsTurned))
    assert [card for _, card in turned.cards] == top


def test_the_end_shows_the_nonce_and_what_lay_aside() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", "Anna")
    nonce, aside = scene.room.attempt.server_nonce, scene.game.aside
    scene.play_out()
    over = scene.told[-1]
    assert isinstance(over, e.GameOver)
    assert (over.server_nonce, over.aside) == (nonce, aside)
    assert over.game == 1


def test_wars_are_counted_through_the_whole_game() -> None:
    scene = Scene(PRESETS["krieg_240"])
    scene.begin("Kari", "Ola")
    wars = 0
    while scene.room.phase is Phase.PLAYING:
        scene.press()
        wars += sum(isinstance(x, told.WarDeclared) for x in scene.told)
    assert wars == scene.game.wars > 0


# Timed games -------------------------------------------------------------------------


def test_a_games_clock_runs_while_somebody_is_here_and_the_table_plays() -> None:
    scene = Scene(Rules(time_limit=10))
    scene.begin("Kari", "Ola")

    def used() -> int:
        assert scene.room.clock is not None
        return scene.room.clock.at(scene.now)

    scene.now += 5_000
    assert used() == 5_000
    scene.ask("Kari", c.Pause(True))
    scene.now += 60_000
    assert used() == 5_000
    scene.ask("Ola", c.Pause(False))
    scene.now += 1_000
    assert used() == 6_000
    scene.go("Kari")
    scene.now += 1_000
    assert used() == 7_000, "Ola is here"
    scene.go("Ola")
    scene.now += 30_000
    assert used() == 7_000
    scene.come("Kari")
    scene.now += 1_000
    assert used() == 8_000
    strike = c.StrikeTime(1)
    assert scene.left(strike) == 600_000 - 8_000


def test_time_is_not_up_in_a_paused_or_an_untimed_game() -> None:
    scene = Scene(Rules(time_limit=10))
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.Pause(True))
    assert scene.ask(None, c.StrikeTime(1)) == ()
    other = Scene()
    other.begin("Kari", "Ola")
    assert other.ask(None, c.StrikeTime(1)) == ()


@pytest.mark.parametrize("way", MidWar)
def test_time_that_is_up_in_mid_war_is_told(way: MidWar) -> None:
    rules = Rules(time_limit=10, time_mid_war=way)
    scene = with_a_war("Kari", "Ola", rules=rules)
    facts = scene.ask(None, c.StrikeTime(1))
    assert facts == (f.TimeUp(),)
    if way is MidWar.RETURN:
        assert scene.room.phase is Phase.OVER
        assert scene.game.counts == (26, 26)
        return
    assert scene.told == (told.TimeStruck(),)
    assert scene.ask(None, c.StrikeTime(1)) == ()
    assert not any(isinstance(d.command, c.StrikeTime) for d in scene.due())
    scene.play_round()
    assert scene.game.outcome is not None
    assert scene.game.outcome.ending is Ending.TIME_LIMIT


# Reopened ----------------------------------------------------------------------------


def test_a_room_that_is_taken_up_again_gives_every_allowance_anew() -> None:
    scene = Scene(Rules(time_limit=10))
    scene.begin("Kari", "Ola", "Anna")
    scene.now += 4_000
    scene.go("Kari")
    scene.flip("Ola")
    owed = {d.command: d.allowance for d in scene.due()}
    used = scene.room.clock
    assert used is not None
    scene.now += 86_400_000
    scene.ask(None, c.Reopen())
    again = {d.command: d for d in scene.due()}
    assert again.keys() == owed.keys()
    for command, d in again.items():
        assert d.since == scene.now
        if not isinstance(command, c.StrikeTime):
            assert d.allowance == owed[command]
    strike = again[c.StrikeTime(1)]
    assert strike.allowance == 600_000 - 4_000, "what was played is not given back"


def test_a_room_in_the_middle_of_a_deal_waits_anew() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.now += 86_400_000
    scene.ask(None, c.Reopen())
    (owed,) = scene.due()
    assert (owed.since, owed.allowance) == (scene.now, 3_000)


# Limits ------------------------------------------------------------------------------


def test_at_its_limit_of_entries_a_game_is_counted_between_two_rounds() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.play_round()
    counts = scene.game.counts
    scene.room = scene.room._replace(entries=MOST_ENTRIES)
    scene.ask("Kari", c.SetTempo(f.Tempo.FAST, False))
    assert scene.room.phase is Phase.OVER
    assert scene.game.outcome is not None
    assert scene.game.outcome.ending is Ending.ROUND_LIMIT
    assert scene.game.outcome.counts == counts
    assert isinstance(scene.told[-1], e.GameOver)


def test_at_its_limit_of_entries_a_war_is_fought_out_first() -> None:
    scene = with_a_war("Kari", "Ola")
    scene.room = scene.room._replace(entries=MOST_ENTRIES + 5)
    scene.flip("Kari")
    assert scene.look().phase is Phase.PLAYING
    scene.play_round()
    assert scene.look().phase is Phase.OVER


def test_at_its_limit_of_entries_nothing_is_changed_in_a_lobby_any_more() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.room = scene.room._replace(entries=MOST_ENTRIES)
    scene.ask("Kari", c.SetTempo(f.Tempo.FAST, False))
    changes: list[c.Command] = [
        c.SetTempo(f.Tempo.SLOW, False),
        c.HidePage(True),
        c.TakeSeat(None, "Eva", scene.page()),
    ]
    for change in changes:
        with pytest.raises(RoomWornOut):
            scene.ask("Kari", change)
    scene.come("Ola")
    scene.go("Ola")
    assert scene.ask("Kari", c.LeaveSeat())


def test_a_room_remembers_only_so_many_dead_tokens() -> None:
    scene = Scene()
    scene.sit("Kari")
    for i in range(MOST_DEAD_TOKENS + 3):
        scene.sit(f"P{i}")
        scene.ask(f"P{i}", c.LeaveSeat())
    assert len(scene.room.dead_tokens) == MOST_DEAD_TOKENS
    assert token("P0") not in scene.room.dead_tokens
    assert scene.room.dead_tokens[-1] == token(f"P{MOST_DEAD_TOKENS + 2}")


def test_an_older_connection_that_goes_takes_nobody_away() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    old = scene.place("Kari").connection
    assert old is not None
    scene.come("Kari")
    assert scene.ask(None, c.Go(old)) == ()
    assert scene.place("Kari").presence is Presence.HERE


def test_a_history_that_was_cut_has_another_epoch() -> None:
    scene = Scene()
    scene.ask(None, c.CutHistory("another"))
    assert scene.room.epoch == "another"
