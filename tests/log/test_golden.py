"""Rooms that an older Krig stored lead to where they led then, for ever."""

import json

import pytest

from krig.log.codec import TAGS, decode
from krig.room.facts import SCHEMA
from tests.log.golden import FOLDER, end_of, stored

NAMES = sorted(path.name.removesuffix(".jsonl") for path in FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_room_folds_to_its_recorded_end(name: str) -> None:
    ends = json.loads((FOLDER / f"{name}.end.json").read_text("utf-8"))
    found = end_of([decode(line) for line in stored(name)])
    assert len(found) == len(ends)
    for now, then in zip(found, ends, strict=True):
        for key in ("v", "epoch", "tokens", "dead"):
            assert now[key] == then[key]
        # What a later Krig tells besides is its affair; what it told, it tells.
        assert _kept(now["view"], then["view"]) == then["view"]
        assert _kept(now["record"], then["record"]) == then["record"]


def _kept(now: object, then: object) -> object:
    """Of what is told now, what was told then."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: _kept(now[key], then[key]) for key in then if key in now}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [_kept(a, b) for a, b in zip(now, then, strict=True)]
    return now


def test_every_kind_of_fact_of_this_schema_is_in_one() -> None:
    kinds = {
        type(fact)
        for name in NAMES
        for line in stored(name)
        for fact in decode(line).facts
    }
    assert {TAGS[kind] for kind in TAGS} == {TAGS[kind] for kind in kinds}


def test_they_are_of_every_schema_there_has_been() -> None:
    schemas = {json.loads(line)["schema"] for name in NAMES for line in stored(name)}
    assert schemas == set(range(1, SCHEMA + 1))
