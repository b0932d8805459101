"""A connection hands on what it hears, writes what it is sent, and ends in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, cast

import pytest

from krig.protocol.codec import encode_ack, encode_presence, encode_you
from krig.protocol.limits import Limits
from krig.protocol.session import CloseCode
from krig.room.commands import Flip
from krig.transport.connection import Connection
from krig.transport.route import AsgiLine
from tests.transport.fakes import FakeSocket, FakeTable, FakeTables, HandClock

TOKEN = "0f" * 32
TOKEN_HASH = sha256(b"\x0f" * 32).hexdigest()
HELLO = f'{{"type":"hello","protocol":1,"room":"7KQ4M","token":"{TOKEN}"}}'
WATCH = '{"type":"hello","protocol":1,"room":"7KQ4M"}'
FLIP = '{"type":"flip","game":1,"round":1,"battle":0}'


class Scene:
    """A connection between a fake table and a fake socket."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.tables = FakeTables()
        self.socket = FakeSocket()
        line = AsgiLine(cast(Any, self.socket))
        self.connection = Connection(cast(Any, self.tables), self.clock, Limits(), line)
        self.running = asyncio.create_task(self._run(line))

    async def _run(self, line: AsgiLine) -> None:
        await line.carry(self.connection)
        self.connection.end()

    @property
    def table(self) -> FakeTable:
        return self.tables.only

    async def say(self, *texts: str | bytes) -> None:
        for text in texts:
            self.socket.say(text)
        await self.settle()

    async def settle(self) -> None:
        """Let everything happen that waits for no clock."""
        for _ in range(20):
            await asyncio.sleep(0)

    @property
    def code(self) -> int | None:
        """What the socket was closed with."""
        return self.socket.code

    def asked(self) -> list[str]:
        return [name for name, _ in self.table.calls]


@asynccontextmanager
async def scene(*said: str) -> AsyncIterator[Scene]:
    it = Scene()
    await it.say(*said)
    yield it
    it.socket.go()
    it.socket.may_write.set()
    await asyncio.wait_for(it.running, 5)
    assert it.clock.waiting == 0, "a connection that is gone leaves no timer"


async def test_hello_joins_the_table_with_the_hash_of_the_token() -> None:
    async with scene(HELLO[:-1] + ',"epoch":"0f","v":6}') as it:
        assert it.table.calls == [("join", (TOKEN_HASH, "0f", 6))]


async def test_who_has_no_token_watches() -> None:
    async with scene(WATCH) as it:
        assert it.table.calls == [("join", (None, None, 0))]


async def test_what_is_asked_reaches_the_table() -> None:
    async with scene(HELLO) as it:
        it.table.room.seated.add(TOKEN_HASH)
        await it.say(
            FLIP,
            '{"type":"resync"}',
            '{"type":"react","reaction":2}',
            '{"type":"ping"}',
            '{"type":"pong","hidden":true}',
        )
        assert it.table.calls[1:] == [
            ("submit", (Flip(1, 1, 0), None)),
            ("resync", None),
            ("react", 2),
            ("ping", None),
            ("pong", True),
        ]


async def test_the_table_is_told_once_when_a_viewer_is_gone() -> None:
    async with scene(HELLO) as it:
        pass
    assert it.asked() == ["join", "part"]


async def test_who_floods_while_the_table_is_looked_for_does_not_get_there() -> None:
    async with scene() as it:
        it.tables.is_found.clear()
        await it.say(HELLO, *[FLIP] * 20)
        assert it.code is None
        it.socket.may_write.clear()  # so that the line is not gone by the close alone
        await it.say(FLIP)
        it.tables.is_found.set()
        await it.settle()
        it.socket.may_write.set()
        await it.settle()
        assert it.socket.code == CloseCode.TOO_FAST
    assert it.asked() == []


async def test_who_is_gone_before_the_table_is_found_never_joins_it() -> None:
    async with scene() as it:
        it.tables.is_found.clear()
        await it.say(HELLO)
    it.tables.is_found.set()
    await it.settle()
    assert it.asked() == []
    assert it.clock.waiting == 0


async def test_silence_instead_of_hello_ends_it() -> None:
    async with scene() as it:
        it.clock.pass_time(4.9)
        await it.settle()
        assert it.code is None
        it.clock.pass_time(0.2)
        await it.settle()
        assert it.socket.sent[-1]["code"] == "hello_missing"
        assert it.socket.code == CloseCode.NO_HELLO
    assert it.asked() == []


async def test_a_room_that_is_not_there_is_said_so_for_good() -> None:
    async with scene(WATCH.replace("7KQ4M", "ZZZZZ")) as it:
        assert it.socket.sent[-1]["code"] == "no_such_room"
        assert it.socket.sent[-1]["retry"] is False
        assert it.socket.code == CloseCode.NO_SUCH_ROOM


async def test_what_cannot_be_read_is_answered_and_harms_nothing() -> None:
    async with scene(HELLO) as it:
        await it.say("?", b"\0\1", FLIP)
        assert [m["code"] for m in it.socket.sent] == ["bad_message", "bad_message"]
        assert it.asked() == ["join", "submit"]
        assert it.socket.code is None


