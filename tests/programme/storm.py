"""`make storm`: SOCKETS players lose their server at once, and all come back.

Twice: it is killed, and it is told to stop, so that it tells each when to come back.
They wait as the page in `client/` does, each times a random number, so that they do not
all come in one moment. What would be a failure: somebody who is not back on their seat
within ten seconds of a ready server; coming back that takes more than two seconds (p99)
from the first bytes that the ready server could hear, of up to 2,000 players; many that
come in one moment; a server that tells many the same moment.

`python -m tests.programme.storm --sockets 5000 --seed 1`
"""

import argparse
import asyncio
import base64
import json
import re
import resource
import secrets
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.live.server import ROOT, Server
from tests.programme.kill9 import percentile
from tests.programme.numbers import ask


def waits() -> tuple[float, ...]:
    """How long a page waits before each try, times a random number (s)."""
    code = (ROOT / "client" / "protocol.js").read_text()
    found = re.search(r"const BACK_OFF = \[([\d, ]+)\]", code)
    assert found is not None, "the page keeps its waits elsewhere now"
    return tuple(int(ms) / 1000 for ms in found[1].split(","))


WAITS: Final = waits()

MOMENT: Final = 0.1
"""In so short a time (s)…"""

CROWD: Final = 0.6
"""…no bigger share of all players means to come back: of a first wait of 0 to 0.3 s,
that is a third."""

ALL_WITHIN: Final = 10.0
QUICK: Final = 2.0
QUICK_SOCKETS: Final = 2_000
"""As many are back so quickly; more than these only all within the ten seconds."""

CPU_SECONDS: Final = "process_cpu_seconds_total"

SEATS: Final = 4
AT_ONCE: Final = 50
"""Who first come in; the storm is only when they return."""


