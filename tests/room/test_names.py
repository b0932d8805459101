"""What a player may be called."""

import pytest

from krig.errors import InvalidName
from krig.room.names import bot_name, parse_name, same_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("Kari", "Kari", id="plain"),
        pytest.param("  Kari\t", "Kari", id="stripped"),
        pytest.param("Kari   Nordmann", "Kari Nordmann", id="single-blanks"),
        pytest.param("A\u030ase", "Åse", id="composed"),
        pytest.param("Nguyễn", "Nguyễn", id="vietnamese"),
        pytest.param("नमस्ते", "नमस्ते", id="devanagari"),
        pytest.param("👍🏽", "👍🏽", id="skin-tone"),
        pytest.param("x" * 20, "x" * 20, id="twenty-signs"),
        pytest.param("🂡" * 16, "🂡" * 16, id="sixty-four-bytes"),
        pytest.param("<b>&amp;", "<b>&amp;", id="markup-is-only-text"),
    ],
)
def test_a_name_is_one_line_of_visible_signs(text: str, name: str) -> None:
    assert parse_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(" \u3000", id="blank"),
        pytest.param("a\nb", id="two-lines"),
        pytest.param("a\x00b", id="control"),
        pytest.param("a\u202eb", id="bidi"),
        pytest.param("a\u200bb", id="zero-width"),
        pytest.param("\u3164", id="filler"),
        pytest.param("\u0301a", id="begins-with-a-mark"),
        pytest.param("a\u0330\u0331\u0332", id="stacked-marks"),
        pytest.param("\ue000", id="private"),
        pytest.param("\U000e0fff", id="unassigned"),
        pytest.param("\ud800", id="lone-surrogate"),
        pytest.param("x" * 21, id="twenty-one-signs"),
        pytest.param("🂡" * 16 + "x", id="sixty-five-bytes"),
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidName):
        parse_name(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kari", "kARI"),
        ("Kari", "ＫＡＲＩ"),
        ("Straße", "STRASSE"),
        ("ﬁnn", "Finn"),
        ("Kari N", "Kari\u00a0N"),
        ("K\u2009N", "K N"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert same_name(one, other)
    assert not same_name(one, other + "a")


def test_a_computer_player_has_a_name_that_nobody_has() -> None:
    taken: tuple[str, ...] = ("åse", "ＢＯ")
    for _ in range(3):
        taken = (*taken, bot_name(taken))
    assert taken[2:] == ("Clara", "Dag", "Ella")
