"""What a room's log stores: what people, the clock and chance did.

Rule 1: a fact never says what follows from the rules; the fold works that out.
Rule 2: facts are the bytes on disk. A field may be added with a default; nothing is
ever renamed, removed or given another meaning without a new `SCHEMA`.
Rule 3: no fact is sent to a viewer. What viewers are told is in `room/events.py`.

Hexadecimal strings are lower case. Times are milliseconds since 1970 (UTC).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from krig.engine.rules import Rules
from krig.engine.seats import Seat

SCHEMA = 1
"""The number of the form that entries are written in today."""

READABLE = 1
"""The newest form that is read. A release reads one more before the next one writes it:
while servers are restarted one by one, the old ones read what the new ones write."""

RULES_VERSION = 1
"""The version of the rules that a chapter begun today is played by."""

Player = NewType("Player", int)
"""Who sits on a seat: a number the room hands out once and never again."""

TokenHash = NewType("TokenHash", str)
"""SHA-256 of the secret that proves a seat is yours (64 hex digits)."""

Connection = NewType("Connection", str)
"""One socket of one server, as a name nobody else has."""


class Tempo(StrEnum):
    """How fast the table plays the flips that the server makes."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"


class FlippedBy(StrEnum):
    """Who turned up the card: its player, autoplay for them, or their deadline."""

    PLAYER = "player"
    AUTOPLAY = "autoplay"
    CLOCK = "clock"


class Vacated(StrEnum):
    """How a seat lost its player."""

    LEFT = "left"
    KICKED = "kicked"
    REMOVED = "removed"
    """A computer player that the owner took away."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody who goes on from one chapter to the next."""

    player: Player
    name: str
    token: TokenHash | None
    """None: a computer player."""
    connection: Connection | None = None
    """The socket that last came for this seat, unless it has gone."""


@dataclass(frozen=True, slots=True)
class LastGame:
    """How the game before this lobby ended."""

    game: int
    ending: str
    winners: tuple[Seat, ...]
    counts: tuple[int, ...]
    rounds: int
    wars: int
    players: tuple[Player, ...]
    names: tuple[str, ...]
    teams: bool = False
    counted: bool = False
    """A draw by repetition whose cards were counted after all."""


@dataclass(frozen=True, slots=True)
class ChapterOpened:
    """A lobby begins: everything that goes on from before, so no chapter needs another.

    The first fact of every chapter, and only there.
    """

    code: str
    chapter: int
    """1 for a new room; a chapter holds one lobby and the game it leads to."""
    epoch: str
    """Random, made with the room: another epoch means another history."""
    rules: Rules
    preset: str | None
    """The preset these rules are, or come from; None: somebody's own."""
    tempo: Tempo
    wars_by_table: bool
    """The server makes the presses in wars, at the table's tempo."""
    closed: bool
    """No new watchers."""
    owner: Player | None
    seats: tuple[Sitter | None, ...]
    next_player: Player
    last: LastGame | None = None
    dead_tokens: tuple[TokenHash, ...] = ()
    """Tokens whose seat was vacated, newest last."""
    rules_version: int = RULES_VERSION
    game_code: str | None = None
    """The game that is dealt again, and whose deal is therefore known."""


@dataclass(frozen=True, slots=True)
class AttemptOpened:
    """The server bound itself to its part of the deal to come."""

    game_id: str
    server_nonce: str
    """Secret until the attempt is over: viewers get its commitment."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down on a free seat."""

    seat: Seat
    name: str
    token: TokenHash | None
    """None: a computer player."""
    connection: Connection | None = None


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A player changed to a free seat."""

    seat: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class SeatVacated:
    """A seat lost its player; in a game, autoplay plays it to the end."""

    seat: Seat
    how: Vacated


@dataclass(frozen=True, slots=True)
class NameChanged:
    """A player took another name."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The owner set the house rules, or chose a game that is dealt again."""

    rules: Rules
    preset: str | None
    game_code: str | None = None


@dataclass(frozen=True, slots=True)
class Readied:
    """A player is ready, and bound to a nonce (its commitment, 64 hex digits)."""

    seat: Seat
    commitment: str


