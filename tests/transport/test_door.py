"""A party with typing errors gets in; who tries all codes finds nothing."""

import asyncio
from typing import Any, cast

import pytest

from krig.app.doorkeeper import Doorkeeper
from krig.errors import KrigError, NoSuchRoom, TooFast, TooManyRooms
from krig.protocol.limits import Limits
from krig.room.facts import TokenHash
from krig.transport.crowd import Crowd
from krig.transport.door import Door
from tests.transport.fakes import FakeTable, HandClock

ROOMS = {"7KQ4M", "KR071"}
ADDRESS = "93.184.216.34"
KARI = TokenHash("ka" * 32)


class FakeHost:
    def __init__(self) -> None:
        self.only = FakeTable()
        self.only.room.seated.add(KARI)
        self.asked = 0

    async def table(self, code: str) -> FakeTable:
        self.asked += 1
        if code not in ROOMS:
            raise NoSuchRoom
        return self.only


class Scene:
    def __init__(self) -> None:
        self.clock = HandClock()
        self.host = FakeHost()
        crowd = Crowd(most=1000, most_of_one=1000)
        self.door = Door(crowd, cast(Any, self.host), self.clock)

    async def tries(self, address: str, code: str, token: str | None = None) -> str:
        visit = self.door.visit(address)
        try:
            await visit.find(code, None if token is None else TokenHash(token))
        except KrigError as error:
            return error.code
        return "in"


async def test_thirty_guests_with_five_typing_errors_each_all_get_in() -> None:
    scene = Scene()
    for _ in range(30):
        wrong = [await scene.tries(ADDRESS, f"7KQ4{n}") for n in range(5)]
        assert set(wrong) == {"no_such_room"}
        assert await scene.tries(ADDRESS, "7kq-4m") == "in"


async def test_a_scanner_with_a_thousand_addresses_is_told_next_to_nothing() -> None:
    scene = Scene()
    codes = iter(range(10**5, 10**6))
    answers = [
        await scene.tries(f"93.184.{n // 250}.{n % 250}", str(next(codes)))
        for _ in range(50)
        for n in range(1000)
    ]
    assert answers.count("no_such_room") <= 300 + 1000
    assert scene.host.asked <= 300 + 1000
    assert await scene.tries("93.184.1.1", "7KQ4M") == "too_fast", "found or not"
    assert await scene.tries("93.185.1.1", "7KQ4M") == "in", "a guest of today"
    scene.clock.pass_time(60)
    assert await scene.tries("93.184.1.1", "7KQ4M") == "in"


async def test_one_who_has_a_seat_is_let_in_whoever_else_scans_from_there() -> None:
    scene = Scene()
    for _ in range(300):
        last = await scene.tries(ADDRESS, "XXXXX")
    assert last == "too_fast"
    assert await scene.tries(ADDRESS, "7KQ4M", KARI) == "in"
    assert await scene.tries(ADDRESS, "7KQ4M", "0f" * 32) == "too_fast"
    assert await scene.tries(ADDRESS, "XXXXX", "0f" * 32) == "too_fast"


async def test_an_ipv6_network_is_one_address_and_a_home_is_not_counted() -> None:
    scene = Scene()
    for n in range(300):
        last = await scene.tries(f"2a00:1:2:3::{n:x}", "XXXXX")
        home = await scene.tries("192.168.1.7", "XXXXX")
    assert (last, home) == ("too_fast", "no_such_room")
    assert await scene.tries("2a00:1:2:4::1", "7KQ4M") == "in"


@pytest.mark.parametrize("address", [ADDRESS, "10.0.0.1"])
async def test_rooms_that_live_are_counted_by_who_opened_them(address: str) -> None:
    clock, living = HandClock(), set[str]()

    async def is_there(code: str) -> bool:
        return code in living

    crowd = Crowd(most=10, most_of_one=10)
    limits = Limits(rooms_an_address=3, rooms_a_minute=60)
    keeper = Doorkeeper(crowd, clock, limits, is_there)
    for n in range(3):
        await keeper.check(address)
        living.add(str(n))
        keeper.opened(address, str(n))
    if address != ADDRESS:
        await keeper.check(address)
        return
    with pytest.raises(TooManyRooms):
        await keeper.check(address)
    await keeper.check("93.184.216.35")
    living.discard("1")
    await keeper.check(address)


async def test_the_sixty_first_room_in_a_minute_waits() -> None:
    clock = HandClock()

    async def is_there(code: str) -> bool:
        return False

    keeper = Doorkeeper(Crowd(10, 10), clock, Limits(), is_there)
    for _ in range(60):
        await keeper.check(ADDRESS)
    with pytest.raises(TooFast):
        await keeper.check(ADDRESS)
    clock.pass_time(1)
    await keeper.check(ADDRESS)


async def test_everybody_from_one_private_address_is_one_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scene = Scene()
    scene.door.enter("192.168.1.7")  # somebody from the same house, who goes again
    for n in range(40):
        assert scene.door.enter("172.17.0.1")
        if n == 30:
            assert scene.door.proxy is None
            scene.door.crowd.leave("192.168.1.7")
    assert scene.door.proxy == "172.17.0.1"
    await asyncio.sleep(0)
    said = capsys.readouterr().out
    assert said.count("all_from_one_address") == 1
    assert "KRIG_TRUSTED_PROXIES" in said


async def test_a_party_from_many_addresses_is_no_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scene = Scene()
    for n in range(40):
        assert scene.door.enter(f"192.168.1.{n}")
    assert "all_from_one_address" not in capsys.readouterr().out
