"""Every limit at N and at N+1, over the wire, of a server that was given small ones."""

from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
)
from pathlib import Path
from typing import Any

import httpx
import pytest

from krig.protocol.session import CloseCode
from tests.hostile.raw import Raw, frame
from tests.live.server import HTTP, Server
from tests.programme.numbers import ask
from tests.transport.served import Page, page_at

TOKEN = "0f" * 32
SOCKETS = 20
ONE, OTHER = "93.184.216.34", "2a00:1:2:3::1"
"""Addresses of two who are no neighbours."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One with small limits, that believes who speaks for others."""
    server = Server(
        tmp_path_factory.mktemp("limits"),
        trusted_proxies="127.0.0.1/32",
        idle_seconds=3600,
        limits__sockets=SOCKETS,
        limits__sockets_an_address=3,
        limits__watchers=2,
        limits__rooms_an_address=2,
        limits__rooms_a_minute=4,
        limits__command_burst=40,
        limits__watcher_burst=20,
        limits__commands_per_second=0.01,
    )
    server.start()
    yield server
    server.stop()


def from_(address: str) -> dict[str, str]:
    """Headers of a proxy that speaks for somebody."""
    return {"X-Forwarded-For": address}


def speaks_for(server: Server, address: str) -> AbstractAsyncContextManager[Page]:
    """A socket that a proxy opens for somebody."""
    return page_at(server.port, additional_headers=from_(address))


def opens(server: Server, address: str) -> httpx.Response:
    """Somebody opens a room."""
    return HTTP.post(f"{server.url}/api/rooms", headers=from_(address))


@asynccontextmanager
async def guests(server: Server) -> AsyncIterator[AsyncExitStack]:
    """Somewhere to keep open sockets; afterwards all are gone."""
    async with AsyncExitStack() as stack:
        yield stack
    while (await ask(server.url)).of("krig_connections"):
        pass


async def comes(
    stack: AsyncExitStack, server: Server, room: str, token: str | None = None
) -> Page:
    """A guest, who has said hello."""
    guest = await stack.enter_async_context(page_at(server.port))
    await guest.hello(room, token)
    return guest


async def sits(
    stack: AsyncExitStack, server: Server, room: str, name: str = "Kari"
) -> Page:
    """A guest who takes a seat."""
    guest = await comes(stack, server, room, TOKEN)
    await guest.say("sit", id=1, name=name)
    return guest


# Rooms -------------------------------------------------------------------------------


async def test_rooms_of_an_address_then_new_rooms_a_minute(server: Server) -> None:
    answers = [opens(server, ONE) for _ in range(5)]
    told = [(a.status_code, a.json().get("code")) for a in answers]
    assert [status for status, _ in told[:2]] == [201, 201]
    assert told[2:] == [
        (429, "too_many_rooms"),
        (429, "too_many_rooms"),
        (429, "too_fast"),
    ]
    assert answers[-1].headers["Retry-After"]
    assert opens(server, OTHER).status_code == 201
    assert all(opens(server, "192.168.1.7").status_code == 201 for _ in range(5))


async def test_rooms_of_a_process(tmp_path: Path) -> None:
    small = Server(tmp_path, limits__rooms=3)
    small.start()
    try:
        rooms = [small.make_room() for _ in range(3)]
        late = HTTP.post(f"{small.url}/api/rooms")
        assert (late.status_code, late.json()["code"]) == (429, "too_many_rooms")
        async with guests(small) as stack:
            kari = await sits(stack, small, rooms[0])
            await kari.hear_until("ack")
    finally:
        small.stop()


async def test_sockets_of_an_address(server: Server) -> None:
    async with guests(server) as stack:
        for _ in range(3):
            await stack.enter_async_context(
                page_at(server.port, additional_headers=from_(ONE))
            )
        late = await stack.enter_async_context(
            page_at(server.port, additional_headers=from_(ONE))
        )
        assert await late.closed() == CloseCode.TOO_MANY
        room = server.make_room()
        for address in (OTHER, "192.168.1.7"):
            other = await stack.enter_async_context(speaks_for(server, address))
            await other.hello(room)
            await other.hear_until("welcome")


