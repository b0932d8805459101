"""Many games at once: the figures, and the options they are asked for with.

The bands are those of RULES section 4.6, widened for the smaller number of games.
"""

import argparse
import json
from typing import Any

import pytest

from krig.app.simulate import Result, add_arguments, figures_of, run, simulate
from krig.engine.outcome import Ending
from krig.engine.rules import PRESETS
from krig.engine.seats import Seat


def asked(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(arguments)


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(asked(*arguments, "--json")) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_short_krieg_is_nearly_always_decided_by_its_limit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = figures(capsys, "--preset", "krieg_40", "--games", "2000", "--seed", "1")
    assert told["games"] == sum(told["endings"].values()) == 2000
    assert told["endings"]["round_limit"] >= 1980  # 99.80 %
    assert 150 <= told["wins"]["draw"] <= 260  # 10.23 %
    assert sum(told["wins"].values()) == 2000
    assert told["rounds"]["median"] == told["rounds"]["p95"] == 40
    assert 2.3 < told["wars_per_game"] < 2.7  # 2.50


def test_klassisk_ends_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    told = figures(capsys, "--games", "500")
    assert told["endings"]["last_left"] == 500
    assert 165 < told["rounds"]["mean"] < 212  # 187.80, standard error 6.5
    assert 20 <= told["by_shortage"] <= 80  # 9.93 %


def test_table_order_is_endless_more_often_than_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules = ["--rule", "order=seat", "--rule", "war_down=1"]
    told = figures(capsys, "--games", "30", *rules)
    assert told["endings"]["cycle"] > 18  # 86.35 %
    assert told["wins"]["draw"] == told["endings"]["cycle"]


def test_the_same_seed_gives_the_same_games_on_however_many_cores() -> None:
    rules = PRESETS["krieg_40"]
    once = simulate(rules, 2, 300, seed=5)
    assert simulate(rules, 2, 300, seed=5) == once
    assert simulate(rules, 2, 10, seed=5) == once[:10]
    assert simulate(rules, 2, 10, seed=6) != once[:10]


def test_figures_are_told_in_words_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(asked("--preset", "krieg_40", "--games", "3")) == 0
    assert "round_limit 3" in capsys.readouterr().out


def test_figures_of_some_games() -> None:
    results = [
        Result(10, 1, Ending.ALL_CARDS, (Seat(0),), True),
        Result(20, 2, Ending.ALL_CARDS, (Seat(1),), False),
        Result(60, 3, Ending.OUT_OF_CARDS, (), True),
        Result(999, 0, Ending.REPETITION, (), False),
    ]
    assert figures_of(results, 2) == {
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


def test_there_is_no_length_of_games_that_never_end() -> None:
    told = figures_of([Result(9, 0, Ending.REPETITION, (), False)], 2)
    assert told["rounds"] == {"mean": None, "median": None, "p5": None, "p95": None}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rule", "stake=3"],
        ["--rule", "war_down=9"],
        ["--rule", "teams=true"],
        ["--rule", "time_limit=10"],
        ["--rule", "repetition=ignore"],
    ],
    ids=["no-rule", "no-value", "teams-of-two", "no-clock", "endless"],
)
def test_rules_that_cannot_be_simulated_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(asked(*arguments)) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--preset", "poker"],
        ["--players", "5"],
        ["--games", "0"],
        ["--games", "many"],
        ["--seed", "-1"],
    ],
    ids=str,
)
def test_options_that_cannot_be_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        asked(*arguments)
