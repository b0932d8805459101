"""The schema in the repository is the one that the models make."""

import json
from importlib.resources import files

from krig.protocol.schema import schema


def test_the_stored_schema_is_up_to_date() -> None:
    stored = (files("krig.protocol") / "schema.json").read_text(encoding="utf-8")
    assert json.loads(stored) == json.loads(json.dumps(schema())), (
        "make it anew: python -m krig schema > server/krig/protocol/schema.json"
    )
