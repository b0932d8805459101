"""A real server on a port of its own, and clients that speak to it."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from krig.app.compose import start
from krig.app.serve import Server, bind
from krig.app.settings import Settings
from krig.protocol.messages import FROM_SERVER
from krig.transport.http import HttpProtocol
from krig.transport.protocol import RoomProtocol

Message = dict[str, Any]


@asynccontextmanager
async def served(
    ws: type[asyncio.Protocol] = RoomProtocol, **settings: Any
) -> AsyncIterator[Server]:
    """Serve from memory, as `krig serve` does, until the end of the block.

    Args:
        ws: what carries WebSockets; uvicorn's own class stands for any ASGI server.
        settings: those that differ from a test's usual ones.
    """
    wanted = Settings(**{"log": "memory:", "public_url": "http://krig.lan", **settings})
    async with start(wanted) as parts:
        with bind("127.0.0.1", 0) as listener:
            server = Server(parts, listener, ws=ws)
            serving = asyncio.create_task(server.serve(sockets=[listener]))
            await server.up.wait()
            try:
                yield server
            finally:
                server.should_exit = True
                await serving


def go_by_the_route(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the application's route open all sockets, as if none came in one piece."""
    monkeypatch.setattr(HttpProtocol, "_opened", lambda *_: False)


async def opened_room(server: Server, **wanted: object) -> str:
    """Open a room over HTTP; return its code."""
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = await http.post(
            f"http://127.0.0.1:{server.port}/api/rooms", json=wanted
        )
    return str(answer.json()["code"])


class Page:
    """A client; everything that it hears is checked against the wire's models."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def say(self, kind: str, **fields: object) -> None:
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def hear(self) -> Message:
        text = await self.socket.recv()
        FROM_SERVER.validate_json(text)
        message: Message = json.loads(text)
        return message

    async def hear_until(self, wanted: Callable[[Message], bool] | str) -> Message:
        while True:
            message = await self.hear()
            if (
                message["type"] == wanted
                if isinstance(wanted, str)
                else wanted(message)
            ):
                return message

    async def hello(self, room: str, token: str | None = None, **more: object) -> None:
        await self.say("hello", protocol=1, room=room, token=token, **more)

    async def closed(self) -> int:
        """Hear to the end; return the close code."""
        await self.socket.wait_closed()
        assert self.socket.close_code is not None
        return self.socket.close_code


def reach(server: Server) -> socket.socket:
    """Connect to a server, by whatever name it will be asked for."""
    return socket.create_connection(("127.0.0.1", server.port))


def page(server: Server, **options: Any) -> AbstractAsyncContextManager[Page]:
    """Open a page's socket, without a word yet."""
    return page_at(server.port, **options)


@asynccontextmanager
async def page_at(port: int, **options: Any) -> AsyncIterator[Page]:
    """Open a page's socket at a port of this machine."""
    host = options.pop("host", "127.0.0.1")
    async with connect(
        f"ws://{host}:{port}/ws",
        **{"subprotocols": ["krig.1"], "compression": None, "proxy": None, **options},
    ) as socket:
        yield Page(socket)
