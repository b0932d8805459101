"""Unlucky worlds, each by its seed; `make faults` lives through many more."""

import logging
from collections.abc import Iterator

import pytest

from tests.faults.world import live

WORLDS = 60
STEPS = 150


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("first", range(0, WORLDS, 10))
def test_no_law_is_broken_whatever_goes_wrong(first: int) -> None:
    for seed in range(first, first + 10):
        live(seed, STEPS)


def test_a_world_can_be_lived_again_by_its_seed() -> None:
    assert live(7, STEPS) == live(7, STEPS)


def test_every_fault_happens() -> None:
    happened = sum((live(seed, STEPS) for seed in range(20)), start=live(20, STEPS))
    for kind in ("full", "lost", "unsure", "blind", "twice", "crash", "cut", "jump"):
        assert happened[kind], kind
    assert happened["entries"] > 500