@dataclass(frozen=True, slots=True)
class Unreadied:
    """A player is not ready any more."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Started:
    """The owner started the game: the chairs move together and all must reveal."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A player showed the nonce behind the commitment (64 hex digits)."""

    seat: Seat
    nonce: str


@dataclass(frozen=True, slots=True)
class AttemptVoided:
    """These seats withheld or did not fit; the deal is tried again without them."""

    withheld: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Flipped:
    """A seat pressed for the battle that the table is in."""

    seat: Seat
    by: FlippedBy = FlippedBy.PLAYER


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time that was agreed for the game is over."""


@dataclass(frozen=True, slots=True)
class SeatCame:
    """The page of a seat is here, on this connection; an older one is outrun."""

    seat: Seat
    connection: Connection


@dataclass(frozen=True, slots=True)
class SeatWent:
    """The connection of a seat has been gone for a while."""

    seat: Seat
    connection: Connection


@dataclass(frozen=True, slots=True)
class SeatBack:
    """A player who was away has acted again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PageHidden:
    """The page of a seat went out of view, or came back into it."""

    seat: Seat
    hidden: bool


@dataclass(frozen=True, slots=True)
class AutoplaySet:
    """A player lets the server flip, or takes over again."""

    seat: Seat
    on: bool


@dataclass(frozen=True, slots=True)
class TempoSet:
    """Somebody at the table set its tempo, and who presses in wars."""

    tempo: Tempo
    wars_by_table: bool


@dataclass(frozen=True, slots=True)
class Paused:
    """A player paused the table, or agreed that it stays paused."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Resumed:
    """The table plays on; by nobody where the pause was over by itself."""

    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Slept:
    """Everybody has been away for a while, so the table stopped."""


@dataclass(frozen=True, slots=True)
class Woke:
    """A player is back at a sleeping table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OwnerPassed:
    """Another player sets the rules and starts."""

    player: Player


@dataclass(frozen=True, slots=True)
class RoomClosed:
    """The owner closed the room to new watchers, or opened it again."""

    closed: bool


@dataclass(frozen=True, slots=True)
class Reopened:
    """A server took up a room that none had kept: no time passed in between.

    Every seat has its whole allowance anew, and a game's clock has not run.
    """


@dataclass(frozen=True, slots=True)
class SeatOffered:
    """A seat may be taken over, once, by who knows the code behind this hash."""

    seat: Seat
    claim: str
    """SHA-256 of the code (64 hex digits)."""


@dataclass(frozen=True, slots=True)
class OfferEnded:
    """The offer of a seat was not taken in time."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatClaimed:
    """A seat moved to another device: its old token is dead."""

    seat: Seat
    token: TokenHash
    connection: Connection | None


@dataclass(frozen=True, slots=True)
class CardsCounted:
    """A player had the cards counted of the game that only repeated itself."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HistoryCut:
    """History was restored, so what viewers hold may be of another: a new epoch."""

    epoch: str


Fact = (
    ChapterOpened
    | AttemptOpened
    | SeatTaken
    | SeatMoved
    | SeatVacated
    | NameChanged
    | RulesChanged
    | Readied
    | Unreadied
    | Started
    | Revealed
    | AttemptVoided
    | Flipped
    | TimeUp
    | SeatCame
    | SeatWent
    | SeatBack
    | PageHidden
    | AutoplaySet
    | TempoSet
    | Paused
    | Resumed
    | Slept
    | Woke
    | OwnerPassed
    | RoomClosed
    | SeatOffered
    | OfferEnded
    | SeatClaimed
    | CardsCounted
    | Reopened
    | HistoryCut
)

Facts = tuple[Fact, ...]
"""What a command comes to; none: it is so already."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One atomic row of a room's log: either all its facts happened, or none."""

    v: int
    """The room's version after it: dense, +1 an entry, through all chapters."""
    at: int
    """Never below the entry before (ms since 1970)."""
    nonce: str
    """The writer's own mark: how it finds out whether an append went through."""
    facts: tuple[Fact, ...]
    schema: int = SCHEMA
