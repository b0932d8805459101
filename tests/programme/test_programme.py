"""The programme at the size of every test; the verbs of the Makefile ask for more."""

import os
import time
from pathlib import Path

import pytest

from tests.programme import kill9, soak, storm

KILLS = int(os.environ.get("KILLS", "100"))
SOCKETS = int(os.environ.get("SOCKETS", "2000"))
SECONDS = float(os.environ.get("SECONDS", "60"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1_000_000))

IN_STEP = 10.0
"""Where tests share two cores with others, back within this (s): `make kill9` asks for
two, on a machine of its own."""

ALL_WITHIN = 60.0
"""So all are of a storm; `make storm` asks for ten, and for two (p99)."""


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_kills_at_any_moment_lose_and_double_nothing(tmp_path: Path) -> None:
    result = await kill9.run(KILLS, SEED, tmp_path, in_step=IN_STEP)
    print(f"{result.kills} kills, {result.entries} entries, seed {SEED}")
    assert not result.failures, (SEED, result.failures[:5])
    assert result.kills >= KILLS
    assert result.entries > 100


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_all_come_back_after_a_storm(tmp_path: Path) -> None:
    result = await storm.run(
        SOCKETS, SEED, tmp_path, quick=ALL_WITHIN, all_within=ALL_WITHIN
    )
    assert not result.failures, (SEED, result.failures[:5])
    assert [len(back.late) for back in result.returns] == [SOCKETS, SOCKETS]


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_rooms_come_and_go_and_nothing_of_them_stays(tmp_path: Path) -> None:
    result = await soak.run(SECONDS, SEED, tmp_path)
    print(soak.told(result))
    assert not result.failures, (SEED, result.failures[:5])
    assert result.visits > 5
