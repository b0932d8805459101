"""Hostile peers at a real server, and what the tables beside them notice.

`python -m tests.hostile.measure --size 20 --seconds 60`: so many peers of each row at
once, again and again; then the time from a flip to its result with and without them.
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
from contextlib import AsyncExitStack
from dataclasses import astuple, dataclass, field
from pathlib import Path

import httpx

from tests.hostile.peers import ROWS, Ground, let_loose
from tests.hostile.witness import Witness, quick
from tests.live.games import at_the_table, deal_by_hand, together
from tests.live.page import Page
from tests.live.server import ROOT, Server

TABLES = 3
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
    ends: Counter[str] = field(default_factory=Counter)
    memory: dict[str, float] = field(default_factory=dict)
    """MiB of the server."""


def memory(server: Server) -> float:
    """What a server holds (MiB)."""
    assert server._process is not None
    status = Path(f"/proc/{server._process.pid}/status").read_text()
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
            (notes.beset if notes.memory.get("before") else notes.calm).append(took)
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


async def apart(ground: Ground, size: int, seconds: float) -> Counter[str]:
    """Do that in a process of its own, so that nobody waits for it but the server."""
    given = json.dumps([astuple(ground), size, seconds])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.hostile.measure", "--peers", given),
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'server'}{os.pathsep}{ROOT}"},
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return Counter(json.loads(out))


async def run(size: int, seconds: float, folder: Path) -> Notes:
    """Play in peace, then beset; see that nothing was changed and nothing is left."""
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
            await asyncio.sleep(seconds)
            notes.memory["before"] = memory(server)
            ground = Ground(server.port, witness.code, codes[0])
            peers = asyncio.create_task(apart(ground, size, seconds))
            while not peers.done():
                await asyncio.wait({peers}, timeout=0.2)
                most = max(notes.memory.get("most", 0.0), memory(server))
                notes.memory["most"] = most
                for task in playing:
                    if task.done():
                        await task  # to hear why
            notes.ends = await peers
            over.set()
            await asyncio.gather(*playing)
            await witness.sees_no_change()
            await only_sockets(server, 1 + 2 * TABLES)
            notes.memory["after"] = memory(server)
    finally:
        server.stop()
    said = server.output.read_text()
    assert "Traceback" not in said, said
    assert len(said.splitlines()) < 100 + 10 * len(ROWS), said[-3000:]
    return notes


async def only_sockets(server: Server, wanted: int) -> None:
    """Wait until only so many sockets are left."""
    async with asyncio.timeout(20), httpx.AsyncClient(trust_env=False) as http:
        while True:
            told = (await http.get(f"{server.url}/metrics")).text
            if f"\nkrig_connections {wanted}.0" in told:
                return
            await asyncio.sleep(0.2)


def report(notes: Notes) -> str:
    """Put it in words."""
    lines = [
        f"hostile: {sum(notes.ends.values())} peers, {len(ROWS)} kinds",
        *(f"  {count:>6}  {end}" for end, count in sorted(notes.ends.items())),
    ]
    for name, times in (("calm", notes.calm), ("beset", notes.beset)):
        p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
        lines.append(
            f"flip to result, {name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms,"
            f" {len(times)} rounds"
        )
    held = ", ".join(f"{when} {much:.1f}" for when, much in notes.memory.items())
    lines.append(f"memory of the server (MiB): {held}")
    lines.append(
        "a failure would have been: another end, a traceback, a change, a socket left"
    )
    return "\n".join(lines)


def main() -> None:
    """Do it, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--peers", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peers:
        where, size, seconds = json.loads(given.peers)
        print(json.dumps(asyncio.run(beset(Ground(*where), size, seconds))))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(report(asyncio.run(run(given.size, given.seconds, Path(folder)))))


if __name__ == "__main__":
    main()
