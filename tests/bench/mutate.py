"""Small faults planted in the engine, one by one: `make mutants`; exit 1 if one lives.

Each is a line or less of a copy of the engine, and must turn a test of it red.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
NEEDED: Final = (
    "pyproject.toml",
    "server",
    "tests/conftest.py",
    "tests/engine",
    "tests/data",
)
SLOW: Final = ("laws", "naive")
"""They find nearly all faults, but the others tell them by their names, and first."""

QUICKLY: Final = (
    *("-x", "-q", "--tb=no", "-rfE"),
    *("-p", "no:xdist", "-p", "no:cacheprovider"),
)


class Fault(NamedTuple):
    """What is wrong, where, and how."""

    what: str
    file: str
    right: str
    wrong: str


FAULTS: Final = (
    Fault("a lost comparison wins", "battle", "max([shown", "min([shown"),
    Fault(
        "a war is decided by its first cards",
        "battle",
        "if shown[seat][-1] == top",
        "if shown[seat][0] == top",
    ),
    Fault(
        "an orphaned pot goes to the lowest who waited",
        "battle",
        "top = max(shown[seat] for",
        "top = min(shown[seat] for",
    ),
    Fault(
        "one card more is needed for a war",
        "battle",
        "n < rules.war_down + 1",
        "n <= rules.war_down + 1",
    ),
    Fault(
        "of equals the first survives as longest",
        "battle",
        "richest if len(richest) == 1 else []",
        "richest[:1]",
    ),
    Fault(
        "standing last cards tie for ever",
        "battle",
        "return () if any(counts.values()) else tuple(counts)",
        "return ()",
    ),
    Fault("the last card is staked", "battle", "max(count - 1, 0)", "count"),
    Fault(
        "stakes match the richest", "battle", "min(due.values())", "max(due.values())"
    ),
    Fault(
        "only the tied fight, whatever was agreed",
        "round",
        "if table.rules.participants is Participants.TIED:",
        "if table.rules.participants:",
    ),
    Fault("a tie is not counted", "round", "table.wars += 1", "table.wars += 0"),
    Fault(
        "one who waited alone gets no orphaned pot",
        "round",
        "len(living) == 1 or orphan is Orphan.NEXT_HIGHEST",
        "orphan is Orphan.NEXT_HIGHEST",
    ),
    Fault(
        "a void game is always counted",
        "round",
        "table.sides) if by_count else ()",
        "table.sides)",
    ),
    Fault(
        "the limit comes a round late",
        "round",
        "if table.rounds == table.rules.round_limit:",
        "if table.rounds - 1 == table.rules.round_limit:",
    ),
    Fault(
        "the limit goes before the last side left",
        "round",
        "        if len(left) == 1:",
        "        if len(left) == 1 and table.rounds != table.rules.round_limit:",
    ),
    Fault(
        "a struck clock is forgotten", "round", "elif table.time_struck:", "elif False:"
    ),
    Fault(
        "a seat that has only a won pile is out",
        "round",
        "if not stocks[seat] and not won[seat]]",
        "if not stocks[seat]]",
    ),
    Fault(
        "the pot of a nested war is dropped",
        "table",
        "for laid in self.laid:\n            by_seat",
        "for laid in [x for x in self.laid if x.battle >= self.battle - 1]:\n"
        "            by_seat",
    ),
    Fault(
        "the won pile is shuffled as soon as the stock is empty",
        "table",
        "        self.stocks[seat] = self.stocks[seat][1:]\n        return card",
        "        self.stocks[seat] = self.stocks[seat][1:]\n"
        "        if not self.stocks[seat] and self.won[seat]:\n"
        "            self.reshuffle(seat)\n"
        "        return card",
    ),
    Fault(
        "reshuffles are counted from 0",
        "table",
        "reshuffle_label(seat, self.reshuffles[seat])",
        "reshuffle_label(seat, self.reshuffles[seat] - 1)",
    ),
    Fault(
        "pots are labelled by the round before",
        "table",
        "pot_label(self.rounds + 1)",
        "pot_label(self.rounds)",
    ),
    Fault(
        "cards given back go under the stock",
        "table",
        "self._laid_by(seat) + self.stocks[seat]",
        "self.stocks[seat] + self._laid_by(seat)",
    ),
    Fault(
        "who gives up lays the won pile first",
        "table",
        "rest = self.stocks[seat] + self.won[seat]",
        "rest = self.won[seat] + self.stocks[seat]",
    ),
    Fault(
        "a discarded pot is nowhere",
        "table",
        "self.discarded += tuple(laid.card for laid in self.laid)",
        "self.discarded += ()",
    ),
    Fault(
        "a shortage is forgotten between two battles",
        "table",
        "self.shortage = bool(game.battle) and any(",
        "self.shortage = not any(",
    ),
    Fault(
        "the loser's cards go anticlockwise",
        "pot",
        "first = winner + 1",
        "first = winner - 1",
    ),
    Fault(
        "the first card dealt lies at the bottom",
        "deal",
        "tuple(cards[seat:used:players])",
        "tuple(cards[seat:used:players])[::-1]",
    ),
    Fault("what is left over vanishes", "deal", "tuple(cards[used:])", "()"),
    Fault(
        "a shuffle leaves the first two as they are",
        "shuffle",
        "range(len(order) - 1, 0, -1)",
        "range(len(order) - 1, 1, -1)",
    ),
    Fault("no card may stay in its place", "shuffle", "below(last + 1)", "below(last)"),
    Fault(
        "small numbers come up too often",
        "shuffle",
        "limit = 2**32 - 2**32 % n",
        "limit = 2**32",
    ),
    Fault(
        "a press counts for any battle of its round",
        "play",
        "(flip.round, flip.battle), (",
        "(flip.round, game.battle), (",
    ),
    Fault(
        "a second press is a second flip",
        "play",
        "    if flip.seat in game.flipped:\n        return game, ()\n",
        "",
    ),
    Fault(
        "the clock waits for the round's first flips",
        "play",
        "if not game.battle or game.rules",
        "if game.rules",
    ),
    Fault("a shared lead wins", "outcome", "if sums.count(most) == 1", "if True"),
    Fault(
        "only the shortest loops are noticed",
        "game",
        "Trail(position, 0, self.renewal * 2)",
        "Trail(position, 0, self.renewal)",
    ),
    Fault(
        "three with an even deck play in a fixed order",
        "rules",
        "(players == 3 or odd_cards)",
        "odd_cards",
    ),
    Fault("a swap of letters goes unseen", "code", "= 1021", "= 31"),
    Fault(
        "the seed depends on who revealed first",
        "fairness",
        "in sorted(nonces)",
        "in nonces",
    ),
    Fault(
        "a simulation skips over the limit",
        "round",
        " or table.rounds + 1 == limit",
        "",
    ),
    Fault(
        "a round after an orphaned pot is won by an orphan",
        "round",
        "    table.orphaned = False\n",
        "",
    ),
)


def caught_by(fault: Fault | None, copy: Path, timeout: int) -> str | None:
    """The first test that is red with this fault in the copy; None: all are green."""
    path = copy / "server/krig/engine" / f"{fault.file if fault else 'battle'}.py"
    text = path.read_text("utf-8")
    if fault is not None:
        if text.count(fault.right) != 1:
            raise SystemExit(f"{fault.file}.py has not one {fault.right!r}")
        path.write_text(text.replace(fault.right, fault.wrong), "utf-8")
    tests = sorted((copy / "tests/engine").glob("test_*.py"), key=_when)
    try:
        run = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", *QUICKLY, f"--timeout={timeout}"]
            + [str(test.relative_to(copy)) for test in tests],
            cwd=copy,
            env={**os.environ, "KRIG_MODEL_GAMES": "500", "KRIG_BROWSER": "no"},
            capture_output=True,
            text=True,
        )
    finally:
        path.write_text(text, "utf-8")
    if run.returncode == 0:
        return None
    red = re.search(r"^(?:FAILED|ERROR) (?:tests/engine/)?(\S+)", run.stdout, re.M)
    return red[1] if red else f"pytest itself: {run.stdout[-300:]}{run.stderr[-300:]}"


def _when(test: Path) -> tuple[bool, str]:
    return test.stem.removeprefix("test_") in SLOW, test.stem


@contextmanager
def copies(count: int) -> Iterator[SimpleQueue[Path]]:
    """So many copies of what the tests of the engine need, free to be taken."""
    with tempfile.TemporaryDirectory(prefix="krig-mutants-") as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(count):
            copy = Path(folder) / str(number)
            for name in NEEDED:
                source, target = ROOT / name, copy / name
                if source.is_dir():
                    ignore = shutil.ignore_patterns("__pycache__")
                    shutil.copytree(source, target, ignore=ignore)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, target)
            free.put(copy)
        yield free


def main() -> int:
    """Plant every fault; print what caught it; return 1 if one was not caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--timeout", type=int, default=120, help="seconds a test may take"
    )
    parser.add_argument("--only", default="", help="faults with this in their words")
    args = parser.parse_args()
    faults = [fault for fault in FAULTS if args.only in fault.what]
    with copies(args.workers) as free, ThreadPoolExecutor(args.workers) as pool:

        def plant(fault: Fault | None) -> str | None:
            copy = free.get()
            try:
                return caught_by(fault, copy, args.timeout)
            finally:
                free.put(copy)

        if red := plant(None):
            print(f"without any fault, {red} is red")
            return 1
        alive = 0
        for fault, test in zip(faults, pool.map(plant, faults), strict=True):
            alive += test is None
            verdict = test or "NOT CAUGHT"
            print(f"{fault.file + '.py':<12} {fault.what:<56} {verdict}", flush=True)
    print(f"{len(faults) - alive} of {len(faults)} faults caught")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
