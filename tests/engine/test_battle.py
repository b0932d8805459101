"""Who is highest, who is short, and how much is staked."""

from collections.abc import Sequence
from typing import Any

import pytest

from krig.engine.battle import best_of_waiting, highest, short_seats, stakes_due
from krig.engine.rules import Rules
from krig.engine.seats import Seat, seats_of


def counts(*numbers: int) -> dict[Seat, int]:
    return {Seat(seat): number for seat, number in enumerate(numbers)}


@pytest.mark.parametrize(
    ("shown", "best"),
    [
        ([(14,), (13,)], (0,)),
        ([(2,), (2,)], (0, 1)),
        ([(9,), (9,), (13,), (4,)], (2,)),
        ([(13,), (5,), (13,), (5,)], (0, 2)),
        ([(13, 4), (13, 9)], (1,)),
        ([(15,), (14,), (15,)], (0, 2)),
    ],
    ids=[
        "ace-over-king",
        "tie-is-war",
        "low-tie-is-no-war",
        "two-pairs-higher-fights",
        "last-card-decides",
        "two-jokers-tie",
    ],
)
def test_the_highest(shown: Sequence[tuple[int, ...]], best: tuple[int, ...]) -> None:
    assert highest(seats_of(len(shown)), shown) == best


def test_who_does_not_fight_cannot_be_highest() -> None:
    assert highest((Seat(0), Seat(1)), [(9, 3), (9, 4), (8,)]) == (1,)


def test_an_orphaned_pot_goes_by_the_first_card_first() -> None:
    shown = [(13, 2), (9,), (13, 4), (9,)]
    assert best_of_waiting((Seat(1), Seat(3)), shown) == (1, 3)
    assert best_of_waiting((Seat(0), Seat(1), Seat(2)), shown) == (2,)


@pytest.mark.parametrize(
    ("rules", "left", "short"),
    [
        ({"short": "lose", "war_down": 1}, (2, 1, 0), (1, 2)),
        ({"short": "lose", "war_down": 3}, (4, 3), (1,)),
        ({"short": "lose", "war_down": 0}, (1, 0), (1,)),
        ({"short": "lose", "all_short": "all_out"}, (3, 2), (0, 1)),
        ({"short": "lose", "all_short": "longest"}, (3, 2), (1,)),
        ({"short": "lose", "all_short": "longest"}, (3, 3, 1), (0, 1, 2)),
        ({"short": "lose", "all_short": "longest"}, (0, 0), (0, 1)),
        ({"short": "lose", "all_short": "longest"}, (4, 1, 2), (1, 2)),
        ({"short": "play_have"}, (1, 0, 9), (1,)),
        ({"short": "play_have"}, (0, 0), (0, 1)),
        ({"short": "last_stands"}, (0, 3), ()),
        ({"short": "last_stands"}, (0, 0), (0, 1)),
    ],
    ids=[
        "lose-needs-two",
        "lose-needs-four",
        "lose-needs-one",
        "all-short-all-out",
        "all-short-longest-survives",
        "all-short-no-longest",
        "all-short-nobody-has-any",
        "longest-only-if-all-are-short",
        "last-card-is-enough",
        "nobody-has-a-card",
        "last-card-stands",
        "no-card-left-to-battle-with",
    ],
)
def test_who_is_short(
    rules: dict[str, Any], left: tuple[int, ...], short: tuple[int, ...]
) -> None:
    assert short_seats(Rules.from_dict(rules), counts(*left)) == short


@pytest.mark.parametrize(
    ("rules", "left", "due"),
    [
        ({"war_down": 3}, (9, 3, 1), (3, 2, 0)),
        ({"war_down": 1}, (2, 1), (1, 0)),
        ({"war_down": 0}, (2, 1), (0, 0)),
        ({"war_down": 3, "match_down": True}, (9, 3), (2, 2)),
        ({"war_down": 3, "short": "last_stands"}, (9, 0), (3, 0)),
    ],
    ids=[
        "all-but-the-last",
        "last-card-is-no-stake",
        "no-stakes",
        "as-many-as-the-poorest-can-spare",
        "standing-card-stakes-nothing",
    ],
)
def test_the_stakes(
    rules: dict[str, Any], left: tuple[int, ...], due: tuple[int, ...]
) -> None:
    assert stakes_due(Rules.from_dict(rules), counts(*left)) == counts(*due)
