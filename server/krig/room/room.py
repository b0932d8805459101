"""The state of a room: what you get by folding its log. Frozen, through and through.

Rule 1: only the fold (`room/evolve.py`) makes a new state, and only from an entry.
Rule 2: a seat is named by its number; while a game is dealt or played the taken seats
are 0 … n-1, and are the game's seats too.
"""

from dataclasses import dataclass
from enum import StrEnum
from hmac import compare_digest
from typing import Final, NamedTuple

from krig.engine.fairness import commitment
from krig.engine.game import Game
from krig.engine.rules import Rules
from krig.engine.seats import Seat
from krig.room.facts import Connection, LastGame, Player, Tempo, TokenHash

MOST_ENTRIES: Final = 20_000
"""Entries a chapter may hold; then the cards are counted, and no more is asked for."""

MOST_DEAD_TOKENS: Final = 64
"""How many vacated tokens a room remembers: older ones are strangers again."""


class Phase(StrEnum):
    """Where a chapter stands."""

    LOBBY = "lobby"
    DEALING = "dealing"
    PLAYING = "playing"
    OVER = "over"
    """The chapter is closed; the next one takes over."""


class Stage(StrEnum):
    """Where an attempt at a fair deal stands."""

    OPEN = "open"
    COMMIT = "commit"
    REVEAL = "reveal"
    DONE = "done"


class Presence(StrEnum):
    """Who makes a seat's flips: its player, or the server and why."""

    HERE = "here"
    AWAY = "away"
    AUTO = "auto"
    BOT = "bot"
    LEFT = "left"


class Place(NamedTuple):
    """A taken seat, and who sits there."""

    player: Player
    name: str
    token: TokenHash | None
    """None: a computer player."""
    since: int
    """When its player last came back, or took over (ms); no deadline begins before."""
    came: int
    """Since when its player has been in the room without a break (ms)."""
    connection: Connection | None = None
    gone_since: int | None = None
    """When its connection was given up (ms); None: it is here."""
    commitment: str | None = None
    """What the player is bound to for this attempt; a player with one is ready."""
    nonce: str | None = None
    """What the player has revealed."""
    autoplay: bool = False
    hidden: bool = False
    overslept: bool = False
    """Let a deadline pass, and has not acted since."""
    offer: str | None = None
    """SHA-256 of the one-time code by which another device may take over."""
    offer_since: int = 0
    """When it was offered (ms)."""
    flipped_for: tuple[int, int] | None = None
    """The round and battle that the server last flipped for this seat in."""
    left: bool = False
    """Vacated in mid-game: the server plays the seat to the end."""

    @property
    def is_bot(self) -> bool:
        """A computer player sits here."""
        return self.token is None

    @property
    def is_human(self) -> bool:
        """Somebody sits here who could come back."""
        return self.token is not None and not self.left

    @property
    def presence(self) -> Presence:
        """Who makes this seat's flips."""
        if self.token is None:
            return Presence.BOT
        if self.left:
            return Presence.LEFT
        if self.gone_since is not None or self.overslept:
            return Presence.AWAY
        if self.autoplay:
            return Presence.AWAY if self.hidden else Presence.AUTO
        return Presence.HERE


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a fair deal."""

    game_id: str
    server_nonce: str
    """Secret until the attempt is over."""
    stage: Stage = Stage.OPEN
    since: int = 0
    """When the stage began (ms)."""
    withheld: tuple[Seat, ...] = ()
    """Seats that withheld in an earlier attempt and have no part in this one."""

    @property
    def commitment(self) -> str:
        """What the server is bound to (64 hex digits)."""
        game_id, nonce = bytes.fromhex(self.game_id), bytes.fromhex(self.server_nonce)
        return commitment(game_id, None, nonce).hex()


@dataclass(frozen=True, slots=True)
class VoidAttempt:
    """An attempt that was given up; it stays in the game's record."""

    attempt: Attempt
    commitments: tuple[tuple[Seat, str], ...]
    nonces: tuple[tuple[Seat, str], ...]
    withheld: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Standstill:
    """A pause."""

    seat: Seat
    agreed: tuple[Seat, ...]
    since: int


@dataclass(frozen=True, slots=True)
class GameClock:
    """The time a game has used; it runs only while somebody is there to play."""

    limit: int
    """In ms."""
    used: int
    """In ms, up to `since`."""
    since: int | None
    """From when it runs (ms); None: it stands still."""

    def at(self, now: int) -> int:
        """The time used by `now`, in ms."""
        return self.used + (now - self.since if self.since is not None else 0)


