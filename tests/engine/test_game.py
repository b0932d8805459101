"""Games as they are dealt, and how a repetition is noticed."""

import pytest

from krig.engine.cards import Deck
from krig.engine.game import Position, Trail, new_game, set_up
from krig.engine.outcome import Ending
from krig.engine.play import play_out
from krig.engine.rules import PRESETS, Order, Repetition, Rules
from krig.engine.shuffle import unshuffled
from krig.errors import InvalidRules
from tests.engine.tables import table, written


@pytest.mark.parametrize("preset", PRESETS)
def test_a_new_game_waits_for_everybodys_first_flip(preset: str) -> None:
    game = new_game(PRESETS[preset], 3, Deck.STANDARD.cards)
    assert game.waiting == game.fighting == (0, 1, 2)
    assert (game.rounds, game.battle, game.flipped) == (0, 0, ())
    assert game.counts == (17, 17, 17)
    assert written(game.aside) == "Ac"
    assert game.rules.order is not Order.AUTO


def test_a_seat_without_cards_is_out_from_the_start() -> None:
    game = table("9s 2s", "", "Kd")
    assert game.waiting == (0, 2)
    assert [held.out for held in game.seats] == [False, True, False]


def test_teams_need_four() -> None:
    with pytest.raises(InvalidRules):
        new_game(Rules(teams=True), 3, Deck.STANDARD.cards)


@pytest.mark.parametrize("lead_in", [0, 1, 5, 30])
@pytest.mark.parametrize("period", [1, 2, 6, 31])
def test_a_trail_meets_itself_soon_after_the_walk_repeats(
    lead_in: int, period: int
) -> None:
    def position(step: int) -> Position:
        here = step if step < lead_in else lead_in + (step - lead_in) % period
        return ((Deck.STANDARD.cards[: here % 50 + 1],) * (here // 50 + 1), ())

    trail, step = Trail(position(0)), 1
    while position(step) != trail.kept:
        trail = trail.walked(position(step))
        step += 1
    assert lead_in + period <= step <= 3 * max(lead_in, period) + period


# The smallest games that never end, found by exhaustive search (RULES section 4.5).
LOOPS = pytest.mark.parametrize(
    ("order", "piles"),
    [
        (Order.LOSER_FIRST, ("2s 3s", "4h")),
        (Order.SEAT, ("4h", "2s 3s 5h")),
        (Order.WINNER_FIRST, ("2s 5s 3s", "6h 4h")),
    ],
    ids=["loser-first", "table-order", "own-first"],
)


@LOOPS
def test_a_game_that_repeats_itself_ends_in_a_draw(
    order: Order, piles: tuple[str, ...]
) -> None:
    game = play_out(table(*piles, order=order), unshuffled)
    assert game.outcome is not None
    assert game.outcome.ending is Ending.REPETITION
    assert game.outcome.winners == ()
    assert game.rounds < 30


@LOOPS
def test_a_repetition_may_be_ignored(order: Order, piles: tuple[str, ...]) -> None:
    start = table(*piles, order=order, round_limit=1000)
    game = play_out(start, unshuffled)
    assert game.rounds == 1000
    ignoring = table(*piles, order=order, repetition=Repetition.IGNORE)
    assert start.trail is ignoring.trail is None


def test_rules_are_resolved_for_the_seats_there_are() -> None:
    cards = Deck.STANDARD.cards
    game = set_up(Rules(), [cards[:2], cards[2:4], cards[4:6]])
    assert game.rules.order is Order.RANDOM
