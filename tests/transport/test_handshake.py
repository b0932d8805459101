"""A handshake is answered at once if it is as browsers ask, and not otherwise."""

import base64
import hashlib

import pytest

from krig.transport.handshake import FIELDS, HEAD_BYTES, opening

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
"""Of the example in RFC 6455, 1.3."""

PLAIN = f"""GET /ws HTTP/1.1
Host: krig.lan:8000
Connection: Upgrade
Upgrade: websocket
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: {KEY}
Sec-WebSocket-Protocol: krig.1
"""

CHROMIUM = f"""GET /ws HTTP/1.1
Host: krig.lan:8000
Connection: Upgrade
Pragma: no-cache
Cache-Control: no-cache
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)
Upgrade: websocket
Origin: http://krig.lan:8000
Sec-WebSocket-Version: 13
Accept-Encoding: gzip, deflate
Accept-Language: nb-NO,nb;q=0.9
Sec-WebSocket-Key: {KEY}
Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits
Sec-WebSocket-Protocol: krig.1
"""

FIREFOX = f"""GET /ws HTTP/1.1
Host: krig.lan:8000
User-Agent: Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0
Accept: */*
Accept-Language: de,en-US;q=0.7,en;q=0.3
Accept-Encoding: gzip, deflate
Sec-WebSocket-Version: 13
Origin: http://krig.lan:8000
Sec-WebSocket-Protocol: krig.1
Sec-WebSocket-Extensions: permessage-deflate
Sec-WebSocket-Key: {KEY}
Connection: keep-alive, Upgrade
Pragma: no-cache
Cache-Control: no-cache
Upgrade: websocket
"""


def head(lines: str) -> bytes:
    return lines.replace("\n", "\r\n").encode() + b"\r\n"


def without(name: str) -> str:
    return "".join(line for line in PLAIN.splitlines(True) if not line.startswith(name))


def many(fields: int) -> str:
    """The plain head with so many in all."""
    return PLAIN + "".join(f"X{n}: \n" for n in range(fields - 6))


def answer(data: bytes) -> bytes | None:
    asked = opening(data)
    return None if asked is None else asked.answer


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(PLAIN, id="plain"),
        pytest.param(CHROMIUM, id="chromium"),
        pytest.param(FIREFOX, id="firefox"),
        pytest.param(PLAIN.replace("websocket", "WebSocket"), id="capitals"),
        pytest.param(PLAIN.replace("krig.1", "krig.2, krig.1"), id="two-protocols"),
        pytest.param(many(FIELDS), id="many-fields"),
    ],
)
def test_what_browsers_ask_is_answered(lines: str) -> None:
    magic = f"{KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()
    accepted = base64.b64encode(hashlib.sha1(magic).digest()).decode()
    assert accepted == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert answer(head(lines)) == head(
        "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n"
        f"Sec-WebSocket-Accept: {accepted}\nSec-WebSocket-Protocol: krig.1\n"
    )


@pytest.mark.parametrize("offered", ["Sec-WebSocket-Protocol: krig.10\n", ""])
def test_a_protocol_that_nobody_offered_is_not_chosen(offered: str) -> None:
    told = answer(head(without("Sec-WebSocket-Protocol") + offered))
    assert told is not None
    assert b"Protocol:" not in told


def test_a_field_is_what_stands_behind_its_name() -> None:
    asked = opening(head(CHROMIUM))
    assert asked is not None
    assert asked.fields["host"] == "krig.lan:8000"
    assert asked.fields["origin"] == "http://krig.lan:8000"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(head(PLAIN)[:-1], id="an-end-that-is-none"),
        pytest.param(head(PLAIN) + b"\x81", id="more-behind-it"),
        pytest.param(head(PLAIN).replace(b"\r\n", b"\n"), id="bare-newlines"),
        pytest.param(head(PLAIN.replace("GET", "POST")), id="another-verb"),
        pytest.param(head(PLAIN.replace("1.1", "1.0")), id="an-older-http"),
        pytest.param(head(PLAIN.replace("/ws", "/ws/")), id="another-path"),
        pytest.param(head(PLAIN + "Host: b\n"), id="two-hosts"),
        pytest.param(head(PLAIN + "X: a\n b\n"), id="a-folded-line"),
        pytest.param(head(PLAIN + "X : a\n"), id="a-space-before-the-colon"),
        pytest.param(head(PLAIN + "X: æ\n"), id="no-ascii"),
        pytest.param(head(PLAIN + "X: \0\n"), id="nul"),
        pytest.param(head(PLAIN + "X: a\rb\n"), id="a-bare-return"),
        pytest.param(head(PLAIN + "nothing\n"), id="no-field"),
        pytest.param(head(PLAIN + ": a\n"), id="no-name"),
        pytest.param(head(PLAIN + "Content-Length: 1\n"), id="a-body"),
        pytest.param(head(PLAIN + "Transfer-Encoding: x\n"), id="a-body-in-pieces"),
        pytest.param(head(PLAIN + f"X: {'x' * HEAD_BYTES}\n"), id="long"),
        pytest.param(head(many(FIELDS + 1)), id="too-many"),
        pytest.param(head(without("Upgrade")), id="no-upgrade"),
        pytest.param(head(PLAIN.replace(": websocket", ": h2c")), id="other-upgrade"),
        pytest.param(head(PLAIN.replace("socket\n", "socket, h2c\n")), id="or-another"),
        pytest.param(head(without("Connection")), id="no-connection"),
        pytest.param(head(PLAIN.replace(": Upgrade", ": close")), id="to-be-closed"),
        pytest.param(head(PLAIN.replace(": Upgrade", ": xupgrade")), id="not-quite"),
        pytest.param(head(PLAIN.replace(": Upgrade", ": Upgrade, a b")), id="no-list"),
        pytest.param(head(PLAIN.replace("krig.1", "krig.1;x")), id="no-protocol"),
        pytest.param(head(PLAIN.replace("krig.1", "")), id="no-protocols"),
        pytest.param(head(without("Sec-WebSocket-Key")), id="no-key"),
        pytest.param(head(PLAIN.replace(KEY, KEY[4:])), id="a-short-key"),
        pytest.param(head(PLAIN.replace(KEY, f"{KEY} x")), id="more-than-a-key"),
        pytest.param(head(PLAIN.replace(KEY, "A" * 21 + "B==")), id="a-key-of-more"),
        pytest.param(head(PLAIN.replace("13", "12")), id="an-older-version"),
    ],
)
def test_anything_else_goes_the_long_way(data: bytes) -> None:
    assert answer(data) is None
