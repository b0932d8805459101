"""A battle: every seat in it turns up one card, and the highest takes the pot.

Rule 1: every comparison of cards in Krig happens in this file, by height alone.
Rule 2: nothing here moves a card.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from krig.engine.cards import Card
from krig.engine.rules import AllShort, Rules, Short
from krig.engine.seats import Seat


def heights(_rules: Rules) -> Callable[[Card], int]:
    """What tells how high a card stands under these rules.

    None of Krig's own rules changes it; one that does has its branch here.

    >>> heights(Rules())(Card.parse("Xr"))
    15
    """
    return attrgetter("height")


def highest(
    fighting: Sequence[Seat], shown: Sequence[tuple[int, ...]]
) -> tuple[Seat, ...]:
    """The seats whose last shown card is the highest; two or more are a war.

    `shown` has for every seat the heights it has shown this round.

    >>> highest((Seat(0), Seat(1)), [(13, 4), (13, 9)])
    (1,)
    """
    top = max([shown[seat][-1] for seat in fighting])
    return tuple([seat for seat in fighting if shown[seat][-1] == top])


def best_of_waiting(
    living: Sequence[Seat], shown: Sequence[tuple[int, ...]]
) -> tuple[Seat, ...]:
    """The seats that an orphaned pot falls to: those with the best cards of the round.

    All cards that a seat has shown count, the first one first (RULES R9).

    >>> best_of_waiting((Seat(0), Seat(1), Seat(2)), [(13, 4), (9,), (13, 6)])
    (2,)
    """
    top = max(shown[seat] for seat in living)
    return tuple(seat for seat in living if shown[seat] == top)


def short_seats(rules: Rules, counts: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """The seats that cannot go on with a war, given how many cards each has left.

    >>> short_seats(Rules(war_down=1, short=Short.LOSE), {Seat(0): 1, Seat(1): 5})
    (0,)
    """
    match rules.short:
        case Short.LOSE:
            short = tuple(s for s, n in counts.items() if n < rules.war_down + 1)
            if len(short) == len(counts) and rules.all_short is AllShort.LONGEST:
                return _all_but_the_richest(counts)
            return short
        case Short.PLAY_HAVE:
            return tuple(seat for seat, count in counts.items() if count == 0)
        case Short.LAST_STANDS:
            return () if any(counts.values()) else tuple(counts)


def _all_but_the_richest(counts: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Everyone but the one seat with the most cards; everyone, if two are equal.

    Two at least are at war, so that whoever has most alone has a card.
    """
    most = max(counts.values())
    richest = [seat for seat, count in counts.items() if count == most]
    survivor = richest if len(richest) == 1 else []
    return tuple(seat for seat in counts if seat not in survivor)


def stakes_due(rules: Rules, counts: Mapping[Seat, int]) -> dict[Seat, int]:
    """How many cards each seat at war lays face down.

    Its last card is never a stake: it is turned up (RULES R5).

    >>> stakes_due(Rules(war_down=3), {Seat(0): 2, Seat(1): 9})
    {0: 1, 1: 3}
    """
    due = {
        seat: min(rules.war_down, max(count - 1, 0)) for seat, count in counts.items()
    }
    if rules.match_down:
        return dict.fromkeys(due, min(due.values()))
    return due
