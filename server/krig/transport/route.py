"""The WebSocket endpoint: an ordinary route, right under any ASGI server.

Under `krig serve` the socket's own protocol class carries the connection; under any
other server `AsgiLine` does, by what ASGI has.
"""

import asyncio
from contextlib import suppress
from typing import Final, Protocol

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from krig.protocol.session import CloseCode
from krig.transport.connection import BROKEN, Connection, Line
from krig.transport.entrance import Entrance
from krig.transport.handshake import SUBPROTOCOL
from krig.transport.protocol import LINE

log = structlog.get_logger()


class Carrier(Line, Protocol):
    """A line that stays with a connection until one end has had enough."""

    async def carry(self, connection: Connection) -> None:
        """Hear and write until the socket is gone."""
        ...


async def speak(socket: WebSocket, entrance: Entrance) -> None:
    """Accept a socket and stay with it until it is gone."""
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    address = socket.client.host if socket.client else ""
    line: Carrier = socket.scope.get("extensions", {}).get(LINE) or AsgiLine(socket)
    connection = entrance.enter(line, address)
    if connection is None:
        entrance.door.observer.closed(CloseCode.TOO_MANY)
        await socket.close(CloseCode.TOO_MANY, "there are too many connections")
        return
    try:
        await line.carry(connection)
    finally:
        entrance.part(connection, address)


class AsgiLine:
    """A socket behind ASGI: one task reads, one writes."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """There is something to write."""
        self._wake.set()

    async def carry(self, connection: Connection) -> None:
        """Read and write until one end has had enough."""
        reader = asyncio.create_task(self._read(connection))
        writer = asyncio.create_task(self._write(connection))
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reader.cancel()
            writer.cancel()
            ends = await asyncio.gather(reader, writer, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, _GONE):
                log.error("connection_broke", exc_info=end)
                await self._close_quietly()

    async def _read(self, connection: Connection) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            connection.hear(message.get("text"))

    async def _write(self, connection: Connection) -> None:
        stall = connection.limits.stall_seconds
        while True:
            await self._wake.wait()
            self._wake.clear()
            while (text := connection.next()) is not None:
                async with asyncio.timeout(stall):
                    await self._socket.send_text(text)
            if connection.closing is not None:
                async with asyncio.timeout(stall):
                    await self._socket.close(*connection.closing)
                return

    async def _close_quietly(self) -> None:
        """Close after a fault of ours; the socket may be gone already."""
        with suppress(RuntimeError, OSError, WebSocketDisconnect):
            await self._socket.close(BROKEN)


_GONE: Final = (asyncio.CancelledError, WebSocketDisconnect, TimeoutError, OSError)
"""How a connection ends that just went away."""
