"""`make soak`: rooms come and go for SECONDS, and nothing of them stays.

Visitors make rooms, sit, play, lose their network and come back, leave, and are
forgotten by retention or by whoever runs the server. What would be a failure: memory
that grows with the number of visits once the server is warm; tasks, descriptors, rooms
or connections that are there still when everybody has gone; an error in its log.

`python -m tests.programme.soak --seconds 3600 --seed 1`
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from krig.app import caretaker
from krig.app.settings import Settings
from tests.live.server import Server
from tests.programme.kill9 import Table, sit_down
from tests.programme.numbers import Numbers, ask

VISITORS: Final = 5
"""Tables at once."""

GROWTH: Final = 3 * 2**20
"""What memory may grow from the second third to the last (bytes): it breathes."""

WARMING: Final = 8 * 2**20
"""The same of a soak that is not long: a server is warm after some five minutes."""

EMPTY_WITHIN: Final = 60.0
"""So long after the last visit everything is gone (s)."""

EMPTY_FILE: Final = 2**20
"""A file of forgotten rooms is no bigger, once its server has stopped (bytes)."""

LONG: Final = 300.0
"""In a soak as long as this (s) some just walk away; their tables play on for two
minutes before they fall asleep."""


@dataclass(frozen=True)
class Sample:
    """What the server was like at one moment."""

    visits: int
    memory: float
    tasks: float
    descriptors: float
    rooms: float
    stored: int


@dataclass
class Result:
    """What was found."""

    is_long: bool = False
    visits: int = 0
    returns: int = 0
    before: Sample | None = None
    after: Sample | None = None
    samples: list[Sample] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    file: int = 0
    """How big the file is with no room in it (bytes)."""


def sample(numbers: Numbers, visits: int, data: Path) -> Sample:
    """Look at the server."""
    return Sample(
        visits,
        numbers.of("process_resident_memory_bytes"),
        numbers.of("krig_tasks"),
        numbers.of("process_open_fds"),
        numbers.of("krig_rooms"),
        data.stat().st_size,
    )


async def run(seconds: float, seed: int, folder: Path) -> Result:
    """Let rooms come and go for so long; say what was found."""
    server = Server(
        folder,
        commands_per_second=500,
        idle_seconds=5,
        empty_lobby_minutes=0.2,
        abandoned_game_hours=0.002,
        finished_game_hours=0.002,
    )
    server.start()
    result = Result(is_long=seconds >= LONG)
    try:
        await _live(server, seconds, Random(seed), result)
    finally:
        server.stop()
    result.file = server.data.stat().st_size
    if result.file > EMPTY_FILE:
        result.failures.append(f"the file has {result.file} bytes in the end")
    for line in server.output.read_text().splitlines():
        if line.startswith("{") and json.loads(line)["level"] in ("error", "critical"):
            result.failures.append(f"in the log: {line[:300]}")
    return result


async def _live(server: Server, seconds: float, dice: Random, r: Result) -> None:
    # The first visit brings what stays for good: threads, caches, compiled regexes.
    await _visit(server, dice, r)
    r.before = await _when_empty(server, r)
    until = time.monotonic() + seconds

    async def visit() -> None:
        while time.monotonic() < until:
            await _visit(server, dice, r)

    visitors = [asyncio.create_task(visit()) for _ in range(VISITORS)]
    while time.monotonic() < until:
        await asyncio.sleep(seconds / 60)
        r.samples.append(sample(await ask(server.url), r.visits, server.data))
    await asyncio.gather(*visitors)
    r.after = await _when_empty(server, r)
    _judge(r)


async def _visit(server: Server, dice: Random, r: Result) -> None:
    """One room, from its opening until everybody has gone."""
    preset, people = dice.choice(("krieg_40", "krig_nettversjon")), dice.randint(1, 3)
    table = await sit_down(server, preset, people)
    for _ in range(dice.randint(1, 8)):
        await asyncio.sleep(dice.uniform(0.02, 0.3))
        page = dice.choice(table.pages)
        await page.close()
        await page.reopen()
        r.returns += 1
    await _go(server, table, dice, walk_away=r.is_long and dice.random() < 0.2)
    r.visits += 1


async def _go(server: Server, table: Table, dice: Random, *, walk_away: bool) -> None:
    """Everybody goes, each in their own way."""
    if dice.random() < 0.3:
        settings = Settings(data=server.data)
        what = {"do": "close", "room": table.code}
        told = await asyncio.to_thread(caretaker.ask, settings, what)
        assert told == {"closed": table.code}, told
    for player in table.players:
        if not walk_away:
            await player.say("leave")
    for page in table.pages:
        await page.close()
    assert not table.story.contradictions, table.story.contradictions


async def _when_empty(server: Server, r: Result) -> Sample:
    """Wait until nobody and nothing is there, and look."""
    end = time.monotonic() + EMPTY_WITHIN + (r.is_long and 180)
    while True:
        numbers = await ask(server.url)
        gone = not numbers.of("krig_rooms") and not numbers.of("krig_connections")
        if gone and not caretaker_sees(server):
            break
        if time.monotonic() > end:
            r.failures.append(
                f"still there: {numbers.of('krig_rooms'):.0f} rooms at hand, "
                f"{caretaker_sees(server)} stored, "
                f"{numbers.of('krig_connections'):.0f} connections"
            )
            break
        await asyncio.sleep(0.5)
    await asyncio.sleep(0.5)  # the question itself has a connection and a task
    return sample(await ask(server.url), r.visits, server.data)


def caretaker_sees(server: Server) -> int:
    """How many rooms are stored."""
    return int(caretaker.ask(Settings(data=server.data), {"do": "rooms"})["stored"])


def _judge(r: Result) -> None:
    third = len(r.samples) // 3
    middle, last = r.samples[third : 2 * third], r.samples[2 * third :]
    if middle and last:
        grown = median(s.memory for s in last) - median(s.memory for s in middle)
        visits = last[-1].visits - middle[0].visits
        if grown > (GROWTH if r.is_long else WARMING):
            r.failures.append(
                f"memory grew by {grown / 2**20:.1f} MB in {visits} visits"
            )
    assert r.before is not None
    assert r.after is not None
    for what in ("tasks", "descriptors"):
        was, now = getattr(r.before, what), getattr(r.after, what)
        if now > was + 2:
            r.failures.append(f"{what}: {was:.0f} before, {now:.0f} after")


def told(r: Result) -> str:
    """The figures, in a line."""
    memory = [s.memory / 2**20 for s in r.samples]
    assert r.before is not None
    assert r.after is not None
    return (
        f"{r.visits} visits, {r.returns} returns, memory {memory[0]:.1f} → "
        f"{memory[len(memory) // 2]:.1f} → {memory[-1]:.1f} MB, most "
        f"{max(s.tasks for s in r.samples):.0f} tasks and "
        f"{max(s.descriptors for s in r.samples):.0f} descriptors, in the end "
        f"{r.after.tasks:.0f} and {r.after.descriptors:.0f} "
        f"(before {r.before.tasks:.0f} and {r.before.descriptors:.0f}), "
        f"file {max(s.stored for s in r.samples)} → {r.file} bytes"
    )


def main() -> int:
    """Say what was found; 1 if it is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(run(wanted.seconds, wanted.seed, Path(folder)))
    for failure in result.failures[:20]:
        print(f"FAILED {failure}")
    print(
        f"soak: {wanted.seconds:.0f} s, {told(result)}, seed {wanted.seed}: "
        f"{len(result.failures)} failures (memory, tasks, descriptors, rooms, errors)"
    )
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
