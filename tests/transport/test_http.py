"""HTTP is for peers who finish what they begin."""

import asyncio

import pytest

from krig.protocol.limits import Limits
from tests.hostile.raw import Raw
from tests.transport.served import served

QUICK = Limits(hello_seconds=0.3)
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"


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
    async with served(limits=QUICK) as server:
        raw = await Raw.connect(server.port)
        raw.send(begun)
        async with asyncio.timeout(3):
            await raw.gone()
        await raw.leave()


@pytest.mark.parametrize("more", [b"X", b"X-A: b\r\n"], ids=["line", "headers"])
async def test_a_byte_now_and_then_gains_no_time(more: bytes) -> None:
    async with served(limits=QUICK) as server, asyncio.timeout(3):
        raw = await Raw.connect(server.port)
        raw.send(WHOLE[:-2])
        gone = asyncio.create_task(raw.gone())
        while not gone.done():
            raw.send(more)
            await asyncio.sleep(0.05)
        await raw.leave()


async def test_whole_requests_are_answered_as_long_as_they_come() -> None:
    async with served(limits=QUICK) as server:
        raw = await Raw.connect(server.port)
        for _ in range(8):
            raw.send(WHOLE)
            head = await raw.reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in head
            await raw.reader.readuntil(b"}")
            await asyncio.sleep(0.1)
        await raw.leave()
