"""The records that the client is tested with are those that this server makes."""

import json

import pytest

from krig.room.verify import verify
from tests.room.records import FILE, written

RECORDS = json.loads(FILE.read_text("utf-8"))


def test_the_stored_records_are_what_the_server_makes() -> None:
    assert FILE.read_text("utf-8") == written(), "python -m tests.room.records"


@pytest.mark.parametrize("name", list(RECORDS))
def test_each_of_them_holds(name: str) -> None:
    verify(RECORDS[name])
    if name == "repeated":
        assert RECORDS[name]["outcome"]["ending"] == "repetition"
