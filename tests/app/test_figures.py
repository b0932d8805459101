"""The figures of games, and how sure they are."""

from math import isclose

import pytest

from krig.app.figures import (
    Result,
    figures_of,
    mean_interval,
    median_interval,
    told,
    wilson,
)
from krig.engine.outcome import Ending
from krig.engine.seats import Seat

RESULTS = [
    Result(10, 1, Ending.ALL_CARDS, (Seat(0),), True),
    Result(20, 2, Ending.ALL_CARDS, (Seat(1),), False),
    Result(60, 3, Ending.OUT_OF_CARDS, (), True),
    Result(999, 0, Ending.REPETITION, (), False),
]
ENDLESS = [Result(9, 0, Ending.REPETITION, (), False)]


def test_figures_of_some_games() -> None:
    figures = figures_of(RESULTS, 2)
    intervals, quantiles = figures.pop("intervals"), figures.pop("quantiles")
    assert figures == {
        "games": 4,
        "rounds": {"mean": 30.0, "median": 20, "p5": 10, "p95": 60},
        "wars_per_game": 1.5,
        "endings": {
            "last_left": 2,
            "void": 1,
            "round_limit": 0,
            "time": 0,
            "cycle": 1,
        },
        "wins": {"0": 1, "1": 1, "draw": 2},
        "by_shortage": 2,
    }
    assert intervals["rounds"] == {"mean": (0.061, 59.939), "median": (10, 60)}
    assert intervals["wins"]["draw"] == intervals["by_shortage"] == (0.15004, 0.84996)
    assert intervals["endings"].keys() == figures["endings"].keys()
    assert (quantiles["min"], quantiles["p25"], quantiles["max"]) == (10, 10, 60)


def test_a_game_that_nobody_waited_for_is_undecided_and_no_draw() -> None:
    figures = figures_of([*RESULTS, Result(10**6, 5, None, (), False)], 2)
    assert figures["endings"]["undecided"] == 1
    assert figures["wins"]["draw"] == 2
    assert figures["quantiles"]["max"] == 60
    assert any(line.startswith("endings      undecided 1:") for line in told(figures))


def test_there_is_no_length_of_games_that_never_end() -> None:
    figures = figures_of(ENDLESS, 2)
    assert set(figures["rounds"].values()) == {None}
    assert set(figures["quantiles"].values()) == {None}
    assert set(figures["intervals"]["rounds"].values()) == {None}


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(345, 1000, 0.3162, 0.3750), (0, 20, 0.0, 0.1611), (20, 20, 0.8389, 1.0)],
    ids=["a-third", "none", "all"],
)
def test_a_share_has_wilsons_interval(
    count: int, of: int, low: float, high: float
) -> None:
    assert all(
        map(lambda a, b: isclose(a, b, abs_tol=6e-5), wilson(count, of), (low, high))
    )


def test_a_mean_is_sure_to_two_standard_errors() -> None:
    assert mean_interval([0, 2] * 50) == (0.803, 1.197)
    assert mean_interval([7]) is None


def test_a_median_is_sure_to_so_many_ranks() -> None:
    assert median_interval(range(1, 101)) == (40, 61)
    assert median_interval([4, 9]) == (4, 9)
    assert median_interval([4]) is None


def test_what_did_not_happen_is_not_told() -> None:
    lines = list(told(figures_of(RESULTS, 2)))
    assert "rounds       mean 30 [0.061, 59.939]" in lines
    assert not any("round_limit" in line for line in lines)
    assert not any(line.startswith("rounds") for line in told(figures_of(ENDLESS, 2)))
