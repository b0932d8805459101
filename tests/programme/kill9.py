"""`make kill9`: the server is killed KILLS times, at random, while rooms play.

A real process, its real file, real sockets. Pages play game after game and come back by
themselves. What would be a failure: a version that some page was told and that is not
there after the restart (lost); two pages told different things under one number, or a
press that is twice in the log (doubled); a seat that is not its player's again; a page
that is not in step within two seconds after the server is ready. In the end the log is
folded, and must tell, number by number, what the pages were told.

`python -m tests.programme.kill9 --kills 10000 --seed 1`
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

from krig.host.judging import drafted
from krig.log.sqlite import SqliteLog
from krig.room import facts as f
from krig.room.room import Room
from tests.live.forked import ForkedServer
from tests.live.page import Page
from tests.live.server import Server

TABLES: Final = (("krieg_40", 2), ("krig_nettversjon", 2), ("krieg_240", 3))
"""What is played, and by how many."""

IN_STEP: Final = 2.0
"""Within so long after the server is ready everybody is back (s)."""

EARLY: Final = 0.15
"""So many of the kills come while pages are still coming back."""


@dataclass
class Story:
    """What all pages of a room were told, by its number."""

    events: dict[int, str] = field(default_factory=dict)
    views: dict[int, str] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)

    @property
    def newest(self) -> int:
        """The highest number that any page has seen."""
        return max((*self.events, *self.views), default=0)

    def tell(self, kept: dict[int, str], v: int, what: object) -> None:
        """Somebody was told this; it must be what others were told."""
        text = json.dumps(what, sort_keys=True)
        if kept.setdefault(v, text) != text:
            self.contradictions.append(f"{v}: {kept[v][:200]} and {text[:200]}")


class Player(Page):
    """A page that plays on for ever, and witnesses what it is told."""

    def __init__(self, url: str, code: str, name: str, story: Story) -> None:
        super().__init__(url, code, name)
        self.story = story
        self.home: int | None = None
        """The seat we took."""
        self.is_welcome = False
        self._said: set[tuple[object, ...]] = set()

    @property
    def is_gone(self) -> bool:
        """Nobody is at the other end."""
        return self._reader is None or self._reader.done()

    async def open(self) -> None:
        """Connect; what we said before may not have been heard."""
        self.is_welcome = False
        self._said.clear()
        await super().open()

    async def _take(self, message: dict[str, Any]) -> None:
        before = self.v
        if message["type"] == "events":
            first = message["v"] - len(message["entries"]) + 1
            for v, events in enumerate(message["entries"], start=first):
                self.story.tell(self.story.events, v, events)
        await super()._take(message)
        self.is_welcome = self.is_welcome or message["type"] == "welcome"
        if self.v != before or message["type"] == "snapshot":
            self.story.tell(self.story.views, self.v, self.view)

    async def _do_my_part(self) -> None:
        await super()._do_my_part()
        waits = self.plays and bool(self.view) and self.phase in ("lobby", "dealing")
        if waits and self.seat is not None:
            await self._get_ready(self.seat)

    async def _get_ready(self, seat: int) -> None:
        room, seats = self.view["room"], self.view["seats"]
        taken = [i for i, place in enumerate(seats) if place]
        key = (room["game"], room["terms"])
        if not seats[seat]["ready"] and ("ready", *key) not in self._said:
            self._said.add(("ready", *key))
            bound = sha256(
                b"krig-commit-v1\0"
                + bytes.fromhex(room["deal"]["id"])
                + bytes([taken.index(seat)])
                + bytes.fromhex(self.nonce)
            ).hexdigest()
            game, terms = key
            await self.say("ready", game=game, terms=terms, on=True, commitment=bound)
        everybody = len(taken) > 1 and all(seats[i]["ready"] for i in taken)
        mine = room["owner"] == self.player and self.phase == "lobby"
        if mine and everybody and ("start", *key) not in self._said:
            self._said.add(("start", *key))
            await self.say("start", game=room["game"])


@dataclass
class Table:
    """A room and everybody at it."""

    code: str
    story: Story
    players: list[Player]
    watcher: Player

    @property
    def pages(self) -> list[Player]:
        """Everybody."""
        return [*self.players, self.watcher]


@dataclass
class Result:
    """What was found."""

    in_step: float = IN_STEP
    kills: int = 0
    failures: list[str] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    """How long each return took, from a ready server until all are in step (s)."""
    starts: list[float] = field(default_factory=list)
    entries: int = 0
    flips: int = 0
    games: int = 0


async def sit_down(server: Server, preset: str, people: int) -> Table:
    """Make a room and let people take their seats."""
    code, story = await asyncio.to_thread(server.make_room, preset), Story()
    players = [Player(server.url, code, f"P{i}", story) for i in range(people)]
    watcher = Player(server.url, code, "W", story)
    for player in players:
        player.plays = False
        await player.open()
        await player.until(lambda p=player: p.v > 0)  # type: ignore[misc]
        await player.sit()
        player.home = player.seat
    await watcher.open()
    for player in players:
        player.plays = True
        await player._do_my_part()
    return Table(code, story, players, watcher)


async def run(kills: int, seed: int, folder: Path, in_step: float = IN_STEP) -> Result:
    """Kill it so often; say what was found."""
    result, dice = Result(in_step=in_step), Random(seed)
    server = ForkedServer(folder, commands_per_second=500)
    server.start()
    try:
        tables = [await sit_down(server, *table) for table in TABLES]
        pages = [page for table in tables for page in table.pages]
        stopped = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
        while result.kills < kills and len(result.failures) < 20:
            if stopped.is_set():
                break
            await asyncio.sleep(dice.uniform(0.0, 0.7))
            await _kill(server, tables, pages, dice, result)
        for page in pages:
            await page.close()
    finally:
        server.stop()
    for table in tables:
        await _hold_to_the_log(server.data, table, result)
    return result


async def _kill(
    server: Server, tables: list[Table], pages: list[Player], dice: Random, r: Result
) -> None:
    server.kill()
    r.kills += 1
    seen = {table.code: table.story.newest for table in tables}
    began = time.monotonic()
    await asyncio.to_thread(server.start)
    ready = time.monotonic()
    r.starts.append(ready - began)
    if dice.random() < EARLY:
        coming = asyncio.gather(*(page.reopen() for page in pages if page.is_gone))
        await asyncio.sleep(dice.uniform(0.0, 0.1))
        server.kill()
        r.kills += 1
        await asyncio.to_thread(server.start)
        ready = time.monotonic()
        await coming
        # Those that had been back already are gone once more.
        await asyncio.sleep(0)
    while gone := [page for page in pages if page.is_gone]:
        await asyncio.gather(*(page.reopen() for page in gone))
    for table in tables:
        for page in table.pages:
            await _see_back(page, seen[table.code], r)
        r.failures += [f"kill {r.kills}: {c}" for c in table.story.contradictions]
        table.story.contradictions.clear()
    r.back.append(time.monotonic() - ready)
    if r.back[-1] > r.in_step:
        r.failures.append(f"kill {r.kills}: back after {r.back[-1]:.1f} s")


async def _see_back(page: Player, newest: int, r: Result) -> None:
    """See a page in step again, on its own seat."""
    try:
        async with asyncio.timeout(10):
            await page.until(lambda: page.is_welcome and page.v >= newest)
    except TimeoutError:
        r.failures.append(
            f"kill {r.kills}: {page.name} in {page.code} stands at {page.v} "
            f"of {newest}, closed {page.code_closed}"
        )
        return
    if page.seat != page.home:
        r.failures.append(
            f"kill {r.kills}: {page.name} in {page.code} sits on {page.seat}, "
            f"not {page.home}"
        )


async def _hold_to_the_log(data: Path, table: Table, r: Result) -> None:
    """What was told must follow from what is stored, and no press be there twice."""
    log = SqliteLog(data)
    newest = await log.newest(table.code)
    assert newest is not None
    room: Room | None = None
    pressed: set[tuple[int, int, int, int]] = set()
    for chapter in range(1, newest.chapter + 1):
        for _, entry in await log.read(type(newest)(table.code, chapter)):
            r.entries += 1
            for press in _presses(room, entry.facts):
                r.flips += 1
                if press in pressed:
                    r.failures.append(f"doubled: {table.code} {press}")
                pressed.add(press)
            if room is None:
                room = drafted_first(entry)
                continue
            draft = drafted(room, entry)
            said = json.dumps(json.loads(draft.told), sort_keys=True)
            told = table.story.events.get(entry.v, said)
            if told != said:
                r.failures.append(f"{table.code} told otherwise at {entry.v}")
            room = draft.room
    await log.aclose()
    r.games += newest.chapter - 1
    if room is None or room.v < table.story.newest:
        r.failures.append(f"lost: {table.code} ends before {table.story.newest}")


def drafted_first(entry: f.Entry) -> Room:
    """The room that its first entry makes."""
    from krig.room.evolve import evolve

    return evolve(None, entry)[0]


def _presses(
    room: Room | None, facts: Iterable[f.Fact]
) -> Iterable[tuple[int, int, int, int]]:
    """The presses in an entry that come before its battle is decided."""
    if room is None or room.game is None:
        return
    for fact in facts:
        if isinstance(fact, f.Flipped) and fact.seat in room.game.waiting:
            yield room.chapter, room.game.rounds, room.game.battle, fact.seat


def percentile(values: list[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    return sorted(values)[min(len(values) - 1, round(share * len(values)))]


def main() -> int:
    """Say what was found; 1 if it is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--in-step", type=float, default=IN_STEP, metavar="SECONDS")
    wanted = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(
            run(wanted.kills, wanted.seed, Path(folder), wanted.in_step)
        )
    for failure in result.failures[:20]:
        print(f"FAILED {failure}")
    print(
        f"kill -9: {result.kills} kills in {time.monotonic() - began:.0f} s, "
        f"{result.entries} entries, {result.flips} presses, {result.games} games, "
        f"in step after p50 {percentile(result.back, 0.5):.2f} s, "
        f"p99 {percentile(result.back, 0.99):.2f} s, most {max(result.back):.2f} s "
        f"(the server starts in {percentile(result.starts, 0.5):.1f} s), "
        f"seed {wanted.seed}: {len(result.failures)} failures "
        "(lost, doubled, wrong seat, late)"
    )
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
