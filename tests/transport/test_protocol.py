"""Our protocol class, byte by byte, at its limits and one beyond."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.frames import Frame

from krig.app.serve import Server
from krig.protocol.limits import Limits
from krig.protocol.session import CloseCode
from krig.transport import protocol
from krig.transport.connection import Connection
from krig.transport.protocol import RoomProtocol
from tests.host.stage import settle
from tests.hostile.raw import (
    BINARY,
    CLOSE,
    CONTINUED,
    CUT_OFF,
    PING,
    PONG,
    TEXT,
    Raw,
    frame,
)
from tests.transport.served import go_by_the_route, opened_room, served

QUICK = Limits(hello_seconds=0.3)
ALERT = Limits(heartbeat_seconds=0.4, silence_seconds=0.2)
HURRY = 15.0
"""Nothing is waited for any longer (s): behind that the kernel gives a peer up."""

PATIENT = Limits(stall_seconds=2 * HURRY)
"""So that who takes nothing is not cut off for that alone."""

LEAVE_SECONDS = 10.0
"""A server that is told to stop is gone by then (s)."""


@pytest.fixture(autouse=True, params=["at-once", "by-the-route"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How sockets are opened: what they do afterwards is the same."""
    if request.param == "by-the-route":
        go_by_the_route(monkeypatch)


@asynccontextmanager
async def watching(limits: Limits | None = None) -> AsyncIterator[tuple[Raw, Server]]:
    """A raw peer that has said hello and heard the whole view."""
    async with served(limits=limits or Limits(watcher_burst=20)) as server:
        raw = await Raw.open(server.port)
        try:
            async with asyncio.timeout(HURRY):
                await greet(raw, await opened_room(server))
                yield raw, server
        finally:
            await raw.leave()


async def greet(raw: Raw, room: str, **more: object) -> None:
    hello = {"type": "hello", "protocol": 1, "room": room, **more}
    raw.send(frame(json.dumps(hello)))
    while await kind(raw) != "presence":
        pass


async def message(raw: Raw) -> dict[str, Any]:
    opcode, said = await raw.hear()
    assert opcode == TEXT, (opcode, said)
    heard: dict[str, Any] = json.loads(said)
    return heard


async def kind(raw: Raw) -> str:
    return str((await message(raw))["type"])


async def until_pong(raw: Raw) -> None:
    while await kind(raw) != "pong":
        pass


ASK = '{"type":"ping"}'


async def test_frames_are_heard_however_they_are_torn() -> None:
    async with watching() as (raw, _):
        for byte in frame(ASK):
            raw.send(bytes((byte,)))
            await raw.writer.drain()
            await asyncio.sleep(0)
        await until_pong(raw)
        two = frame(ASK) + frame(ASK)
        raw.send(two[:-3])
        await until_pong(raw)
        raw.send(two[-3:] + frame("y", PING))
        assert await raw.hear() == (PONG, b"y")
        await until_pong(raw)


async def test_a_message_may_come_in_sixteen_fragments_with_a_ping_between() -> None:
    async with watching() as (raw, _):
        parts = [ASK[i : i + 1] for i in range(14)] + [ASK[14:], ""]
        raw.send(
            frame(parts[0], fin=False),
            *(frame(part, CONTINUED, fin=False) for part in parts[1:15]),
            frame("between", PING),
            frame(parts[15], CONTINUED),
        )
        assert await raw.hear() == (PONG, b"between")
        await until_pong(raw)
        raw.send(frame(ASK))
        await until_pong(raw)


async def test_seventeen_fragments_are_too_many() -> None:
    async with watching() as (raw, _):
        raw.send(
            frame("", fin=False),
            *(frame("", CONTINUED, fin=False) for _ in range(15)),
            frame("", CONTINUED),
        )
        assert await raw.closed() == 1009


async def test_twenty_pings_are_answered_and_one_more_cuts_the_line() -> None:
    async with watching() as (raw, _):
        raw.send(*(frame(bytes((n,)), PING) for n in range(20)))
        answers = [(await raw.hear()) for _ in range(20)]
        assert answers == [(PONG, bytes((n,))) for n in range(20)]
        raw.send(frame("more", PING))
        assert await raw.closed() == CUT_OFF


