"""`make powerloss`: the power goes at POINTS moments, and nothing acknowledged is lost.

The real writer of `krig.log`, with its schema and its pragmas, writes rooms through a
disk that notes everything (see `disk.py`). Then for each moment stable storage is put
together as it may be, and opened as a server would open it. What would be a failure: an
acknowledged entry that is not there; one that nobody sent; a gap; a forgotten room that
is half there; a file that SQLite finds damaged or that takes no append.

`python -m tests.programme.powerloss --points 100000 --seed 1`
"""

import argparse
import asyncio
import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from krig.errors import KrigError
from krig.log import sqlite_file
from krig.log.log import LogName
from krig.log.sqlite_writer import Append, Forget, Outcome, Writer
from tests.log.contract import entry
from tests.programme.disk import Disk, points

FILE = "krig.db"


@dataclass
class Truth:
    """What was sent and what was acknowledged, as the disk's list went on."""

    sent: dict[LogName, list[bytes]] = field(default_factory=dict)
    """Every entry's body, in order; those of a room that was forgotten begin anew."""
    acknowledged: list[tuple[int, LogName, int]] = field(default_factory=list)
    """(length of the disk's list, log, version)."""
    forgetting: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Room: the disk's list when it was asked, and when it was acknowledged."""
    first: int = 0
    """Where the disk's list was when the file was made."""


class _Writer(Writer):
    """The real writer; what is acknowledged is noted before anybody can know it."""

    disk: Disk
    truth: Truth

    def _answer(self, outcomes: list[Outcome]) -> None:
        now = len(self.disk.ops)
        for job, outcome in outcomes:
            assert not isinstance(outcome, Exception), outcome
            if isinstance(job, Append):
                self.truth.acknowledged.append((now, job.log, outcome))
            elif isinstance(job, Forget):
                asked, _ = self.truth.forgetting[job.code]
                self.truth.forgetting[job.code] = (asked, now)
        super()._answer(outcomes)


def record(
    disk: Disk, folder: Path, dice: Random, appends: int, pragmas: list[str]
) -> Truth:
    """Write rooms, several at once, and forget some of them."""
    path, truth = folder / FILE, Truth()
    con: Any = disk.open(path)
    sqlite_file._prepare(path, con)
    for pragma in pragmas:
        con.execute(f"PRAGMA {pragma}").fetchall()
    truth.first = len(disk.ops)
    asyncio.run(_play(disk, path, con, truth, dice, appends))
    return truth


async def _play(
    disk: Disk, path: Path, con: Any, truth: Truth, dice: Random, appends: int
) -> None:
    loop = asyncio.get_running_loop()

    def deliver(outcomes: list[Outcome]) -> None:
        for job, outcome in outcomes:
            assert isinstance(outcome, int)
            job.done.set_result(outcome)

    _Writer.disk, _Writer.truth = disk, truth
    writer = _Writer(path, con, deliver)
    left = appends

    async def play(room: int) -> None:
        nonlocal left
        chapter = 1
        while left > 0:
            name = LogName(f"R{room:03}", chapter)
            chapter += 1
            for version in range(dice.randrange(1, 40)):
                left -= 1
                body = dice.randbytes(dice.randrange(40, 900))
                truth.sent.setdefault(name, []).append(body)
                done = loop.create_future()
                writer.put(Append(done, name, version, body, entry()))
                await done
            if dice.random() < 0.1 and name.code not in truth.forgetting:
                done = loop.create_future()
                truth.forgetting[name.code] = (len(disk.ops), sys.maxsize)
                writer.put(Forget(done, name.code))
                await done
                return

    await asyncio.gather(*(play(room) for room in range(6)))
    room = 6
    while left > 0:
        await play(room)
        room += 1
    writer.stop()
    await asyncio.to_thread(writer.join)


def wrong_after(truth: Truth, k: int, path: Path) -> str | None:
    """What is wrong with a file that the power's going left behind."""
    try:
        writing, reading = sqlite_file.open_file(path)
        with closing(writing), closing(reading):
            checked = reading.execute("PRAGMA quick_check").fetchall()
            if checked != [("ok",)]:
                return f"damaged: {checked}"
            rows = reading.execute("SELECT code, chapter, n, body FROM entry")
            there: dict[LogName, list[bytes]] = {}
            for code, chapter, n, body in rows:
                bodies = there.setdefault(LogName(code, chapter), [])
                bodies.append(body)
                if n != len(bodies):
                    return f"a gap in {code}/{chapter}"
    except (KrigError, sqlite3.Error) as error:
        return f"cannot be opened: {error}"
    for name, bodies in there.items():
        if bodies != truth.sent[name][: len(bodies)]:
            return f"{name} holds what nobody sent"
    return _lost(truth, k, there)


def _lost(truth: Truth, k: int, there: dict[LogName, list[bytes]]) -> str | None:
    rooms = {name.code for name in there}
    for when, name, version in truth.acknowledged:
        if when > k:
            break
        asked, _ = truth.forgetting.get(name.code, (sys.maxsize, 0))
        if asked <= k and name.code not in rooms:
            continue  # the whole room is forgotten, as was asked
        if len(there.get(name, ())) < version:
            return f"lost: {name} had acknowledged version {version}"
    for code, (_, when) in truth.forgetting.items():
        if when <= k and code in rooms:
            return f"{code} was forgotten, and is there"
    return None


@dataclass
class Result:
    """What was found."""

    points: int = 0
    failures: list[str] = field(default_factory=list)
    appends: int = 0
    syncs: int = 0


SHAPES: tuple[list[str], ...] = (
    [],
    ["wal_autocheckpoint = 20"],
    ["wal_autocheckpoint = 7", "journal_size_limit = 40000"],
)
"""As it is; with a checkpoint every moment; and with a WAL that is cut short."""


def run(count: int, seed: int, extra: str | None = None, appends: int = 400) -> Result:
    """Lose the power so often; `extra` is a pragma that ought to make it fail."""
    result, dice = Result(), Random(seed)
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    rounds = max(len(SHAPES), count // 5_000)
    for number in range(rounds):
        pragmas = [*SHAPES[number % len(SHAPES)], *([extra] if extra else [])]
        with tempfile.TemporaryDirectory(dir=place) as folder:
            disk = Disk(f"noting-{seed}-{number}")
            truth = record(disk, Path(folder), dice, appends, pragmas)
            result.appends += len(truth.acknowledged)
            result.syncs += disk.syncs(len(disk.ops))
            share = count // rounds + (number < count % rounds)
            last = len(disk.ops) + 1
            for k in points(truth.first, last, share, dice):
                after = Path(folder) / "after"
                after.mkdir()
                for name, body in disk.after(k, dice).items():
                    (after / name).write_bytes(body)
                wrong = wrong_after(truth, k, after / FILE)
                shutil.rmtree(after)
                result.points += 1
                if wrong:
                    where = f"run {number}, operation {k}"
                    result.failures.append(f"{where}: {wrong}")
    return result


def main() -> int:
    """Say what was found; 1 if it is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--pragma", help="one more, such as synchronous=NORMAL")
    wanted = parser.parse_args()
    began = time.monotonic()
    result = run(wanted.points, wanted.seed, wanted.pragma)
    for failure in result.failures[:20]:
        print(f"FAILED {failure}")
    print(
        f"power loss: {result.points} points in {time.monotonic() - began:.0f} s, "
        f"{result.appends} acknowledged appends, {result.syncs} syncs, "
        f"seed {wanted.seed}: {len(result.failures)} failures "
        "(lost, invented, gap, damage, half forgotten)"
    )
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
