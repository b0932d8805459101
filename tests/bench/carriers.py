"""CPU of the server for a round: our protocol class, and the plain route, in turns.

Tables of four, each page presses as soon as it is told to; rooms in memory, so that it
is transport and host that are measured. Linux: `python -m tests.bench.carriers`.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import httpx
import uvloop
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)

from krig.app.compose import start
from krig.app.serve import Server, bind
from krig.app.settings import Settings
from krig.protocol.limits import Limits
from krig.transport.protocol import RoomProtocol
from tests.live.games import at_the_table, play_to_the_end
from tests.live.games import start as start_game
from tests.live.server import Server as Place

CARRIERS: dict[str, type[asyncio.Protocol]] = {
    "plain": WebSocketsSansIOProtocol,
    "ours": RoomProtocol,
}
ROOT = Path(__file__).parents[2]


async def serve(carrier: str) -> None:
    """Serve on a free port, and print it."""
    limits = Limits(commands_per_second=1e5, command_burst=10_000)
    async with start(Settings(log="memory:", limits=limits)) as parts:
        with bind("127.0.0.1", 0) as listener:
            server = Server(parts, listener, ws=CARRIERS[carrier])
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            await server.up.wait()
            print(f"PORT {server.port}", flush=True)
            await serving


def spent(pid: int) -> float:
    """CPU of all threads of a process so far (µs)."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1000


class Elsewhere(Place):
    """A server that somebody else started, at a port."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"


async def play(place: Place) -> int:
    """Play one game of four to its round limit; return its rounds."""
    code = place.make_room("krieg_240")
    async with at_the_table(place, code, 4, watchers=0) as (seated, _):
        await start_game(seated)
        await play_to_the_end(*seated)
        rounds: int = seated[0].view["last"]["rounds"]
        return rounds


async def load(port: int, pid: int, rooms: int) -> tuple[float, int]:
    """Play in so many rooms at once; return the µs a round, and the rounds."""
    await play(Elsewhere(port))
    before = spent(pid)
    rounds = sum(await asyncio.gather(*(play(Elsewhere(port)) for _ in range(rooms))))
    return (spent(pid) - before) / rounds, rounds


def measure(carrier: str, rooms: int) -> float:
    """Start a server, play, and return the µs a round."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.carriers", "--serve", carrier],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'server'}{os.pathsep}{ROOT}"},
    ) as process:
        assert process.stdout is not None
        try:
            line = next(x for x in process.stdout if x.startswith("PORT"))
            port = int(line.split()[1])
            httpx.get(f"http://127.0.0.1:{port}/healthz").raise_for_status()
            cost, _ = asyncio.run(load(port, process.pid, rooms))
            return cost
        finally:
            process.terminate()


def main() -> None:
    """Measure in turns, and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=4)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--serve", choices=sorted(CARRIERS))
    given = parser.parse_args()
    if given.serve:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(given.serve))
        return
    costs: dict[str, list[float]] = {name: [] for name in CARRIERS}
    for _ in range(given.turns):
        for name in CARRIERS:
            costs[name].append(round(measure(name, given.rooms), 1))
    plain, ours = (statistics.median(costs[name]) for name in ("plain", "ours"))
    told = {"us_a_round": costs, "ratio": round(ours / plain, 3)}
    print(json.dumps(told))


if __name__ == "__main__":
    main()
