"""A host on a stage: a clock the test moves, fixed luck, pages that remember."""

import asyncio
import heapq
import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

from krig.engine.fairness import commitment
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.errors import Conflict, StorageUnavailable, Unknown
from krig.host.host import Host
from krig.host.settings import HostSettings
from krig.host.table import Table
from krig.log.log import LogName
from krig.log.memory import MemoryLog
from krig.room import commands as c
from krig.room import facts as f
from krig.room.room import Phase
from tests.room.reader import read_entry


async def settle() -> None:
    """Let every task that can run do so."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    for _ in range(30):
        await asyncio.sleep(0)
        if not ready:
            return


@dataclass(eq=False)
class Alarm:
    """Something that will ring."""

    when: float
    number: int
    callback: Callable[[], None]
    cancelled: bool = False

    def __lt__(self, other: "Alarm") -> bool:
        return (self.when, self.number) < (other.when, other.number)

    def cancel(self) -> None:
        """Do not ring."""
        self.cancelled = True


class FakeClock:
    """Time that stands still until the test moves it."""

    def __init__(self) -> None:
        self.wall = 1_700_000_000_000.0
        self.seconds = 50.0
        self.rang = 0
        self._alarms: list[Alarm] = []
        self._numbers = count()

    def now(self) -> int:
        return round(self.wall)

    def monotonic(self) -> float:
        return self.seconds

    def call_later(self, delay: float, callback: Callable[[], None]) -> Alarm:
        assert delay >= 0
        alarm = Alarm(self.seconds + delay, next(self._numbers), callback)
        heapq.heappush(self._alarms, alarm)
        return alarm

    @property
    def pending(self) -> int:
        """How many alarms are set."""
        return sum(not alarm.cancelled for alarm in self._alarms)

    async def wait(self, seconds: float) -> None:
        """Let time pass; what is due on the way rings in its turn."""
        await settle()
        until = self.seconds + seconds
        while self._alarms and self._alarms[0].when <= until + 1e-9:
            alarm = heapq.heappop(self._alarms)
            if alarm.cancelled:
                continue
            self._move(max(self.seconds, alarm.when))
            self.rang += 1
            alarm.callback()
            await settle()
        self._move(until)
        await settle()

    def _move(self, to: float) -> None:
        self.wall += (to - self.seconds) * 1000
        self.seconds = to


class FakeChance:
    """Luck that repeats itself from test to test."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def bytes(self, n: int) -> bytes:
        return self._random.randbytes(n)


class StageLog(MemoryLog):
    """A log that fails and waits when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails: list[str] = []
        """What the next appends do: ok, full, lost, unsure, conflict."""
        self.down = False
        self.blind = False
        self.appends = 0
        self.reads = 0

    async def append(self, log: LogName, after: int, entry: f.Entry) -> int:
        self.appends += 1
        await self.gate.wait()
        how = self.fails.pop(0) if self.fails else "ok"
        if self.down or how == "full":
            raise StorageUnavailable("The disk is full.")
        if how == "lost":
            raise Unknown("Nobody knows.")
        if how == "conflict":
            raise Conflict("Somebody was first.")
        version = await super().append(log, after, entry)
        if how == "unsure":
            raise Unknown("Nobody knows.")
        return version

    async def write(self, log: LogName, after: int, entry: f.Entry) -> None:
        """Store what another server writes, whatever the stage is up to."""
        await super().append(log, after, entry)

    async def read(self, log: LogName, after: int = 0) -> list[tuple[int, f.Entry]]:
        self.reads += 1
        if self.blind:
            raise StorageUnavailable("The disk is gone.")
        return await super().read(log, after)

    async def forget(self, code: str) -> None:
        await self.gate.wait()
        await super().forget(code)

    async def check(self) -> None:
        if self.down:
            raise StorageUnavailable("The disk is full.")

    async def chapter(self, code: str) -> list[f.Entry]:
        """The entries of the newest chapter."""
        name = await self.newest(code)
        assert name is not None
        return [entry for _, entry in await super().read(name)]


class Page:
    """A browser: it folds what it is told, and complains of what no server may do."""

    def __init__(self, who: str | None) -> None:
        self.who = who
        self.token = None if who is None else secret(who)
        self.table: Table | None = None
        self.got: list[Any] = []
        self.closed: int | None = None
        self.behind = 0
        """What was sent behind a close."""
        self.v = 0
        self.epoch: str | None = None
        self.view: Any = None
        self.player: int | None = None
        self.breaks = False

    # The viewer, as the host sees it.

    def send(self, text: str) -> None:
        if self.breaks:
            raise RuntimeError("this socket is broken")
        self.behind += self.closed is not None
        message = json.loads(text)
        self.got.append(message)
        match message["type"]:
            case "welcome":
                self.player = message["player"]
                if self.epoch != message["epoch"]:
                    self.view, self.v = None, 0
                self.epoch = message["epoch"]
                if message["sync"] == "in_sync":
                    assert self.v == message["v"]
            case "you":
                self.player = message["player"]
            case "snapshot":
                self.v, self.view = message["v"], message["view"]
            case "events":
                first = message["v"] - len(message["entries"]) + 1
                assert first == self.v + 1, "a gap, or a repetition"
                self.v = message["v"]
                for entry in message["entries"]:
                    self.view = read_entry(self.view, entry)
            case _:
                pass

    def close(self, code: int, reason: str) -> None:
        if self.breaks:
            raise RuntimeError("this socket is broken")
        self.closed = self.closed or code

    # What the person does.

    @property
    def seat(self) -> int:
        """Where I sit."""
        seats = self.view["seats"]
        return next(i for i, s in enumerate(seats) if s and s["player"] == self.player)

    @property
    def state(self) -> str:
        """What everybody sees of my seat."""
        return str(self.view["seats"][self.seat]["state"])

    def nonce(self) -> bytes:
        """My nonce for this deal."""
        return sha256(f"{self.who} {self.view['room']['deal']['id']}".encode()).digest()

    def ask(self, command: c.PlayerCommand, id: int | None = None) -> None:
        """Ask the table for something."""
        assert self.table is not None
        self.table.submit(self, command, id)

    def be_ready(self) -> None:
        """Be ready on the terms I see."""
        room, seats = self.view["room"], self.view["seats"]
        place = [i for i, s in enumerate(seats) if s].index(self.seat)
        bound = commitment(bytes.fromhex(room["deal"]["id"]), place, self.nonce())
        self.ask(c.BeReady(room["game"], room["terms"], True, bound.hex()))

    def reveal(self) -> None:
        """Show my nonce."""
        room = self.view["room"]
        self.ask(c.Reveal(room["game"], room["terms"], self.nonce().hex()))

    def flip(self, id: int | None = None) -> None:
        """Press for the battle I see."""
        game, table = self.view["room"]["game"], self.view["table"]
        self.ask(c.Flip(game, table["round"], table["battle"]), id)

    @property
    def must_press(self) -> bool:
        """The table waits for me."""
        table = self.view["table"]
        if not table or self.view["room"]["phase"] != "playing":
            return False
        return self.seat in table["waiting"] and self.seat not in table["flipped"]

    def told(self, kind: str) -> list[Any]:
        """Every event of a kind that I was told."""
        return [
            event
            for message in self.got
            if message["type"] == "events"
            for entry in message["entries"]
            for event in entry
            if event["type"] == kind
        ]

    def messages(self, kind: str) -> list[Any]:
        """Every message of a kind."""
        return [message for message in self.got if message["type"] == kind]

    def codes(self) -> list[str]:
        """The errors I was told."""
        return [message["code"] for message in self.messages("error")]


def secret(who: str) -> f.TokenHash:
    """What the server knows of somebody's token."""
    return f.TokenHash(sha256(who.encode()).hexdigest())


