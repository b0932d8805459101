"""A real server, real sockets: what a client sees on the wire."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import (
    WebSocketsSansIOProtocol,
)
from websockets.exceptions import InvalidStatus

from krig.protocol.limits import Limits
from krig.protocol.session import CloseCode
from krig.transport.protocol import RoomProtocol
from tests.transport.served import (
    Page,
    go_by_the_route,
    opened_room,
    page,
    reach,
    served,
)

Carrier = type[asyncio.Protocol]

TOKEN, OTHER = "0f" * 32, "f0" * 32


@pytest.fixture(params=["any-server", "krig-serve", "krig-serve-by-the-route"])
def ws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Carrier:
    """What carries WebSockets: the plain route is right under any server."""
    if request.param == "any-server":
        return WebSocketsSansIOProtocol
    if request.param == "krig-serve-by-the-route":
        go_by_the_route(monkeypatch)
    return RoomProtocol


async def test_a_page_sits_down_and_a_watcher_sees_it(ws: Carrier) -> None:
    async with served(ws) as server, page(server) as kari, page(server) as watcher:
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


async def test_who_comes_back_is_brought_up_to_date_from_what_they_saw(
    ws: Carrier,
) -> None:
    async with served(ws) as server:
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


async def test_the_newest_page_of_a_seat_wins(ws: Carrier) -> None:
    async with served(ws) as server, page(server) as old, page(server) as new:
        room = await opened_room(server)
        await old.hello(room, TOKEN)
        await old.say("sit", id=1, name="Kari")
        await old.hear_until("ack")
        await new.hello(room, TOKEN)
        assert await old.closed() == CloseCode.REPLACED
        assert (await new.hear_until("welcome"))["player"] == 1


async def test_a_code_is_read_as_people_type_it(ws: Carrier) -> None:
    async with served(ws) as server, page(server) as kari:
        room = await opened_room(server)
        await kari.hello(f"{room[:2]}-{room[2:]}".lower())
        assert (await kari.hear())["room"] == room


@pytest.mark.parametrize("room", ["ZZZZZ", "no room", ""])
async def test_no_such_room_is_final(ws: Carrier, room: str) -> None:
    async with served(ws) as server, page(server) as lost:
        await lost.hello(room)
        assert (await lost.hear())["type"] == "error"
        assert await lost.closed() == CloseCode.NO_SUCH_ROOM


async def test_a_message_that_is_too_long_ends_only_its_own_connection(
    ws: Carrier,
) -> None:
    async with served(ws) as server, page(server) as bad, page(server) as good:
        room = await opened_room(server)
        await bad.hello(room)
        await good.hello(room)
        await bad.socket.send("x" * 4097)
        assert await bad.closed() == 1009
        await good.say("ping")
        assert (await good.hear_until("pong"))["v"] == 1


async def test_a_watcher_who_reads_nothing_holds_nobody_up(ws: Carrier) -> None:
    async with (
        served(ws) as server,
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
    ws: Carrier, origin: str | None, status: int | None
) -> None:
    async with served(ws) as server:
        if status is None:
            async with page(server, origin=origin) as own:
                await own.hello("ZZZZZ")
                assert (await own.hear())["code"] == "no_such_room"
            return
        with pytest.raises(InvalidStatus) as caught:
            async with page(server, origin=origin):
                pass
        assert caught.value.response.status_code == status


async def test_a_stopping_server_says_when_to_come_back(ws: Carrier) -> None:
    async with served(ws) as server, page(server) as kari:
        await kari.hello(await opened_room(server))
        await kari.hear_until("snapshot")
        server.should_exit = True
        drain = await asyncio.wait_for(kari.hear_until("drain"), 5)
        assert drain["retry_after_ms"] > 0
        assert await kari.closed() == CloseCode.DRAIN


async def test_a_server_asked_by_a_foreign_name_opens_no_socket(ws: Carrier) -> None:
    async with served(ws) as server:
        with pytest.raises(InvalidStatus) as caught:
            async with page(server, host="evil.example", sock=reach(server)):
                pass
        assert caught.value.response.status_code == 421


async def test_what_is_said_in_one_breath_with_hello_is_heard_in_order(
    ws: Carrier,
) -> None:
    async with served(ws) as server, page(server) as kari:
        room = await opened_room(server)
        await kari.hello(room, TOKEN)
        await kari.say("sit", id=1, name="Kari")
        await kari.say("name", id=2, name="Ola")
        assert (await kari.hear())["type"] == "welcome"
        assert [(await kari.hear_until("ack"))["id"] for _ in range(2)] == [1, 2]


async def test_a_server_that_is_full_turns_away_watchers_then_players_never_seats(
    ws: Carrier,
) -> None:
    async with served(ws, limits=Limits(sockets=10)) as server:
        room = await opened_room(server)
        async with AsyncExitStack() as stack:

            async def comes(token: str | None) -> Page:
                guest = await stack.enter_async_context(page(server))
                await guest.hello(room, token)
                return guest

            kari = await comes(TOKEN)
            await kari.say("sit", id=1, name="Kari")
            await kari.hear_until("ack")
            for _ in range(8):
                await (await comes(None)).hear_until("welcome")
            late = await comes(None)
            assert (await late.hear())["code"] == "too_many_connections"
            assert await late.closed() == CloseCode.TOO_MANY
            await (await comes(OTHER)).hear_until("welcome")
            another = await comes("aa" * 32)
            assert (await another.hear())["code"] == "too_many_connections"
            assert await another.closed() == CloseCode.TOO_MANY
            await asyncio.sleep(0.2)  # and the server has let go of it, too
            again = await comes(TOKEN)
            assert (await again.hear_until("welcome"))["player"] == 1
            assert await opened_room(server) == "too_many_rooms"


@pytest.mark.parametrize("address", ["93.184.216.34", "2a00:1:2:3::"])
async def test_a_public_address_has_so_many_sockets_and_a_proxy_is_believed(
    ws: Carrier, address: str
) -> None:
    limits = Limits(sockets_an_address=2)
    proxies = "127.0.0.1/32"
    async with served(ws, limits=limits, trusted_proxies=proxies) as server:
        room = await opened_room(server)
        headers = {"X-Forwarded-For": address}
        async with AsyncExitStack() as stack:
            for _ in range(2):
                guest = await stack.enter_async_context(
                    page(server, additional_headers=headers)
                )
                await guest.hello(room)
                await guest.hear_until("welcome")
            async with page(server, additional_headers=headers) as late:
                assert await late.closed() == CloseCode.TOO_MANY
            async with page(server) as other:
                await other.hello(room)
                await other.hear_until("welcome")


async def test_nobody_is_believed_about_addresses_unless_that_was_set(
    ws: Carrier,
) -> None:
    limits = Limits(sockets_an_address=1)
    headers = {"X-Forwarded-For": "93.184.216.34"}
    async with (
        served(ws, limits=limits) as server,
        page(server, additional_headers=headers) as one,
        page(server, additional_headers=headers) as two,
    ):
        room = await opened_room(server)
        for guest in (one, two):
            await guest.hello(room)
            await guest.hear_until("welcome")
