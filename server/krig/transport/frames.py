"""WebSocket frames as bytes (RFC 6455, 5.2), as far as the hot path needs them.

Everything that is not one small whole text frame is left to the `websockets` package.
"""

from functools import lru_cache
from typing import Final

from krig.protocol.limits import MESSAGE_BYTES

WHOLE_TEXT: Final = 0x81
"""First byte: the only frame of its message, and text."""

MASKED: Final = 0x80
"""Of the second byte: a client's frames carry a mask, a server's do not."""

SMALL: Final = 125
"""The longest payload whose length stands in the second byte."""


@lru_cache(256)
def frame_of(text: str) -> bytes:
    """The frame that carries a message: made once, however many are sent it.

    >>> frame_of("Krig").hex(" ")
    '81 04 4b 72 69 67'
    """
    payload = text.encode()
    size = len(payload)
    if size <= SMALL:
        return bytes((WHOLE_TEXT, size)) + payload
    if size < 1 << 16:
        return bytes((WHOLE_TEXT, 126)) + size.to_bytes(2) + payload
    return bytes((WHOLE_TEXT, 127)) + size.to_bytes(8) + payload


def end_of_frame(data: bytes, at: int) -> int:
    """Where the frame that begins at `at` ends; 0: not all of it is here.

    One that is longer than any message ends with what is here of it, so that it is
    refused by its first bytes.
    """
    head = at + 2
    if len(data) < head:
        return 0
    size = data[at + 1] & 0x7F
    if size > SMALL:
        more = 2 if size == 126 else 8
        if len(data) < head + more:
            return 0
        size = int.from_bytes(data[head : head + more])
        if size > MESSAGE_BYTES:
            return len(data)
        head += more
    end = head + size + (4 if data[at + 1] & MASKED else 0)
    return end if len(data) >= end else 0


def small_text(data: bytes, at: int, end: int) -> bytes | None:
    """What a small, whole, masked text frame says, unmasked; None: it is none."""
    if data[at] != WHOLE_TEXT or not MASKED <= data[at + 1] <= MASKED + SMALL:
        return None
    size = end - at - 6
    mask = data[at + 2 : at + 6] * (size // 4 + 1)
    said = int.from_bytes(data[at + 6 : end]) ^ int.from_bytes(mask[:size])
    return said.to_bytes(size)
