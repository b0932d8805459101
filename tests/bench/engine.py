"""How fast the engine is: `make bench-engine`.

Rounds a second on one core in `krig simulate` (two players, Krieg, no I/O), and how
long a room takes to fold the log of a game of 1,000 rounds. Both are in processor time;
where others use the machine, that still varies by half: medians of repeated runs are
told, and the best.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from krig.app.simulate import play_game
from krig.engine.rules import PRESETS
from krig.room.evolve import fold
from krig.room.facts import Entry
from krig.room.room import Phase
from tests.room.scene import Scene

KRIEG: Final = replace(PRESETS["krieg_240"], round_limit=None)
ROUNDS: Final = 1000


def simulate(games: int) -> float:
    """Play Krieg between two; returns rounds a second."""
    began, rounds = time.process_time(), 0
    for number in range(games):
        rounds += play_game(KRIEG, 2, 1, number).rounds
    return rounds / (time.process_time() - began)


def long_log() -> list[Entry]:
    """The log of two people's game, up to the end of its round 1,000."""
    for seed in range(100):
        scene = Scene(KRIEG, seed)
        scene.begin("Kari", "Ola")
        while scene.look().phase is Phase.PLAYING:
            scene.press()
            if scene.game.rounds == ROUNDS:
                return scene.entries
    raise AssertionError("one game in fourteen is as long as that")


def fold_ms(entries: list[Entry]) -> float:
    """Fold a log once; returns ms."""
    began = time.process_time()
    fold(entries)
    return (time.process_time() - began) * 1000


def repeat(
    what: str, unit: str, best: Callable[..., float], times: list[float]
) -> None:
    """Print the median and the best of some runs."""
    middle = statistics.median(times)
    print(f"{what:<36} median {middle:>9,.1f} {unit}, best {best(times):>9,.1f} {unit}")


def main() -> None:
    """Measure, and print two lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    repeats = range(parser.parse_args().repeats)
    speeds = [simulate(60) for _ in repeats]
    repeat("simulate, one core", "rounds/s", max, speeds)
    entries = long_log()
    gc.freeze()  # The log itself is no garbage.
    times = [fold_ms(entries) for _ in repeats]
    repeat(f"fold {ROUNDS} rounds, {len(entries)} entries", "ms", min, times)


if __name__ == "__main__":
    main()