async def test_what_was_sent_is_written_before_it_is_closed() -> None:
    async with scene(HELLO) as it:
        it.connection.send(encode_you(None))
        it.connection.close(CloseCode.REMOVED, "you were removed")
        it.connection.send(encode_presence(1))
        await it.settle()
        assert it.socket.sent == [{"type": "you", "player": None}]
        assert it.socket.code == CloseCode.REMOVED


# Too fast --------------------------------------------------------------------------


async def test_a_seat_may_send_twenty_at_once_and_is_then_told_to_wait() -> None:
    async with scene(HELLO) as it:
        it.table.room.seated.add(TOKEN_HASH)
        await it.say(*[FLIP] * 20)
        assert it.asked().count("submit") == 20
        await it.say(FLIP)
        assert it.asked().count("submit") == 20
        [error] = it.socket.sent
        assert (error["code"], error["retry"]) == ("too_fast", True)
        it.clock.pass_time(error["retry_after_ms"] / 1000)
        await it.say(FLIP)
        assert it.asked().count("submit") == 21


async def test_a_watcher_may_send_five_at_once_hello_included() -> None:
    async with scene(WATCH) as it:
        await it.say(*['{"type":"ping"}'] * 5)
        assert it.asked().count("ping") == 4


async def test_a_flood_is_not_even_parsed_and_ends_it() -> None:
    async with scene(HELLO) as it:
        it.table.room.seated.add(TOKEN_HASH)
        await it.say(*["?" if n % 3 else FLIP for n in range(9)], *["[" * 4096] * 200)
        assert it.socket.code in (CloseCode.TOO_FAST, CloseCode.BAD_MESSAGES)
        assert len(it.socket.sent) < 40


async def test_a_flood_of_good_messages_ends_it() -> None:
    async with scene(HELLO) as it:
        it.table.room.seated.add(TOKEN_HASH)
        await it.say(*[FLIP] * 300)
        assert it.socket.code == CloseCode.TOO_FAST
        assert it.asked().count("submit") == 20
        assert len(it.socket.sent) == 20


# Alive -----------------------------------------------------------------------------


async def test_it_is_pinged_with_the_newest_version_and_lives_while_it_answers() -> (
    None
):
    async with scene(HELLO) as it:
        for _ in range(5):
            it.clock.pass_time(20)
            await it.settle()
            assert it.socket.sent[-1] == {"type": "ping", "v": 7}
            await it.say('{"type":"pong"}')
        assert len(it.socket.sent) == 5
        assert it.socket.code is None


async def test_fifteen_seconds_of_silence_after_a_ping_end_it() -> None:
    async with scene(HELLO) as it:
        it.clock.pass_time(34.9)
        await it.settle()
        assert it.code is None
        it.clock.pass_time(0.2)
        await it.settle()
        assert it.socket.code == 1001
    assert it.asked() == ["join", "part"]


# Slow ------------------------------------------------------------------------------


async def test_who_does_not_keep_up_gets_one_snapshot_and_what_is_theirs_alone() -> (
    None
):
    async with scene(HELLO) as it:
        it.socket.may_write.clear()
        it.connection.send(encode_presence(0))
        await it.settle()
        for n in range(1000):
            it.connection.send(encode_presence(n))
        it.connection.send(encode_ack(5, 9))
        await it.settle()
        assert "resync" not in it.asked()
        it.socket.may_write.set()
        await it.settle()
        it.connection.send(encode_presence(2000))
        await it.settle()
        kinds = [message["type"] for message in it.socket.sent]
        assert kinds == ["presence", "ack", "snapshot", "presence"]
        assert it.asked().count("resync") == 1


@pytest.mark.parametrize(
    ("waiting", "heard"),
    [
        pytest.param(64, ["presence"] * 65, id="64-wait"),
        pytest.param(65, ["presence", "snapshot"], id="65-are-one-snapshot"),
    ],
)
async def test_so_many_messages_wait_and_one_more_makes_a_snapshot_of_them(
    waiting: int, heard: list[str]
) -> None:
    async with scene(HELLO) as it:
        it.socket.may_write.clear()
        it.connection.send(encode_presence(0))
        await it.settle()
        for n in range(waiting):
            it.connection.send(encode_presence(n))
        it.socket.may_write.set()
        await it.settle()
        assert [message["type"] for message in it.socket.sent] == heard


async def test_who_reads_nothing_at_all_is_given_up() -> None:
    async with scene(HELLO) as it:
        it.socket.may_write.clear()
        for n in range(200):
            it.connection.send(encode_ack(n, 9))
        it.socket.may_write.set()
        await it.settle()
        assert it.socket.code == 1013


async def test_a_table_that_breaks_ends_this_connection_and_says_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with scene(HELLO) as it:
        it.table.is_broken = True
        await it.say(FLIP)
        assert it.socket.code == 1011
    assert it.asked() == ["join", "part"]
    assert TOKEN not in capsys.readouterr().out
