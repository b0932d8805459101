"""A few games of every run of `make figures`, with bands as much wider.

The seed is fixed: these are the same games every time.
"""

import pytest

from tests.bench.figures import BANDS, PUBLISHED, Run, check, no_tie_in_26_flips

FEW = 150


@pytest.mark.parametrize("run", [*BANDS, *PUBLISHED], ids=lambda run: run.name)
def test_the_figures_lie_in_their_bands(run: Run) -> None:
    for figure, value, inside in check(run, FEW):
        assert inside, f"{figure.name}: {value} is not within {figure.band(FEW)}"


def test_a_flawless_war_is_as_rare_as_others_have_reckoned() -> None:
    assert round(float(no_tie_in_26_flips()), 9) == 0.210214233
