"""`make leak`: every byte told in many whole games is scanned for what is secret.

Every entry of every game is held against the laws as the tests hold it (`Watched`): no
card before it is turned up, no nonce, seed or token in any spelling of the wire.
"""

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from random import Random

from krig.engine.cards import Deck
from krig.engine.rules import PRESETS, Rules
from tests.room.test_laws import PEOPLE, Watched


def main() -> int:
    """Play and scan the games; return 1 if anything was told too early."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--games", type=int, default=10_000)
    wanted = parser.parse_args()
    began, entries, leaks = time.monotonic(), 0, 0
    seeds = range(wanted.first, wanted.first + wanted.games)
    with ProcessPoolExecutor() as pool:
        for result in pool.map(scan, seeds, chunksize=8):
            if isinstance(result, str):
                leaks += 1
                print(result)
            else:
                entries += result
    print(
        f"{wanted.games} games from seed {wanted.first} in "
        f"{time.monotonic() - began:.0f} s: {entries} entries scanned, {leaks} leak"
    )
    return 1 if leaks else 0


def scan(seed: int) -> int | str:
    """Play one game; return how many entries were told, or what leaked."""
    luck = Random(seed)
    scene = Watched(rules_of(luck), seed)
    people = luck.randint(1, 4)
    try:
        scene.begin(*PEOPLE[:people], bots=luck.randint(max(0, 2 - people), 4 - people))
        scene.play_out()
    except AssertionError as leak:
        return f"seed {seed}: {leak}"
    return len(scene.entries)


def rules_of(luck: Random) -> Rules:
    """One of the presets, often with the small deck; never a very long game."""
    rules = PRESETS[luck.choice(list(PRESETS))]
    deck = luck.choice((rules.deck, Deck.SKAT))
    return replace(rules, deck=deck, round_limit=rules.round_limit or 100)


if __name__ == "__main__":
    sys.exit(main())
