"""The WebSocket endpoint: an ordinary route, right under any ASGI server."""

from starlette.websockets import WebSocket

from krig.host.ports import Clock
from krig.protocol.limits import Limits
from krig.protocol.messages import PROTOCOL
from krig.protocol.session import CloseCode
from krig.transport.connection import Connection, Tables
from krig.transport.crowd import Crowd

SUBPROTOCOL = f"krig.{PROTOCOL}"


async def speak(
    socket: WebSocket, tables: Tables, clock: Clock, crowd: Crowd, limits: Limits
) -> None:
    """Accept a socket and stay with it until it is gone."""
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    address = socket.client.host if socket.client else ""
    if not crowd.enter(address):
        await socket.close(CloseCode.TOO_MANY, "there are too many connections")
        return
    try:
        await Connection(tables, clock, limits).run(socket)
    finally:
        crowd.leave(address)
