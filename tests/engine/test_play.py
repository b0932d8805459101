"""Flips and the clock. Names like N02 are the worked cases of tests/data."""

from collections.abc import Callable
from typing import Any

import pytest

from krig.engine.events import (
    CardsTurned,
    Flipped,
    GameEnded,
    RoundVoided,
    TimeStruck,
)
from krig.engine.game import Game
from krig.engine.outcome import Ending, Outcome
from krig.engine.play import (
    Flip,
    Played,
    abandon,
    count_off,
    fight,
    play,
    play_out,
    time_up,
)
from krig.engine.rules import MidWar
from krig.engine.seats import Seat
from krig.engine.shuffle import unshuffled
from krig.errors import FutureFlip, GameOver, KrigError, NotInBattle, StaleFlip
from tests.engine.tables import play_round, press_all, stocks, table

A, B, C = map(Seat, range(3))


def at_war(**rules: Any) -> Game:
    """Seats 0 and 1 at war in round 8, four cards against five; seat 2 is out."""
    game = table("9s 2s Ks 3s", "9h 4h Qh 5h 6h", "", rounds=7, **rules)
    return press_all(game)[0]


def test_no_card_is_turned_before_all_have_pressed_n04() -> None:
    start = table("Ks 2s", "7d 3d")
    game, told = play(start, Flip(A, 1, 0), unshuffled)
    assert told == (Flipped(A),)
    assert game.flipped == (A,)
    assert (game.seats, game.table) == (start.seats, ())


def test_a_second_press_is_no_second_flip_n01() -> None:
    game, _ = play(table("Ks 2s", "7d 3d"), Flip(A, 1, 0), unshuffled)
    again, told = play(game, Flip(A, 1, 0), unshuffled)
    assert again is game
    assert told == ()


def test_cards_are_turned_all_at_once_n03() -> None:
    game, _ = play(table("Ks 2s", "7d 3d"), Flip(B, 1, 0), unshuffled)
    game, told = play(game, Flip(A, 1, 0), unshuffled)
    assert sum(isinstance(event, CardsTurned) for event in told) == 1


@pytest.mark.parametrize(
    ("flip", "refusal"),
    [
        (Flip(A, 7, 0), StaleFlip),
        (Flip(A, 7, 9), StaleFlip),
        (Flip(A, 8, 0), StaleFlip),
        (Flip(A, 8, 2), FutureFlip),
        (Flip(A, 9, 0), FutureFlip),
        (Flip(C, 8, 1), NotInBattle),
        (Flip(Seat(9), 8, 1), NotInBattle),
    ],
    ids=[
        "last-round",
        "last-round-late-battle",
        "first-flip-of-the-war",
        "next-battle",
        "next-round",
        "out",
        "no-such-seat",
    ],
)
def test_a_flip_for_another_battle_is_refused(
    flip: Flip, refusal: type[KrigError]
) -> None:
    with pytest.raises(refusal):
        play(at_war(), flip, unshuffled)


def test_who_waits_does_not_flip_in_the_war() -> None:
    game, _ = press_all(table("Ks 2s 3s", "Kh 2h 4h", "Qd 9d"))
    with pytest.raises(NotInBattle):
        play(game, Flip(C, 1, 1), unshuffled)


def test_a_press_is_not_kept_for_the_next_round_n02() -> None:
    game, _ = press_all(table("Ks 2s", "7d 3d"))
    with pytest.raises(StaleFlip):
        play(game, Flip(A, 1, 0), unshuffled)
    assert game.flipped == ()


def test_a_round_starts_when_the_living_have_pressed_n08() -> None:
    game = table("9s 2s", "", "Kd 4d")
    with pytest.raises(NotInBattle):
        play(game, Flip(B, 1, 0), unshuffled)
    game, _ = press_all(game)
    assert game.rounds == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda game: play(game, Flip(A, 1, 0), unshuffled),
        lambda game: fight(game, unshuffled),
        time_up,
        lambda game: count_off(game, Ending.REPETITION),
        abandon,
    ],
    ids=["flip", "fight", "time-up", "count-off", "abandon"],
)
def test_nothing_is_played_after_the_end(act: Callable[[Game], Played]) -> None:
    game, _ = play_round(table("Ks 2s", "7d"))
    with pytest.raises(GameOver):
        act(game)


def test_playing_out_a_finished_game_changes_nothing() -> None:
    game, _ = play_round(table("Ks 2s", "7d"))
    assert play_out(game, unshuffled) == game


def test_playing_out_may_begin_in_the_middle_of_a_war() -> None:
    game = at_war(round_limit=8)
    assert play_out(game, unshuffled) == press_all(game)[0]


# The clock (RULES R14 to R16).


def test_time_is_up_while_the_table_waits_n07() -> None:
    game, _ = play(table("Ks 2s", "7d 3d 4d"), Flip(A, 1, 0), unshuffled)
    game, told = time_up(game)
    outcome = Outcome(Ending.TIME_LIMIT, (B,), (2, 3))
    assert told == (GameEnded(outcome, ()),)
    assert (game.outcome, game.waiting, game.flipped) == (outcome, (), ())
    assert stocks(game) == ["Ks 2s", "7d 3d 4d"]


def test_time_is_up_in_a_war_which_is_fought_out_f07() -> None:
    game, told = time_up(at_war())
    assert told == (TimeStruck(),)
    assert game.outcome is None
    assert time_up(game) == (game, ())
    game, _ = press_all(game)
    assert game.outcome == Outcome(Ending.TIME_LIMIT, (A,), (7, 2, 0))


def test_time_is_up_in_a_war_and_cards_go_back_f08() -> None:
    game, told = time_up(at_war(time_mid_war=MidWar.RETURN))
    outcome = Outcome(Ending.TIME_LIMIT, (B,), (4, 5, 0))
    assert told == (RoundVoided(), GameEnded(outcome, ()))
    assert (game.outcome, game.rounds, game.battle) == (outcome, 7, 0)
    assert stocks(game) == ["9s 2s Ks 3s", "9h 4h Qh 5h 6h", ""]


def test_whoever_takes_all_cards_in_time_wins_by_all_cards_f13() -> None:
    game, _ = press_all(table("9s 2s Ks", "9h 4h Qh"))
    game, _ = press_all(time_up(game)[0])
    assert game.outcome == Outcome(Ending.ALL_CARDS, (A,), (6, 0))


def test_the_round_limit_goes_before_the_clock() -> None:
    game, _ = press_all(time_up(at_war(round_limit=8))[0])
    assert game.outcome is not None
    assert game.outcome.ending is Ending.ROUND_LIMIT


def test_an_abandoned_game_has_no_winner() -> None:
    game, told = abandon(at_war())
    assert game.outcome == Outcome(Ending.ABANDONED, (), (4, 5, 0))
    assert told[-1] == GameEnded(game.outcome, ())


def test_cards_may_be_counted_at_any_time() -> None:
    game, _ = count_off(table("Ks 2s", "7d 3d"), Ending.REPETITION)
    assert game.outcome == Outcome(Ending.REPETITION, (), (2, 2))
