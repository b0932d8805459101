"""The worked cases in tests/data, and how their differences are told."""

import json
from pathlib import Path
from typing import Any

import pytest

from krig.app.cases import RUNNERS, differences, run

FILE = Path(__file__).parents[1] / "data" / "cases.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))["cases"]
RUNNABLE = [case for case in CASES if case["type"] in RUNNERS]
BY_ID = {case["id"]: case for case in CASES}


@pytest.mark.parametrize("case", RUNNABLE, ids=lambda case: case["id"])
def test_the_worked_case_comes_out_as_expected(case: dict[str, Any]) -> None:
    assert differences(case) == []


def test_a_file_names_what_is_told_in_words_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [BY_ID["A01"], BY_ID["N01"]]}), "utf-8")
    assert run([str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 cases run, 0 differ.",
        "Not runnable here, being told in words only: N01.",
    ]


def test_an_expectation_that_nobody_can_check_is_told_and_is_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([BY_ID["A01"] | {"expected": {"mood": 1}}]), "utf-8")
    assert run([str(path)]) == 0
    assert "'mood' is not known here" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("id_", "name", "wrong"),
    [
        ("C01", "winner", 0),
        ("C01", "by", "high"),
        ("C01", "pot", ["7H", "QS", "7S"]),
        ("C01", "wars", 2),
        ("C01", "surrender", {}),
        ("C01", "eliminated", []),
        ("C01", "piles", [[], ["7H"]]),
        ("C01", "result", None),
        ("A01", "result", {"reason": "last_left"}),
        ("C02", "stakes", [{"down": {"0": [], "1": []}, "up": {"0": "QS", "1": "3H"}}]),
        ("D13", "war_players", [[0, 1]]),
        ("C14", "void", False),
        ("B02", "rounds_played", 3),
        ("H01", "won", [[], []]),
        ("L01", "sizes", [27, 25]),
        ("L01", "bottom", ["AC", "KC"]),
    ],
)
def test_a_wrong_expectation_is_a_difference(id_: str, name: str, wrong: Any) -> None:
    case = BY_ID[id_]
    case = case | {"expected": case["expected"] | {name: wrong}}
    assert [line.partition(":")[0] for line in differences(case)] == [name]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("reason", "void"), ("winners", []), ("counts", [6, 0]), ("period", 3)],
)
def test_results_are_compared_part_by_part(name: str, wrong: Any) -> None:
    expected = BY_ID["C01"]["expected"]
    result = expected["result"] | {name: wrong}
    case = BY_ID["C01"] | {"expected": expected | {"result": result}}
    assert [line.partition(":")[0] for line in differences(case)] == [f"result.{name}"]


@pytest.mark.parametrize(
    "change",
    [
        {"piles": [["1S"], ["2H"]]},
        {"piles": [["KS"]]},
        {"run": {}},
        {"rules_resolved": {"stake": 1}},
        {"rules_resolved": {"preset": "poker"}},
        {"expected": None},
    ],
    ids=["no-card", "one-seat", "no-rounds", "no-rule", "no-preset", "no-expectation"],
)
def test_a_case_that_cannot_be_read_differs(change: dict[str, Any]) -> None:
    assert len(differences(BY_ID["A01"] | change)) == 1


def test_what_is_not_scripted_cannot_be_shuffled() -> None:
    (unscripted,) = differences(BY_ID["H03"] | {"shuffles": {}})
    assert "reshuffle/0/1" in unscripted
    (other_cards,) = differences(BY_ID["H03"] | {"shuffles": {"0": [["KS"]]}})
    assert "4S" in other_cards


@pytest.mark.parametrize(
    "pots", [[["7D", "KS"]], ["7D", "KS"], {"1": ["7D", "KS"]}], ids=str
)
def test_a_random_pot_is_scripted_by_list_or_by_round(pots: Any) -> None:
    case = BY_ID["A01"]
    case = case | {
        "rules_resolved": case["rules_resolved"] | {"order": "random"},
        "pot_shuffles": pots,
        "expected": {"pot": ["7D", "KS"], "piles": [["2C", "7D", "KS"], ["3H"]]},
    }
    assert differences(case) == []


@pytest.mark.parametrize(
    ("mid_war", "counts", "winners"),
    [("finish", [7, 2], [0]), ("return", [4, 5], [1])],
    ids=["f07", "f08"],
)
def test_the_clock_strikes_in_the_middle_of_a_war(
    mid_war: str, counts: list[int], winners: list[int]
) -> None:
    case = BY_ID["F07"]
    rules = case["rules_resolved"] | {"time_mid_war": mid_war}
    result = {"reason": "time", "winners": winners, "counts": counts}
    case = case | {"rules_resolved": rules, "expected": {"result": result}}
    assert differences(case) == []


def test_a_won_pile_may_be_turned_over_unshuffled() -> None:
    case = BY_ID["H07"]
    rules = case["rules_resolved"] | {"pile": "flip"}
    case = case | {"rules_resolved": rules, "shuffles": {}}
    # The oldest card of the won pile is drawn first: the two, not the seven.
    case = case | {"expected": {"pot": ["3D", "2S"], "winner": 1}}
    assert differences(case) == []


@pytest.mark.parametrize(
    "content", [None, "no JSON", "{}", '{"cases": 1}', "[1]"], ids=repr
)
def test_a_file_that_cannot_be_read_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_text(content, "utf-8")
    assert run([str(path)]) == 1
    assert str(path) in capsys.readouterr().out


def test_one_difference_fails_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    wrong = BY_ID["A01"] | {"expected": {"winner": 1}}
    path.write_text(json.dumps([BY_ID["A02"], wrong]), "utf-8")
    assert run([str(path)]) == 1
    assert "A01" in capsys.readouterr().out
