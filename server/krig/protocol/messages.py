"""Every message of the wire `krig.1`, as models: what is not here cannot be said.

PROTOCOL.md tells the story; the JSON Schema (`python -m krig schema`) and the client's
types (`client/messages.d.ts`) are made from these models.

Seats are counted from 0. Cards are written rank then suit (`Qs`, `Th`, `Xr`). Tokens,
nonces, commitments and game ids are lower-case hexadecimal.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from krig.room.view import LastView, RoomView, SeatView, TableView, View

PROTOCOL = 1
"""The number in `hello`; the WebSocket subprotocol is `krig.1`."""

Hex16 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
CommandId = Annotated[int, Field(ge=0, le=2**31 - 1)]


class Incoming(BaseModel):
    """A message from a client: nothing unknown, nothing converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Hello(Incoming):
    """The first message, within 5 s: which room, who you are, what you have seen."""

    type: Literal["hello"]
    protocol: int
    room: Annotated[str, Field(max_length=16)]
    token: Hex32 | None = None
    """32 random bytes made and kept by your device. None: only watch."""
    epoch: Annotated[str, Field(max_length=32)] | None = None
    v: Number = 0
    """The last version you hold, of that epoch."""


class Command(Incoming):
    """What is asked of the room. With an `id` it is answered by `ack` or `error`."""

    id: CommandId | None = None


class Sit(Command):
    """Take a seat (null: the first free one). Harmless to repeat."""

    type: Literal["sit"]
    seat: SeatNumber | None = None
    name: str


class Leave(Command):
    """Give up my seat for good: its token is dead afterwards."""

    type: Literal["leave"]


class Ready(Command):
    """I am ready (or not) for this game on these terms, with my commitment."""

    type: Literal["ready"]
    game: Number
    terms: Number
    """`room.terms` of the view I agreed to."""
    on: bool
    commitment: Hex32 | None = None
    """SHA-256(`krig-commit-v1` 00 deal.id i nonce); i = my place among taken seats."""


class Name(Command):
    """Let me be called this."""

    type: Literal["name"]
    name: str


class SetRules(Command):
    """Set a preset, rules of our own, or a game to deal again by its code (owner)."""

    type: Literal["rules"]
    preset: str | None = None
    code: Annotated[str, Field(max_length=40)] | None = None
    """A game code alone: it holds the rules, and its deal is known beforehand."""
    rules: dict[str, bool | int | str | None] | None = None


class Bot(Command):
    """Put a computer player on a free seat, or take it away (owner)."""

    type: Literal["bot"]
    seat: SeatNumber
    on: bool


class Kick(Command):
    """Take this player's seat away (owner)."""

    type: Literal["kick"]
    seat: SeatNumber
    player: Number


class Start(Command):
    """Begin this game (owner; everybody is ready)."""

    type: Literal["start"]
    game: Number


class Reveal(Command):
    """My nonce, when the room is dealing and every commitment is on the table."""

    type: Literal["reveal"]
    game: Number
    terms: Number
    nonce: Hex32


class Flip(Command):
    """Turn up my card for this battle. Needs no `id`: `flipped` is the answer."""

    type: Literal["flip"]
    game: Number
    round: Number
    battle: Number


class Auto(Command):
    """Let the server flip for me, or not."""

    type: Literal["auto"]
    on: bool


class SetTempo(Command):
    """The table's tempo, and whether wars play themselves (anyone seated)."""

    type: Literal["tempo"]
    tempo: Literal["slow", "normal", "fast"]
    wars: bool = False


class Pause(Command):
    """Pause the table, or play on (anyone seated)."""

    type: Literal["pause"]
    on: bool


class Close(Command):
    """Take no new watchers, or take them again (owner)."""

    type: Literal["close"]
    on: bool


class Offer(Command):
    """Offer a seat to another device: mine, or an away one (owner)."""

    type: Literal["offer"]
    seat: SeatNumber


class Claim(Command):
    """Take over the seat that was offered by this one-time code."""

    type: Literal["claim"]
    code: Annotated[str, Field(max_length=24)]


class Count(Command):
    """Count the cards of this game, which was a draw because it repeated itself."""

    type: Literal["count"]
    game: Number


class Resync(Incoming):
    """I have a gap: send me a snapshot."""

    type: Literal["resync"]


class React(Incoming):
    """One of six fixed reactions. Lossy."""

    type: Literal["react"]
    reaction: Annotated[int, Field(ge=0, le=5)]


class Ping(Incoming):
    """Are you there? Answered by `pong`."""

    type: Literal["ping"]


