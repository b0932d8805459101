"""The pot: in which order the cards on the table go to the winner's pile.

The order is in no source, and it decides whether games end (RULES section 0).
"""

from collections.abc import Sequence
from typing import TypeVar, assert_never

from krig.engine.rules import Order

T = TypeVar("T")


def clockwise(by_seat: Sequence[T], winner: int, order: Order) -> Sequence[T]:
    """What each seat laid, in the order in which it is drawn again.

    A random order is shuffled from the winner's order (RULES section 6).

    >>> clockwise(["2s", "Kh", "4d"], 1, Order.WINNER_FIRST)
    ['Kh', '4d', '2s']
    """
    match order:
        case Order.WINNER_FIRST | Order.RANDOM:
            first = winner
        case Order.LOSER_FIRST:
            first = winner + 1
        case Order.SEAT:
            return by_seat
        case Order.AUTO:
            raise ValueError("A game's rules are resolved: their order is not auto.")
        case _:
            assert_never(order)
    return [*by_seat[first:], *by_seat[:first]]
