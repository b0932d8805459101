"""Room codes: read out by one, typed by another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krig.errors import InvalidRoomCode
from krig.room.code import ALPHABET, draw_room_code, parse_room_code


@pytest.mark.parametrize(
    ("typed", "code"),
    [("kro7l", "KR071"), (" KR-071 ", "KR071"), ("u2i4o", "V2140"), ("bcdf", "BCDF")],
)
def test_a_code_is_read_as_people_type_it(typed: str, code: str) -> None:
    assert parse_room_code(typed) == code


@pytest.mark.parametrize("typed", ["", "BCD", "BCDFGHJKM", "BCDF!", "BCDFÉ", "ABCDF"])
def test_what_no_room_can_have_is_refused(typed: str) -> None:
    with pytest.raises(InvalidRoomCode):
        parse_room_code(typed)


@given(st.binary(min_size=12, max_size=12), st.integers(5, 6))
def test_a_drawn_code_reads_as_itself(chance: bytes, length: int) -> None:
    code = draw_room_code(chance, length)
    if code is not None:
        assert len(code) == length
        assert set(code) <= set(ALPHABET)
        assert parse_room_code(code.lower()) == code


def test_an_unfortunate_code_is_drawn_again() -> None:
    letters = [ALPHABET.index(sign) for sign in "B88CD"]
    assert draw_room_code(b"".join(n.to_bytes(2) for n in letters)) is None
