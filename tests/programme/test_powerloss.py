"""The power may go at any moment; `make powerloss POINTS=100000` asks for longer."""

import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.programme import powerloss
from tests.programme.disk import Disk

POINTS = int(os.environ.get("POINTS", "2000"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1_000_000))


@pytest.mark.slow
def test_a_power_cut_loses_nothing_acknowledged() -> None:
    result = powerloss.run(POINTS, SEED, appends=200)
    print(f"{result.points} points, {result.appends} appends, seed {SEED}")
    assert not result.failures, (SEED, result.failures[:5])
    assert result.syncs > 100


def test_it_would_find_a_log_that_does_not_wait_for_the_disk() -> None:
    result = powerloss.run(30, 1, "synchronous = NORMAL", appends=60)
    assert any("lost" in failure for failure in result.failures)


def test_the_disk_notes_what_sqlite_asks_of_it(tmp_path: Path) -> None:
    disk = Disk("noting")
    con = disk.open(tmp_path / "any.db")
    con.execute("CREATE TABLE t (x)")
    con.close()
    kinds = {op.kind for op in disk.ops}
    assert kinds == {"write", "sync", "delete"}
    whole = disk.after(len(disk.ops), Random(1))["any.db"]
    assert whole == (tmp_path / "any.db").read_bytes()