async def test_pongs_that_nobody_asked_for_are_counted_too() -> None:
    async with watching() as (raw, _):
        raw.send(*(frame("", PONG) for _ in range(21)))
        assert await raw.closed() == CUT_OFF


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param([frame("x" * 4097)], 1009, id="4097-bytes"),
        pytest.param([frame("x", size=2**63 - 1)], 1009, id="claims-2^63-bytes"),
        pytest.param(
            [frame("x" * 4000, fin=False), frame("x" * 97, CONTINUED)],
            1009,
            id="4097-bytes-in-two",
        ),
        pytest.param([frame(b"\xff")], 1007, id="bad-UTF-8"),
        pytest.param([frame("\ud800".encode(errors="surrogatepass"))], 1007, id="half"),
        pytest.param(
            [frame(b"\xc3", fin=False), frame(b"(", CONTINUED)], 1007, id="torn-UTF-8"
        ),
        pytest.param([frame("x", rsv=4)], 1002, id="compressed"),
        pytest.param([frame("x", masked=False)], 1002, id="not-masked"),
        pytest.param([frame("x", 3)], 1002, id="no-such-opcode"),
        pytest.param([frame("x", CONTINUED)], 1002, id="goes-on-from-nothing"),
        pytest.param([frame("x", fin=False), frame("x")], 1002, id="two-at-once"),
        pytest.param([frame("x" * 126, PING)], 1002, id="long-ping"),
        pytest.param([frame("x", PING, fin=False)], 1002, id="ping-in-fragments"),
        pytest.param([frame(b"\0", CLOSE)], 1002, id="half-a-close-code"),
        pytest.param([frame(b"\x03\xe8", CLOSE)], 1000, id="goodbye"),
        pytest.param([frame("x", BINARY)] * 10, CloseCode.BAD_MESSAGES, id="binary"),
        pytest.param([frame(ASK)] * 200, CloseCode.TOO_FAST, id="flood"),
    ],
)
async def test_what_no_page_sends_ends_it_by_name(
    sent: list[bytes], code: int, capfd: pytest.CaptureFixture[str]
) -> None:
    async with watching() as (raw, server):
        raw.send(*sent)
        assert await raw.closed() == code
        other = await Raw.open(server.port)
        await greet(other, await opened_room(server))
        await other.leave()
    assert "Traceback" not in "".join(capfd.readouterr())


async def test_4096_bytes_are_a_message() -> None:
    async with watching() as (raw, _):
        raw.send(frame(f'{{"type":"ping"{" " * 4081}}}'))
        await until_pong(raw)


async def test_what_was_sent_in_one_turn_is_one_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with watching() as (raw, server):
        writes: list[bytes] = []
        line = line_of(server)
        assert line._connection is not None

        class Pen:
            def __getattr__(self, name: str) -> Any:
                return getattr(transport, name)

            def write(self, data: bytes) -> None:
                writes.append(data)
                transport.write(data)

        transport = line.transport
        monkeypatch.setattr(line, "transport", Pen())
        line._connection.send('{"type":"one"}')
        line._connection.send('{"type":"two"}')
        line._connection.close(CloseCode.REMOVED, "go")
        assert [await kind(raw), await kind(raw)] == ["one", "two"]
        assert await raw.closed() == CloseCode.REMOVED
        assert len(writes) == 1


def line_of(server: Server) -> RoomProtocol:
    """The server's only socket."""
    [line] = [c for c in server.server_state.connections if isinstance(c, RoomProtocol)]
    return line


async def test_who_says_nothing_is_sent_away_and_need_not_answer() -> None:
    async with served(limits=QUICK) as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port)
        assert await raw.closed() == CloseCode.NO_HELLO
        await raw.leave()


async def test_who_is_silent_after_a_ping_is_sent_away() -> None:
    async with watching(ALERT) as (raw, _):
        assert await raw.closed() == 1001


async def _flooded(raw: Raw, server: Server) -> RoomProtocol:
    """Greet, then send far more than a peer takes that reads nothing."""
    await greet(raw, await opened_room(server))
    line = line_of(server)
    connection = line._connection
    assert connection is not None
    text = json.dumps({"type": "presence", "x": "x" * 8000})
    while line.writable.is_set():
        connection.send(text)
        await asyncio.sleep(0)
    for _ in range(100):
        connection.send(text)
    return line


async def test_who_reads_nothing_is_cut_off_and_all_that_waited_is_let_go() -> None:
    limits = Limits(stall_seconds=0.5, outbox_messages=8)
    async with served(limits=limits) as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port, receive_buffer=4096)
        line = await _flooded(raw, server)
        connection = line._connection
        assert connection is not None
        assert connection._is_behind
        assert len(connection._outbox) == 0
        await line._gone.wait()
        await server._parts.crowd.is_gone()
        await raw.leave()


async def test_who_reads_again_in_time_gets_one_snapshot_instead() -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port, receive_buffer=4096)
        await _flooded(raw, server)
        while await kind(raw) != "snapshot":
            pass
        assert await kind(raw) == "presence"
        raw.send(frame(ASK))
        assert await kind(raw) == "pong"
        await raw.leave()


