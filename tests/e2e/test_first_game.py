"""Two phones and a watcher play a whole game; a killed server changes nothing."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.e2e.conftest import LAPTOP, Visitors, visitors_of
from tests.e2e.table import LIVE, Table, enter, same_on
from tests.live.server import Server


@pytest_asyncio.fixture(loop_scope="session", params=["127.0.0.1", "krig.lan"])
async def guests(
    browser: Browser, mortal: Server, request: pytest.FixtureRequest
) -> AsyncIterator[Visitors]:
    """Visitors at an address, and at a name that is no secure context."""
    url = f"http://{request.param}:{mortal.port}"
    async with visitors_of(browser, url) as visitors:
        yield visitors


PRESS_UNTIL = """([live, round]) => new Promise((done) => {
  const look = () => {
    const said = document.querySelector("krig-table .kt-round")?.textContent;
    if (!said || Number(/\\d+/.exec(said)) >= round) return done();
    document.querySelector(live)?.click();
    setTimeout(look, 50);
  };
  look();
})"""
"""In the page, since forty rounds by the pointer take half a minute."""


async def press_until(table: Table, round_number: int) -> None:
    """Both press until that round is on the table, or the game is over."""
    asked = [LIVE, round_number]
    await asyncio.gather(*(p.evaluate(PRESS_UNTIL, asked) for p in table.players))


async def test_two_phones_and_a_late_watcher_play_a_game_to_its_end(
    guests: Visitors, mortal: Server
) -> None:
    host = await guests.visit()
    assert await host.evaluate("isSecureContext") == ("krig.lan" not in guests.url)
    await host.get_by_role("button", name="Spill sammen").click()
    await expect(host.get_by_text("vert")).to_be_visible()
    code = host.url.rsplit("/", 1)[1]
    guest = await guests.visit(f"/r/{code}")
    await enter(guest)
    await host.get_by_role("button", name="Start spillet").click()
    await expect(host.locator("krig-table")).to_be_visible()
    table = Table(code, host, guest, None)
    await press_until(table, 12)

    table.watcher = await guests.visit(f"/r/{code}?watch", LAPTOP)
    await same_on(*table.pages)
    await press_until(table, 20)

    mortal.kill()
    mortal.start()
    await press_until(table, 41)

    record = mortal.record(code, 1).raise_for_status().json()
    rounds = record["rounds"]
    assert [played["round"] for played in rounds] == list(range(1, len(rounds) + 1))
    assert all(sum(played["counts"]) == 52 for played in rounds)
    for page in table.pages:
        legend = page.locator(".legend li")
        for seat, count in enumerate(rounds[-1]["counts"]):
            await expect(legend.nth(seat)).to_have_text(re.compile(rf" {count}$"))
