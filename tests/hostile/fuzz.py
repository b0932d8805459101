"""Fuzz: whatever is sent, it is answered by name and changes nothing.

`python -m tests.hostile.fuzz --size 10000000`: messages against codec, session and
room in this process, a fiftieth as many frames against a real server. `--seed N` does
again what a line that begins with FAILED says.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from krig.engine.rules import PRESETS
from krig.errors import KrigError
from krig.protocol.codec import encode_error
from krig.protocol.session import Asks, End, Session, State, Wrong
from krig.room import commands as c
from krig.room import facts as f
from krig.room.chapters import open_room
from krig.room.decide import decide
from krig.room.evolve import evolve
from krig.room.room import Room
from tests.hostile.messages import HEX, message
from tests.hostile.raw import Raw, frame
from tests.hostile.witness import Witness, quick
from tests.live.server import Server

TOKEN = f.TokenHash("ab" * 32)
A_SEED = 1_000
"""Messages that follow from one seed."""

FRAMES_SHARE = 50


def a_room() -> Room:
    """A lobby in which the owner sits, so that commands get as far as they can."""
    opened = f.AttemptOpened("00" * 16, "00" * 32)
    asked = c.ChangeRules(PRESETS["krieg_40"], "krieg_40", None)
    facts = open_room("7KQ4M", "0f", opened, asked)
    room, _ = evolve(None, f.Entry(1, 1, "00", facts))
    sits = c.TakeSeat(None, "Kari", f.Connection("1"))
    room, _ = evolve(room, f.Entry(2, 2, "01", decide(room, TOKEN, sits)))
    return room


def hear_all(seed: int, room: Room) -> dict[str, int]:
    """Hear a seed's messages; return how often each outcome was."""
    rng, outcomes = Random(seed), dict[str, int]()
    for _ in range(A_SEED):
        text = message(rng)
        try:
            outcome = hear(text, room)
        except Exception:
            print(f"FAILED --seed {seed}: {text[:200]!r}", file=sys.stderr)
            raise
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return outcomes


def hear(text: str, room: Room) -> str:
    """Hear one message as the server does; return what it came to."""
    session = Session()
    session.state = State.SPEAKING
    heard = session.hear(text)
    match heard:
        case Wrong(error=error) | End(error=error):
            said = encode_error(error)
            assert HEX not in said, "no error repeats a token"
            assert len(said) < 1000
            return error.code
        case Asks(command=command):
            try:
                decide(room, TOKEN, command)
            except KrigError as error:
                return error.code
            return "done"
        case _:
            return type(heard).__name__


def in_process(size: int, first: int) -> dict[str, int]:
    """Hear so many messages."""
    room, outcomes = a_room(), dict[str, int]()
    for seed in range(first, first + max(1, size // A_SEED)):
        for outcome, count in hear_all(seed, room).items():
            outcomes[outcome] = outcomes.get(outcome, 0) + count
    return outcomes


def torn(rng: Random) -> bytes:
    """A frame of a message, as a hostile peer would make it."""
    text = message(rng).encode(errors="surrogatepass")
    if rng.random() < 0.5:
        return frame(text)
    made = frame(
        text,
        rng.choice((0, 1, 1, 1, 2, 3, 8, 9, 10, 15)),
        fin=rng.random() < 0.8,
        rsv=rng.choice((0, 0, 0, 1, 4, 7)),
        masked=rng.random() < 0.9,
        size=rng.choice((None, None, 0, 125, 65536, 2**40)),
    )
    if rng.random() < 0.3:
        at = rng.randrange(len(made))
        made = made[:at] + rng.randbytes(rng.randrange(8)) + made[at:]
    return made


async def one_peer(seed: int, port: int, room: str, frames: int) -> int:
    """Send frames until the server has had enough; return how many it took."""
    rng = Random(seed)
    raw = await Raw.open(port)
    gone = asyncio.create_task(raw.gone())
    try:
        if rng.random() < 0.8:
            raw.send(frame(f'{{"type":"hello","protocol":1,"room":"{room}"}}'))
        sent = 0
        while sent < frames and not gone.done():
            raw.send(torn(rng))
            sent += 1
            if sent % 4 == 0:
                await asyncio.sleep(0)
        return sent
    except OSError:
        return frames
    finally:
        await raw.leave()
        await gone


async def live(size: int, first: int, folder: Path) -> int:
    """Send so many frames to a real server; return how many connections it took."""
    with quick():
        server = Server(folder, commands_per_second=200)
        server.start()
    try:
        async with Witness(server) as witness:
            sent, seed = 0, first
            while sent < size:
                peers = [
                    one_peer(s, server.port, witness.code, 50)
                    for s in range(seed, seed + 8)
                ]
                try:
                    sent += sum(await asyncio.gather(*peers))
                    await witness.sees_no_change()
                except BaseException:
                    print(f"FAILED --seed {seed}", file=sys.stderr)
                    raise
                seed += 8
    finally:
        server.stop()
    said = server.output.read_text()
    assert "Traceback" not in said, f"FAILED --seed {first}\n{said}"
    return seed - first


def run(size: int, first: int) -> None:
    """Do it all, and print what it came to."""
    began = time.perf_counter()
    outcomes = in_process(size, first)
    took = time.perf_counter() - began
    last = first + max(1, size // A_SEED) - 1
    print(
        f"fuzz: {sum(outcomes.values()):,} messages, seeds {first}-{last}, {took:.1f} s"
    )
    for outcome, count in sorted(outcomes.items(), key=lambda each: -each[1]):
        print(f"  {outcome:<20} {count:>9,}")
    frames = max(400, size // FRAMES_SHARE)
    with tempfile.TemporaryDirectory() as folder:
        connections = asyncio.run(live(frames, first, Path(folder)))
    print(
        f"fuzz: {frames:,} frames to a server, {connections} connections, seed {first}+"
    )
    print(
        "a failure would have been: an exception, a traceback, a token told, a change"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    run(given.size, given.seed)
