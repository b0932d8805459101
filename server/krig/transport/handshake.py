"""A socket's handshake, as browsers ask for it (RFC 6455, 4).

When a server comes back, thousands shake hands at once; by way of h11, ASGI and
websockets that was a third of what it costs to have somebody back.

Rule 1: only what is right beyond doubt is answered here. Whatever else comes, right or
wrong, goes that long way: the libraries know what to say to it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from websockets.utils import accept_key

from krig.protocol.messages import PROTOCOL

SUBPROTOCOL: Final = f"krig.{PROTOCOL}"

HEAD_BYTES: Final = 4096
FIELDS: Final = 64

TOKEN: Final = r"[\w!#$%&'*+.^`|~-]+"
ASKED: Final = re.compile(
    rf"GET /ws HTTP/1\.1\r\n((?:{TOKEN}:[ -~]*\r\n){{1,{FIELDS}}})\r\n", re.ASCII
)
FIELD: Final = re.compile(r"([^:]+):([^\r]*)\r\n")
LIST: Final = re.compile(rf"{TOKEN}(?: *, *{TOKEN})*", re.ASCII)
KEY: Final = re.compile(r"[A-Za-z0-9+/]{21}[AQgw]==")
"""Sixteen bytes in base64."""

BODY: Final = frozenset({"content-length", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class Opening:
    """A request that asks for our socket as it should."""

    fields: Mapping[str, str]
    """What it says, by names in small letters."""
    answer: bytes
    """What opens the socket."""


def opening(data: bytes) -> Opening | None:
    """Read a request for our socket, if that is what these bytes are, and no more."""
    fields = _fields(data)
    if fields is None:
        return None
    connection = _listed(fields.get("connection", "").lower())
    offered = fields.get("sec-websocket-protocol")
    protocols = [] if offered is None else _listed(offered)
    key = fields.get("sec-websocket-key", "")
    if (
        fields.get("upgrade", "").lower() != "websocket"
        or "upgrade" not in connection
        or (offered is not None and not protocols)
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
    if SUBPROTOCOL in protocols:
        lines.append(f"Sec-WebSocket-Protocol: {SUBPROTOCOL}")
    return Opening(fields, "\r\n".join((*lines, "", "")).encode())


def _fields(data: bytes) -> Mapping[str, str] | None:
    whole = ASKED.fullmatch(data.decode("latin-1")) if len(data) <= HEAD_BYTES else None
    if whole is None:
        return None
    pairs = FIELD.findall(whole[1])
    fields = {name.lower(): value.strip(" ") for name, value in pairs}
    return fields if len(fields) == len(pairs) and not fields.keys() & BODY else None


def _listed(value: str) -> list[str]:
    """The words of a list; none, if it is no such list."""
    is_list = LIST.fullmatch(value)
    return [each.strip(" ") for each in value.split(",")] if is_list else []