class Stage:
    """A host, its log, a room and the people in it."""

    def __init__(self, settings: HostSettings | None = None) -> None:
        self.clock = FakeClock()
        self.log = StageLog()
        self.settings = settings or HostSettings()
        self.servers = 0
        self.host = self.new_host()
        self.code = ""

    def new_host(self) -> Host:
        """A server process over the same log; the old one is simply not there."""
        self.servers += 1
        return Host(
            self.log,
            self.clock,
            FakeChance(self.servers),
            server="test",
            settings=self.settings,
        )

    async def open(self, *people: str, rules: Rules | None = None) -> list[Page]:
        """Make a room, and let people sit down in it."""
        agreed = rules or PRESETS["krieg_40"]
        self.code = await self.host.open_room(agreed, None)
        pages = [await self.enter(who) for who in people]
        for page in pages:
            assert page.who is not None
            page.ask(c.TakeSeat(None, page.who))
            await settle()
        return pages

    async def enter(
        self, who: str | None, back: Page | None = None, host: Host | None = None
    ) -> Page:
        """Open a page; `back` is what it still knows from before."""
        page = Page(who)
        if back is not None:
            page.v, page.view, page.epoch = back.v, back.view, back.epoch
        page.table = await (host or self.host).table(self.code)
        page.table.join(page, page.token, page.epoch, page.v)
        await settle()
        return page

    async def foreign(self, *facts: f.Fact) -> None:
        """Another server writes an entry."""
        room = self.table.room
        entry = f.Entry(room.v + 1, room.at, "foreign", facts)
        name = LogName(self.code, room.chapter)
        stored = await self.log.read(name)
        await self.log.write(name, len(stored), entry)

    async def leave(self, page: Page) -> None:
        """The page's connection breaks."""
        assert page.table is not None
        page.table.part(page)
        await settle()

    @property
    def table(self) -> Table:
        """The table at hand."""
        (table,) = self.host.tables
        return table

    async def deal(self, *pages: Page, bots: int = 0) -> None:
        """Everybody is ready, the first starts, all reveal."""
        for _ in range(bots):
            free = pages[0].view["seats"].index(None)
            pages[0].ask(c.SeatBot(Seat(free), True))
            await settle()
        for page in pages:
            page.be_ready()
        await settle()
        pages[0].ask(c.Start(pages[0].view["room"]["game"]))
        await settle()
        for page in pages:
            page.reveal()
        await settle()
        assert self.table.room.phase is Phase.PLAYING

    async def press(self, *pages: Page) -> None:
        """Everybody presses whom the table waits for."""
        for page in pages:
            if page.must_press:
                page.flip()
        await settle()

    async def play_out(self, *pages: Page) -> None:
        """Play to the end of the game; the table opens the next lobby."""
        game = pages[0].view["room"]["game"]
        for _ in range(20_000):
            if pages[0].view["room"]["game"] != game:
                return
            await self.press(*pages)
            await self.clock.wait(0)
        raise AssertionError("no game is so long")
