"""What every viewer of a room sees: one view for all, built from an allow-list.

Rule 1: a view is built by naming what is in it, never by deleting from the state.
Rule 2: no rank of a face-down card, no order of a pile, no nonce of a deal that is not
over, no token. What is secret is what nobody may know yet.
"""

from typing import Final, Literal

from typing_extensions import TypedDict

from krig.engine.game import Game
from krig.engine.seats import Seat
from krig.room.room import Room


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
    game_code: str | None
    """The game that is dealt again; its deal is known beforehand."""
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
    teams: bool
    """Partners' cards count together (R18)."""
    counted: bool
    """A draw by repetition whose cards were counted after all."""


class View(TypedDict):
    """Everything a viewer sees."""

    room: RoomView
    seats: list[SeatView | None]
    table: TableView | None
    last: LastView | None


def view(room: Room) -> View:
    """Everything that any viewer sees of the room as it stands."""
    return {
        "room": room_view(room),
        "seats": seats_view(room),
        "table": table_view(room),
        "last": last_view(room),
    }


def changed_parts(before: Room, after: Room) -> list[dict[str, object]]:
    """The parts of the view that an entry changed whole, as they are now.

    What is played on the table is told by the game's events alone, which say
    everything a viewer must change; a table is sent when it is laid or cleared, when
    its game ends (cards may then go back to who laid them), or when its clock stops
    or starts.
    """
    parts: list[dict[str, object]] = []
    if any(getattr(before, name) != getattr(after, name) for name in _ROOM_FIELDS):
        parts.append({"type": "room", "room": room_view(after)})
    if before.seats is not after.seats:
        old, new = seats_view(before), seats_view(after)
        if old != new:
            parts.append({"type": "seats", "seats": new})
    if _outline(before) != _outline(after) or before.clock is not after.clock:
        parts.append({"type": "table", "table": table_view(after)})
    if before.last is not after.last:
        parts.append({"type": "last", "last": last_view(after)})
    return parts


def _outline(room: Room) -> tuple[bool, bool]:
    """Whether a game lies on the table, and whether it is over."""
    game = room.game
    return game is not None, game is not None and game.outcome is not None


_ROOM_FIELDS: Final = (
    "phase",
    "chapter",
    "terms",
    "owner",
    "closed",
    "rules",
    "preset",
    "game_code",
    "tempo",
    "wars_by_table",
    "pause",
    "asleep",
    "attempt",
    "missing",
)


def room_view(room: Room) -> RoomView:
    """What is agreed, and where the room stands."""
    attempt, pause = room.attempt, room.pause
    return {
        "code": room.code,
        "phase": room.phase.value,
        "game": room.chapter,
        "terms": room.terms,
        "owner": room.owner,
        "closed": room.closed,
        "rules": room.rules.to_dict(),
        "preset": room.preset,
        "game_code": room.game_code,
        "tempo": room.tempo.value,
        "wars_by_table": room.wars_by_table,
        "paused": None
        if pause is None
        else {"seat": pause.seat, "agreed": list(pause.agreed)},
        "asleep": room.asleep,
        "deal": {
            "id": attempt.game_id,
            "commitment": attempt.commitment,
            "stage": attempt.stage.value,
            "missing": list(room.missing),
            "withheld": list(attempt.withheld),
        },
    }


def seats_view(room: Room) -> list[SeatView | None]:
    """Who sits where."""
    return [
        None
        if place is None
        else {
            "player": place.player,
            "name": place.name,
            "kind": "bot" if place.is_bot else "human",
            "ready": place.is_bot or place.commitment is not None,
            "commitment": place.commitment,
            "state": place.presence.value,
        }
        for place in room.seats
    ]


def table_view(room: Room) -> TableView | None:
    """The game as everybody sees it: counts, and the cards that lie face up."""
    game, clock = room.game, room.clock
    if game is None:
        return None
    return {
        "round": game.rounds + (game.outcome is None),
        "battle": game.battle,
        "wars": game.battle,
        "hands": [
            {
                "stock": len(held.stock),
                "won": len(held.won),
                "out": held.out,
                "laid": _laid(game, Seat(seat)),
            }
            for seat, held in enumerate(game.seats)
        ],
        "waiting": list(game.waiting),
        "flipped": list(game.flipped),
        "fighting": list(game.fighting),
        "pot": len(game.table),
        "aside": len(game.aside),
        "last_round": game.time_struck,
        "clock": None
        if clock is None
        else {"limit_ms": clock.limit, "used_ms": clock.used, "since": clock.since},
    }


def _laid(game: Game, seat: Seat) -> list[GroupView]:
    """What a seat has on the table, a group a battle, in time order."""
    groups: dict[int, GroupView] = {}
    for laid in game.table:
        if laid.seat == seat:
            group = groups.setdefault(laid.battle, {"down": 0, "up": None})
            if laid.face_up:
                group["up"] = str(laid.card)
            else:
                group["down"] += 1
    return [groups[battle] for battle in sorted(groups)]


def last_view(room: Room) -> LastView | None:
    """How the game before this lobby ended."""
    last = room.last
    if last is None:
        return None
    return {
        "game": last.game,
        "ending": last.ending,
        "winners": list(last.winners),
        "counts": list(last.counts),
        "rounds": last.rounds,
        "wars": last.wars,
        "players": list(last.players),
        "names": list(last.names),
        "teams": last.teams,
        "counted": last.counted,
    }