@dataclass
class Player:
    """One socket, as bare as it can be: it keeps a seat, and counts."""

    port: int
    code: str
    dice: Random
    jitter: bool
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    v: int = 0
    epoch: str | None = None
    player: int | None = None
    back_at: float = 0.0
    """When we were in step (monotonic s)."""
    tried_at: float = 0.0
    """When we began the try that led there."""
    tries: list[float] = field(default_factory=list)
    """When we meant to come back, in vain or not: a busy machine is late for it."""
    turn: float | None = None
    """How long the server told us to wait (s)."""
    _reader: asyncio.StreamReader = field(init=False)
    _writer: asyncio.StreamWriter = field(init=False)

    async def connect(self) -> None:
        """Open a WebSocket and say hello, until we are in step."""
        self.tried_at = time.monotonic()
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self.port
        )
        # All of them have one address: without this, some would take a port again that
        # the kernel still keeps for their last connection, and wait a second for it.
        self._writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self._writer.write(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Protocol: krig.1\r\n\r\n".encode()
        )
        head = await self._reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(head[:40])
        self.say(
            type="hello",
            protocol=1,
            room=self.code,
            token=self.token,
            epoch=self.epoch,
            v=self.v,
        )
        await self._until_in_step()

    async def _until_in_step(self) -> None:
        while True:
            message = await self.hear()
            if message["type"] == "welcome":
                self.player, self.epoch = message["player"], message["epoch"]
                if message["sync"] == "in_sync":
                    break
            elif message["type"] in ("snapshot", "events"):
                self.v = message["v"]
                break
        self.back_at = time.monotonic()

    def say(self, **message: object) -> None:
        """Send one message, masked with nothing."""
        body = json.dumps(message).encode()
        length = bytes([0x80 | len(body)])
        if len(body) > 125:
            length = bytes([0x80 | 126]) + struct.pack(">H", len(body))
        self._writer.write(b"\x81" + length + bytes(4) + body)

    async def hear(self) -> dict[str, Any]:
        """Read one message."""
        first, second = await self._reader.readexactly(2)
        length = second
        if length == 126:
            (length,) = struct.unpack(">H", await self._reader.readexactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", await self._reader.readexactly(8))
        body = await self._reader.readexactly(length)
        if first != 0x81:
            raise ConnectionError(body)
        heard: dict[str, Any] = json.loads(body)
        return heard

    async def sit(self) -> None:
        """Take a seat."""
        self.say(type="sit", name=f"P{self.token[:6]}", id=1)
        while True:
            message = await self.hear()
            if message["type"] == "you":
                self.player = message["player"]
            if message["type"] == "events":
                self.v = message["v"]
            if message["type"] == "ack":
                return

    async def leave(self) -> None:
        """Close the connection, and see it closed."""
        self._writer.close()
        await self._writer.wait_closed()

    async def stay(self) -> None:
        """Hear what is told, and come back for ever when the server is gone."""
        tries, turn = 0, 0.0
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                if tries:
                    await self.connect()
                    tries = 0
                while True:
                    message = await self.hear()
                    if message["type"] == "events":
                        self.v = message["v"]
                    elif message["type"] == "ping":
                        self.say(type="pong", hidden=False)
                    elif message["type"] == "drain":
                        turn = self.turn = message["retry_after_ms"] / 1000
            self._writer.close()
            wait = WAITS[min(tries, len(WAITS) - 1)]
            tries += 1
            wait *= self.dice.random() if self.jitter else 1
            self.tries.append(time.monotonic() + turn + wait)
            await asyncio.sleep(turn + wait)
            turn = 0.0


@dataclass
class Return:
    """How everybody came back once."""

    why: str
    late: list[float] = field(default_factory=list)
    """From a ready server until each was in step (s)."""
    took: list[float] = field(default_factory=list)
    """From when each could first be heard (s)."""
    cpu: float = 0.0
    """What a return cost the server (s of one core)."""
    share: float = 0.0
    """How much of a core the server had meanwhile: on a busy machine no more."""
    crowd: float = 0.0
    """The biggest share of all players that meant to come in one moment."""


@dataclass
class Result:
    """What was found."""

    sockets: int
    quick: float = QUICK
    all_within: float = ALL_WITHIN
    returns: list[Return] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


async def run(
    sockets: int,
    seed: int,
    folder: Path,
    *,
    jitter: bool = True,
    quick: float = QUICK,
    all_within: float = ALL_WITHIN,
) -> Result:
    """Let so many lose their server; say how they came back."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    result, dice = Result(sockets, quick, all_within), Random(seed)
    server = Server(folder, commands_per_second=500)
    server.start()
    staying: list[asyncio.Task[None]] = []
    players: list[Player] = []
    try:
        for _ in range(0, sockets, SEATS):
            code = await asyncio.to_thread(server.make_room)
            players += [Player(server.port, code, dice, jitter) for _ in range(SEATS)]
        for at in range(0, len(players), AT_ONCE):
            some = players[at : at + AT_ONCE]
            await asyncio.gather(*(player.connect() for player in some))
            await asyncio.gather(*(player.sit() for player in some))
        seats = [player.player for player in players]
        staying = [asyncio.create_task(player.stay()) for player in players]
        await asyncio.sleep(1)
        for why, lose in (("killed", server.kill), ("told to stop", server.stop)):
            await _lose(server, why, lose, players, seats, result)
    finally:
        for task in staying:
            task.cancel()
        await asyncio.gather(*staying, return_exceptions=True)
        await asyncio.gather(*(p.leave() for p in players), return_exceptions=True)
        server.stop()
    return result


async def _lose(
    server: Server,
    why: str,
    lose: Callable[[], None],
    players: list[Player],
    seats: list[int | None],
    result: Result,
) -> None:
    """Lose the server, start it again, and see everybody come back."""
    for player in players:
        player.tries.clear()
        player.turn = None
    lost = time.monotonic()
    await asyncio.to_thread(lose)
    await asyncio.to_thread(server.start)
    ready = time.monotonic()
    began = await ask(server.url)
    slowest = max((p.turn or 0 for p in players), default=0)
    while time.monotonic() < ready + result.all_within + slowest:
        if all(player.back_at > lost for player in players):
            break
        await asyncio.sleep(0.05)
    ended = await ask(server.url)
    back = Return(why)
    spent = ended.of(CPU_SECONDS) - began.of(CPU_SECONDS)
    back.cpu = spent / max(1, sum(p.back_at > ready for p in players))
    back.share = spent / (time.monotonic() - ready)
    result.returns.append(back)
    _judge(result, back, players, seats, lost, ready)


def _judge(
    r: Result,
    back: Return,
    players: list[Player],
    seats: list[int | None],
    lost: float,
    ready: float,
) -> None:
    here = [player for player in players if player.back_at > lost]
    if len(here) < len(players):
        r.failures.append(f"{back.why}: {len(players) - len(here)} are not back")
    back.late = [max(0.0, player.back_at - ready) for player in here]
    back.took = [p.back_at - max(p.tried_at, min(ready, p.back_at)) for p in here]
    if back.took and percentile(back.took, 0.99) > r.quick:
        p99 = percentile(back.took, 0.99)
        r.failures.append(f"{back.why}: coming back took {p99:.2f} s (p99)")
    for player, seat in zip(players, seats, strict=True):
        if player in here and player.player != seat:
            r.failures.append(f"player {player.player} was {seat} in {player.code}")
    back.crowd = crowd([each for p in players for each in p.tries]) / len(players)
    if back.crowd > CROWD:
        r.failures.append(f"{back.why}: {back.crowd:.0%} came in one moment")
    told = [player.turn for player in players if player.turn is not None]
    if back.why == "told to stop" and len(set(told)) < len(players) * 0.9:
        r.failures.append(f"{len(players)} were told {len(set(told))} moments")


def crowd(tries: list[float]) -> int:
    """The most tries in one moment."""
    tries, first, most = sorted(tries), 0, 0
    for last, at in enumerate(tries):
        while tries[first] < at - MOMENT:
            first += 1
        most = max(most, last - first + 1)
    return most


def main() -> int:
    """Say what was found; 1 if it is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--no-jitter", action="store_true", help="see it fail")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jitter = not wanted.no_jitter
        result = asyncio.run(
            run(
                wanted.sockets,
                wanted.seed,
                Path(folder),
                jitter=jitter,
                quick=QUICK if wanted.sockets <= QUICK_SOCKETS else ALL_WITHIN,
            )
        )
    for failure in result.failures[:20]:
        print(f"FAILED {failure}")
    for back in result.returns:
        print(
            f"storm: {result.sockets} sockets, {back.why}: "
            f"coming back took p50 {percentile(back.took, 0.5):.2f}, "
            f"p99 {percentile(back.took, 0.99):.2f} s; all were in step "
            f"{max(back.late):.1f} s after the server was ready, "
            f"{back.cpu * 1000:.2f} ms of CPU each "
            f"({back.share:.0%} of a core), "
            f"at most {back.crowd:.0%} of them in one moment"
        )
    print(
        f"seed {wanted.seed}: {len(result.failures)} failures "
        "(absent, late, wrong seat, all at once)"
    )
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