class Room(NamedTuple):
    """One chapter of a room as it stands after entry `v`.

    A tuple, as are `Place` and the engine's `Game`: a fold makes several for every
    flip, and a frozen dataclass takes five times as long to make.
    """

    code: str
    chapter: int
    """Also the number of its game: a chapter is one lobby and its game."""
    epoch: str
    v: int
    at: int
    entries: int
    """How many this chapter holds."""
    phase: Phase
    seats: tuple[Place | None, ...]
    owner: Player | None
    rules: Rules
    preset: str | None
    tempo: Tempo
    wars_by_table: bool
    closed: bool
    terms: int
    """Goes up with each change of rules, seating or attempt."""
    next_player: Player
    rules_version: int
    attempt: Attempt
    last: LastGame | None
    dead_tokens: tuple[TokenHash, ...]
    game_code: str | None = None
    """The game that is dealt again: its deal is known beforehand."""
    voided: tuple[VoidAttempt, ...] = ()
    game: Game | None = None
    seed: int | None = None
    battle_since: int = 0
    """When the table began to wait for this battle (ms)."""
    clock: GameClock | None = None
    pause: Standstill | None = None
    asleep: bool = False
    all_away_since: int | None = None
    """Since when every human seat has been away (ms)."""

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The taken seats, in table order."""
        return tuple(Seat(i) for i, place in enumerate(self.seats) if place)

    @property
    def humans(self) -> tuple[tuple[Seat, Place], ...]:
        """The seats with somebody who could come back, in table order."""
        return tuple(
            (Seat(i), place)
            for i, place in enumerate(self.seats)
            if place is not None and place.is_human
        )

    @property
    def stands_still(self) -> bool:
        """Nothing is flipped and no deadline runs."""
        return self.pause is not None or self.asleep

    @property
    def everybody_is_away(self) -> bool:
        """A game is on the table, and no human seat has anybody at it."""
        if self.phase is not Phase.PLAYING:
            return False
        for place in self.seats:
            if place and place.is_human and place.presence is not Presence.AWAY:
                return False
        return True

    @property
    def clock_runs(self) -> bool:
        """A timed game's clock counts: somebody is there, and the table plays."""
        return (
            self.phase is Phase.PLAYING
            and not self.stands_still
            and not self.everybody_is_away
        )

    def place(self, seat: Seat) -> Place:
        """Who sits on a taken seat."""
        place = self.seats[seat]
        assert place is not None, "only taken seats are asked for"
        return place

    def seat_of(self, token: TokenHash | None) -> Seat | None:
        """The seat that this token is for."""
        if token is None:
            return None
        for i, place in enumerate(self.seats):
            if place is None or place.token is None or place.left:
                continue
            if compare_digest(place.token, token):
                return Seat(i)
        return None

    @property
    def heir(self) -> Player | None:
        """Who gets the room when its owner goes: the human here longest."""
        present = [
            place
            for _, place in self.humans
            if place.gone_since is None and place.player != self.owner
        ]
        if not present:
            return None
        return min(present, key=lambda p: (p.came, p.player)).player

    def is_owner(self, seat: Seat) -> bool:
        """Whether the room is this seat's."""
        return self.place(seat).player == self.owner

    def plays_itself(self, seat: Seat) -> bool:
        """Whether the server makes this seat's flips."""
        return self.place(seat).presence is not Presence.HERE

    @property
    def missing(self) -> tuple[Seat, ...]:
        """The seats that the deal waits for, in the stage it is in.

        Whoever is bound must reveal, even after leaving: to be silent is to withhold.
        """
        match self.attempt.stage:
            case Stage.COMMIT:
                return tuple(
                    seat
                    for seat, place in self.humans
                    if place.commitment is None and seat not in self.attempt.withheld
                )
            case Stage.REVEAL:
                return tuple(
                    Seat(i)
                    for i, place in enumerate(self.seats)
                    if place and place.commitment is not None and place.nonce is None
                )
            case _:
                return ()

    def placed(self, seat: Seat, place: Place | None) -> "Room":
        """The room with somebody on a seat, or nobody."""
        seats = (*self.seats[:seat], place, *self.seats[seat + 1 :])
        return self._replace(seats=seats)

    def with_seat(self, seat: Seat, **changes: object) -> "Room":
        """The room with something about a taken seat changed, by the field's name."""
        place = self.place(seat)._replace(**changes)  # type: ignore[arg-type]
        return self.placed(seat, place)

    def disowned(self, token: TokenHash) -> "Room":
        """The room in which no seat is this token's, nor will be."""
        dead = (*self.dead_tokens, token)[-MOST_DEAD_TOKENS:]
        return self._replace(dead_tokens=dead)
