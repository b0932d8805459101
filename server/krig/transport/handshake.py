"""A socket's handshake, as browsers ask for it (RFC 6455, 4).

When a server comes back, thousands shake hands at once; by way of h11, ASGI and
websockets that was a third of what it costs to have somebody back.

Rule 1: only what is right beyond doubt is answered here. Whatever else comes, right or
wrong, goes that long way: the libraries know what to say to it.
"""

import re
from collections.abc import Mapping
from typing import Final

from websockets.utils import accept_key

from krig.protocol.messages import PROTOCOL

SUBPROTOCOL: Final = f"krig.{PROTOCOL}"

HEAD_BYTES: Final = 4096

ASKED: Final = re.compile(
    r"GET /ws HTTP/1\.1\r\n((?:[\w!#$%&'*+.^`|~-]+:[ -~]*\r\n)+)\r\n", re.ASCII
)
FIELD: Final = re.compile(r"([^:]+):([^\r]*)\r\n")
KEY: Final = re.compile(r"[A-Za-z0-9+/]{21}[AQgw]==")
"""Sixteen bytes in base64."""

BODY: Final = frozenset({"content-length", "transfer-encoding"})


def asked(data: bytes) -> Mapping[str, str] | None:
    r"""The fields of a request for our socket, by small names, if that is all of it.

    >>> asked(b"GET /ws HTTP/1.1\r\nHost: krig.lan\r\n\r\n")
    {'host': 'krig.lan'}
    """
    whole = ASKED.fullmatch(data.decode("latin-1")) if len(data) <= HEAD_BYTES else None
    if whole is None:
        return None
    pairs = FIELD.findall(whole[1])
    fields = {name.lower(): value.strip(" ") for name, value in pairs}
    return fields if len(fields) == len(pairs) and not fields.keys() & BODY else None


def answered(fields: Mapping[str, str]) -> bytes | None:
    """The answer that opens the socket; None: the libraries will have one."""
    key = fields.get("sec-websocket-key", "")
    if (
        fields.get("upgrade", "").lower() != "websocket"
        or "upgrade" not in _listed(fields.get("connection", "").lower())
        or fields.get("sec-websocket-version") != "13"
        or not KEY.fullmatch(key)
    ):
        return None
    lines = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Accept: {accept_key(key)}",
    ]
    if SUBPROTOCOL in _listed(fields.get("sec-websocket-protocol", "")):
        lines.append(f"Sec-WebSocket-Protocol: {SUBPROTOCOL}")
    return "\r\n".join((*lines, "", "")).encode()


def _listed(value: str) -> list[str]:
    return [each.strip(" ") for each in value.split(",")]