class Pong(Incoming):
    """The answer to the server's `ping`, and sent whenever `hidden` changes."""

    type: Literal["pong"]
    hidden: bool = False


FromClient = Annotated[
    Hello
    | Sit
    | Leave
    | Ready
    | Name
    | SetRules
    | Bot
    | Kick
    | Start
    | Reveal
    | Flip
    | Auto
    | SetTempo
    | Pause
    | Close
    | Offer
    | Claim
    | Count
    | Resync
    | React
    | Ping
    | Pong,
    Field(discriminator="type"),
]
FROM_CLIENT: TypeAdapter[FromClient] = TypeAdapter(FromClient)


# What is told inside `events` ------------------------------------------------------


class Told(BaseModel):
    """Something that viewers are told."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RoomPart(Told):
    """The room's part of the view, whole, as it is now."""

    type: Literal["room"]
    room: RoomView


class SeatsPart(Told):
    """The seats, whole, as they are now."""

    type: Literal["seats"]
    seats: list[SeatView | None]


class TablePart(Told):
    """The table, whole, as it is now; null: no game on it."""

    type: Literal["table"]
    table: TableView | None


class LastPart(Told):
    """The outcome of the game before this lobby."""

    type: Literal["last"]
    last: LastView | None


class SatEvent(Told):
    """Somebody sat down."""

    type: Literal["sat"]
    seat: int
    player: int
    name: str


class LeftEvent(Told):
    """Somebody left, was kicked, or a computer player was removed."""

    type: Literal["left"]
    seat: int
    player: int
    name: str
    how: Literal["left", "kicked", "removed"]


class MovedEvent(Told):
    """Somebody changed seats."""

    type: Literal["moved"]
    seat: int
    to: int


class RenamedEvent(Told):
    """Somebody changed their name."""

    type: Literal["renamed"]
    seat: int
    name: str


class ReadyClearedEvent(Told):
    """Nobody is ready any more, because this changed."""

    type: Literal["ready_cleared"]
    why: Literal["rules", "seats"]


class DealVoidedEvent(Told):
    """The deal was given up: these seats withheld. The next attempt begins at once."""

    type: Literal["deal_voided"]
    id: str
    withheld: list[int]
    server_nonce: str
    nonces: list[tuple[int, str]]


class DealtEvent(Told):
    """The cards are dealt; a `table` part is in the same entry."""

    type: Literal["dealt"]
    game: int


class FlippedEvent(Told):
    """This seat has pressed; its card is still face down."""

    type: Literal["flipped"]
    seat: int
    by: Literal["player", "autoplay", "clock"]


class ReshuffledEvent(Told):
    """A seat's won pile was shuffled and is its stock now."""

    type: Literal["reshuffled"]
    seat: int
    count: int


class StakedEvent(Told):
    """Cards laid face down for a war: pairs of seat and how many."""

    type: Literal["staked"]
    stakes: list[tuple[int, int]]


class TurnedEvent(Told):
    """The cards of this battle, all at once: pairs of seat and card."""

    type: Literal["turned"]
    cards: list[tuple[int, str]]


class WarEvent(Told):
    """These seats tied for highest: war number `war` of this round."""

    type: Literal["war"]
    seats: list[int]
    war: int


class ShortEvent(Told):
    """This seat cannot go on: its last `count` cards go face down into the pot."""

    type: Literal["short"]
    seat: int
    count: int


class PotWonEvent(Told):
    """This seat takes the pot of `count` cards."""

    type: Literal["pot_won"]
    seat: int
    count: int
    by: Literal["high", "walkover", "orphan"]


class PotLeftEvent(Told):
    """Nobody takes the pot: it stays for the next round, or leaves the game."""

    type: Literal["pot_left"]
    how: Literal["carry", "discard"]
    count: int


class RoundVoidEvent(Told):
    """Nobody is left in the round: every card goes back to its owner."""

    type: Literal["round_void"]


class SeatOutEvent(Told):
    """This seat has lost its last card."""

    type: Literal["seat_out"]
    seat: int


class RoundEndedEvent(Told):
    """The table is clear. Counts: stock and won pile of each seat."""

    type: Literal["round_ended"]
    round: int
    counts: list[tuple[int, int]]


class BattleEvent(Told):
    """The table waits for these seats to press for this round and battle."""

    type: Literal["battle"]
    round: int
    battle: int
    waiting: list[int]


class TimeStruckEvent(Told):
    """The time is over: this round is the last."""

    type: Literal["time_struck"]


class OutcomeView(Told):
    """Who won and why. No winners: a draw."""

    ending: str
    winners: list[int]
    counts: list[int]
    by_shortage: bool


