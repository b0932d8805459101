"""Many games at once, and the options they are asked for with."""

import argparse
import json
from dataclasses import fields
from typing import Any

import pytest

from krig.app import simulate as simulation
from krig.app.simulate import add_arguments, run, simulate
from krig.engine.rules import PRESETS, Rules


def asked(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(arguments)


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(asked(*arguments, "--json")) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_table_order_is_endless_more_often_than_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rules = ["--order", "seat", "--war-down", "1"]
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
    printed = capsys.readouterr()
    assert "endings      round_limit 3: 100.00% [43.85%, 100.00%]" in printed.out
    assert printed.err == ""


@pytest.mark.parametrize("rule", fields(Rules), ids=lambda rule: rule.name)
def test_every_house_rule_has_a_flag_of_its_name(rule: Any) -> None:
    flag = f"--{rule.name.replace('_', '-')}"
    value = getattr(PRESETS["krieg_40"], rule.name)
    given = [] if isinstance(value, bool) else [str(value).lower()]
    assert getattr(asked(flag, *given), rule.name) == value or value is False
    assert rule.name not in asked()


def test_a_flag_changes_one_rule_of_the_preset(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shorter = figures(capsys, "--preset", "krieg_40", "--games", "9", "--deck", "32")
    assert shorter["endings"]["last_left"] > 0
    without = ["--preset", "krieg_40", "--games", "9", "--round-limit", "none"]
    assert figures(capsys, *without)["endings"]["round_limit"] == 0
    teams = figures(capsys, "--players", "4", "--teams", "--games", "9")
    assert teams["wins"]["0"] == teams["wins"]["2"]


def test_ten_minutes_are_a_hundred_and_fifty_rounds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = figures(capsys, "--games", "60", "--time-limit", "10")
    assert told["quantiles"]["max"] == 150
    assert told["endings"]["time"] > 15  # 47.9 %
    assert told["endings"]["round_limit"] == 0


def test_a_bar_is_on_a_terminal_and_nowhere_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(simulation, "CHUNK", 2)
    simulate(PRESETS["krieg_40"], 2, 4, seed=1)
    told = capsys.readouterr()
    assert told.out == ""
    assert f"[{'#' * 20}{'.' * 20}] 2 of 4 games, " in told.err
    assert told.err.endswith("\r\x1b[K")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--war-down", "9"],
        ["--teams"],
        ["--teams", "--players", "3"],
        ["--preset", "krieg_40", "--time-limit", "10"],
        ["--repetition", "ignore"],
    ],
    ids=["no-value", "teams-of-two", "teams-of-three", "two-limits", "endless"],
)
def test_rules_that_cannot_be_simulated_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(asked(*arguments)) == 2
    assert capsys.readouterr().err.endswith(".\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--preset", "poker"],
        ["--players", "5"],
        ["--games", "0"],
        ["--games", "many"],
        ["--seed", "-1"],
        ["--stake", "3"],
        ["--short", "never"],
        ["--deck", "34"],
        ["--round-limit", "some"],
    ],
    ids=str,
)
def test_options_that_cannot_be_are_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit):
        asked(*arguments)
