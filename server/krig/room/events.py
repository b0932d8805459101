"""What follows from facts, and what viewers are told.

Rule 1: an event holds nothing that a viewer may not know yet.
Rule 2: events are told, never stored: the log holds facts (`room/facts.py`).

The events of the game itself come from `krig.engine.events`; these are the room's own.
"""

from dataclasses import dataclass
from enum import StrEnum

from krig.engine import events as game_events
from krig.engine.cards import Card
from krig.engine.outcome import Outcome
from krig.engine.seats import Seat
from krig.room.facts import FlippedBy, Player, Vacated


class Cleared(StrEnum):
    """Why nobody is ready any more."""

    RULES = "rules"
    SEATS = "seats"


@dataclass(frozen=True, slots=True)
class PlayerSat:
    """Somebody sat down."""

    seat: Seat
    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """Somebody's seat is free, or in a game played on by the server."""

    seat: Seat
    player: Player
    name: str
    how: Vacated


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """Somebody changed to another seat."""

    seat: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """Somebody took another name."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class ReadyCleared:
    """What was agreed has changed, so everybody says again that they are ready."""

    why: Cleared


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A deal was given up because these seats withheld their nonce."""

    game_id: str
    withheld: tuple[Seat, ...]
    server_nonce: str
    nonces: tuple[tuple[Seat, str], ...]


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """Every seat has its stock; the game begins."""

    game: int


@dataclass(frozen=True, slots=True)
class SeatFlipped:
    """A seat has pressed for this battle; its card is still face down."""

    seat: Seat
    by: FlippedBy


@dataclass(frozen=True, slots=True)
class BattleOpened:
    """The table now waits for these seats to press."""

    round: int
    """1-based."""
    battle: int
    """0 for the first of a round, +1 a war."""
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has an outcome, and the server shows its nonce."""

    game: int
    outcome: Outcome
    aside: tuple[Card, ...]
    server_nonce: str


@dataclass(frozen=True, slots=True)
class TablePaused:
    """A player paused the table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TableResumed:
    """The table plays on."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class TableSlept:
    """Everybody is away: the table waits for a first tap."""


@dataclass(frozen=True, slots=True)
class TableWoke:
    """Somebody tapped a sleeping table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """Another player sets the rules and starts."""

    player: Player


RoomEvent = (
    PlayerSat
    | PlayerLeft
    | PlayerMoved
    | PlayerRenamed
    | ReadyCleared
    | DealVoided
    | CardsDealt
    | SeatFlipped
    | BattleOpened
    | GameOver
    | TablePaused
    | TableResumed
    | TableSlept
    | TableWoke
    | OwnerChanged
)

GameEvent = (
    game_events.Reshuffled
    | game_events.StakesLaid
    | game_events.CardsTurned
    | game_events.WarDeclared
    | game_events.SeatShort
    | game_events.PotWon
    | game_events.PotLeft
    | game_events.RoundVoided
    | game_events.SeatOut
    | game_events.RoundEnded
    | game_events.TimeStruck
)
"""The engine's events that viewers are told as they are."""

Event = RoomEvent | GameEvent
