"""A page without a browser: a client of the wire that keeps what it was sent.

It follows PROTOCOL.md and shares no code with the server.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.room.reader import read_entry

PATIENCE = 30.0


class Page:
    """One viewer: a player if it sits down, else a watcher."""

    def __init__(self, url: str, code: str, name: str) -> None:
        self.url = url.replace("http", "ws") + "/ws"
        self.code, self.name = code, name
        self.token = secrets.token_hex(32)
        self.nonce = secrets.token_hex(32)
        self.player: int | None = None
        self.epoch: str | None = None
        self.v = 0
        self.view: dict[str, Any] = {}
        self.frames: list[str] = []
        """Every byte the server ever sent."""
        self.told: list[dict[str, Any]] = []
        """Every event told, in order, each once."""
        self.errors: list[dict[str, Any]] = []
        self.pressed: tuple[int, int, int] | None = None
        self.plays = True
        self._rate, self._burst = 1.0, 4
        self._left, self._paced_at = 4.0, asyncio.get_running_loop().time()
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self.code_closed: int | None = None
        """What the server ended the last connection with."""

    async def open(self) -> None:
        """Connect, and say who we are and what we have seen."""
        socket = await connect(self.url, subprotocols=["krig.1"])  # type: ignore[list-item]
        if self._reader is not None:
            await self._reader  # nothing more comes from the connection before
        self._socket, self.pressed = socket, None
        await self.say(
            "hello",
            protocol=1,
            room=self.code,
            token=self.token,
            epoch=self.epoch,
            v=self.v,
        )
        self._reader = asyncio.create_task(self._read(self._socket))

    async def reopen(self) -> None:
        """Come back by ourselves, as soon as there is a server again."""
        while True:
            try:
                return await self.open()
            except (OSError, EOFError, WebSocketException):
                await asyncio.sleep(0.02)  # another process: no clock of ours to move

    async def close(self) -> None:
        """Go away without a word of leaving."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    async def say(self, kind: str, **fields: object) -> None:
        """Send one message; a connection that is gone loses it."""
        assert self._socket is not None
        await self._keep_to_the_limits()
        try:
            await self._socket.send(json.dumps({"type": kind, **fields}))
        except ConnectionClosed:
            return

    async def _keep_to_the_limits(self) -> None:
        """Never send faster than `welcome` allows."""
        now = asyncio.get_running_loop().time()
        earned = (now - self._paced_at) * self._rate
        self._paced_at, self._left = now, min(self._burst, self._left + earned)
        self._left -= 1
        if self._left < 0:
            await asyncio.sleep(-self._left / self._rate)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until what we were sent makes this true."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                self._news.clear()
                await self._news.wait()

    @property
    def seat(self) -> int | None:
        """Where we sit."""
        for i, place in enumerate(self.view.get("seats", [])):
            if place is not None and place["player"] == self.player:
                return i
        return None

    @property
    def taken(self) -> int:
        """How many seats are taken."""
        return sum(place is not None for place in self.view.get("seats", []))

    @property
    def phase(self) -> str:
        """Where the room stands."""
        phase: str = self.view["room"]["phase"] if self.view else ""
        return phase

    async def sit(self) -> None:
        """Take the first free seat."""
        await self.say("sit", name=self.name, id=1)
        await self.until(lambda: self.seat is not None)

    async def ready(self) -> None:
        """Be ready, bound to our nonce."""
        room = self.view["room"]
        taken = [i for i, place in enumerate(self.view["seats"]) if place]
        assert self.seat is not None
        bound = sha256(
            b"krig-commit-v1\0"
            + bytes.fromhex(room["deal"]["id"])
            + bytes([taken.index(self.seat)])
            + bytes.fromhex(self.nonce)
        ).hexdigest()
        await self.say(
            "ready", game=room["game"], terms=room["terms"], on=True, commitment=bound
        )
        seat = self.seat
        await self.until(lambda: self.view["seats"][seat]["ready"])

    async def flip(self) -> None:
        """Press for the battle that the table waits for."""
        table = self.view["table"]
        self.pressed = (self.view["room"]["game"], table["round"], table["battle"])
        game, number, battle = self.pressed
        await self.say("flip", game=game, round=number, battle=battle)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                assert isinstance(text, str)
                self.frames.append(text)
                await self._take(json.loads(text))
                self._news.set()
        except ConnectionClosed:
            pass
        self.code_closed = socket.close_code
        self._news.set()

    async def _take(self, message: dict[str, Any]) -> None:
        kind: str = message["type"]
        match kind:
            case "welcome":
                self.player, self.epoch = message["player"], message["epoch"]
                self._rate = message["limits"]["commands_per_second"] * 0.9
                self._burst = message["limits"]["command_burst"] - 2
            case "you":
                self.player = message["player"]
            case "snapshot":
                self.v, self.view = message["v"], message["view"]
            case "events":
                first = message["v"] - len(message["entries"]) + 1
                for v, events in enumerate(message["entries"], start=first):
                    if v <= self.v:
                        continue
                    assert v == self.v + 1, f"a gap: {self.v} then {v}"
                    self.v = v
                    self.told += events
                    self.view = read_entry(self.view, events)
            case "ping":
                await self.say("pong", hidden=False)
            case "error":
                self.errors.append(message)
            case _:
                pass
        await self._do_my_part()

    def must_reveal(self) -> bool:
        """Whether the deal waits for our nonce."""
        deal = self.view["room"]["deal"] if self.view else {"stage": ""}
        return deal["stage"] == "reveal" and self.seat in deal["missing"]

    async def reveal(self) -> None:
        """Show our nonce."""
        room = self.view["room"]
        game, terms = room["game"], room["terms"]
        await self.say("reveal", game=game, terms=terms, nonce=self.nonce)

    async def _do_my_part(self) -> None:
        """Reveal when asked, as every page does; press when it is our turn."""
        if self.must_reveal():
            await self.reveal()
        if not self.view or not self.plays or self.seat is None:
            return
        room, table = self.view["room"], self.view["table"]
        if room["phase"] == "playing" and table and self.seat in table["waiting"]:
            battle = (room["game"], table["round"], table["battle"])
            if self.seat not in table["flipped"] and battle != self.pressed:
                await self.flip()