async def test_sockets_of_a_process(server: Server) -> None:
    most = SOCKETS + SOCKETS // 10  # the last are for who has a seat already
    async with guests(server) as stack:
        for _ in range(most):
            raw = await Raw.open(server.port)
            stack.push_async_callback(raw.leave)
        assert (await ask(server.url)).of("krig_connections") == most
        late = await Raw.open(server.port)
        assert await late.closed() == CloseCode.TOO_MANY
        await late.leave()


async def test_watchers_of_a_room(server: Server) -> None:
    async with guests(server) as stack:
        room = server.make_room()
        for _ in range(2):
            await (await comes(stack, server, room)).hear_until("snapshot")
        late = await comes(stack, server, room)
        assert await late.closed() == CloseCode.FULL
        kari = await comes(stack, server, room, TOKEN)
        await kari.hear_until("snapshot")


# Messages ----------------------------------------------------------------------------

PING = '{"type":"ping"%s}'


@pytest.mark.parametrize(
    ("sent", "end"),
    [
        pytest.param([PING % (" " * (4096 - 15))], None, id="4096-bytes"),
        pytest.param([PING % (" " * (4097 - 15))], 1009, id="4097-bytes"),
        pytest.param([PING % "", *[""] * 15], None, id="16-fragments"),
        pytest.param([PING % "", *[""] * 16], 1009, id="17-fragments"),
    ],
)
async def test_the_size_of_a_message(
    server: Server, sent: list[str], end: int | None
) -> None:
    room = server.make_room()
    raw = await Raw.open(server.port)
    raw.send(frame(f'{{"type":"hello","protocol":1,"room":"{room}"}}'))
    last = len(sent) - 1
    assert sum(map(len, sent)) in (15, 4096, 4097)
    raw.send(
        *(frame(part, 0 if n else 1, fin=n == last) for n, part in enumerate(sent))
    )
    if end is None:
        while b'"pong"' not in (await raw.hear())[1]:
            pass
    else:
        assert await raw.closed() == end
    await raw.leave()


async def test_commands_at_once(server: Server) -> None:
    async with guests(server) as stack:
        kari = await sits(stack, server, server.make_room())
        await kari.hear_until("ack")
        for n in range(40):
            await kari.say("tempo", id=n + 2, tempo="fast" if n % 2 else "slow")
        assert [(await kari.hear_until("ack"))["id"] for _ in range(40)][-1] == 41
        await kari.say("ping")
        error = await kari.hear_until("error")
        assert (error["code"], error["retry"]) == ("too_fast", True)
        assert error["retry_after_ms"] > 1000


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        pytest.param("x" * 20, "ack", id="20-signs"),
        pytest.param("x" * 21, "error", id="21-signs"),
        pytest.param("🂡" * 16, "ack", id="64-bytes"),
        pytest.param("🂡" * 16 + "x", "error", id="65-bytes"),
    ],
)
async def test_the_length_of_a_name(server: Server, name: str, answer: str) -> None:
    async with guests(server) as stack:
        kari = await sits(stack, server, server.make_room(), name)
        told: dict[str, Any] = await kari.hear_until(
            lambda message: message["type"] in ("ack", "error")
        )
        assert told["type"] == answer
        assert told.get("code") in (None, "invalid_name")


@pytest.mark.parametrize(
    ("behind", "sync"),
    [
        pytest.param(0, "in_sync", id="0-entries"),
        pytest.param(30, "events", id="30-entries"),
        pytest.param(31, "snapshot", id="31-entries"),
    ],
)
async def test_how_far_behind_one_may_be(
    server: Server, behind: int, sync: str
) -> None:
    async with guests(server) as stack:
        room = server.make_room()
        kari = await sits(stack, server, room)
        await kari.hear_until("ack")
        for n in range(33):
            await kari.say("tempo", id=n + 2, tempo="fast" if n % 2 else "slow")
            await kari.hear_until("ack")  # else several become one entry
        watcher = await stack.enter_async_context(page_at(server.port))
        first = await comes(stack, server, room)
        head = await first.hear_until("welcome")
        await watcher.hello(room, epoch=head["epoch"], v=head["v"] - behind)
        assert (await watcher.hear_until("welcome"))["sync"] == sync
