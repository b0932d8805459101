"""The pot: in which order the cards on the table go to the winner's pile.

The order is in no source, and it decides whether games end (RULES section 0).
"""

from collections.abc import Sequence
from typing import assert_never

from krig.engine.cards import Card
from krig.engine.game import Laid
from krig.engine.rules import Order
from krig.engine.seats import Seat
from krig.engine.shuffle import Shuffle, pot_label


def pot(
    table: Sequence[Laid],
    winner: Seat,
    players: int,
    order: Order,
    round_number: int,
    shuffle: Shuffle,
) -> tuple[Card, ...]:
    """All cards on the table, the first of them the first to be drawn again."""
    match order:
        case Order.WINNER_FIRST:
            return _by_seat(table, winner, players)
        case Order.LOSER_FIRST:
            return _by_seat(table, winner + 1, players)
        case Order.SEAT:
            return _by_seat(table, 0, players)
        case Order.RANDOM:
            cards = _by_seat(table, winner, players)
            return shuffle(pot_label(round_number), cards)
        case Order.AUTO:
            raise ValueError("A game's rules are resolved: their order is not auto.")
        case _:
            assert_never(order)


def _by_seat(table: Sequence[Laid], first: int, players: int) -> tuple[Card, ...]:
    """Seat by seat in the direction of play, each seat's cards as it laid them."""
    clockwise = sorted(table, key=lambda laid: (laid.seat - first) % players)
    return tuple([laid.card for laid in clockwise])