async def test_a_flood_after_the_close_is_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "CLOSE_SECONDS", 2 * HURRY)
    async with watching() as (raw, _):
        raw.send(frame(b"\xff"), *[frame("x" * 4000)] * 64)
        await raw.gone()


async def test_a_flood_of_who_takes_no_close_is_cut_off() -> None:
    async with served(limits=PATIENT) as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port, receive_buffer=4096)
        line = await _flooded(raw, server)
        connection = line._connection
        raw.send(*[frame(ASK)] * 60, *[frame("x" * 4000)] * 64)
        await line._gone.wait()
        assert connection is not None
        assert connection.closing is not None
        await raw.leave()


async def test_a_ping_of_who_takes_nothing_cuts_the_line() -> None:
    async with served(limits=PATIENT) as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port, receive_buffer=4096)
        line = await _flooded(raw, server)
        raw.send(frame("", PING))
        await line._gone.wait()
        await raw.leave()


@pytest.mark.parametrize("way", ["by-the-route"], indirect=True)
async def test_a_flood_before_there_is_anybody_to_hear_it_is_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def deaf(line: RoomProtocol, _: object) -> None:
        await line._gone.wait()

    monkeypatch.setattr(RoomProtocol, "carry", deaf)
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port)
        raw.send(*[frame("x" * 4000)] * 3)
        await raw.gone()
        await raw.leave()


async def test_a_flood_behind_our_close_is_cut_off_before_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "CLOSE_SECONDS", 2 * HURRY)
    async with watching() as (raw, server):
        line = line_of(server)
        assert line._connection is not None
        line._connection.close(CloseCode.REMOVED, "go")
        assert await raw.closed() == CloseCode.REMOVED
        raw.send(*[frame("x" * 4000)] * 3)
        await raw.gone()


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(frame(b"\x03\xe8", CLOSE), id="a-close"),
        pytest.param(frame("x", 3), id="no-frame"),
        pytest.param(frame(b"\xff"), id="no-text"),
        pytest.param(frame("half", fin=False), id="half-a-message"),
    ],
)
async def test_who_has_gone_is_forgotten_without_a_collection_of_garbage(
    last: bytes,
) -> None:
    async with served() as server, asyncio.timeout(HURRY):
        raw = await Raw.open(server.port)
        await greet(raw, await opened_room(server))
        line = line_of(server)
        kept = weakref.ref(line), weakref.ref(line._connection), weakref.ref(line.conn)
        gc.disable()
        try:
            raw.send(last)
            await raw.leave()
            await line._gone.wait()
            del line
            await server._parts.crowd.is_gone()
            await settle()
            assert [each() for each in kept] == [None] * 3
        finally:
            gc.enable()


async def test_a_server_that_stops_tells_even_who_has_not_said_hello() -> None:
    async with served() as server:
        raw = await Raw.open(server.port)
        raw.send(frame("", PING))
        await raw.hear()
        server.should_exit = True
        async with asyncio.timeout(HURRY):
            assert await kind(raw) == "drain"
            assert await raw.closed() == CloseCode.DRAIN
        await raw.leave()


async def test_a_server_that_stops_waits_for_nobody_who_closed_and_reads_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard, handle_close = asyncio.Event(), RoomProtocol.handle_close

    def handle(line: RoomProtocol, event: Frame) -> None:
        handle_close(line, event)
        heard.set()

    monkeypatch.setattr(RoomProtocol, "handle_close", handle)
    async with served() as server:
        raw = await Raw.open(server.port, receive_buffer=4096)
        line = await _flooded(raw, server)
        raw.send(frame(b"\x03\xe8", CLOSE))
        await heard.wait()
        assert line.transport.is_closing()
        server.should_exit = True
        async with asyncio.timeout(LEAVE_SECONDS):
            await line._gone.wait()
    await raw.leave()


async def test_whose_end_goes_wrong_gives_their_place_back_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def end(_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(Connection, "end", end)
    async with served() as server, asyncio.timeout(HURRY):
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        raw = await Raw.open(server.port)
        await raw.leave()
        await server._parts.crowd.is_gone()


async def test_a_server_that_stops_waits_for_nobody_who_reads_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async with served() as server:
        raw = await Raw.open(server.port, receive_buffer=4096)
        line = await _flooded(raw, server)
        server.should_exit = True
        async with asyncio.timeout(LEAVE_SECONDS):
            await line._gone.wait()
    await raw.leave()
    assert "Traceback" not in "".join(capfd.readouterr()), "nothing was cut short"
