"""RULES.md says what the engine does, and holds whatever the code refers to."""

import re
from dataclasses import fields
from pathlib import Path

import krig
from krig.engine.code import GameCode
from krig.engine.fairness import commitment, seed_of
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat

PACKAGE = Path(krig.__file__).parent
RULES = (PACKAGE / "engine" / "RULES.md").read_text()
SOURCES = {path: path.read_text() for path in PACKAGE.rglob("*.py")}


def rows(begin: str) -> list[list[str]]:
    """The cells of every row whose first one begins so."""
    lines = [line for line in RULES.splitlines() if line.startswith(f"| {begin}")]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def test_every_decision_and_section_that_the_code_names_is_there() -> None:
    decisions = {cells[0] for cells in rows("R")}
    assert decisions == {f"R{n}" for n in range(1, 27)}
    for path, text in SOURCES.items():
        assert set(re.findall(r"\bR\d+\b", text)) <= decisions, path
        for section in re.findall(r"RULES\s+section (\d)", text):
            assert re.search(rf"^## {section}\. ", RULES, re.M), (path, section)


def test_every_rule_and_choice_is_explained() -> None:
    told = set(re.findall(r"`(\w+)`", RULES))
    for rule in fields(Rules):
        assert rule.name in told, rule.name
        if isinstance(rule.default, str):
            assert set(type(rule.default)) <= told, rule.name  # type: ignore[call-overload]


def test_the_presets_are_those_of_the_table() -> None:
    (heads,) = rows("| `krig")
    names = [re.findall(r"`(\w+)`", head) for head in heads]
    for rule in fields(Rules):
        for cells in rows(f"`{rule.name}` |"):
            for presets, cell in zip(names, cells[1:], strict=True):
                values = cell.replace("`", "").split(", ")
                for preset, value in zip(presets, values * 2, strict=False):
                    mine = getattr(PRESETS[preset], rule.name)
                    assert str(mine or "none") == value, (preset, rule.name)


def test_the_example_of_a_fair_deal_comes_out() -> None:
    ((_, game),) = rows("game id")
    ((_, server),) = rows("server's nonce")
    ((_, told),) = rows("commitments")
    game_id = bytes.fromhex(game.strip("`"))
    nonce = bytes.fromhex(server.strip("`"))
    nonces = {Seat(0): b"\1" * 32, Seat(1): b"\2" * 32}
    made = [commitment(game_id, None, nonce)]
    made += [commitment(game_id, seat, nonces[seat]) for seat in nonces]
    assert re.findall(r"`(\w+)`", told) == [c.hex() for c in made]
    seed = seed_of(game_id, nonce, nonces)
    assert rows("seed") == [["seed", f"`{seed}`"]]
    code = GameCode(PRESETS["krieg_40"], 2, seed)
    assert rows("code,")[0][1] == f"`{code}`"
