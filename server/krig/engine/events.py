"""What follows from a flip, as every viewer is told it.

Rule 1: no event holds a card that has not been turned up.
"""

from dataclasses import dataclass
from enum import StrEnum

from krig.engine.cards import Card
from krig.engine.outcome import Outcome
from krig.engine.rules import Orphan
from krig.engine.seats import Seat


class By(StrEnum):
    """How a pot was won."""

    HIGH = "high"
    """With the highest card."""
    WALKOVER = "walkover"
    """Everyone else in the war was short of cards."""
    ORPHAN = "orphan"
    """Everyone in a war was short, and the pot fell to those who had waited."""


@dataclass(frozen=True, slots=True)
class Flipped:
    """A seat has pressed; its card is turned when all have."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """A seat's stock was used up, so its won pile was shuffled and became the stock."""

    seat: Seat
    count: int
    """The cards of the new stock."""


@dataclass(frozen=True, slots=True)
class StakesLaid:
    """The seats at war have laid their stakes face down."""

    stakes: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class CardsTurned:
    """Every seat in the battle has turned up a card, all at once."""

    cards: tuple[tuple[Seat, Card], ...]


@dataclass(frozen=True, slots=True)
class WarDeclared:
    """Two or more seats share the highest rank."""

    seats: tuple[Seat, ...]
    """Who has to go to war, those included who turn out to be short of cards."""
    war: int
    """1 for the first war of the round; the battle that the next flips are for."""


@dataclass(frozen=True, slots=True)
class SeatShort:
    """A seat cannot go on with the war: what it has left goes into the pot."""

    seat: Seat
    count: int
    """The cards it puts into the pot, face down."""


@dataclass(frozen=True, slots=True)
class PotWon:
    """A seat takes everything on the table."""

    seat: Seat
    count: int
    by: By


@dataclass(frozen=True, slots=True)
class PotLeft:
    """Nobody takes the pot: it stays for the next round, or leaves the game."""

    how: Orphan
    """`carry` or `discard`."""
    count: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """Nobody wins the round: every card on the table goes back to who laid it."""


@dataclass(frozen=True, slots=True)
class SeatOut:
    """A seat has lost its last card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The table is clear."""

    round: int
    """From 1."""
    counts: tuple[tuple[int, int], ...]
    """The cards of each seat: in its stock, and in its won pile."""


@dataclass(frozen=True, slots=True)
class TimeStruck:
    """Time is up in the middle of a war: it is fought out, then cards are counted."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over, and the cards that lay aside are shown."""

    outcome: Outcome
    aside: tuple[Card, ...]


Event = (
    Flipped
    | Reshuffled
    | StakesLaid
    | CardsTurned
    | WarDeclared
    | SeatShort
    | PotWon
    | PotLeft
    | RoundVoided
    | SeatOut
    | RoundEnded
    | TimeStruck
    | GameEnded
)
