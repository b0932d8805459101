"""What a slow viewer costs has an end, and only what a snapshot says is left out."""

import pytest

from krig.protocol.codec import encode_ack, encode_presence, encode_you
from krig.protocol.limits import Limits
from krig.transport.outbox import Outbox

MOST_MESSAGES, MOST_SIGNS = Limits().outbox_messages, Limits().outbox_signs


def filled(*texts: str) -> Outbox:
    box = Outbox()
    for text in texts:
        box.put(text)
    return box


@pytest.mark.parametrize(
    ("texts", "is_over"),
    [
        pytest.param(["x"] * MOST_MESSAGES, False, id="64-messages"),
        pytest.param(["x"] * (MOST_MESSAGES + 1), True, id="65-messages"),
        pytest.param(["x" * MOST_SIGNS], False, id="256-KiB"),
        pytest.param(["x" * MOST_SIGNS, "x"], True, id="256-KiB-and-one"),
    ],
)
def test_it_is_over_behind_its_limits(texts: list[str], is_over: bool) -> None:
    box = filled(*texts)
    assert box.is_over is is_over
    box.take()
    assert not box.is_over


def test_thinned_it_keeps_what_is_only_for_this_viewer_in_order() -> None:
    box = filled(encode_you(1), encode_presence(3), encode_ack(1, 7), encode_ack(2, 8))
    box.thin()
    assert [box.take() for _ in range(4)] == [
        encode_you(1),
        encode_ack(1, 7),
        encode_ack(2, 8),
        None,
    ]
    assert not box.is_over
