"""HTTP is for peers who finish what they begin."""

import asyncio
import gc
import json
import re
import weakref
from typing import Any

import pytest

from krig.protocol.limits import Limits
from krig.transport.http import HttpProtocol
from krig.transport.protocol import RoomProtocol
from tests.host.stage import settle
from tests.hostile.raw import CLOSE, PING, PONG, Raw, frame
from tests.transport.served import opened_room, served

QUICK = Limits(hello_seconds=0.3)
HURRY = 15.0
"""Nothing is waited for any longer (s): behind that the kernel gives a peer up."""

WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"


class Ear:
    """Knows what the server has heard, and on which connection."""

    def __init__(self) -> None:
        self.line: HttpProtocol
        """The one that heard something last."""
        self._heard = asyncio.Queue[bytes]()

    def hear(self, line: HttpProtocol, data: bytes) -> None:
        """The server took these bytes."""
        self.line = line
        self._heard.put_nowait(data)

    async def told(self, raw: Raw, said: bytes) -> HttpProtocol:
        """Send something, and wait until it was heard."""
        raw.send(said)
        while await self._heard.get() != said:
            pass
        return self.line


@pytest.fixture
def ear(monkeypatch: pytest.MonkeyPatch) -> Ear:
    """Listen at every connection to come."""
    it, take = Ear(), HttpProtocol.data_received

    def data_received(line: HttpProtocol, data: bytes) -> None:
        take(line, data)
        it.hear(line, data)

    monkeypatch.setattr(HttpProtocol, "data_received", data_received)
    return it


def due(line: HttpProtocol) -> float | None:
    """When it is cut off, unless its request is whole (s, of the loop)."""
    timer = line._due._timer
    return None if timer is None else timer.when()


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET / HT", id="half-a-line"),
        pytest.param(WHOLE[:-2], id="half-the-headers"),
        pytest.param(WHOLE + WHOLE[:-2], id="half-of-the-second"),
        pytest.param(POST, id="no-body"),
        pytest.param(POST + b"{", id="half-the-body"),
    ],
)
async def test_a_request_that_does_not_end_is_cut_off(begun: bytes) -> None:
    async with served(limits=QUICK) as server, asyncio.timeout(HURRY):
        server.config.timeout_keep_alive = round(2 * HURRY)  # so that it is not that
        raw = await Raw.connect(server.port)
        raw.send(begun)
        await raw.gone()
        await raw.leave()


@pytest.mark.parametrize("more", [b"X", b"X-A: b\r\n"], ids=["line", "headers"])
async def test_a_byte_now_and_then_gains_no_time(more: bytes, ear: Ear) -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        first = due(await ear.told(raw, WHOLE[:-2]))
        assert first is not None
        for _ in range(3):
            assert due(await ear.told(raw, more)) == first
        await raw.leave()


async def test_a_body_has_a_time_of_its_own(ear: Ear) -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        headers = due(await ear.told(raw, POST[:-2]))
        body = due(await ear.told(raw, POST[-2:]))
        assert headers is not None
        assert body is not None
        assert headers < body
        await raw.leave()


async def test_whole_requests_are_answered_as_long_as_they_come(ear: Ear) -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        for _ in range(3):
            line = await ear.told(raw, WHOLE[:-2])
            assert due(line) is not None
            await ear.told(raw, WHOLE[-2:])
            head = await raw.reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head
            await raw.reader.readuntil(b"}")
            assert due(line) is None
        await raw.leave()


KEY = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
MANY = b"".join(b"X%d: x\r\n" % n for n in range(200))
SOCKET = (
    b"GET /ws HTTP/1.1\r\nHOST: localhost\r\nConnection: keep-alive, Upgrade\r\n"
    b"uPGRADE: websocket\r\n" + KEY + b"SEC-WEBSOCKET-PROTOCOL: krig.1\r\n"
)


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        pytest.param(b"", b"101", id="as-it-should-be"),
        pytest.param(b"Origin: http://localhost\r\n", b"101", id="own-origin"),
        pytest.param(b"ORIGIN: http://evil.example\r\n", b"403", id="foreign-origin"),
        pytest.param(b"Host: evil.example\r\n", b"4", id="two-hosts"),
        pytest.param(b"X: " + b"x" * 9_000 + b"\r\n", b"431", id="a-long-header"),
        pytest.param(MANY, b"431", id="many-headers"),
    ],
)
@pytest.mark.parametrize("at", [None, 40], ids=["in-one-piece", "in-two"])
async def test_a_socket_is_asked_for_in_one_piece_or_more(
    at: int | None, more: bytes, answer: bytes, ear: Ear
) -> None:
    """In one piece it is answered at once, else by the application's route."""
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        asked = SOCKET + more + b"\r\n"
        if at is not None:
            await ear.told(raw, asked[:at])
        raw.send(asked[at or 0 :])
        head = await raw.reader.readuntil(b"\r\n")
        assert head.startswith(b"HTTP/1.1 " + answer)
        if answer == b"101":
            assert b"krig.1" in await raw.reader.readuntil(b"\r\n\r\n")
            [line] = server.server_state.connections
            assert isinstance(line, RoomProtocol)
            assert (line._entrance is None) == (at is not None)
        else:
            await raw.gone()
        await raw.leave()


