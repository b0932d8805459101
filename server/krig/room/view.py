"""What every viewer of a room sees: one view for all, built from an allow-list.

Rule 1: a view is built by naming what is in it, never by deleting from the state.
Rule 2: no rank of a face-down card, no order of a pile, no nonce of a deal that is not
over, no token. What is secret is what nobody may know yet.
"""

from typing import Literal

from typing_extensions import TypedDict


class SeatView(TypedDict):
    """A taken seat."""

    player: int
    name: str
    kind: Literal["human", "bot"]
    ready: bool
    commitment: str | None
    """What the player is bound to for the next deal (64 hex digits)."""
    state: Literal["here", "away", "auto", "bot", "left"]
    """away, auto, bot, left: the server makes this seat's flips."""


class DealView(TypedDict):
    """The attempt at a fair deal that is under way."""

    id: str
    commitment: str
    """The server's."""
    stage: Literal["open", "commit", "reveal", "done"]
    """open: in the lobby; commit: ready again, please; reveal: show your nonce."""
    missing: list[int]
    """The seats that the stage waits for."""
    withheld: list[int]
    """The seats that have no part in this deal."""


class PauseView(TypedDict):
    """A paused table."""

    seat: int
    """Who paused it."""
    agreed: list[int]
    """The seats that want it to stay paused."""


class RoomView(TypedDict):
    """What is agreed in the room, and where it stands."""

    code: str
    phase: Literal["lobby", "dealing", "playing", "over"]
    game: int
    """The number of this game, or of the one the lobby leads to; from 1."""
    terms: int
    """Goes up with each change of rules, seating or attempt; `ready` names it."""
    owner: int | None
    """The player who owns the room."""
    closed: bool
    rules: dict[str, bool | int | str | None]
    preset: str | None
    tempo: Literal["slow", "normal", "fast"]
    wars_by_table: bool
    paused: PauseView | None
    asleep: bool
    deal: DealView


class GroupView(TypedDict):
    """What a seat laid in one battle: cards face down, then one face up."""

    down: int
    up: str | None


class HandView(TypedDict):
    """A seat's cards."""

    stock: int
    won: int
    out: bool
    laid: list[GroupView]
    """Its cards on the table, in time order, one group a battle."""


class ClockView(TypedDict):
    """The clock of a timed game."""

    limit_ms: int
    used_ms: int
    """At `since`, or now where it stands still."""
    since: int | None
    """Server time from which it runs; null: it stands still."""


class TableView(TypedDict):
    """The game on the table."""

    round: int
    """The round being played, 1-based."""
    battle: int
    """0 for the first of a round, +1 a war."""
    wars: int
    """Wars fought in this round so far."""
    hands: list[HandView]
    waiting: list[int]
    """The seats whose press this battle needs."""
    flipped: list[int]
    """Those of them who have pressed."""
    fighting: list[int]
    """The seats still in this round's contest."""
    pot: int
    """How many cards lie on the table."""
    aside: int
    """How many cards were set aside at the deal."""
    last_round: bool
    """The time is over: this round is the last."""
    clock: ClockView | None


class LastView(TypedDict):
    """How the game before this lobby ended."""

    game: int
    ending: str
    winners: list[int]
    """Seats in that game; none: a draw."""
    counts: list[int]
    rounds: int
    wars: int
    players: list[int]
    names: list[str]


class View(TypedDict):
    """Everything a viewer sees."""

    room: RoomView
    seats: list[SeatView | None]
    table: TableView | None
    last: LastView | None
