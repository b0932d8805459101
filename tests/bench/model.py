"""A million steps of engine and model at the same table: `make model`.

The machine is that of tests/engine/test_naive.py. Each core plays from its own seeds;
a difference is told with the steps that lead to it, and its seed plays it again.
"""

import argparse
import secrets
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice

from hypothesis import seed
from hypothesis.stateful import run_state_machine_as_test

from tests.engine.test_naive import War, lives

LIVES = 200
"""Of a machine with one seed."""

TOLD = 50_000
"""After so many steps a line says how far it is."""


def play(number: int) -> Counter[str]:
    """Play with one seed; returns what came up."""
    War.happened.clear()
    run_state_machine_as_test(seed(number)(War), settings=lives(LIVES))
    return Counter(War.happened)


def main() -> int:
    """Play, and print what came up, how often, and with which seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--cores", type=int, default=2)
    args = parser.parse_args()
    print(f"seeds from {args.seed} on, {LIVES} lives each", flush=True)
    began, happened, seeds = time.monotonic(), Counter[str](), count(args.seed)
    with ProcessPoolExecutor(args.cores) as pool:
        while happened["steps"] < args.steps:
            for part in pool.map(play, islice(seeds, 2 * args.cores)):
                before = happened["steps"]
                happened.update(part)
                if happened["steps"] // TOLD > before // TOLD:
                    print(f"{happened['steps']} steps", flush=True)
    minutes = (time.monotonic() - began) / 60
    steps, games = happened.pop("steps"), happened.pop("games")
    print(f"{steps} steps, {games} games in {minutes:.1f} min, and no difference")
    print(f"seeds {args.seed} to {next(seeds) - 1}")
    print(f"{'what came up':<24} {'times':>8}   in 1,000 games")
    for what, times in happened.most_common():
        print(f"{what:<24} {times:>8}   {1000 * times / games:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
