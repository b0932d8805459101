"""One viewer's connection: what it hears goes to a table, what it is sent gets written.

Rule 1: `send` and `close` never wait; one task writes, one reads.
Rule 2: a viewer who does not keep up loses what a snapshot says anyway, and gets one.
Rule 3: a fault of one connection ends that connection and nothing else.
"""

import asyncio
from contextlib import suppress
from hashlib import sha256
from typing import Final, Protocol

import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect

from krig.errors import HelloMissing, KrigError, TooFast
from krig.host.ports import Clock, Timer
from krig.host.table import Table
from krig.protocol import messages as wire
from krig.protocol.codec import encode_error, encode_ping, is_in_a_snapshot, sentence
from krig.protocol.limits import Limits
from krig.protocol.session import Asks, CloseCode, End, Lossy, Session, State, Wrong
from krig.room.code import parse_room_code
from krig.room.facts import TokenHash
from krig.transport.bucket import Bucket
from krig.transport.outbox import Outbox

GOING_AWAY: Final = 1001
BROKEN: Final = 1011

CLOSES: Final = {
    "invalid_room_code": CloseCode.NO_SUCH_ROOM,
    "no_such_room": CloseCode.NO_SUCH_ROOM,
    "quarantined": CloseCode.QUARANTINED,
    "newer_schema": CloseCode.ELSEWHERE,
}
"""What a `hello` that leads to no table ends in; any other error: come back later."""

TRY_AGAIN_LATER: Final = 1013

log = structlog.get_logger()


class Tables(Protocol):
    """Where tables are found: the host."""

    async def table(self, code: str) -> Table:
        """The table of a room."""
        ...


class Connection:
    """A viewer, as the host sees it, and the socket it sits behind."""

    def __init__(self, tables: Tables, clock: Clock, limits: Limits) -> None:
        self._limits = limits
        self._tables = tables
        self._clock = clock
        self._session = Session()
        self._table: Table | None = None
        self._token: TokenHash | None = None

        self._outbox = Outbox(limits.outbox_messages, limits.outbox_signs)
        self._wake = asyncio.Event()
        self._is_behind = False
        """The outbox ran over: a snapshot is owed."""
        self._closing: tuple[int, str] | None = None

        now = clock.monotonic()
        self._seated = Bucket(limits.commands_per_second, limits.command_burst, now)
        self._watching = Bucket(limits.watcher_per_second, limits.watcher_burst, now)
        self._excess = 0
        """Messages that came too fast, less those that did not."""

        self._heard_at = now
        self._timer: Timer = clock.call_later(limits.hello_seconds, self._no_hello)

    # The viewer, as the host sees it.

    def send(self, text: str) -> None:
        """Send one message, some time soon."""
        if self._closing or (self._is_behind and is_in_a_snapshot(text)):
            return
        self._outbox.put(text)
        if self._outbox.is_over:
            self._outbox.thin()
            self._is_behind = True
            if self._outbox.is_over:
                self.close(TRY_AGAIN_LATER, "nothing is read")
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close behind what was sent; nothing is heard any more."""
        self._session.close()
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()

    # The socket.

    async def run(self, socket: WebSocket) -> None:
        """Read and write until one end has had enough."""
        reader = asyncio.create_task(self._read(socket))
        writer = asyncio.create_task(self._write(socket))
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._timer.cancel()
            self._session.close()
            if self._table is not None:
                self._table.part(self)
            reader.cancel()
            writer.cancel()
            ends = await asyncio.gather(reader, writer, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, _GONE):
                log.error("connection_broke", exc_info=end)
                await _close_quietly(socket)

    async def _read(self, socket: WebSocket) -> None:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._hear(message.get("text"))

    async def _write(self, socket: WebSocket) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while (text := self._next()) is not None:
                async with asyncio.timeout(self._limits.stall_seconds):
                    await socket.send_text(text)
            if self._closing is not None:
                code, reason = self._closing
                async with asyncio.timeout(self._limits.stall_seconds):
                    await socket.close(code, reason)
                return

    def _next(self) -> str | None:
        """Take the next message; the snapshot that is owed is made when it is due."""
        text = self._outbox.take()
        if text is not None or not self._is_behind or self._table is None:
            return text
        self._is_behind = False
        self._table.resync(self)
        return self._outbox.take()

    # What is heard.

    async def _hear(self, text: str | None) -> None:
        """Take one frame; None: a binary one."""
        self._heard_at = self._clock.monotonic()
        if self._session.state is State.CLOSED or self._is_too_fast():
            return
        session = self._session
        heard = session.hear_binary() if text is None else session.hear(text)
        if isinstance(heard, wire.Hello):
            await self._greet(heard)
        elif heard is not None:
            self._do(heard)

    def _is_too_fast(self) -> bool:
        """Take from the bucket before anything is parsed."""
        table = self._table
        seated = table is not None and table.room.seat_of(self._token) is not None
        bucket = self._seated if seated else self._watching
        wait = bucket.take(self._heard_at)
        if not wait:
            self._excess = max(0, self._excess - 1)
            return False
        self._excess += 1
        error = TooFast()
        self.send(encode_error(error, retry=True, retry_after_ms=round(wait * 1000)))
        if self._excess >= self._limits.command_burst:
            self.close(CloseCode.TOO_FAST, sentence(error))
        return True

    def _do(self, heard: Asks | Lossy | Wrong | End) -> None:
        table = self._table
        match heard:
            case Wrong(error=error, id=command_id):
                self.send(encode_error(error, command_id))
            case End(code=code, error=error):
                self._end(code, error)
            case _ if table is None:
                pass
            case Asks(command=command, id=command_id):
                table.submit(self, command, command_id)
            case wire.Resync():
                table.resync(self)
            case wire.React(reaction=reaction):
                table.react(self, reaction)
            case wire.Ping():
                table.answer_ping(self)
            case wire.Pong(hidden=hidden):
                table.hear_pong(self, hidden)

    async def _greet(self, hello: wire.Hello) -> None:
        self._timer.cancel()
        if hello.token is not None:
            self._token = TokenHash(sha256(bytes.fromhex(hello.token)).hexdigest())
        try:
            table = await self._tables.table(parse_room_code(hello.room))
        except KrigError as error:
            self._end(CLOSES.get(error.code, TRY_AGAIN_LATER), error)
            return
        if self._closing is None:
            self._table = table
            table.join(self, self._token, hello.epoch, hello.v)
            wait = self._limits.heartbeat_seconds
            self._timer = self._clock.call_later(wait, self._ping)

    def _end(self, code: int, error: KrigError) -> None:
        self.send(encode_error(error, retry=code < CloseCode.UPGRADE))
        self.close(code, sentence(error))

    # What is not heard.

    def _no_hello(self) -> None:
        self._end(CloseCode.NO_HELLO, HelloMissing())

    def _ping(self) -> None:
        if self._table is None or self._closing is not None:
            return
        pinged_at, silence = self._clock.monotonic(), self._limits.silence_seconds

        def listen() -> None:
            if self._heard_at < pinged_at:
                self.close(GOING_AWAY, "nothing was heard")
            else:
                rest = self._limits.heartbeat_seconds - silence
                self._timer = self._clock.call_later(rest, self._ping)

        self.send(encode_ping(self._table.room.v))
        self._timer = self._clock.call_later(silence, listen)


_GONE: Final = (asyncio.CancelledError, WebSocketDisconnect, TimeoutError, OSError)
"""How a connection ends that just went away."""


async def _close_quietly(socket: WebSocket) -> None:
    """Close after a fault of ours; the socket may be gone already."""
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        await socket.close(BROKEN)
