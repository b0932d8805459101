"""Frames are read whole or torn, and written as RFC 6455 wants them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from krig.transport.frames import end_of_frame, frame_of, small_text
from tests.hostile.raw import BINARY, PING, TEXT, frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4096, 65535, 65536, 70000])
def test_another_reader_reads_what_we_write(size: int) -> None:
    text = "æ" * (size // 2) + "x" * (size % 2)
    reader = StreamReader()
    reader.feed_data(frame_of(text))
    parser = Frame.parse(reader.read_exact, mask=False)
    with pytest.raises(StopIteration) as done:
        next(parser)
    assert done.value.value == Frame(Opcode.TEXT, text.encode(), True)


@given(st.binary(max_size=125), st.binary(max_size=3))
def test_a_small_text_is_unmasked(said: bytes, before: bytes) -> None:
    data = before + frame(said) + b"more"
    end = end_of_frame(data, len(before))
    assert end == len(data) - 4
    assert small_text(data, len(before), end) == said


@pytest.mark.parametrize("size", [0, 5, 125, 126, 4096])
def test_a_torn_frame_has_no_end_until_its_last_byte(size: int) -> None:
    whole = frame("x" * size)
    assert {end_of_frame(whole[:n], 0) for n in range(len(whole))} == {0}
    assert end_of_frame(whole, 0) == len(whole)


@pytest.mark.parametrize("claimed", [4097, 65536, 2**63 - 1])
def test_one_that_is_too_long_is_refused_by_its_first_bytes(claimed: int) -> None:
    begun = frame("x", size=claimed)
    assert end_of_frame(begun, 0) == len(begun)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(frame("x", BINARY), id="binary"),
        pytest.param(frame("x", PING), id="ping"),
        pytest.param(frame("x", fin=False), id="fragment"),
        pytest.param(frame("x", rsv=4), id="compressed"),
        pytest.param(frame("x", masked=False), id="not-masked"),
        pytest.param(frame("x" * 126, TEXT), id="not-small"),
    ],
)
def test_what_is_no_small_text_is_left_to_others(other: bytes) -> None:
    assert small_text(other, 0, len(other)) is None
