"""Our HTTP under `krig serve`: uvicorn's, for peers who finish what they begin.

Rule 1: a request that was begun is whole within a few seconds, headers and then body;
so is the first one of a connection that was opened.
Rule 2: an answer of which nobody takes anything is not kept.
Rule 3: connections are counted too, not only the sockets that some of them become.
Rule 4: a socket is opened right here, if it is asked for as browsers do and by who may.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from krig.protocol.limits import Limits
from krig.transport.crowd import Crowd
from krig.transport.deadline import Deadline
from krig.transport.entrance import Entrance
from krig.transport.handshake import opening
from krig.transport.protocol import RoomProtocol

FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Length: 0\r\n\r\n"
)


@dataclass(frozen=True, slots=True)
class Sockets:
    """How sockets are opened without the application's route."""

    entrance: Entrance
    may_open: Callable[[str, str | None], bool]
    """Whether a page with this Host and Origin may have one."""
    speaker: Callable[[str, str | None], str]
    """Whose address it is, at this one and with this X-Forwarded-For."""


class HttpProtocol(H11Protocol):
    """HTTP/1.1 with deadlines, until it becomes a WebSocket."""

    limits: Limits
    crowd: Crowd
    """All connections that have not become sockets."""
    sockets: Sockets | None
    """None: all are opened by the application's route."""

    _is_silent = True
    """Nothing was heard on this connection yet."""
    _is_in = False
    """It is one of the crowd."""
    _stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody opened a connection: a request is due."""
        super().connection_made(transport)
        self._due = Deadline()
        self._address = self.client[0] if self.client else ""
        self._is_in = self.crowd.enter(self._address)
        if self._is_in:
            self._due.start(transport, self.limits.hello_seconds)
        else:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._let_go()
        self.resume_writing()
        super().connection_lost(exc)

    def _let_go(self) -> None:
        """It is gone, or becomes a socket, which is counted and timed as one."""
        self._due.stop()
        if self._is_in:
            self._is_in = False
            self.crowd.leave(self._address)

    def data_received(self, data: bytes) -> None:
        """Take bytes; each half of a request has its own time."""
        first, self._is_silent = self._is_silent, False
        if first and self.sockets is not None and self._opened(self.sockets, data):
            return
        before = self.conn.their_state
        super().data_received(data)
        if self.conn.their_state is not before:
            self._due.stop()
        self._mind_the_time()

    def on_response_complete(self) -> None:
        """An answer was given; the next request may have been begun meanwhile."""
        super().on_response_complete()
        self._mind_the_time()

    def _opened(self, sockets: Sockets, data: bytes) -> bool:
        """Open a socket, if these bytes ask for one as browsers do and it may be."""
        asked = opening(data)
        if asked is None:
            return False
        fields = asked.fields
        if not sockets.may_open(fields.get("host", ""), fields.get("origin")):
            return False
        address = sockets.speaker(self._address, fields.get("x-forwarded-for"))
        protocol = RoomProtocol(self.config, self.server_state, self.app_state)
        if not protocol.open(self.transport, sockets.entrance, address):
            return False
        self._let_go()
        self.connections.discard(self)
        self.transport.set_protocol(protocol)
        self.transport.write(asked.answer)
        return True

    def _mind_the_time(self) -> None:
        if self._is_half_said:
            self._due.start(self.transport, self.limits.hello_seconds)
        else:
            self._due.stop()

    @property
    def _is_half_said(self) -> bool:
        """A request was begun and has not ended."""
        state = self.conn.their_state
        if self.transport.get_protocol() is not self:  # it is a WebSocket now
            return False
        begun = state is h11.IDLE and bool(self.conn.trailing_data[0])
        return begun or state is h11.SEND_BODY

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on it is no HTTP any more."""
        self._let_go()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Say that this is no HTTP; an answer that was given says enough."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def pause_writing(self) -> None:
        """The peer does not take the answer."""
        super().pause_writing()
        self._expect_progress()

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _expect_progress(self, before: int | None = None) -> None:
        """Drop a peer who has taken nothing since there were `before` bytes left."""
        left = self.transport.get_write_buffer_size()
        if before is not None and left >= before:
            self.transport.abort()
            return
        stall = self.limits.stall_seconds
        self._stall = self.loop.call_later(stall, self._expect_progress, left)


def http_with(
    limits: Limits, crowd: Crowd, sockets: Sockets | None
) -> type[asyncio.Protocol]:
    """The class of a server's connections, with its limits: uvicorn makes them."""
    own: dict[str, Any] = {"limits": limits, "crowd": crowd, "sockets": sockets}
    return type("HttpProtocol", (HttpProtocol,), own)
