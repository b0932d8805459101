"""What the end screen tells of a game: a walk of chance, made into a story.

Rule 1: everything follows from the counts after each round, and who won it.
"""

from collections.abc import Sequence

from typing_extensions import TypedDict


class Played(TypedDict):
    """What statistics need of a round."""

    war: int
    """Wars fought in it."""
    winner: int | None
    """The seat that took its pot."""
    counts: list[int]
    """The cards of each seat after it."""


class SeatStatistics(TypedDict):
    """A seat's share in the story."""

    wars_won: int
    """Wars of the rounds whose pot it took."""
    longest_streak: int
    """The most rounds it took one after another."""
    biggest_lead: int
    """The most cards it was ever ahead of whoever had most besides; 0: it never was."""
    rounds_led: int
    """The rounds after which it had more cards than everybody else."""


class Statistics(TypedDict):
    """The story of a game."""

    wars: int
    """Ties fought (RULES R24)."""
    rounds_in_war: int
    turning_round: int | None
    """The round, from 1, whose war turned the game; None: none did."""
    seats: list[SeatStatistics]


def statistics(
    start: Sequence[int], rounds: Sequence[Played], winners: Sequence[int]
) -> Statistics:
    """Tell the story of a game.

    Args:
        start: the cards of each seat as they were dealt.
        rounds: every round, in order.
        winners: the seats that won the game; none: a draw.
    """
    return {
        "wars": sum(played["war"] for played in rounds),
        "rounds_in_war": sum(played["war"] > 0 for played in rounds),
        "turning_round": _turning_round(start, rounds, winners),
        "seats": [_of_seat(seat, rounds) for seat in range(len(start))],
    }


def _of_seat(seat: int, rounds: Sequence[Played]) -> SeatStatistics:
    streak = longest = 0
    for played in rounds:
        streak = streak + 1 if played["winner"] == seat else 0
        longest = max(longest, streak)
    leads = [_lead(played["counts"], seat) for played in rounds]
    return {
        "wars_won": sum(p["war"] for p in rounds if p["winner"] == seat),
        "longest_streak": longest,
        "biggest_lead": max(0, 0, *leads),
        "rounds_led": sum(lead > 0 for lead in leads),
    }


def _lead(counts: Sequence[int], seat: int) -> int:
    """How many cards a seat is ahead of whoever has most besides."""
    return counts[seat] - max(n for other, n in enumerate(counts) if other != seat)


def _turning_round(
    start: Sequence[int], rounds: Sequence[Played], winners: Sequence[int]
) -> int | None:
    """The war after which the winner led to the end, else the greatest swing.

    A swing is what the round's winner gained by it; of several the first. If nobody
    gained anything, none did.
    """
    in_war = [i for i, played in enumerate(rounds) if played["war"]]
    if not in_war:
        return None
    if len(winners) == 1:
        ahead = [_lead(played["counts"], winners[0]) > 0 for played in rounds]
        first = len(ahead)
        while first and ahead[first - 1]:
            first -= 1
        if first in in_war:
            return first + 1
    before = [start, *(played["counts"] for played in rounds)]

    def swing(i: int) -> int:
        return max(a - b for a, b in zip(rounds[i]["counts"], before[i], strict=True))

    most = max(in_war, key=swing)
    return most + 1 if swing(most) > 0 else None
