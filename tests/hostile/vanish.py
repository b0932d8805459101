"""Peers that vanish: no FIN, no RST, as a phone that falls into the sea.

`python -m tests.hostile.vanish`: a server and two tables that play, and peers behind a
router that one day carries nothing any more. Each must be gone within its time, and the
tables play on meanwhile. Server, router and peers are network namespaces of their own,
made for this and gone with it; nothing is sent to any other network.

Where namespaces may not be made it says why, and that is all.
"""

import argparse
import asyncio
import ctypes
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Final

from krig.app.serve import DEAD_PEER_MS
from krig.protocol.limits import Limits
from krig.transport.protocol import CLOSE_SECONDS
from tests.hostile.measure import Notes, play
from tests.hostile.peers import hello
from tests.hostile.raw import Raw
from tests.hostile.witness import QUICK
from tests.live.games import at_the_table
from tests.live.server import ROOT, Server
from tests.programme.numbers import ask

SERVER, TO_SERVER = "10.77.0.1", "10.77.0.2"
PEER, TO_PEER = "10.77.1.2", "10.77.1.1"

CLONE_NEWNET: Final = 0x40000000

SLACK: Final = 8.0
"""A busy machine is late (s)."""

SETTLED: Final = 1.0
"""So long after they came they have been told that they came (s)."""

RESENT: Final = 10.0
"""The kernel gives up when it would send again: it waits up to so long between (s)."""

NEVER: Final = "100000"

PLANS: Final = {
    "quick": QUICK,
    "as it is": {},
    "by the kernel": {
        "HELLO_SECONDS": "5",
        "STALL_SECONDS": NEVER,
        "HEARTBEAT_SECONDS": NEVER,
        "SILENCE_SECONDS": NEVER,
    },
}
"""Limits of the server; in the last only the kernel finds out, by what it sent."""


def unshare() -> list[str]:
    """How a network namespace is made here."""
    return ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "-r", "--net"]


def why_not() -> str:
    """Why this cannot be done here; empty: it can."""
    for tool in ("unshare", "nsenter", "ip"):
        if shutil.which(tool) is None:
            return f"there is no {tool} here (Debian: util-linux, iproute2)"
    tried = subprocess.run(
        [*unshare(), "ip", "link", "add", "type", "veth"],
        capture_output=True,
        text=True,
    )
    return "" if tried.returncode == 0 else f"no network namespaces: {tried.stderr}"


# The networks ------------------------------------------------------------------------


@contextmanager
def namespace() -> Iterator[int]:
    """A network of its own, by the number of a process that is in it."""
    with subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "echo; exec sleep 600"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.kill()


def ip(words: str, where: int | None = None) -> None:
    """Do this here, or in a namespace."""
    there = [] if where is None else ["nsenter", "-t", str(where), "-n"]
    subprocess.run([*there, "ip", *words.split()], check=True)


def join(router: int, peer: int) -> None:
    """Lay the wires: we are the server's end."""
    here = subprocess.check_output(["ip", "route"], text=True)
    assert not here, "this is somebody's network, and no namespace of ours"
    ip("link set lo up")
    ip(f"link add s0 type veth peer name r0 netns {router}")
    ip(f"addr add {SERVER}/24 dev s0")
    ip("link set s0 up")
    ip(f"link add r1 type veth peer name p0 netns {peer}", router)
    for device, address in (("r0", TO_SERVER), ("r1", TO_PEER)):
        ip(f"addr add {address}/24 dev {device}", router)
        ip(f"link set {device} up", router)
    ip(f"addr add {PEER}/24 dev p0", peer)
    ip("link set p0 up", peer)
    ip(f"route add default via {TO_SERVER}")
    ip(f"route add default via {TO_PEER}", peer)
    forward = ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]
    subprocess.run(["nsenter", "-t", str(router), "-n", *forward], check=True)


def cut(router: int) -> None:
    """From now on the router swallows everything, and tells nobody."""
    ip(f"route add blackhole {PEER}/32", router)
    ip(f"route add blackhole {SERVER}/32", router)


