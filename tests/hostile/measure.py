"""Hostile peers at a real server, and what the tables beside them notice.

`python -m tests.hostile.measure --size 20 --seconds 60`: so many peers of each row at
once, again and again; and the time from a flip to its result at the same tables, in
turns with and without them, so that what else the machine does is in both.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path

import httpx

from tests.hostile.peers import ROWS, Ground, let_loose
from tests.hostile.witness import Witness, quick
from tests.live.games import at_the_table, deal_by_hand, together
from tests.live.page import Page
from tests.live.server import ROOT, Server
from tests.programme.kill9 import percentile

TABLES = 3
TURNS = 3
"""So often in peace and beset."""

WORSE = 5.0
"""Other tables' p99 may be so many times what it is in peace: peers take their share of
the cores for themselves, and handshakes theirs of the server."""

THINK = 0.02
"""Between two flips of a table (s)."""

REST = 0.5
"""Between two lives of a hostile peer (s): it is they that are measured, not how many
handshakes a core can do."""


@dataclass
class Notes:
    """What was seen."""

    calm: list[float] = field(default_factory=list)
    beset: list[float] = field(default_factory=list)
    """ms from a flip to its result."""
    now: list[float] | None = None
    """Which of the two turns it is; None: neither."""
    cpu: dict[str, dict[str, float]] = field(default_factory=dict)
    """Seconds of a core that server, pages and peers took in each turn, and all."""
    ends: Counter[str] = field(default_factory=Counter)
    memory: dict[str, float] = field(default_factory=dict)
    """MiB of the server."""

    def add(self, turn: str, cpu: dict[str, float]) -> None:
        """Add what a turn took of the cores."""
        before = self.cpu.get(turn, {})
        self.cpu[turn] = {who: before.get(who, 0.0) + s for who, s in cpu.items()}


@dataclass
class Meter:
    """What was taken of the cores since it was made (s)."""

    server: Server
    began: float = field(default_factory=time.perf_counter)
    first: float = 0.0
    ours: float = field(default_factory=time.process_time)

    def __post_init__(self) -> None:
        self.first = taken(self.server.pid)

    def read(self, **more: float) -> dict[str, float]:
        """Server and pages, and how long it was."""
        return {
            "server": taken(self.server.pid) - self.first,
            "pages": time.process_time() - self.ours,
            "seconds": time.perf_counter() - self.began,
            **more,
        }


def taken(pid: int) -> float:
    """What a process has had of the cores (s)."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def memory(server: Server) -> float:
    """What a server holds (MiB)."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def play(seated: list[Page], notes: Notes, stop: asyncio.Event) -> None:
    """Play, and note how long each result took."""
    one, other = seated
    while not stop.is_set():
        await deal_by_hand(seated)
        while one.phase == "playing" and not stop.is_set():
            await press(one)
            await together(one, other)  # else it is the first flip that is timed
            began = time.perf_counter()
            await press(other)
            took = (time.perf_counter() - began) * 1000
            if notes.now is not None:
                notes.now.append(took)
            await together(one, other)
            await asyncio.sleep(THINK)
        if not stop.is_set():
            await one.until(lambda: one.phase == "lobby")
            await together(one, other)


async def press(page: Page) -> None:
    before = page.v
    await page.flip()
    await page.until(lambda: page.v > before)


async def beset(ground: Ground, size: int, seconds: float) -> Counter[str]:
    """Let peers of every row loose, one after the other; return how they ended."""
    ends, until = Counter[str](), time.perf_counter() + seconds

    async def again_and_again(name: str) -> None:
        while time.perf_counter() < until:
            end = await let_loose(name, ground)
            ends[f"{name} → {end or 'cut off'}"] += 1
            await asyncio.sleep(REST)

    async with asyncio.TaskGroup() as group:
        for name in ROWS:
            for _ in range(size):
                group.create_task(again_and_again(name))
    return ends


@asynccontextmanager
async def apart(
    ground: Ground, size: int, seconds: float
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Do that in a process of its own, so that nobody waits for it but the server.

    Yields:
        The process, when its peers are about to come.
    """
    given = json.dumps([astuple(ground), size, seconds])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.hostile.measure", "--peers", given),
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'server'}{os.pathsep}{ROOT}"},
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    await process.stdout.readline()
    yield process


