"""One viewer's connection: what it hears goes to a table, what it is sent gets written.

Rule 1: nothing here waits; who carries the connection pulls what is to be written.
Rule 2: a viewer who does not keep up loses what a snapshot says anyway, and gets one.
Rule 3: a fault of one connection ends that connection and nothing else.
Rule 4: the bucket is asked before anything is parsed.
"""

import asyncio
from collections import deque
from hashlib import sha256
from typing import Final, Protocol

import structlog

from krig.errors import HelloMissing, KrigError, TooFast
from krig.host.observer import NOBODY, Observer
from krig.host.ports import Clock, Timer
from krig.host.table import Table
from krig.protocol import messages as wire
from krig.protocol.codec import (
    encode_drain,
    encode_error,
    encode_ping,
    is_in_a_snapshot,
    sentence,
)
from krig.protocol.limits import Limits
from krig.protocol.session import Asks, CloseCode, End, Lossy, Session, Wrong
from krig.room.facts import TokenHash
from krig.transport.bucket import Bucket
from krig.transport.outbox import Outbox
from krig.transport.turns import RESTART_MS

GOING_AWAY: Final = 1001
BROKEN: Final = 1011
TRY_AGAIN_LATER: Final = 1013

REASON_BYTES: Final = 123
"""The longest reason that a close frame holds (RFC 6455, 5.5)."""

CLOSES: Final = {
    "invalid_room_code": CloseCode.NO_SUCH_ROOM,
    "no_such_room": CloseCode.NO_SUCH_ROOM,
    "quarantined": CloseCode.QUARANTINED,
    "newer_schema": CloseCode.ELSEWHERE,
    "too_fast": CloseCode.TOO_MANY,
    "too_many_connections": CloseCode.TOO_MANY,
}
"""What a `hello` that leads to no table ends in; any other error: come back later."""

log = structlog.get_logger()


class Tables(Protocol):
    """Where tables are found, by those who may find them."""

    async def find(self, code: str, token: TokenHash | None) -> Table:
        """The table of a room, for who has this token or none.

        Raises:
            KrigError: why there is none for them; no code is too odd to be asked for.
        """
        ...


class Line(Protocol):
    """What carries a connection's messages: a protocol class, or an ASGI socket."""

    def wake(self) -> None:
        """There is something to write, or to close behind. Never waits."""
        ...


