"""Our WebSocket under `krig serve`: broadcasts cheaply, and keeps hostile peers off.

It builds on uvicorn's own class, which does every frame that is not small, whole and
text, and the handshakes that were not answered before it was there.

Rule 1: what a peer can make us keep or do has an end: the bytes of a frame, the frames
of a message, control frames, what waits to be written, how long it waits.
Rule 2: a peer that takes nothing is aborted, since `close` waits until all is written.
Rule 3: what one turn of the loop has for a connection is one write.
Rule 4: nothing a peer sends is logged, nor raises.
"""

import asyncio
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from krig.protocol.limits import Limits
from krig.transport.connection import Connection
from krig.transport.deadline import Deadline
from krig.transport.entrance import Entrance
from krig.transport.frames import end_of_frame, frame_of, small_text

LINE: Final = "krig.line"
"""Where the route finds this protocol among the extensions of its scope."""

FRAGMENTS: Final = 16
"""Of one message."""

CONTROL_FRAMES: Final = 20
CONTROL_SECONDS: Final = 10.0
"""Pings and pongs together, in so many seconds."""

WRITE_BUFFER: Final = 16 * 1024
"""Bytes the transport may hold; behind it the outbox fills, and becomes a snapshot."""

DISCARDED: Final = 8 * 1024
"""Bytes that may still come before the route is there, or after we closed."""

CLOSE_SECONDS: Final = 5.0
"""How long a peer may take to answer a close…"""

STOP_SECONDS: Final = 3.0
"""…and when the server stops."""

BAD_REQUEST: Final = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"

TOO_BIG: Final = 1009
NO_TEXT: Final = 1007


class RoomProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that a connection is carried by."""

    _connection: Connection | None = None
    _tail = b""
    """The beginning of a frame whose end has not come."""
    _fragments = 0
    """Frames so far of a message that came in several."""
    _controls = 0
    _controls_since = 0.0
    _discarded = 0
    _flush_is_due = False

    _entrance: Entrance | None = None
    """Where we came in, if that was not by the application's route…"""
    _address = ""
    """…and from where."""

    # The line of a connection.

    def open(
        self, transport: asyncio.Transport, entrance: Entrance, address: str
    ) -> bool:
        """Carry somebody whose request is to be answered now, if they are let in."""
        self._connection = entrance.enter(self, address)
        if self._connection is None:
            return False
        self._entrance, self._address = entrance, address
        self.connections.add(self)
        self._take(transport)
        self.handshake_initiated = self.handshake_complete = True
        self.conn.state = State.OPEN  # as if it had read and answered the request
        self.conn.parser = self.conn.parse()
        return True

    async def carry(self, connection: Connection) -> None:
        """Hear and write until the socket is gone."""
        self._connection = connection
        if not self.disconnected:
            early, self._tail = self._tail, b""
            self.data_received(early)
            self.wake()
            await self._gone.wait()

    def wake(self) -> None:
        """Write at the end of this turn of the loop."""
        if not self._flush_is_due:
            self._flush_is_due = True
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Write everything that waits, at once; close if that was all."""
        self._flush_is_due = False
        connection = self._connection
        if connection is None or not self.writable.is_set() or self._is_over:
            return
        frames = []
        while (text := connection.next()) is not None:
            frames.append(frame_of(text))
        if connection.closing is not None:
            self.conn.send_close(*connection.closing)
            frames += self.conn.data_to_send()
            self._close_sent()
        if frames:
            self.transport.write(b"".join(frames))

    @property
    def _is_over(self) -> bool:
        """Nothing may be written any more."""
        open_ = self.conn.state is State.OPEN and not self.close_sent
        return not open_ or self.transport.is_closing()

    # What uvicorn and the transport call.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A request to upgrade came on this transport."""
        super().connection_made(transport)
        self._take(self.transport)

    def _take(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.close_timeout = CLOSE_SECONDS
        self._gone = asyncio.Event()
        self._stall = Deadline()
        self._farewell = Deadline()
        transport.set_write_buffer_limits(high=WRITE_BUFFER)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._stall.stop()
        self._farewell.stop()
        super().connection_lost(exc)
        self._gone.set()
        connection, self._connection = self._connection, None
        # What refers to itself would stay until garbage is collected, which stops all.
        self.conn.parser.close()
        forget_where(self.conn.parser_exc)
        forget_where(self.conn.handshake_exc)
        if hasattr(self, "scope"):  # the request was one for a socket
            self.scope["extensions"].pop(LINE, None)
        if self._entrance is not None and connection is not None:
            self._entrance.part(connection, self._address)

    def pause_writing(self) -> None:
        """The peer does not take what it is sent."""
        super().pause_writing()
        self._stall.start(self.transport, self._limits.stall_seconds)

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self._stall.stop()
        self._flush()

    def shutdown(self) -> None:
        """The server stops: tell when to come back, now; later is too late."""
        self._farewell.stop()
        self._farewell.start(self.transport, STOP_SECONDS)
        if self._connection is None:
            super().shutdown()
        else:
            self._connection.drain()
            self._flush()

    def data_received(self, data: bytes) -> None:
        """Take bytes, frame by frame."""
        if self._connection is None or self.close_sent:
            self._receive_aside(data)
            return
        if self._tail:
            data, self._tail = self._tail + data, b""
        at = 0
        while not self._is_deaf and (end := end_of_frame(data, at)):
            self._receive_frame(data, at, end)
            at = end
        self._tail = data[at:]
        if self._is_deaf and not self.writable.is_set() and len(self._tail) > DISCARDED:
            self.transport.abort()  # it does not take our close, and sends more

    def _receive_aside(self, data: bytes) -> None:
        """Take bytes when there is nobody to hear them: not yet, or not any more."""
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:  # the request was whole, and is none
                self.transport.write(b"".join(self.conn.data_to_send()) or BAD_REQUEST)
                self.transport.close()
            return
        self._discarded += len(data) + (len(self._tail) if self.close_sent else 0)
        if self._discarded > DISCARDED:
            self.transport.abort()
        elif self.close_sent:
            data, self._tail = self._tail + data, b""
            super().data_received(data)
        else:
            self._tail += data

    @property
    def _is_deaf(self) -> bool:
        """Whatever else came is not heard: it is over, or about to be."""
        assert self._connection is not None
        return self._connection.closing is not None or self.transport.is_closing()

    def _receive_frame(self, data: bytes, at: int, end: int) -> None:
        small = None if self._fragments else small_text(data, at, end)
        if small is not None and not self.close_sent:
            self._hear(small)
            return
        self.conn.receive_data(data[at:end])
        if self.conn.parser_exc is not None:
            self.handle_parser_exception()
        else:
            self.handle_events()

    # What comes out of frames.

    def handle_connect(self, event: Request) -> None:
        """Let the route find this protocol."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    def handle_text(self, event: Frame) -> None:
        """A message begins."""
        self._fragments = 1
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """A message begins that is none."""
        self._fragments = 1
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """A message goes on."""
        self._fragments += 1
        if self._fragments > FRAGMENTS:
            self._fail(TOO_BIG, f"a message has at most {FRAGMENTS} fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """A message is whole."""
        said, self.frames = b"".join(self.frames), []
        self._fragments = 0
        if self.close_sent or self._connection is None:
            return
        if self.curr_msg_data_type == "text":
            self._hear(said)
        else:
            self._connection.hear(None)

    def _hear(self, said: bytes) -> None:
        try:
            text = said.decode()
        except UnicodeDecodeError:
            self._fail(NO_TEXT, "this is no UTF-8")
            return
        if self._connection is not None:
            self._connection.hear(text)

    def handle_ping(self) -> None:
        """Answer a ping, but not many, and not a peer that does not read."""
        if self._may_control() and self.writable.is_set():
            super().handle_ping()
        else:
            self.transport.abort()

    def handle_pong(self, _: Frame) -> None:
        """Nobody asked for it: our own pings are messages."""
        if not self._may_control():
            self.transport.abort()

    def _may_control(self) -> bool:
        now = self.loop.time()
        if now - self._controls_since > CONTROL_SECONDS:
            self._controls, self._controls_since = 0, now
        self._controls += 1
        return self._controls <= CONTROL_FRAMES

    # The end.

    def handle_close(self, event: Frame) -> None:
        """The peer closes, or answers our close."""
        self._farewell.start(self.transport, CLOSE_SECONDS)
        super().handle_close(event)
        self.transport.close()

    def handle_parser_exception(self) -> None:
        """A frame that nobody may send: the close frame says why."""
        self._farewell.start(self.transport, CLOSE_SECONDS)
        super().handle_parser_exception()

    def _fail(self, code: int, reason: str) -> None:
        if self.conn.state is State.OPEN:
            if self._connection is not None:
                self._connection.observer.closed(code)
            self.conn.fail(code, reason)
            self.handle_parser_exception()

    def _close_sent(self) -> None:
        self.close_sent = True
        self._farewell.start(self.transport, CLOSE_SECONDS)

    @property
    def _limits(self) -> Limits:
        return Limits() if self._connection is None else self._connection.limits


def forget_where(error: BaseException | None) -> None:
    """Let go of the frames in which an error came up: they refer to who keeps it."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
