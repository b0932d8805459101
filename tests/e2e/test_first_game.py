"""Two phones and a watcher play a whole game; a killed server changes nothing."""

import asyncio
import re

from playwright.async_api import Page, expect

from tests.e2e.conftest import LAPTOP, Visitors
from tests.live.server import Server

FLIP = re.compile("Snu")
PRESS_EVERY = 0.25
"""Below the limit of five commands a second."""


async def open_room(host: Page) -> str:
    """Make a room by the first door; return its code."""
    await host.get_by_role("button", name="Spill sammen").click()
    await expect(host.get_by_text("Vert")).to_be_visible()
    return host.url.rsplit("/", 1)[1]


async def join(guest: Page) -> None:
    """Sit and be ready, with one press."""
    await guest.get_by_role("button", name="Spill", exact=True).click()


async def press(page: Page) -> None:
    """Press the wide button, if it can be pressed now."""
    button = page.locator("krig-table").get_by_role("button", name=FLIP)
    if await button.count() and await button.first.is_enabled():
        await button.first.click(timeout=1000, force=True)


async def play_until_round(number: int, *players: Page) -> None:
    """Everybody presses until that round is on the table."""
    while not await round_reached(players[0], number):
        await asyncio.gather(*(press(page) for page in players))
        await asyncio.sleep(PRESS_EVERY)


async def round_reached(page: Page, number: int) -> bool:
    """Whether the header says so, or the game is over."""
    header = page.locator("krig-table")
    if not await header.count():
        return True
    found = re.search(r"Runde (\d+)", await header.inner_text())
    return found is not None and int(found[1]) >= number


async def test_two_phones_and_a_late_watcher_play_a_game_to_its_end(
    visitors: Visitors, server: Server
) -> None:
    host = await visitors.visit()
    code = await open_room(host)
    guest = await visitors.visit(f"/r/{code}")
    await join(guest)
    start = host.get_by_role("button", name="Start spillet")
    await start.click()
    await expect(host.locator("krig-table")).to_be_visible()
    await play_until_round(12, host, guest)

    watcher = await visitors.visit(f"/r/{code}?watch", LAPTOP)
    await expect(watcher.locator("krig-table")).to_contain_text("Runde 1")
    await play_until_round(20, host, guest)

    server.kill()
    server.start()
    await play_until_round(41, host, guest)

    for page in (host, guest, watcher):
        await expect(page.locator("body")).to_contain_text(
            re.compile("runder"), timeout=15_000
        )
    record = server.record(code, 1).raise_for_status().json()
    rounds = record["rounds"]
    assert [played["round"] for played in rounds] == list(range(1, len(rounds) + 1))
    assert all(sum(played["counts"]) == 52 for played in rounds)