class Connection:
    """A viewer, as the host sees it, and a conversation, as its line does."""

    closing: tuple[int, str] | None
    """What to close with, when everything is written."""

    def __init__(
        self,
        tables: Tables,
        clock: Clock,
        limits: Limits,
        line: Line,
        observer: Observer = NOBODY,
    ) -> None:
        self.limits = limits
        self.observer = observer
        self.closing = None
        self._line = line
        self._tables = tables
        self._clock = clock
        self._session = Session()
        self._table: Table | None = None
        self._token: TokenHash | None = None
        self._greeting: asyncio.Task[None] | None = None
        """A `hello` was heard, and its table is being looked for."""
        self._held: deque[str | None] = deque()
        """What was heard meanwhile."""

        self._outbox = Outbox(limits.outbox_messages, limits.outbox_signs)
        self._most_waiting = 0
        self._is_behind = False
        """The outbox ran over: a snapshot is owed."""

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
        if self.closing or (self._is_behind and is_in_a_snapshot(text)):
            return
        self._outbox.put(text)
        if len(self._outbox) > self._most_waiting:
            self._most_waiting = len(self._outbox)
            self.observer.waited(self._most_waiting, self._outbox.signs)
        if self._outbox.is_over:
            self._outbox.thin()
            self._is_behind = True
            if self._outbox.is_over:
                self.close(TRY_AGAIN_LATER, "nothing is read")
        self._line.wake()

    def close(self, code: int, reason: str) -> None:
        """Close behind what was sent; nothing is heard any more."""
        self._session.close()
        if self.closing is None:
            fits = reason.encode()[:REASON_BYTES].decode(errors="ignore")
            self.closing = (code, fits)
            self.observer.closed(code)
            self._line.wake()

    # The conversation, as its line sees it.

    def hear(self, text: str | None) -> None:
        """Take one message; None: a binary one. Raises nothing."""
        if self.closing is not None:
            return
        self._heard_at = self._clock.monotonic()
        if self._greeting is not None:
            self._hold(text)
            return
        try:
            if not self._is_too_fast():
                self._hear(text)
        except Exception:
            self._break()

    def next(self) -> str | None:
        """Take the next message; the snapshot that is owed is made when it is due."""
        text = self._outbox.take()
        if text is not None or not self._is_behind or self._table is None:
            return text
        self._is_behind = False
        self._table.resync(self)
        return self._outbox.take()

    def drain(self) -> None:
        """The server stops: say when to come back, and close."""
        self.send(encode_drain(RESTART_MS))
        self.close(CloseCode.DRAIN, "the server stops")

    def end(self) -> None:
        """Let go of everything: the line is gone."""
        self._timer.cancel()
        self._session.close()
        if self._greeting is not None:
            self._greeting.cancel()
        if self._table is not None:
            self._table.part(self)

    # What is heard.

    def _hear(self, text: str | None) -> None:
        session = self._session
        heard = session.hear_binary() if text is None else session.hear(text)
        if isinstance(heard, wire.Hello):
            self._timer.cancel()
            self._greeting = asyncio.create_task(self._greet(heard))
        elif heard is not None:
            self._do(heard)

    def _hold(self, text: str | None) -> None:
        """Keep what is said before the table is found, but no flood."""
        self._held.append(text)
        if len(self._held) > self.limits.command_burst:
            self._held.clear()
            self._end(CloseCode.TOO_FAST, TooFast())

    def _break(self) -> None:
        room = None if self._table is None else self._table.room.code
        log.exception("connection_broke", room=room)
        self.close(BROKEN, "")

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
        self.observer.refused(error.code)
        self.send(encode_error(error, retry=True, retry_after_ms=round(wait * 1000)))
        if self._excess >= self.limits.command_burst:
            self.close(CloseCode.TOO_FAST, sentence(error))
        return True

    def _do(self, heard: Asks | Lossy | Wrong | End) -> None:
        table = self._table
        match heard:
            case Wrong(error=error, id=command_id):
                self.observer.refused(error.code)
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
        """Find the table and join it; then hear what was said meanwhile."""
        try:
            await self._join(hello)
        except Exception:
            self._break()
        self._greeting = None
        held, self._held = self._held, deque()
        for text in held:
            self.hear(text)

    async def _join(self, hello: wire.Hello) -> None:
        if hello.token is not None:
            self._token = TokenHash(sha256(bytes.fromhex(hello.token)).hexdigest())
        try:
            table = await self._tables.find(hello.room, self._token)
        except KrigError as error:
            self._end(CLOSES.get(error.code, TRY_AGAIN_LATER), error)
            return
        if self.closing is None:
            self._table = table
            table.join(self, self._token, hello.epoch, hello.v)
            wait = self.limits.heartbeat_seconds
            self._timer = self._clock.call_later(wait, self._ping)

    def _end(self, code: int, error: KrigError) -> None:
        self.observer.refused(error.code)
        self.send(encode_error(error, retry=code < CloseCode.UPGRADE))
        self.close(code, sentence(error))

    # What is not heard.

    def _no_hello(self) -> None:
        self._end(CloseCode.NO_HELLO, HelloMissing())

    def _ping(self) -> None:
        if self._table is None or self.closing is not None:
            return
        pinged_at, silence = self._clock.monotonic(), self.limits.silence_seconds

        def listen() -> None:
            if self._heard_at < pinged_at:
                self.close(GOING_AWAY, "nothing was heard")
            else:
                rest = self.limits.heartbeat_seconds - silence
                self._timer = self._clock.call_later(rest, self._ping)

        self.send(encode_ping(self._table.room.v))
        self._timer = self._clock.call_later(silence, listen)