class GameEndedEvent(Told):
    """The game is over. The aside cards and the server's nonce are shown."""

    type: Literal["game_ended"]
    game: int
    outcome: OutcomeView
    aside: list[str]
    server_nonce: str


class PausedEvent(Told):
    """This seat paused the table."""

    type: Literal["paused"]
    seat: int


class ResumedEvent(Told):
    """The table plays on; null: the pause ended by itself."""

    type: Literal["resumed"]
    seat: int | None


class SleptEvent(Told):
    """Everybody is away: the table waits for a first tap."""

    type: Literal["slept"]


class WokeEvent(Told):
    """This seat woke the table."""

    type: Literal["woke"]
    seat: int


class OwnerEvent(Told):
    """This player owns the room now."""

    type: Literal["owner"]
    player: int


ToldEvent = Annotated[
    RoomPart
    | SeatsPart
    | TablePart
    | LastPart
    | SatEvent
    | LeftEvent
    | MovedEvent
    | RenamedEvent
    | ReadyClearedEvent
    | DealVoidedEvent
    | DealtEvent
    | FlippedEvent
    | ReshuffledEvent
    | StakedEvent
    | TurnedEvent
    | WarEvent
    | ShortEvent
    | PotWonEvent
    | PotLeftEvent
    | RoundVoidEvent
    | SeatOutEvent
    | RoundEndedEvent
    | BattleEvent
    | TimeStruckEvent
    | GameEndedEvent
    | PausedEvent
    | ResumedEvent
    | SleptEvent
    | WokeEvent
    | OwnerEvent,
    Field(discriminator="type"),
]


# From the server -------------------------------------------------------------------


class Limits(Told):
    """What a client must know to behave."""

    message_bytes: int
    commands_per_second: float
    command_burst: int
    name_graphemes: int
    name_bytes: int
    seats: int
    catch_up_entries: int


class Welcome(Told):
    """The answer to `hello`."""

    type: Literal["welcome"]
    protocol: int
    server: str
    """The server's version."""
    room: str
    player: int | None
    """Who you are: the `player` of your seat; null: you watch."""
    epoch: str
    v: int
    sync: Literal["in_sync", "events", "snapshot"]
    """What comes next: nothing, the events you missed, or a snapshot."""
    heartbeat_ms: int
    """The server pings this often; answer with `pong`."""
    now: int
    """The server's time (ms since 1970), for the clocks in the view."""
    deadline_ms: int
    """How long a seat has for its press before the server flips for it."""
    limits: Limits


class You(Told):
    """Who you are now, sent when it changes: null: you watch."""

    type: Literal["you"]
    player: int | None


class Snapshot(Told):
    """The whole view at `v`."""

    type: Literal["snapshot"]
    v: int
    view: View


class Events(Told):
    """What happened up to `v`, one list an entry. A gap: send `resync`."""

    type: Literal["events"]
    v: int
    entries: list[list[ToldEvent]]


class Ack(Told):
    """The command with this id is done, durably; it is part of version `v`."""

    type: Literal["ack"]
    id: int
    v: int


class Error(Told):
    """A message was refused and changed nothing."""

    type: Literal["error"]
    id: int | None
    code: str
    message: str
    retry: bool
    """The same again may work."""
    retry_after_ms: int | None = None


class Offered(Told):
    """The one-time code of a seat that you offered. Only you are told."""

    type: Literal["offered"]
    seat: int
    code: str
    for_ms: int


class Presence(Told):
    """How many watch. Outside the numbering."""

    type: Literal["presence"]
    watchers: int


class Reaction(Told):
    """Somebody's reaction. Outside the numbering."""

    type: Literal["reaction"]
    player: int | None
    reaction: int


class ServerPing(Told):
    """Are you there? With the newest version, so that a silent gap is found."""

    type: Literal["ping"]
    v: int


class ServerPong(Told):
    """The answer to your `ping`."""

    type: Literal["pong"]
    v: int


class Trouble(Told):
    """The log does not answer (or does again): moves wait."""

    type: Literal["trouble"]
    on: bool


class Drain(Told):
    """The server stops: come back after this long."""

    type: Literal["drain"]
    retry_after_ms: int


class Notice(Told):
    """A line of text from whoever runs the server, for everybody."""

    type: Literal["notice"]
    text: str


FromServer = Annotated[
    Welcome
    | You
    | Snapshot
    | Events
    | Ack
    | Error
    | Offered
    | Presence
    | Reaction
    | ServerPing
    | ServerPong
    | Trouble
    | Drain
    | Notice,
    Field(discriminator="type"),
]
FROM_SERVER: TypeAdapter[FromServer] = TypeAdapter(FromServer)
