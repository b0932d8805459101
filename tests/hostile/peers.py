"""Peers that no page would be, one function for each row, and how each must end.

Rule 1: what a peer's connection ended with is returned, and is one of `ENDS`.
Rule 2: traffic is on loopback, and each peer stops by itself.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from tests.hostile.messages import NASTY
from tests.hostile.raw import (
    BINARY,
    CONTINUED,
    CUT_OFF,
    PING,
    TEXT,
    UPGRADE,
    Raw,
    frame,
)

ANSWERED, FORBIDDEN, MISDIRECTED = 200, 403, 421
GIVE_UP: Final = 20.0
"""A peer that is not sent away within so many seconds (s) was forgotten."""


@dataclass(frozen=True)
class Ground:
    """Where peers go."""

    port: int
    lobby: str
    """A room in which nothing may happen."""
    table: str
    """One where others play, so that there is much to hear."""


Peer = Callable[[Ground], Awaitable[int]]


def hello(room: str) -> bytes:
    return frame(f'{{"type":"hello","protocol":1,"room":"{room}"}}')


def sends(*frames: bytes) -> Peer:
    """A peer that says hello and then all this, and waits for the end."""

    async def peer(ground: Ground) -> int:
        raw = await Raw.open(ground.port)
        try:
            raw.send(hello(ground.lobby), *frames)
            return await raw.closed()
        finally:
            await raw.leave()

    return peer


async def is_silent(ground: Ground) -> int:
    raw = await Raw.open(ground.port)
    try:
        return await raw.closed()
    finally:
        await raw.leave()


async def says_half_a_request(ground: Ground) -> int:
    raw = await Raw.connect(ground.port)
    try:
        raw.send(b"GET /ws HTTP/1.1\r\nHost: local")
        await raw.gone()
        return CUT_OFF
    finally:
        await raw.leave()


async def drips_headers(ground: Ground) -> int:
    raw = await Raw.connect(ground.port)
    gone = asyncio.create_task(raw.gone())
    try:
        raw.send(b"GET /ws HTTP/1.1\r\n")
        while not gone.done():
            raw.send(b"X-More: more\r\n")
            await asyncio.sleep(0.1)
        return CUT_OFF
    finally:
        await raw.leave()
        await gone


async def asks(ground: Ground, host: str, more: str) -> int:
    raw = await Raw.connect(ground.port)
    try:
        raw.send(UPGRADE.format(host=host, more=more).encode())
        return int((await raw.reader.readuntil(b"\r\n")).split()[1])
    finally:
        await raw.leave()


async def is_foreign(ground: Ground) -> int:
    return await asks(ground, "127.0.0.1", "Origin: http://evil.example\r\n")


async def is_null(ground: Ground) -> int:
    return await asks(ground, "127.0.0.1", "Origin: null\r\n")


async def rebinds(ground: Ground) -> int:
    return await asks(ground, "evil.example", "")


async def is_dead(ground: Ground) -> int:
    """Watches a table and then neither reads nor writes, like a phone in a lift."""
    raw = await Raw.open(ground.port, receive_buffer=4096)
    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
    raw.send(hello(ground.table))
    try:
        await asyncio.sleep(6)
        raw.writer.transport.resume_reading()  # type: ignore[attr-defined]
        return await raw.closed()
    finally:
        await raw.leave()


async def reads_slowly(ground: Ground) -> int:
    """Watches a table over a line that carries a few bytes; it answers pings."""
    raw = await Raw.open(ground.port, receive_buffer=4096)
    raw.send(hello(ground.table))
    try:
        for _ in range(60):
            raw.send(frame('{"type":"pong"}'))
            await raw.reader.read(100)
            await asyncio.sleep(0.1)
    except OSError:
        return CUT_OFF
    finally:
        await raw.leave()
    return CUT_OFF


async def pings_and_does_not_read(ground: Ground) -> int:
    raw = await Raw.open(ground.port, receive_buffer=4096)
    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
    try:
        while not raw.writer.transport.is_closing():
            raw.send(*[frame("x" * 125, PING)] * 50)
            await asyncio.wait_for(raw.writer.drain(), 5)
            await asyncio.sleep(0)
        return CUT_OFF
    except (OSError, TimeoutError):
        return CUT_OFF
    finally:
        await raw.leave()


async def floods(ground: Ground) -> int:
    """Sends as fast as it can, whatever it is told."""
    raw = await Raw.open(ground.port)
    raw.send(hello(ground.lobby))
    end = asyncio.create_task(raw.closed())
    try:
        while not end.done() and not raw.writer.transport.is_closing():
            raw.send(*[frame('{"type":"resync"}')] * 100)
            await raw.writer.drain()
            await asyncio.sleep(0)
        return await end
    except OSError:
        return await end
    finally:
        await raw.leave()


def says(text: str, code: str) -> Peer:
    """A peer that says one thing, which is refused by name, and goes on."""

    async def peer(ground: Ground) -> int:
        raw = await Raw.open(ground.port)
        try:
            raw.send(hello(ground.lobby), frame(text), frame('{"type":"ping"}'))
            heard: list[dict[str, object]] = []
            while not heard or heard[-1]["type"] != "pong":
                opcode, said = await raw.hear()
                assert opcode == TEXT
                heard.append(json.loads(said))
            errors = [m["code"] for m in heard if m["type"] == "error"]
            assert errors == [code], (text[:50], errors)
            return CUT_OFF
        finally:
            await raw.leave()

    return peer


BAD = "bad_message"


async def asks_for_ever(ground: Ground) -> int:
    """Ask for what is made for each who asks, and for what is dear to make."""
    reader, writer = await asyncio.open_connection("127.0.0.1", ground.port)
    room = f"/api/rooms/{ground.table}"
    paths = ("/", f"/r/{ground.table}/qr.svg", room, f"{room}/games/1")
    try:
        for path in paths * 25:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            [length] = re.findall(rb"content-length: (\d+)", head)
            await reader.readexactly(int(length))
            assert head.split()[1] in (b"200", b"409"), head
    finally:
        writer.close()
    return ANSWERED


ROWS: Final[dict[str, tuple[Peer, set[int]]]] = {
    "silence after connecting": (is_silent, {4401}),
    "half a request": (says_half_a_request, {CUT_OFF}),
    "headers drop by drop": (drips_headers, {CUT_OFF}),
    "a foreign Origin": (is_foreign, {FORBIDDEN}),
    "Origin null": (is_null, {FORBIDDEN}),
    "a foreign Host": (rebinds, {MISDIRECTED}),
    "dead": (is_dead, {CUT_OFF, 1001}),
    "slow": (reads_slowly, {CUT_OFF}),
    "pings without reading": (pings_and_does_not_read, {CUT_OFF}),
    "asks for ever": (asks_for_ever, {ANSWERED}),
    "a flood": (floods, {4408, CUT_OFF}),
    "16 fragments and one": (
        sends(frame("", fin=False), *[frame("", CONTINUED, fin=False)] * 16),
        {1009},
    ),
    "fragments without end": (
        sends(frame("", fin=False), *[frame("", CONTINUED, fin=False)] * 9000),
        {1009, CUT_OFF},
    ),
    "4097 bytes": (sends(frame("x" * 4097)), {1009}),
    "claims 2^62 bytes": (sends(frame("x", size=2**62)), {1009}),
    "binary": (sends(*[frame("x", BINARY)] * 10), {4400, 4408}),
    "no UTF-8": (sends(frame(b'{"type":"\xff"}')), {1007}),
    "compressed": (sends(frame("x", rsv=4)), {1002}),
    "not masked": (sends(frame("x", masked=False)), {1002}),
    "ten unreadable": (sends(*[frame("?")] * 10), {4400, 4408}),
    **{
        f"nasty: {text[:30]}": (says(text, BAD), {CUT_OFF})
        for text in NASTY
        if len(text) < 4096
    },
}
"""Every row, and what may become of a connection like that."""


async def let_loose(name: str, ground: Ground) -> int:
    """Be one peer; return what it ended with.

    Raises:
        AssertionError: it ended otherwise than its row says, or not at all.
    """
    peer, ends = ROWS[name]
    try:
        async with asyncio.timeout(GIVE_UP):
            end = await peer(ground)
    except TimeoutError:
        raise AssertionError(f"{name}: nobody sent it away") from None
    assert end in ends, f"{name}: it ended with {end}, not {ends}"
    return end
