"""A room for tests: people with names, a clock that only the test moves, fixed luck."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random

from krig.engine.cards import Card
from krig.engine.fairness import commitment
from krig.engine.game import Game
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.room import commands as c
from krig.room import facts as f
from krig.room.chapters import open_room
from krig.room.decide import decide
from krig.room.due import Due, Pace, due
from krig.room.events import Event
from krig.room.evolve import advance, evolve
from krig.room.playing import served_by
from krig.room.room import Phase, Place, Room, Stage

PACE = Pace()


def token(who: str) -> f.TokenHash:
    """What the log knows of somebody's secret."""
    return f.TokenHash(sha256(who.encode()).hexdigest())


@dataclass
class Scene:
    """A room, its whole log, and the time."""

    rules: Rules = field(default_factory=lambda: PRESETS["krieg_40"])
    seed: int = 0
    now: int = 1_000_000
    entries: list[f.Entry] = field(default_factory=list)
    told: tuple[Event, ...] = ()
    """What the last entry told."""

    def __post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.pages = 0
        self.known: dict[f.TokenHash, str] = {}
        first = f.AttemptOpened(self.hex(16), self.hex(32))
        facts = open_room("ABCD", "e", first, c.ChangeRules(self.rules, None))
        self.room = self.write(None, facts)

    def look(self) -> Room:
        """The room as it is now, which a type checker must not think it knows."""
        return self.room

    def hex(self, n: int) -> str:
        """So many random bytes."""
        return self.chance.randbytes(n).hex()

    def write(self, room: Room | None, facts: Sequence[f.Fact]) -> Room:
        """Fold an entry of these facts, now."""
        v = 1 if room is None else room.v + 1
        entry = f.Entry(v, self.now, self.hex(4), tuple(facts))
        room, self.told = evolve(room, entry)
        self.entries.append(entry)
        self.room = room
        return room

    def judge(self, who: str | None, command: c.Command) -> tuple[f.Fact, ...]:
        """What a command comes to, without doing it."""
        if isinstance(command, c.OpenChapter | c.GiveUpWaiting):
            command = replace(command, game_id=self.hex(16), server_nonce=self.hex(32))
        return decide(self.room, None if who is None else token(who), command)

    def ask(self, who: str | None, command: c.Command) -> tuple[f.Fact, ...]:
        """Do what somebody asks; None: the host."""
        facts = self.judge(who, command)
        if who is not None:
            self.known[token(who)] = who
        self.told = ()
        if facts:
            self.write(self.room, facts)
        return facts

    def together(self, *asked: tuple[str | None, c.Command]) -> list[f.Fact]:
        """Do several in one entry, as a host does with what came meanwhile."""
        before, facts = self.room, list[f.Fact]()
        for who, command in asked:
            new = self.judge(who, command)
            if new:
                facts += new
                self.room, _ = advance(self.room, new, self.now)
        self.room = before
        if facts:
            self.write(before, facts)
        return facts

    # People --------------------------------------------------------------------------

    def sit(self, *people: str) -> None:
        """Let people take the first free seats, each with a page."""
        for who in people:
            self.ask(who, c.TakeSeat(None, who, self.page()))

    def page(self) -> f.Connection:
        """A new page's connection."""
        self.pages += 1
        return f.Connection(f"page-{self.pages}")

    def seat(self, who: str) -> Seat:
        """Where somebody sits."""
        seat = self.room.seat_of(token(who))
        assert seat is not None, f"{who} has no seat"
        return seat

    def place(self, who: str) -> Place:
        """Somebody's place."""
        return self.room.place(self.seat(who))

    def go(self, who: str) -> None:
        """Somebody's page has been gone for long enough."""
        page = self.place(who).connection
        assert page is not None
        self.ask(None, c.Go(page))

    def come(self, who: str) -> None:
        """Somebody opens a new page."""
        self.ask(who, c.Come(self.page()))

    # The deal ------------------------------------------------------------------------

    def nonce(self, who: str) -> str:
        """Somebody's nonce for the attempt that is on."""
        return sha256(f"{who} {self.room.attempt.game_id}".encode()).hexdigest()

    def commitment(self, who: str) -> str:
        """What somebody is bound to."""
        place = self.room.taken.index(self.seat(who))
        attempt = bytes.fromhex(self.room.attempt.game_id)
        return commitment(attempt, place, bytes.fromhex(self.nonce(who))).hex()

    def ready(self, *people: str) -> None:
        """Let people be ready on the terms of the day."""
        for who in people:
            on = c.BeReady(
                self.room.chapter, self.room.terms, True, self.commitment(who)
            )
            self.ask(who, on)

    def start(self) -> None:
        """Let the owner start."""
        self.ask(self.owner, c.Start(self.room.chapter))

    def reveal(self, *people: str) -> None:
        """Let people show their nonces."""
        for who in people:
            room = self.room
            self.ask(who, c.Reveal(room.chapter, room.terms, self.nonce(who)))

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits here and is no computer player."""
        return tuple(self.who(place) for _, place in self.room.humans)

    @property
    def owner(self) -> str:
        """Whose room it is."""
        places = [p for _, p in self.room.humans if p.player == self.room.owner]
        return self.who(places[0])

    def who(self, place: Place) -> str:
        """Whose place it is, whatever name they go by."""
        assert place.token is not None
        return self.known[place.token]

    def begin(self, *people: str, bots: int = 0) -> None:
        """Seat people, deal, and play."""
        self.sit(*people)
        for _ in range(bots):
            seat = self.room.seats.index(None)
            self.ask(people[0], c.SeatBot(Seat(seat), True))
        self.deal()

    def deal(self) -> None:
        """Everybody who sits is ready, and shows their nonce."""
        people = self.people
        self.ready(*people)
        self.start()
        self.reveal(*people)
        assert self.room.phase is Phase.PLAYING

    # The game ------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game on the table."""
        assert self.room.game is not None
        return self.room.game

    def flip_now(self) -> c.Flip:
        """The press that the table waits for."""
        return c.Flip(self.room.chapter, self.game.rounds + 1, self.game.battle)

    def flip(self, *people: str) -> None:
        """Let people press for the battle that is on."""
        for who in people:
            self.ask(who, self.flip_now())

    def press(self) -> None:
        """Let everybody press whom the battle waits for, their own way."""
        game, press = self.game, self.flip_now()
        for seat in game.waiting:
            now = self.room.game
            if now is None or (now.rounds, now.battle) != (game.rounds, game.battle):
                return
            place = self.room.place(seat)
            if place.is_human:
                self.ask(self.who(place), press)
            elif seat not in now.flipped:
                flip = c.FlipFor(press.round, press.battle, seat, self.by(seat))
                self.ask(None, flip)

    def by(self, seat: Seat) -> f.FlippedBy:
        """As what the server's flip for a seat would count now."""
        return served_by(self.room, self.game, seat)

    def play_round(self) -> None:
        """Play until the table is clear, or the game over."""
        rounds = self.game.rounds
        while self.room.phase is Phase.PLAYING and self.game.rounds == rounds:
            self.press()

    def play_out(self) -> None:
        """Play to the end of the game."""
        while self.room.phase is Phase.PLAYING:
            self.press()

    def play_to_a_war(self) -> None:
        """Play until somebody has to press for a war."""
        while not self.game.battle:
            assert self.room.phase is Phase.PLAYING, "another seed has a war"
            self.press()

    def next_lobby(self) -> None:
        """Open the next chapter."""
        self.ask(None, c.OpenChapter(self.room.chapter))

    # The clock -----------------------------------------------------------------------

    def due(self) -> list[Due]:
        """What the clock owes, the first first."""
        return sorted(due(self.room, PACE), key=lambda d: d.since + d.allowance)

    def left(self, command: c.HostCommand) -> int | None:
        """In how many ms a command is due; None: it is not."""
        for d in due(self.room, PACE):
            if d.command == command:
                return d.since + d.allowance - self.now
        return None

    def wait(self, ms: int) -> None:
        """Let time pass, and what falls due happen, the earliest first."""
        until = self.now + ms
        while owed := [d for d in self.due() if d.since + d.allowance <= until]:
            first = owed[0]
            self.now = max(self.now, first.since + first.allowance)
            assert self.ask(None, first.command), (
                f"{first} was due, and came to nothing"
            )
        self.now = until

    @property
    def stage(self) -> Stage:
        """Where the deal stands."""
        return self.room.attempt.stage


def all_cards(game: Game) -> list[Card]:
    """Every card of a game, wherever it lies."""
    cards = [*game.aside, *game.discarded, *(laid.card for laid in game.table)]
    for held in game.seats:
        cards += [*held.stock, *held.won]
    return sorted(cards, key=str)


def with_a_war(*people: str, rules: Rules | None = None, bots: int = 0) -> Scene:
    """A game that stands at the first press of a war in its first round."""
    for seed in range(1000):
        scene = Scene(rules or PRESETS["krieg_40"], seed)
        scene.begin(*people, bots=bots)
        scene.press()
        if scene.room.phase is Phase.PLAYING and scene.game.battle:
            return scene
    raise AssertionError("one seed in a thousand has a war in its first round")
