"""How long from the last flip to the result, in one idle room, on this machine.

A real server with its SQLite file, two sockets on loopback, one round at a time:
`python -m tests.bench.latency`, with `server` and `.` on the path.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from tests.live.games import at_the_table, deal_by_hand, together
from tests.live.page import Page
from tests.live.server import Server


async def measure(server: Server, rounds: int) -> list[float]:
    """Return ms from sending the last flip of a battle to hearing its result."""
    code = server.make_room("krieg_240")
    times: list[float] = []
    async with at_the_table(server, code, 2, watchers=0) as (seated, _):
        await deal_by_hand(seated)
        one, other = seated
        while len(times) < rounds and one.phase == "playing":
            await _press(one)
            await asyncio.sleep(0.2)
            began = time.perf_counter()
            await _press(other)
            times.append((time.perf_counter() - began) * 1000)
            await together(one, other)
            await asyncio.sleep(0.2)
    return times


async def _press(page: Page) -> None:
    before = page.v
    await page.flip()
    await page.until(lambda: page.v > before)


def main() -> None:
    """Measure, and print one line of JSON: ms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    rounds: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            times = asyncio.run(measure(server, rounds))
        finally:
            server.stop()
    p50, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
    print(json.dumps({"rounds": len(times), "p50_ms": p50, "p99_ms": p99}))


if __name__ == "__main__":
    main()
