"""A real server, real sockets: what a client sees on the wire."""

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from krig.protocol.session import CloseCode
from tests.transport.served import opened_room, page, served

TOKEN, OTHER = "0f" * 32, "f0" * 32


async def test_a_page_sits_down_and_a_watcher_sees_it() -> None:
    async with served() as server, page(server) as kari, page(server) as watcher:
        room = await opened_room(server)
        await watcher.hello(room)
        await watcher.hear_until("snapshot")
        await kari.hello(room, TOKEN)
        await kari.say("sit", id=1, name="Kari")
        ack = await kari.hear_until("ack")
        events = await watcher.hear_until("events")
        assert ack["v"] == events["v"] == 2
        assert events["entries"][0][0]["name"] == "Kari"
        assert kari.socket.subprotocol == "krig.1"


async def test_who_comes_back_is_brought_up_to_date_from_what_they_saw() -> None:
    async with served() as server:
        room = await opened_room(server)
        async with page(server) as kari:
            await kari.hello(room, TOKEN)
            welcome = await kari.hear_until("welcome")
            await kari.say("sit", id=1, name="Kari")
            await kari.hear_until("ack")
        async with page(server) as kari:
            await kari.hello(room, TOKEN, epoch=welcome["epoch"], v=welcome["v"])
            again = await kari.hear_until("welcome")
            assert (again["sync"], again["player"]) == ("events", 1)
            events = await kari.hear()
            assert len(events["entries"]) == events["v"] - welcome["v"]


async def test_the_newest_page_of_a_seat_wins() -> None:
    async with served() as server, page(server) as old, page(server) as new:
        room = await opened_room(server)
        await old.hello(room, TOKEN)
        await old.say("sit", id=1, name="Kari")
        await old.hear_until("ack")
        await new.hello(room, TOKEN)
        assert await old.closed() == CloseCode.REPLACED
        assert (await new.hear_until("welcome"))["player"] == 1


async def test_a_code_is_read_as_people_type_it() -> None:
    async with served() as server, page(server) as kari:
        room = await opened_room(server)
        await kari.hello(f"{room[:2]}-{room[2:]}".lower())
        assert (await kari.hear())["room"] == room


@pytest.mark.parametrize("room", ["ZZZZZ", "no room", ""])
async def test_no_such_room_is_final(room: str) -> None:
    async with served() as server, page(server) as lost:
        await lost.hello(room)
        assert (await lost.hear())["type"] == "error"
        assert await lost.closed() == CloseCode.NO_SUCH_ROOM


async def test_a_message_that_is_too_long_ends_only_its_own_connection() -> None:
    async with served() as server, page(server) as bad, page(server) as good:
        room = await opened_room(server)
        await bad.hello(room)
        await good.hello(room)
        await bad.socket.send("x" * 4097)
        assert await bad.closed() == 1009
        await good.say("ping")
        assert (await good.hear_until("pong"))["v"] == 1


async def test_a_watcher_who_reads_nothing_holds_nobody_up() -> None:
    async with (
        served() as server,
        page(server, max_queue=1, close_timeout=0.1) as deaf,
        page(server) as kari,
    ):
        room = await opened_room(server)
        await deaf.hello(room)
        await kari.hello(room, TOKEN)
        await kari.say("sit", id=1, name="Kari")
        for n in range(2, 12):
            await kari.say("tempo", id=n, tempo="fast" if n % 2 else "slow")
            assert (await kari.hear_until("ack"))["id"] in range(1, n + 1)


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        pytest.param("http://evil.example", 403, id="foreign"),
        pytest.param("null", 403, id="null"),
        pytest.param("http://127.0.0.1:1", 403, id="another-port"),
        pytest.param("http://krig.lan", None, id="the-public-url"),
        pytest.param(None, None, id="none"),
    ],
)
async def test_a_foreign_page_is_refused_before_the_socket_opens(
    origin: str | None, status: int | None
) -> None:
    async with served() as server:
        if status is None:
            async with page(server, origin=origin) as own:
                await own.hello("ZZZZZ")
                assert (await own.hear())["code"] == "no_such_room"
            return
        with pytest.raises(InvalidStatus) as caught:
            async with page(server, origin=origin):
                pass
        assert caught.value.response.status_code == status


async def test_a_stopping_server_says_when_to_come_back() -> None:
    async with served() as server, page(server) as kari:
        await kari.hello(await opened_room(server))
        await kari.hear_until("snapshot")
        server.should_exit = True
        drain = await asyncio.wait_for(kari.hear_until("drain"), 5)
        assert drain["retry_after_ms"] > 0
        assert await kari.closed() == CloseCode.DRAIN
