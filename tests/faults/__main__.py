"""`make faults`: live through many unlucky worlds; a broken law names its seed.

`SEEDS=1000 STEPS=600 make faults`; `FIRST=417 SEEDS=1 make faults` sees one again.
"""

import argparse
import signal
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import structlog

from tests.faults.world import Broken, live

DAY = 86_400


def main() -> int:
    """Live through the worlds; return 1 if a law was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=600)
    wanted = parser.parse_args()
    began, happened, lived, broken = time.monotonic(), Counter[str](), 0, 0
    seeds = range(wanted.first, wanted.first + wanted.seeds)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    pool = ProcessPoolExecutor(initializer=_quiet)
    try:
        for result in pool.map(partial(_live, wanted.steps), seeds, chunksize=4):
            lived += 1
            if isinstance(result, str):
                broken += 1
                print(result)
            else:
                happened += result
    except KeyboardInterrupt:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # who sent it may send it twice
        print("Told to stop: these are the worlds up to now.")
    pool.shutdown(cancel_futures=True)
    days = happened.pop("seconds") / DAY
    took = time.monotonic() - began
    print(
        f"{lived} worlds of {wanted.steps} steps from seed {wanted.first}: "
        f"{days:.1f} room-days in {took:.0f} s, {happened.pop('entries')} entries; "
        f"faults: {dict(sorted(happened.items()))}; laws broken in {broken} worlds"
    )
    return 1 if broken else 0


def _quiet() -> None:
    for told in (signal.SIGINT, signal.SIGTERM):  # we end them
        signal.signal(told, signal.SIG_IGN)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))


def _live(steps: int, seed: int) -> Counter[str] | str:
    try:
        return live(seed, steps)
    except Broken as broken:
        return str(broken)


if __name__ == "__main__":
    sys.exit(main())
