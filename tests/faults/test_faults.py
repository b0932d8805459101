"""Unlucky worlds, each by its seed; `make faults` lives through many more."""

import logging
from collections.abc import Iterator

import pytest

from tests.faults.leak import scan
from tests.faults.world import live

SHORT, LONG = 900, 100
"""Worlds: a thousand, most of them short."""

FEW, STEPS = 40, 150


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, LONG, 10))
def test_no_law_is_broken_whatever_goes_wrong(first: int) -> None:
    for seed in range(first, first + 10):
        live(seed, STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(LONG, LONG + SHORT, 50))
def test_nor_in_many_short_worlds(first: int) -> None:
    for seed in range(first, first + 50):
        live(seed, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 100, 20))
def test_nothing_secret_is_told_in_a_hundred_games(first: int) -> None:
    for seed in range(first, first + 20):
        told = scan(seed)
        assert isinstance(told, int), told


def test_a_world_can_be_lived_again_by_its_seed() -> None:
    assert live(7, STEPS) == live(7, STEPS)


def test_every_fault_happens() -> None:
    kinds = {"full", "lost", "unsure", "blind", "twice", "crash", "cut", "jump"}
    happened = live(0, STEPS)
    for seed in range(1, 300):  # a disk that cannot be read meets few of them
        happened += live(seed, STEPS)
        if seed > 20 and kinds <= {kind for kind, n in happened.items() if n}:
            break
    assert kinds <= {kind for kind, n in happened.items() if n}
    assert happened["entries"] > 500