@pytest.mark.parametrize(
    ("settings", "host", "answer"),
    [
        pytest.param({"require_origin": True}, b"localhost", b"403", id="no-origin"),
        pytest.param({}, b"also.example", b"421", id="another-name"),
        pytest.param(
            {"allowed_hosts": "also.example"}, b"also.example", b"101", id="a-set-name"
        ),
    ],
)
@pytest.mark.parametrize("at", [0, 40], ids=["in-one-piece", "in-two"])
async def test_who_may_have_a_socket_is_set(
    at: int, settings: dict[str, Any], host: bytes, answer: bytes, ear: Ear
) -> None:
    async with served(**settings) as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        asked = SOCKET.replace(b"localhost", host) + b"\r\n"
        if at:
            await ear.told(raw, asked[:at])
        raw.send(asked[at:])
        assert (await raw.reader.readuntil(b"\r\n")).startswith(b"HTTP/1.1 " + answer)
        await raw.leave()


async def test_a_server_that_stops_opens_no_socket_any_more() -> None:
    async with served() as server, asyncio.timeout(HURRY):
        late, slow = await Raw.connect(server.port), await Raw.open(server.port)
        await settle()
        server.should_exit = True
        while (await slow.hear())[0] != CLOSE:
            pass
        late.send(SOCKET + b"\r\n")
        assert await late.reader.read() == b""
        slow.send(frame(b"\x11\x3a", CLOSE))
        await late.leave()
        await slow.leave()


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(SOCKET + b"Content-Length: 2\r\n", id="a-body"),
        pytest.param(SOCKET + MANY, id="many-headers"),
        pytest.param(SOCKET.replace(b"AA==", b"A=="), id="no-key"),
        pytest.param(SOCKET + b"Origin: http://evil.example\r\n", id="foreign-origin"),
    ],
)
async def test_who_asks_wrongly_is_forgotten_without_a_collection_of_garbage(
    asked: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[weakref.ref[object]] = []
    made = RoomProtocol.connection_made

    def connection_made(line: RoomProtocol, transport: asyncio.BaseTransport) -> None:
        kept.extend((weakref.ref(line), weakref.ref(line.conn)))
        made(line, transport)

    monkeypatch.setattr(RoomProtocol, "connection_made", connection_made)
    async with served() as server, asyncio.timeout(HURRY):
        gc.collect()
        gc.disable()
        try:
            raw = await Raw.connect(server.port)
            raw.send(asked + b"\r\n")
            await raw.gone()
            await raw.leave()
            await settle()
            assert [each() for each in kept] == [None] * 2
        finally:
            gc.enable()


PROXIED = b"10.1.1.1, 93.184.216.34"


@pytest.mark.parametrize(
    ("trusted", "said", "address"),
    [
        pytest.param("127.0.0.1/32", PROXIED, "93.184.216.34", id="a-proxy"),
        pytest.param("127.0.0.1/32", b"", "127.0.0.1", id="a-proxy-that-says-nothing"),
        pytest.param("10.0.0.0/8", PROXIED, "127.0.0.1", id="another-one"),
        pytest.param("", PROXIED, "127.0.0.1", id="nobody"),
    ],
)
async def test_a_socket_comes_from_where_a_proxy_says_that_is_trusted(
    trusted: str, said: bytes, address: str
) -> None:
    async with served(trusted_proxies=trusted) as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        raw.send(SOCKET + b"X-Forwarded-For: " + said + b"\r\n\r\n")
        await raw.reader.readuntil(b"\r\n\r\n")
        [line] = server.server_state.connections
        assert isinstance(line, RoomProtocol)
        assert line._address == address
        await raw.leave()


@pytest.mark.parametrize("more", [b"no header at all", b"Content-Length: 2"])
async def test_a_socket_asked_for_in_nonsense_is_let_go_of(more: bytes) -> None:
    """The first is none for HTTP, the second for a socket alone."""
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        raw.send(SOCKET + more + b"\r\n\r\n")
        head = await raw.reader.readuntil(b"\r\n")
        assert head == b"HTTP/1.1 400 Bad Request\r\n"
        await raw.gone()
        await raw.leave()


@pytest.mark.parametrize("at", [0, 40], ids=["in-one-piece", "in-two"])
async def test_a_socket_outlives_the_time_for_its_request(at: int, ear: Ear) -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        asked = SOCKET + b"\r\n"
        if at:
            assert due(await ear.told(raw, asked[:at])) is not None
        assert due(await ear.told(raw, asked[at:])) is None
        await raw.reader.readuntil(b"\r\n\r\n")
        [line] = server.server_state.connections
        assert isinstance(line, RoomProtocol)
        hello = {"type": "hello", "protocol": 1, "room": await opened_room(server)}
        raw.send(frame(json.dumps({**hello, "token": None})))
        assert b"welcome" in (await raw.hear())[1]
        raw.send(frame("", PING))
        while (await raw.hear())[0] != PONG:
            pass
        await raw.leave()


async def test_a_socket_asked_for_inside_another_request_is_none(ear: Ear) -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        await ear.told(raw, WHOLE[:-2] + b"X: ")
        raw.send(SOCKET + b"\r\n")
        head = await raw.reader.readuntil(b"\r\n")
        assert b" 101 " not in head
        await raw.leave()


async def test_nonsense_behind_an_answer_leaves_no_traceback(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    asked = POST.replace(b"Content-Length: 2", b"Transfer-Encoding: chunked")
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port)
        raw.send(asked.replace(b"Host: localhost", b"Host: evil.example"))
        assert b" 421 " in await raw.reader.readuntil(b"\r\n\r\n")
        raw.send(b"zzz\r\n\r\n")
        await raw.gone()
        await raw.leave()
    assert not [record for record in caplog.records if record.exc_info]
    assert "Traceback" not in "".join(capfd.readouterr())


async def test_connections_are_counted_until_they_become_sockets(ear: Ear) -> None:
    async with served(limits=Limits(sockets=3)) as server, asyncio.timeout(HURRY):
        asking = [await Raw.connect(server.port) for _ in range(3)]
        for raw in asking:
            raw.send(WHOLE)
            assert b" 200 " in await raw.reader.readuntil(b"\r\n\r\n")
        late = await Raw.connect(server.port)
        assert b" 503 " in await late.reader.readuntil(b"\r\n\r\n")
        await late.gone()
        await asking.pop().leave()
        await settle()
        for pieces in ([SOCKET + b"\r\n"], [SOCKET, b"\r\n"]):
            raw = await Raw.connect(server.port)
            for piece in pieces:
                await ear.told(raw, piece)
            assert b" 101 " in await raw.reader.readuntil(b"\r\n\r\n")
            asking.append(raw)
        raw = await Raw.connect(server.port)
        raw.send(WHOLE)
        assert b" 200 " in await raw.reader.readuntil(b"\r\n\r\n")
        for left in (*asking, raw, late):
            await left.leave()


LONG = b"GET /client-x/later.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
SLOW = Limits(stall_seconds=1)


async def test_who_takes_an_answer_slowly_gets_it_whole(ear: Ear) -> None:
    limits = Limits(stall_seconds=2 * HURRY)
    async with served(limits=limits) as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port, receive_buffer=4096)
        line = await ear.told(raw, LONG * 8)
        slowly = 0
        for _ in range(8):
            head = await raw.reader.readuntil(b"\r\n\r\n")
            left = int(re.findall(rb"content-length: (\d+)", head)[0])
            while left:
                before = line.transport.get_write_buffer_size()
                left -= len(await raw.reader.readexactly(min(left, 4096)))
                if line._stall and line.transport.get_write_buffer_size() < before:
                    slowly += 1
                    line._stall.cancel()
                    line._expect_progress(before)  # its time is up
        assert slowly > 3
        await raw.leave()


async def test_an_answer_that_nobody_takes_is_not_kept() -> None:
    async with served(limits=SLOW) as server, asyncio.timeout(HURRY):
        raw = await Raw.connect(server.port, receive_buffer=4096)
        raw.send(LONG * 8)
        await raw.reader.readexactly(1)
        [line] = server.server_state.connections
        assert isinstance(line, HttpProtocol)
        await line.crowd.is_gone()
        await raw.leave()
