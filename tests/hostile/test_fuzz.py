"""Whatever is sent is answered by name; `make fuzz SIZE=10000000` is more of it."""

import json
from random import Random

import pytest

from tests.hostile.fuzz import a_room, hear, run
from tests.hostile.messages import HEX, NASTY, VALID, message


@pytest.mark.slow
def test_no_message_or_frame_is_answered_but_by_name() -> None:
    run(100_000, first=1)


def test_a_seed_says_the_same_again() -> None:
    one, other = Random(7), Random(7)
    assert [message(one) for _ in range(500)] == [message(other) for _ in range(500)]


@pytest.mark.parametrize("text", NASTY, ids=lambda text: text[:20])
def test_what_is_nasty_is_unreadable(text: str) -> None:
    assert hear(text, a_room()) in ("bad_message", "message_too_big")


def test_what_a_page_says_is_understood() -> None:
    """Else the fuzz would only ever see what cannot be read."""
    heard = {hear(json.dumps(said), a_room()) for said in VALID}
    assert "bad_message" not in heard
    assert "done" in heard


@pytest.mark.parametrize("rules", [{"war_down": HEX}, {HEX: 1}, {"order": HEX}])
def test_a_token_that_went_astray_is_not_repeated(rules: dict[str, object]) -> None:
    said = {"type": "rules", "rules": rules}
    assert hear(json.dumps(said), a_room()) == "invalid_rules"