def socket_in(where: int) -> socket.socket:
    """A socket of another namespace: only the thread that makes it goes there."""
    made: list[socket.socket] = []

    def make() -> None:
        with open(f"/proc/{where}/ns/net") as there:
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.setns(there.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
        made.append(socket.socket())

    thread = Thread(target=make)
    thread.start()
    thread.join()
    return made[0]


# The peers ---------------------------------------------------------------------------


@dataclass
class Vanished:
    """What was seen."""

    plan: str
    within: float
    """So long it may take (s)."""
    peers: int = 0
    took: float = 0.0
    """Until the last of them was gone (s)."""
    rounds: int = 0
    """That others played meanwhile."""
    failures: list[str] = field(default_factory=list)


def promised(plan: str) -> float:
    """Within what time a peer is gone (s)."""
    if plan == "by the kernel":
        return DEAD_PEER_MS / 1000 + RESENT + SLACK
    limits = {k.lower(): float(v) for k, v in PLANS[plan].items()}
    heartbeat = limits.get("heartbeat_seconds", Limits().heartbeat_seconds)
    silence = limits.get("silence_seconds", Limits().silence_seconds)
    return heartbeat + silence + CLOSE_SECONDS + SLACK


async def run(plan: str, folder: Path, router: int, peer: int) -> Vanished:
    """Let peers vanish, and see them gone while two tables play."""
    seen = Vanished(plan, promised(plan))
    limits = {f"LIMITS__{name}": value for name, value in PLANS[plan].items()}
    server = Server(folder, commands_per_second=1000, host="0.0.0.0", **limits)
    server.start()
    over, notes = asyncio.Event(), Notes()
    notes.now = notes.calm
    try:
        async with AsyncExitStack() as stack:
            codes = [server.make_room("krieg_240") for _ in range(2)]
            tables = [
                (await stack.enter_async_context(at_the_table(server, c, 2, 0)))[0]
                for c in codes
            ]
            playing = [asyncio.create_task(play(t, notes, over)) for t in tables]
            lobby = server.make_room()
            before = await ask(server.url)
            raws = [
                await _comes(peer, server.port, said)
                for said in _peers(plan, lobby, codes[0])
            ]
            seen.peers = len(raws)
            await _there_are(server, 4 + len(raws), 30.0)
            await asyncio.sleep(SETTLED)
            cut(router)
            for raw in raws:
                raw.writer.transport.abort()  # its RST is swallowed, as all else
            began, played = time.monotonic(), len(notes.calm)
            if not await _there_are(server, 4, seen.within):
                seen.failures.append(f"somebody is still there after {seen.within} s")
            seen.took = time.monotonic() - began
            seen.rounds = len(notes.calm) - played
            for task in playing:
                if task.done():
                    await task  # to hear why
            over.set()
            await asyncio.gather(*playing)
            after = await ask(server.url)
            for what in ("process_open_fds", "krig_tasks"):
                if after.of(what) > before.of(what) + 1:
                    was, now = before.of(what), after.of(what)
                    seen.failures.append(f"{what}: {was:.0f} before, {now:.0f} after")
    finally:
        server.stop()
    if seen.rounds < seen.took:
        seen.failures.append(f"others played {seen.rounds} rounds only")
    if "Traceback" in server.output.read_text():
        seen.failures.append(server.output.read_text()[-3000:])
    return seen


def _peers(plan: str, lobby: str, table: str) -> list[bytes]:
    """What each has said before it vanishes."""
    loud = [hello(table)] * 3
    if plan == "by the kernel":  # to who is sent nothing, it cannot find out anything
        return loud
    return [*loud, hello(lobby), hello(lobby), b"", b"\x81"]


async def _comes(where: int, port: int, said: bytes) -> Raw:
    raw = await Raw.open(port, host=SERVER, plain=socket_in(where))
    raw.send(said)
    return raw


async def _there_are(server: Server, wanted: int, within: float) -> bool:
    """Wait until there are only so many sockets, or until it was too long."""
    end = time.monotonic() + within
    while (await ask(server.url)).of("krig_connections") != wanted:
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.1)
    return True


# From outside ------------------------------------------------------------------------


def apart(plan: str) -> subprocess.CompletedProcess[str]:
    """Do it in namespaces of its own."""
    return subprocess.run(
        [*unshare(), sys.executable, "-m", "tests.hostile.vanish", "--inside", plan],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'server'}{os.pathsep}{ROOT}"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def inside(plan: str) -> int:
    """Do it: we are in a namespace of our own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        namespace() as router,
        namespace() as peer,
    ):
        join(router, peer)
        seen = asyncio.run(run(plan, Path(folder), router, peer))
    for failure in seen.failures:
        print(f"FAILED {failure}")
    print(
        f"vanished, {plan}: {seen.peers} peers gone after {seen.took:.1f} s "
        f"(within {seen.within:.1f}), {seen.rounds} rounds played meanwhile"
    )
    return 1 if seen.failures else 0


def main() -> int:
    """Say what was found; 1 if it is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        return inside(given.inside)
    if why := why_not():
        print(f"VANISHED PEERS WERE LEFT OUT: {why}", file=sys.stderr)
        return 0
    done = [apart(plan) for plan in PLANS]
    print("".join(each.stdout for each in done), end="")
    return max(each.returncode for each in done)


if __name__ == "__main__":
    sys.exit(main())
