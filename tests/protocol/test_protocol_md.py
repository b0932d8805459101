"""PROTOCOL.md tells no tales: its session, codes and messages are the real ones."""

import re
from importlib.resources import files
from typing import get_args

import pytest

from krig.app.compose import create_app
from krig.app.problems import CODES
from krig.app.settings import Settings
from krig.errors import KrigError, MessageTooBig
from krig.protocol import messages as wire
from krig.protocol.session import CloseCode

TEXT = (files("krig.protocol") / "PROTOCOL.md").read_text(encoding="utf-8")
SESSION = [line for line in TEXT.splitlines() if line[:2] in ("→ ", "← ")]

INNER = {
    *("error", "invalid", "refused", "log", "host"),  # branches of the tree
    *("conflict", "unknown", "unreadable_entry", "unfoldable"),  # never leave the host
    *("invalid_card", "record_differs"),  # of notation and of proofs
    *("cannot_start", "nobody_answers"),  # of the command line
}
"""Codes that no client ever sees."""


@pytest.mark.parametrize("line", SESSION, ids=lambda line: line[:30])
def test_the_session_is_one_that_could_be(line: str) -> None:
    model = wire.FROM_CLIENT if line[0] == "→" else wire.FROM_SERVER
    model.validate_json(line[2:])


def test_the_session_has_no_gap() -> None:
    heard = [wire.FROM_SERVER.validate_json(s[2:]) for s in SESSION if s[0] == "←"]
    versions = [m.v for m in heard if isinstance(m, wire.Snapshot | wire.Events)]
    assert versions == list(range(1, len(versions) + 1))
    assert len(versions) > 5


def codes(kind: type[KrigError]) -> set[str]:
    return {kind.code}.union(*(codes(sub) for sub in kind.__subclasses__()))


def test_every_error_that_a_client_can_meet_is_in_its_table() -> None:
    table = TEXT.partition("## Errors")[2].partition("## HTTP")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.M)) == codes(KrigError) - INNER


def test_every_code_and_way_of_http_is_in_its_section() -> None:
    section = TEXT.partition("## HTTP")[2].partition("\n## ")[0]
    codes = {*CODES.values(), "http_error"} - {MessageTooBig.code}
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.M)) == codes
    paths = create_app(Settings(log="memory:")).openapi()["paths"]
    told = set(re.findall(r"^\| `([A-Z]+ /api/[^`?]*)`", section, re.M))
    assert {way.replace("{n}", "{number}") for way in told} == {
        f"{method.upper()} {path}"
        for path, methods in paths.items()
        for method in methods
        if path.startswith("/api/")
    }


def test_every_close_code_is_in_its_table_and_on_its_side() -> None:
    rows = dict(re.findall(r"^\| (4\d\d\d) \|.*\| (.*) \|$", TEXT, re.M))
    assert set(rows) == {str(int(code)) for code in CloseCode}
    assert {int(c) for c, back in rows.items() if back == "no"} == {
        code for code in CloseCode if code >= 4500
    }


@pytest.mark.parametrize(
    "union", [wire.FromClient, wire.FromServer, wire.ToldEvent], ids=["↑", "↓", "told"]
)
def test_every_message_is_spoken_of(union: object) -> None:
    for model in get_args(get_args(union)[0]):
        [kind] = get_args(model.model_fields["type"].annotation)
        assert re.search(rf"`{kind}\b", TEXT), kind
