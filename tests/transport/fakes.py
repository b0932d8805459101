"""A clock that the test moves, a table that remembers, a socket with two ends."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from krig.errors import NoSuchRoom
from krig.protocol.codec import encode_snapshot
from krig.room.commands import PlayerCommand
from krig.room.facts import TokenHash

Message = dict[str, Any]


@dataclass
class HandTimer:
    at: float
    callback: Callable[[], None]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


class HandClock:
    """Time stands still until the test moves it."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.timers: list[HandTimer] = []

    def now(self) -> int:
        return int(self.time * 1000)

    def monotonic(self) -> float:
        return self.time

    def call_later(self, delay: float, callback: Callable[[], None]) -> HandTimer:
        timer = HandTimer(self.time + delay, callback)
        self.timers.append(timer)
        return timer

    def pass_time(self, seconds: float) -> None:
        end = self.time + seconds
        while due := [t for t in self.timers if t.at <= end and not t.is_cancelled]:
            first = min(due, key=lambda t: t.at)
            self.timers.remove(first)
            self.time = first.at
            first.callback()
        self.time = end

    @property
    def waiting(self) -> int:
        """How many timers are still to ring."""
        return sum(not timer.is_cancelled for timer in self.timers)


@dataclass
class FakeRoom:
    v: int = 7
    seated: set[str] = field(default_factory=set)

    def seat_of(self, token: TokenHash | None) -> int | None:
        return 0 if token in self.seated else None


class FakeTable:
    """A table that remembers what it was asked."""

    def __init__(self) -> None:
        self.room = FakeRoom()
        self.calls: list[tuple[str, Any]] = []
        self.viewers: list[Any] = []
        self.is_broken = False

    def join(self, viewer: Any, token: str | None, epoch: str | None, v: int) -> None:
        self.viewers.append(viewer)
        self.calls.append(("join", (token, epoch, v)))

    def part(self, viewer: Any) -> None:
        self.calls.append(("part", None))

    def submit(self, viewer: Any, command: PlayerCommand, id_: int | None) -> None:
        if self.is_broken:
            raise ValueError("a fault of the table")
        self.calls.append(("submit", (command, id_)))

    def resync(self, viewer: Any) -> None:
        self.calls.append(("resync", None))
        viewer.send(encode_snapshot(self.room.v, {}))  # type: ignore[typeddict-item]

    def react(self, viewer: Any, reaction: int) -> None:
        self.calls.append(("react", reaction))

    def hear_pong(self, viewer: Any, hidden: bool) -> None:
        self.calls.append(("pong", hidden))

    def answer_ping(self, viewer: Any) -> None:
        self.calls.append(("ping", None))


class FakeTables:
    """A host with one room."""

    def __init__(self) -> None:
        self.only = FakeTable()
        self.is_found = asyncio.Event()
        self.is_found.set()

    async def find(self, code: str, token: TokenHash | None) -> FakeTable:
        await self.is_found.wait()
        if code != "7KQ4M":
            raise NoSuchRoom
        return self.only


class FakeSocket:
    """The server's end of a WebSocket; the test holds the other end."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[Message] = asyncio.Queue()
        self.sent: list[Message] = []
        self.code: int | None = None
        self.may_write = asyncio.Event()
        self.may_write.set()

    async def receive(self) -> Message:
        return await self.heard.get()

    async def send_text(self, text: str) -> None:
        await self.may_write.wait()
        self.sent.append(json.loads(text))

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        await self.may_write.wait()
        assert reason is None or len(reason.encode()) <= 123
        self.code = code

    # The other end.

    def say(self, text: str | bytes) -> None:
        kind = "text" if isinstance(text, str) else "bytes"
        self.heard.put_nowait({"type": "websocket.receive", kind: text})

    def go(self) -> None:
        self.heard.put_nowait({"type": "websocket.disconnect", "code": 1006})