async def run(size: int, seconds: float, folder: Path) -> Notes:
    """Play in turns, in peace and beset; nothing is changed by it, and nothing left."""
    notes, over = Notes(), asyncio.Event()
    with quick(watchers=2000, watcher_burst=15):
        server = Server(folder, commands_per_second=1000)
        server.start()
    try:
        async with AsyncExitStack() as stack:
            witness = await stack.enter_async_context(Witness(server))
            codes = [server.make_room("krieg_240") for _ in range(TABLES)]
            tables = [
                (await stack.enter_async_context(at_the_table(server, c, 2, 0)))[0]
                for c in codes
            ]
            playing = [asyncio.create_task(play(t, notes, over)) for t in tables]
            ground = Ground(server.port, witness.code, codes[0])
            for _ in range(TURNS):
                await _in_peace(server, notes, seconds / TURNS)
                notes.memory.setdefault("before", memory(server))
                await _beset(server, notes, ground, size, seconds / TURNS)
                for task in playing:
                    if task.done():
                        await task  # to hear why
                await witness.sees_no_change()
            over.set()
            await asyncio.gather(*playing)
            await only_sockets(server, 1 + 2 * TABLES)
            notes.memory["after"] = memory(server)
    finally:
        server.stop()
    said = server.output.read_text()
    assert "Traceback" not in said, said
    assert len(said.splitlines()) < 100 + 10 * len(ROWS), said[-3000:]
    return notes


async def _in_peace(server: Server, notes: Notes, seconds: float) -> None:
    notes.now, meter = notes.calm, Meter(server)
    await asyncio.sleep(seconds)
    notes.now = None
    notes.add("calm", meter.read(peers=0.0))


async def _beset(
    server: Server, notes: Notes, ground: Ground, size: int, seconds: float
) -> None:
    async with apart(ground, size, seconds) as process:
        notes.now, meter = notes.beset, Meter(server)
        ending = asyncio.create_task(process.communicate())
        while not ending.done():
            await asyncio.wait({ending}, timeout=0.2)
            most = max(notes.memory.get("most", 0.0), memory(server))
            notes.memory["most"] = most
        notes.now = None
        out, err = await ending
        assert process.returncode == 0, err.decode()
        ends, cpu = json.loads(out)
        notes.ends.update(ends)
        notes.add("beset", meter.read(peers=cpu))


async def only_sockets(server: Server, wanted: int) -> None:
    """Wait until only so many sockets are left."""
    async with asyncio.timeout(60), httpx.AsyncClient(trust_env=False) as http:
        while True:
            told = (await http.get(f"{server.url}/metrics")).text
            if f"\nkrig_connections {wanted}.0" in told:
                return
            await asyncio.sleep(0.2)


def ratios(notes: Notes) -> tuple[float, float]:
    """How many times as long a result takes when peers are there: p50, p99."""
    calm, beset = notes.calm, notes.beset
    return (
        statistics.median(beset) / statistics.median(calm),
        percentile(beset, 0.99) / percentile(calm, 0.99),
    )


def report(notes: Notes) -> str:
    """Put it in words."""
    lines = [
        f"hostile: {sum(notes.ends.values())} peers, {len(ROWS)} kinds",
        *(f"  {count:>6}  {end}" for end, count in sorted(notes.ends.items())),
    ]
    for name, times in (("calm", notes.calm), ("beset", notes.beset)):
        p50, p99 = statistics.median(times), percentile(times, 0.99)
        cpu = notes.cpu[name]
        shares = ", ".join(
            f"{who} {cpu[who] / cpu['seconds']:.0%}"
            for who in ("server", "pages", "peers")
        )
        lines.append(
            f"flip to result, {name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms,"
            f" {len(times)} rounds; of a core: {shares}"
        )
    half, most = ratios(notes)
    lines.append(
        f"beset, it takes {half:.1f} times as long (p50), {most:.1f} times (p99)"
    )
    held = ", ".join(f"{when} {much:.1f}" for when, much in notes.memory.items())
    lines.append(f"memory of the server (MiB): {held}")
    lines.append(
        "a failure would have been: another end, a traceback, a change, a socket left"
    )
    return "\n".join(lines)


def main() -> int:
    """Do it, and print what was seen; 1 if other tables noticed too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--peers", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peers:
        where, size, seconds = json.loads(given.peers)
        print("about to come", flush=True)
        ends = asyncio.run(beset(Ground(*where), size, seconds))
        print(json.dumps([ends, time.process_time()]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        notes = asyncio.run(run(given.size, given.seconds, Path(folder)))
    print(report(notes))
    if ratios(notes)[1] > WORSE:
        print(f"FAILED other tables wait more than {WORSE:.0f} times as long")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
