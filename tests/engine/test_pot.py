"""The order of the pot."""

from typing import Any

import pytest

from krig.engine.cards import Card
from krig.engine.pot import clockwise
from krig.engine.rules import Order, Pile
from tests.engine.tables import play_round, stocks, table, written


@pytest.mark.parametrize(
    ("order", "pot"),
    [
        (Order.WINNER_FIRST, "cdab"),
        (Order.LOSER_FIRST, "dabc"),
        (Order.SEAT, "abcd"),
        (Order.RANDOM, "cdab"),
    ],
    ids=str,
)
def test_what_each_seat_laid_goes_under_the_pile(order: Order, pot: str) -> None:
    assert "".join(clockwise("abcd", 2, order)) == pot


def test_auto_is_resolved_before_a_pot_is_won() -> None:
    with pytest.raises(ValueError, match="resolved"):
        clockwise("ab", 0, Order.AUTO)


@pytest.mark.parametrize(
    ("rules", "winners"),
    [
        ({"pile": Pile.BOTTOM}, "3h Kh 4d 5s"),
        ({"pile": Pile.TOP}, "Kh 4d 5s 3h"),
        ({"order": Order.LOSER_FIRST}, "3h 4d 5s Kh"),
        ({"order": Order.RANDOM}, "3h 5s 4d Kh"),
    ],
    ids=["bottom", "own-card-uppermost", "loser-first", "random"],
)
def test_the_winner_finds_the_pot_in_its_pile(
    rules: dict[str, Any], winners: str
) -> None:
    game = table("5s 9s", "Kh 3h", "4d 8d", **rules)
    game, _ = play_round(game, lambda _, cards: cards[::-1])
    assert stocks(game) == ["9s", winners, "8d"]


def test_a_random_pot_is_shuffled_under_the_number_of_its_round() -> None:
    labels = []

    def shuffle(label: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        labels.append((label, written(cards)))
        return cards

    game = table("5s 9s", "Kh 3h", rounds=16, order=Order.RANDOM)
    game, _ = play_round(game, shuffle)
    play_round(game, shuffle)
    assert labels == [("pot/17", "Kh 5s"), ("pot/18", "9s 3h")]
