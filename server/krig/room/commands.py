"""What a room is asked to do, by its people and by the host that keeps it.

Rule 1: a command says what its sender wants to be so, not a change, so that sending it
again is harmless.
Rule 2: time, chance and secrets come in here as arguments; the room has none itself.
"""

from dataclasses import dataclass

from krig.engine.rules import Rules
from krig.engine.seats import Seat
from krig.room.facts import Connection, FlippedBy, Player, Tempo
from krig.room.room import Stage


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Let me sit on this seat, or on the first free one."""

    seat: Seat | None
    name: str
    connection: Connection | None = None
    """Which page it is that sits down (the host knows)."""


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Let me leave my seat for good."""


@dataclass(frozen=True, slots=True)
class BeReady:
    """Let me be ready, or not, for this game on these terms."""

    game: int
    terms: int
    on: bool
    commitment: str | None
    """SHA-256 over the attempt's id, my seat and my nonce (64 hex digits)."""


@dataclass(frozen=True, slots=True)
class ChangeName:
    """Let my name be this."""

    name: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Let these be the house rules, or this game be dealt again (owner)."""

    rules: Rules
    preset: str | None
    game_code: str | None = None
    """A game code; its rules are `rules`."""


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Let a computer player sit here, or none (owner)."""

    seat: Seat
    on: bool


@dataclass(frozen=True, slots=True)
class Kick:
    """Let this player not be on this seat (owner)."""

    seat: Seat
    player: Player


@dataclass(frozen=True, slots=True)
class Start:
    """Let this game begin (owner)."""

    game: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """Here is the nonce behind my commitment (64 hex digits)."""

    game: int
    terms: int
    nonce: str


@dataclass(frozen=True, slots=True)
class Flip:
    """Let my card for this battle be turned up."""

    game: int
    round: int
    """1-based."""
    battle: int
    """0 for the first of a round, +1 a war."""


@dataclass(frozen=True, slots=True)
class SetAutoplay:
    """Let the server flip for me, or not."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetTempo:
    """Let the table play at this tempo, and wars by themselves or not."""

    tempo: Tempo
    wars_by_table: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """Let the table be paused, or play on."""

    on: bool


@dataclass(frozen=True, slots=True)
class CloseRoom:
    """Let the room take no new watchers, or take them again (owner)."""

    on: bool


@dataclass(frozen=True, slots=True)
class OfferSeat:
    """Let another device take over this seat: mine, or an away one (owner)."""

    seat: Seat
    claim: str = ""
    """SHA-256 of a one-time code, which the host makes (64 hex digits)."""


@dataclass(frozen=True, slots=True)
class ClaimSeat:
    """Let the seat that was offered by this code be mine."""

    claim: str
    """SHA-256 of the code (64 hex digits)."""
    connection: Connection | None = None
    """Which page it is that takes over (the host knows)."""


@dataclass(frozen=True, slots=True)
class CountCards:
    """Let the cards of this game, a draw by repetition, decide it."""

    game: int


@dataclass(frozen=True, slots=True)
class Come:
    """The page of my seat is here on this connection."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class HidePage:
    """My page is out of view, or in it."""

    hidden: bool


PlayerCommand = (
    TakeSeat
    | LeaveSeat
    | BeReady
    | ChangeName
    | ChangeRules
    | SeatBot
    | Kick
    | Start
    | Reveal
    | Flip
    | SetAutoplay
    | SetTempo
    | Pause
    | CloseRoom
    | OfferSeat
    | ClaimSeat
    | CountCards
    | Come
    | HidePage
)
"""What somebody with a token may ask for."""


@dataclass(frozen=True, slots=True)
class OpenChapter:
    """This chapter's game is over: open the next lobby."""

    chapter: int
    game_id: str = ""
    server_nonce: str = ""


@dataclass(frozen=True, slots=True)
class Go:
    """This connection of a seat has been gone for long enough."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class FlipFor:
    """This seat's time for this battle is over, or its flips are the server's."""

    round: int
    battle: int
    seat: Seat
    by: FlippedBy


@dataclass(frozen=True, slots=True)
class GiveUpWaiting:
    """Whoever has not done their part in this stage of the deal is left out of it."""

    terms: int
    stage: Stage
    """Time is given for each stage: being late for one is not being late for the next.
    """
    game_id: str = ""
    server_nonce: str = ""


@dataclass(frozen=True, slots=True)
class StrikeTime:
    """The time agreed for this game is over."""

    game: int


@dataclass(frozen=True, slots=True)
class PassOwner:
    """This owner has been gone for long enough."""

    player: Player


@dataclass(frozen=True, slots=True)
class FallAsleep:
    """Everybody has been away for long enough."""


@dataclass(frozen=True, slots=True)
class EndPause:
    """The pause has lasted long enough."""


@dataclass(frozen=True, slots=True)
class EndOffer:
    """This offer has lasted long enough."""

    seat: Seat
    claim: str


@dataclass(frozen=True, slots=True)
class Reopen:
    """Nobody kept this room for a while; time stood still in it."""


@dataclass(frozen=True, slots=True)
class CutHistory:
    """History is shorter than it was: give it a new epoch."""

    epoch: str


HostCommand = (
    OpenChapter
    | Go
    | FlipFor
    | GiveUpWaiting
    | StrikeTime
    | PassOwner
    | FallAsleep
    | EndPause
    | EndOffer
    | Reopen
    | CutHistory
)
"""What only the host asks for: time, chance and connections."""

Command = PlayerCommand | HostCommand
