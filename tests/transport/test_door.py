"""A party with typing errors gets in; who tries all codes finds nothing."""

import asyncio
from itertools import count
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


class Keeping:
    """A doorkeeper, and the rooms that live."""

    def __init__(self, **limits: int) -> None:
        self.clock = HandClock()
        self.living: set[str] = set()
        self._numbers = count()
        crowd = Crowd(most=10, most_of_one=10)
        self.keeper = Doorkeeper(crowd, self.clock, Limits(**limits), self._is_there)

    async def _is_there(self, code: str) -> bool:
        await asyncio.sleep(0)
        return code in self.living

    async def open(self, address: str) -> None:
        """Open a room, which takes a moment."""
        async with self.keeper.letting(address) as opened:
            await asyncio.sleep(0)
            code = str(next(self._numbers))
            self.living.add(code)
            opened.add(code)


@pytest.mark.parametrize("address", [ADDRESS, "10.0.0.1"])
async def test_rooms_that_live_are_counted_by_who_opened_them(address: str) -> None:
    keeping = Keeping(rooms_an_address=3)
    for _ in range(3):
        await keeping.open(address)
    if address != ADDRESS:
        await keeping.open(address)
        return
    with pytest.raises(TooManyRooms):
        await keeping.open(address)
    await keeping.open("93.184.216.35")
    keeping.living.discard("1")
    await keeping.open(address)


async def test_rooms_that_are_opened_at_once_are_counted_too() -> None:
    keeping = Keeping(rooms_an_address=3)
    for most in (3, 1):
        asked = (keeping.open(ADDRESS) for _ in range(8))
        came_to = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(each) for each in came_to if each] == [TooManyRooms] * (8 - most)
        assert len(keeping.living) == 3
        keeping.living.discard("1")


async def test_the_sixty_first_room_in_a_minute_waits() -> None:
    keeping = Keeping()
    for _ in range(60):
        await keeping.open(ADDRESS)
    with pytest.raises(TooFast):
        await keeping.open(ADDRESS)
    keeping.clock.pass_time(1)
    await keeping.open(ADDRESS)


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
