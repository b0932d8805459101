"""Who won a game, and why it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from krig.engine.seats import Seat


class Ending(StrEnum):
    """Why a game ended."""

    ALL_CARDS = "all_cards"
    """One side was left."""
    OUT_OF_CARDS = "out_of_cards"
    """Nobody could go on with a war, so the round was void."""
    ROUND_LIMIT = "round_limit"
    TIME_LIMIT = "time_limit"
    REPETITION = "repetition"
    """The very same position came back, so the game would never end."""
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, why the game ended, and how many cards everyone had."""

    ending: Ending
    winners: tuple[Seat, ...]
    """Seats; with teams both partners. Empty for a draw, or if nobody finished."""
    counts: tuple[int, ...]
    """The cards of each seat at the end."""
    by_shortage: bool = False
    """A seat short of cards for a war decided it, in the game's last round."""


def leaders(
    counts: Sequence[int], sides: Sequence[tuple[Seat, ...]]
) -> tuple[Seat, ...]:
    """The seats of the side with the most cards; none if two sides share the lead.

    Partners' cards are added (RULES R18), and a shared lead is a draw (R17).

    >>> leaders([4, 4, 1], [(Seat(0),), (Seat(1),), (Seat(2),)])
    ()
    """
    sums = [sum(counts[seat] for seat in side) for side in sides]
    most = max(sums)
    return sides[sums.index(most)] if sums.count(most) == 1 else ()
