"""A game between two flips: who holds what, what lies on the table, who must press."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from krig.engine.cards import Card
from krig.engine.deal import deal
from krig.engine.outcome import Outcome
from krig.engine.rules import Rules
from krig.engine.seats import Seat, seats_of

CARRIED = -1
"""The battle of a card that an earlier round left on the table (`Orphan.CARRY`)."""

Sides = tuple[tuple[Seat, ...], ...]
"""Who wins together: every seat by itself, or two teams."""


@dataclass(frozen=True, slots=True)
class Held:
    """What a seat holds."""

    stock: tuple[Card, ...]
    """Face down; `stock[0]` is the top."""
    won: tuple[Card, ...] = ()
    """The won pile, oldest first (reshuffle rule only)."""
    out: bool = False
    reshuffles: int = 0
    """How often the won pile has become the stock."""

    @property
    def count(self) -> int:
        """The cards of the seat."""
        return len(self.stock) + len(self.won)


class Laid(NamedTuple):
    """A card on the table."""

    seat: Seat
    """Who laid it, and gets it back if the round is void."""
    card: Card
    face_up: bool
    battle: int
    """0 for the round's first flip, +1 for each war; `CARRIED` if it lay there."""


Position = tuple[tuple[tuple[Card, ...], ...], tuple[Laid, ...]]
"""All that the rest of a game without chance depends on: stocks and carried pot."""


class Trail(NamedTuple):
    """How a repetition is noticed while only one old position is remembered.

    The position kept is renewed after 1, 2, 4, 8 … rounds (R. P. Brent, An improved
    Monte Carlo factorization algorithm, BIT 20, 1980): a game that repeats meets it
    again, at the latest after three times the rounds it took to come around.
    """

    kept: Position
    age: int = 0
    """In rounds."""
    renewal: int = 1
    """The age at which a newer position is kept."""

    def walked(self, position: Position) -> "Trail":
        """The trail after one more round that did not end where it was kept."""
        if self.age + 1 < self.renewal:
            return Trail(self.kept, self.age + 1, self.renewal)
        return Trail(position, 0, self.renewal * 2)


class Game(NamedTuple):
    """The state of a game; it only changes by what `krig.engine.play` returns.

    A tuple: one is made for every flip, and a frozen dataclass takes twice as long.
    """

    rules: Rules
    """Resolved: no `Order.AUTO`."""
    sides: Sides
    seats: tuple[Held, ...]
    aside: tuple[Card, ...]
    """Out of the game from the deal on, unseen until the end."""
    rounds: int
    """Finished rounds; the one being played is `rounds + 1`."""
    battle: int
    """0 for the first flip of a round, +1 for each war."""
    table: tuple[Laid, ...]
    """What lies on the table, in the order it was laid."""
    fighting: tuple[Seat, ...]
    """The seats that can still win this battle."""
    waiting: tuple[Seat, ...]
    """The seats whose flip this battle needs; empty when the game is over."""
    flipped: tuple[Seat, ...] = ()
    """Those of them that have pressed, in seat order."""
    shown: tuple[tuple[int, ...], ...] = ()
    """The heights each seat has shown this round, one a battle; empty before it."""
    orphaned: bool = False
    """Everyone in an earlier war of this round was short (`Orphan.NEXT_HIGHEST`)."""
    wars: int = 0
    """Ties fought so far in the game, those included that ended by shortage (R24)."""
    discarded: tuple[Card, ...] = ()
    """Pots that left the game (`Orphan.DISCARD`)."""
    time_struck: bool = False
    """Time is up, and the game ends with this round."""
    trail: Trail | None = None
    """Only where a repetition would be for ever, and ends the game."""
    outcome: Outcome | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """The cards each seat holds, those on the table not included."""
        return tuple(held.count for held in self.seats)


def sides_of(players: int, teams: bool) -> Sides:
    """Who wins together: partners sit across the table.

    >>> sides_of(4, teams=True)
    ((0, 2), (1, 3))
    """
    if teams:
        return (Seat(0), Seat(2)), (Seat(1), Seat(3))
    return tuple((seat,) for seat in seats_of(players))


def new_game(rules: Rules, players: int, cards: Sequence[Card]) -> Game:
    """Deal a shuffled deck; the game waits for everybody's first flip.

    Raises:
        InvalidRules: if so many players cannot play by these rules.
    """
    rules = rules.resolved(players)
    dealt = deal(cards, players, rules.deal)
    return set_up(rules, dealt.piles, aside=dealt.aside)


def set_up(
    rules: Rules,
    stocks: Sequence[tuple[Card, ...]],
    *,
    won: Sequence[tuple[Card, ...]] = (),
    aside: tuple[Card, ...] = (),
    rounds: int = 0,
    sides: Sides | None = None,
) -> Game:
    """Lay out a game at the start of a round; a seat without cards is out.

    Piles are by seat, the top card first; `won` piles oldest first.

    Raises:
        InvalidRules: if so many seats cannot play by these rules.
    """
    rules = rules.resolved(len(stocks))
    won = won or [()] * len(stocks)
    seats = tuple(
        Held(stock, pile, out=not stock and not pile)
        for stock, pile in zip(stocks, won, strict=True)
    )
    living = tuple(seat for seat in seats_of(len(seats)) if not seats[seat].out)
    return Game(
        rules=rules,
        sides=sides or sides_of(len(seats), rules.teams),
        seats=seats,
        aside=aside,
        rounds=rounds,
        battle=0,
        table=(),
        fighting=living,
        waiting=living,
        trail=Trail((tuple(stocks), ())) if rules.may_repeat else None,
    )
