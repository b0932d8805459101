"""The places at the table."""

from functools import cache
from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table, counted from 0 in the direction of play."""

FEWEST, MOST = 2, 4
"""How many can play (source 001: two, three or four)."""


@cache
def seats_of(players: int) -> tuple[Seat, ...]:
    """The seats of a game of so many players, in the direction of play.

    >>> seats_of(3)
    (0, 1, 2)
    """
    return tuple(map(Seat, range(players)))
