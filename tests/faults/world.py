"""A world in which everything goes wrong, on a clock that only the world moves.

The real room, host and log code; only the network, the disk, the clock and the power
are the world's. A run follows from its seed alone, and is replayed by it.

What must hold whatever happens (the laws of tests/programme/README.md):

* L3: at the moment something is told or acknowledged, it is in the log.
* L2, L5: versions are dense in the log, and a page is told them without a gap.
* L4: no press is in the log twice.
* L6: what was told of a version is what the fold of the log tells of it.
* L1: no card is made or lost.
* L12: every prefix of the log folds.
* L11: whoever comes back with a token has the seat it is for.
* L10: when the server is closed, no timer of it is left.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from krig.engine.cards import Deck
from krig.engine.game import Game
from krig.engine.rules import PRESETS, Order, Rules
from krig.engine.seats import Seat
from krig.errors import KrigError, StorageUnavailable, Unknown
from krig.host.host import Host
from krig.host.judging import drafted
from krig.host.ports import Timer
from krig.host.table import Table
from krig.log.codec import encode
from krig.log.log import LogName
from krig.log.memory import MemoryLog
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.evolve import evolve
from krig.room.room import Room
from krig.room.view import view
from tests.host.stage import FakeChance, FakeClock, Page, settle

RULES: Final = (
    PRESETS["krieg_40"],
    PRESETS["krig_nettversjon"],
    PRESETS["krig_klassisk"],
    Rules(deck=Deck.SKAT, war_down=3, round_limit=40),
    Rules(deck=Deck.SKAT, order=Order.RANDOM, time_limit=10),
)


class Broken(AssertionError):
    """A law was broken; the text says which, and when."""


class ProcessClock:
    """The clock of one server process: it dies with it, and its wall may be wrong."""

    def __init__(self, clock: FakeClock, wall_is_off_by: int) -> None:
        self._clock = clock
        self._off = wall_is_off_by
        self.dead = False
        self.pending: set[Timer] = set()

    def now(self) -> int:
        return self._clock.now() + self._off

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def jump(self, ms: int) -> None:
        """The wall clock is put right, or wrong."""
        self._off += ms

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        def ring() -> None:
            self.pending.discard(timer)
            if not self.dead:
                callback()

        alarm = self._clock.call_later(delay, ring)
        timer = _Cancelling(alarm, self.pending)
        self.pending.add(timer)
        return timer


class _Cancelling:
    def __init__(self, timer: Timer, pending: set[Timer]) -> None:
        self._timer, self._pending = timer, pending

    def cancel(self) -> None:
        self._pending.discard(self)
        self._timer.cancel()


class Disk(MemoryLog):
    """A log on a bad disk: slow, full, silent; what it stored, it keeps."""

    def __init__(self, world: "World") -> None:
        super().__init__()
        self._world = world

    async def append(self, log: LogName, after: int, entry: f.Entry) -> int:
        world = self._world
        await world.moment()
        fault = world.fault("full", "lost", "unsure")
        if fault == "full":
            raise StorageUnavailable("The disk is full.")
        if fault == "lost":
            raise Unknown("Nobody knows.")
        version = await super().append(log, after, entry)
        world.stored(entry)
        await world.moment()
        if fault == "unsure":
            raise Unknown("Nobody knows.")
        return version

    async def read(self, log: LogName, after: int = 0) -> list[tuple[int, f.Entry]]:
        if self._world.fault("blind"):
            raise StorageUnavailable("The disk does not answer.")
        return await super().read(log, after)


class Link:
    """One connection: ordered, slow, and cut at any moment."""

    def __init__(self, world: "World", person: "Person", table: Table) -> None:
        self._world, self._person, self._table = world, person, table
        self._free_at = 0.0
        self.cut = False

    # As the table sees it.

    def send(self, text: str) -> None:
        self._world.watch(self._person, json.loads(text))
        self._down(lambda: self._person.hear(self, text))

    def close(self, code: int, reason: str) -> None:
        self._down(lambda: self._person.lose(self, code))

    def _down(self, deliver: Callable[[], None]) -> None:
        def arrive() -> None:
            if not self.cut:
                deliver()

        now = self._world.clock.monotonic()
        self._free_at = max(self._free_at, now + self._world.delay())
        self._world.clock.call_later(self._free_at - now, arrive)

    # As the page sees it.

    def ask(self, command: c.PlayerCommand) -> None:
        number = self._world.number(self._person, command)
        times = 2 if self._world.fault("twice") else 1
        for _ in range(times):
            self._world.clock.call_later(
                self._world.delay(), lambda: self._arrive(command, number)
            )

    def _arrive(self, command: c.PlayerCommand, number: int) -> None:
        if not self.cut:
            self._table.submit(self, command, number)

    def break_off(self) -> None:
        """The wire is cut; the server learns of it some time later."""
        if not self.cut:
            self.cut = True
            self._world.clock.call_later(
                self._world.delay() * 10, lambda: self._table.part(self)
            )


class Person(Page):
    """Somebody who does what a page and its player do, and comes back."""

    def __init__(self, world: "World", who: str | None) -> None:
        super().__init__(who)
        self.world = world
        self.link: Link | None = None
        self.gone_for_good = False
        self.back_at = 0.0

    def hear(self, link: Link, text: str) -> None:
        """A message came over the wire; an older wire says nothing."""
        if link is self.link:
            self.send(text)

    def lose(self, link: Link, code: int) -> None:
        """The server closed the connection."""
        if link is self.link:
            link.cut = True
            self.link = None
            self.gone_for_good = self.gone_for_good or code >= 4500

    def ask(self, command: c.PlayerCommand, id: int | None = None) -> None:
        if self.link is not None:
            self.link.ask(command)

    async def connect(self) -> None:
        """Find the room again, and go on from what is known."""
        if self.gone_for_good:
            return
        host = self.world.host
        try:
            table = await host.table(self.world.code)
        except KrigError:
            return
        if host is self.world.host:
            self.link = Link(self.world, self, table)
            table.join(self.link, self.token, self.epoch, self.v)

    def act(self) -> None:
        """Do whatever the page or the person would do now."""
        if self.view is None or self.who is None:
            return
        luck, room = self.world.luck, self.view["room"]
        if self.player is None:
            self.ask(c.TakeSeat(None, self.who))
            return
        if all(s is None or s["player"] != self.player for s in self.view["seats"]):
            return
        mine = self.view["seats"][self.seat]
        match room["phase"]:
            case "lobby" if not mine["ready"]:
                self.be_ready()
            case "lobby" if luck.random() < 0.1:
                free = [i for i, s in enumerate(self.view["seats"]) if s is None]
                if free:
                    self.ask(c.SeatBot(Seat(luck.choice(free)), True))
            case "lobby":
                self.ask(c.Start(room["game"]))
            case "dealing" if self.seat in room["deal"]["missing"]:
                if room["deal"]["stage"] == "commit":
                    self.be_ready()
                elif luck.random() < 0.9:
                    self.reveal()
            case "playing":
                self._play(luck)
            case _:
                pass

    def _play(self, luck: Random) -> None:
        whim = luck.random()
        if whim < 0.02:
            self.ask(c.SetAutoplay(luck.random() < 0.5))
        elif whim < 0.04:
            self.ask(c.Pause(luck.random() < 0.3))
        elif whim < 0.05:
            self.ask(c.SetTempo(luck.choice(list(f.Tempo)), luck.random() < 0.5))
        elif whim < 0.06:
            self.ask(c.HidePage(luck.random() < 0.5))
        elif whim < 0.062:
            self.ask(c.LeaveSeat())
        elif self.must_press:
            self.flip()


class World:
    """A server, its disk, and people around a table, all of them unlucky."""

    def __init__(self, seed: int) -> None:
        self.luck = Random(seed)
        self.seed = seed
        self.clock = FakeClock()
        self.disk = Disk(self)
        self.calm = True
        self.happened: Counter[str] = Counter()
        self._asked: list[tuple[Person, c.PlayerCommand]] = []
        self._truth: Room | None = None
        self._broken: Broken | None = None
        self._log: dict[int, f.Entry] = {}
        self._told: dict[int, Any] = {}
        self._servers = 0
        self.code = ""
        self._boot()
        players = self.luck.randint(2, 4)
        names: list[str | None] = ["Kari", "Ola", "Liv", "Per"]
        self.people = [Person(self, who) for who in [*names[:players], None]]

    # Luck --------------------------------------------------------------------------

    def fault(self, *kinds: str) -> str | None:
        """One of these faults, or none."""
        if self.calm or self.luck.random() > 0.04:
            return None
        kind = self.luck.choice(kinds)
        self.happened[kind] += 1
        return kind

    def delay(self) -> float:
        """How long something takes, in seconds."""
        slow = self.luck.random() < 0.05
        return self.luck.uniform(0.2, 3.0) if slow else self.luck.uniform(0.001, 0.05)

    async def moment(self) -> None:
        """Wait for as long as a disk takes."""
        over = asyncio.Event()
        self.clock.call_later(self.luck.uniform(0.0, 0.02), over.set)
        await over.wait()

    def number(self, person: Person, command: c.PlayerCommand) -> int:
        """Give a command its id."""
        self._asked.append((person, command))
        return len(self._asked) - 1

    # What must hold ------------------------------------------------------------------

    def stored(self, entry: f.Entry) -> None:
        """The disk has an entry."""
        if entry.v in self._log:
            raise Broken(f"L2: version {entry.v} is in the log twice")
        self._log[entry.v] = entry
        self._truth, _ = evolve(self._truth, entry)

    def watch(self, person: Person, message: Any) -> None:
        """Note a broken law; the server would forgive a viewer who raises."""
        try:
            self._check_told(person, message)
        except Broken as broken:
            self._broken = self._broken or broken

    def _check_told(self, person: Person, message: Any) -> None:
        """Whatever is told is stored, and always the same."""
        if message["type"] == "welcome" and self._truth is not None:
            mine = [p.player for _, p in self._truth.humans if p.token == person.token]
            if message["player"] != (mine[0] if mine else None):
                raise Broken(f"L11: {person.who} came back and is not who they were")
        if message["type"] == "ack":
            self._check_done(*self._asked[message["id"]])
        if message["type"] != "events":
            return
        first = message["v"] - len(message["entries"]) + 1
        for v, told in enumerate(message["entries"], start=first):
            if v not in self._log:
                raise Broken(f"L3: version {v} was told before it was stored")
            if self._told.setdefault(v, told) != told:
                raise Broken(f"L6: version {v} was told in two ways")

    def _check_done(self, person: Person, command: c.PlayerCommand) -> None:
        """What was acknowledged has happened, in the log."""
        room = self._truth
        assert room is not None
        seat = room.seat_of(person.token)
        match command:
            case c.TakeSeat():
                done = seat is not None
            case c.LeaveSeat():
                done = seat is None
            case c.Flip() if room.chapter == command.game and room.game is not None:
                now = (room.game.rounds + 1, room.game.battle)
                pressed = seat in room.game.flipped
                done = now > (command.round, command.battle) or pressed
            case _:
                done = True
        if not done:
            raise Broken(f"L3: {command} was acknowledged before it was stored")

    def check_log(self) -> Room:
        """Fold everything that was ever stored."""
        room: Room | None = None
        for v in range(1, len(self._log) + 1):
            if v not in self._log:
                raise Broken(f"L2: version {v} is missing")
            before, entry = room, self._log[v]
            encode(entry)
            room, events = evolve(room, entry)
            self._check_cards(room.game)
            flips = sum(isinstance(fact, f.Flipped) for fact in entry.facts)
            if flips != sum(isinstance(event, e.SeatFlipped) for event in events):
                raise Broken(f"L4: a press of version {v} changed nothing")
            told = self._told.get(v)
            if before is None or told is None:
                continue
            if json.loads(drafted(before, entry).told) != told:
                raise Broken(f"L6: what was told of version {v} is not what it is")
        assert room is not None
        return room

    def _check_cards(self, game: Game | None) -> None:
        if game is None:
            return
        held = [card for seat in game.seats for card in (*seat.stock, *seat.won)]
        laid = [laid.card for laid in game.table]
        cards = [*held, *laid, *game.aside, *game.discarded]
        if Counter(cards) != Counter(game.rules.deck.cards):
            raise Broken("L1: a card was made or lost")

    # What happens --------------------------------------------------------------------

    def _boot(self) -> None:
        self._servers += 1
        off = self.luck.choice((0, 0, 0, 3_600_000, -3_600_000, -86_400_000))
        self.process = ProcessClock(self.clock, 0 if self.calm else off)
        self.host = Host(
            self.disk,
            self.process,
            FakeChance(self.seed * 1000 + self._servers),
            server="world",
        )

    def crash(self) -> None:
        """The server is killed, whatever it was doing; another starts."""
        self.happened["crash"] += 1
        self.process.dead = True
        for task in [*self.host._tasks, *self.host._reading.values()]:
            task.cancel()
        for person in self.people:
            if person.link is not None:
                person.link.cut = True
                person.link = None
        self._boot()

    async def step(self) -> None:
        """Something happens, and a little time passes."""
        whim = self.luck.random()
        person = self.luck.choice(self.people)
        if not self.calm and whim < 0.004:
            self.crash()
        elif not self.calm and whim < 0.012 and person.link is not None:
            self.happened["cut"] += 1
            person.link.break_off()
            person.link = None
            if self.luck.random() < 0.4:
                person.back_at = self.clock.monotonic() + self.luck.uniform(3, 20)
        elif not self.calm and whim < 0.014:
            self.happened["jump"] += 1
            self.process.jump(self.luck.choice((60_000, -60_000, 86_400_000)))
        elif person.link is None:
            if self.clock.monotonic() >= person.back_at:
                await person.connect()
        else:
            person.act()
        await self.clock.wait(self.luck.expovariate(8.0))
        if self._broken is not None:
            raise self._broken

    async def run(self, steps: int) -> None:
        """Live for so many steps, then calm down, and see that all are at one."""
        self.code = await self._make_room()
        self.calm = False
        for _ in range(steps):
            await self.step()
        self.calm = True
        await self._calm_down()
        room = self.check_log()
        for person in self.people:
            if person.gone_for_good:
                continue
            if (person.v, person.view) != (room.v, json.loads(json.dumps(view(room)))):
                raise Broken(f"L6: {person.who} is at {person.v} and not {room.v}")
        await self._close()

    async def _make_room(self) -> str:
        rules = replace(self.luck.choice(RULES))
        making = asyncio.ensure_future(self.host.open_room(rules, None))
        while not making.done():
            await self.clock.wait(0.05)
        return making.result()

    async def _calm_down(self) -> None:
        """Everybody comes back, nobody does anything, and the wires are drained."""
        for _ in range(40):
            for person in self.people:
                if person.link is None:
                    await person.connect()
            await self.clock.wait(0.2)
        for _ in range(200):
            newest = len(self._log)
            at_one = all(p.v == newest or p.gone_for_good for p in self.people)
            if at_one and not self.host._tasks:
                return
            await self.clock.wait(0.05)

    async def _close(self) -> None:
        closing = asyncio.ensure_future(self.host.aclose())
        while not closing.done():
            await self.clock.wait(0.05)
        await settle()
        if self.process.pending:
            raise Broken(f"L10: {len(self.process.pending)} timers are left")


def live(seed: int, steps: int) -> Counter[str]:
    """Run one world; return how often what happened.

    Raises:
        Broken: a law was; the same seed breaks it again.
    """
    world = World(seed)
    try:
        asyncio.run(world.run(steps))
    except Exception as error:
        raise Broken(f"seed {seed}, {steps} steps: {error!r}") from error
    world.happened["entries"] = len(world._log)
    world.happened["seconds"] = round(world.clock.monotonic())
    return world.happened
