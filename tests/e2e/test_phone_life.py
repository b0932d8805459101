"""A phone's life: whatever happens to page, network or server, the same card is back.

A page that was loaded again would have lost what `mark` left on it.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.async_api import Browser, Page, expect

from tests.e2e.air import air_to
from tests.e2e.conftest import Visitors
from tests.e2e.table import (
    FLIP,
    INTO_THE_WAR,
    Table,
    assert_clear,
    lying,
    press,
    same_on,
    seconds_until,
    sit_down,
)
from tests.live.server import Server

BACK_WITHIN = 5.0
"""Seconds from the network's return to the same card: it takes one, and what a test can
tell on a busy machine is that it is not the ten or more of a heartbeat."""


async def mark(*pages: Page) -> None:
    """Leave something on the page that no reload survives."""
    for page in pages:
        await page.evaluate("window.never = 'loaded again'")


async def assert_marked(*pages: Page) -> None:
    for page in pages:
        assert await page.evaluate("window.never") == "loaded again"


def is_war(table: dict[str, list[list[str]]]) -> bool:
    """Whether both have laid cards face down and another upon them."""
    return all(cards[1:4] == ["–"] * 3 for cards in table["cards"])


RECORD = """() => {
  const laid = new Set();
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const card of addedNodes) laid.add(card.dataset?.card || "–");
  }).observe(document.querySelector(".kt-lanes"), { childList: true, subtree: true });
  return laid;
}"""
"""Every card that is laid on a table from now on, if only for a moment."""


async def test_a_killed_server_brings_everybody_back_to_the_same_war(
    mourners: Visitors, mortal: Server
) -> None:
    table = await sit_down(mourners, mortal, watched=True)
    await table.play(INTO_THE_WAR)
    before = await same_on(*table.pages)
    assert is_war(before)
    await mark(*table.pages)

    drawn = await table.host.evaluate_handle(RECORD)
    mortal.kill()
    for page in table.pages:
        banner = page.locator("p.banner[role=alert]")
        await expect(banner).to_contain_text("Ingen kontakt")
        assert await lying(page) == before, "what was there can still be read"
        await assert_clear(page)
    mortal.start()
    for page in table.pages:
        await expect(page.locator("p.banner[role=alert]")).to_be_hidden()
    assert await same_on(*table.pages) == before
    assert await drawn.evaluate("(cards) => [...cards]") == [], "nothing was told twice"

    await table.play(1)
    assert await same_on(*table.pages) != before, "and the game goes on"
    await assert_marked(*table.pages)


async def press_alone_for_the_war(table: Table) -> None:
    """The host has pressed, and the war waits for the guest alone."""
    await table.play(INTO_THE_WAR - 1)
    await press(table.host)
    await expect(table.host.locator(FLIP)).to_contain_text("ligger klart")


async def test_airplane_mode_ends_by_itself_at_the_same_card(
    visitors: Visitors, server: Server
) -> None:
    async with air_to(server.port) as air:
        table = await sit_down(visitors, server, watched=True, through=air.url)
        await press_alone_for_the_war(table)
        assert table.watcher is not None
        await mark(table.host)
        air.cut()
        await table.host.context.set_offline(True)
        await expect(table.host.locator(FLIP)).to_contain_text("Kobler til")
        await press(table.guest)
        after = await same_on(table.guest, table.watcher)
        assert is_war(after)

        air.mend()
        await table.host.context.set_offline(False)
        assert await seconds_until(table.host, after) < BACK_WITHIN
        await assert_marked(table.host)


async def test_a_network_that_changed_unseen_is_noticed_when_the_page_is_told(
    visitors: Visitors, server: Server
) -> None:
    async with air_to(server.port) as air:
        table = await sit_down(visitors, server, watched=True, through=air.url)
        await press_alone_for_the_war(table)
        assert table.watcher is not None
        air.cut()
        air.mend()
        await press(table.guest)
        after = await same_on(table.guest, table.watcher)
        await table.host.evaluate("dispatchEvent(new Event('online'))")
        assert await seconds_until(table.host, after) < BACK_WITHIN


async def test_a_page_that_is_loaded_again_in_mid_war_shows_the_same_war(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server)
    await table.play(INTO_THE_WAR)
    before = await same_on(*table.pages)
    assert is_war(before)
    await table.host.reload()
    await expect(table.host.locator("krig-table")).to_be_visible()
    assert await lying(table.host) == before, "there at once, with nothing played again"
    await table.play(1)
    assert await same_on(*table.pages) != before


async def test_a_host_who_leaves_the_lobby_is_led_back_to_it_from_home(
    visitors: Visitors,
) -> None:
    page = await visitors.visit("/")
    await page.get_by_role("button", name="Spill sammen").click()
    await expect(page.locator(".seat .name")).to_contain_text("(deg, vert)")
    lobby = page.url
    await page.goto(visitors.url)
    await page.get_by_role("button", name="Fortsett").click()
    await expect(page.locator(".seat .name")).to_contain_text("(deg, vert)")
    assert page.url == lobby


async def test_the_newest_tab_plays_and_the_older_says_so_and_can_take_over(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server)
    older = table.host
    newer = await visitors.open(older.context, f"/r/{table.code}")
    await expect(older.locator("body")).to_contain_text("et annet vindu")
    table.host = newer
    await table.play(1)
    await older.get_by_role("button", name="Spill her").click()
    await expect(newer.locator("body")).to_contain_text("et annet vindu")
    table.host = older
    await table.play(1)
    await same_on(*table.pages)


async def test_a_frozen_tab_goes_on_where_the_table_is(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server, watched=True)
    await table.play(INTO_THE_WAR - 1)
    await press(table.host)
    await mark(table.host)
    devtools = await table.host.context.new_cdp_session(table.host)
    await devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    await press(table.guest)
    assert table.watcher is not None
    after = await same_on(table.guest, table.watcher)
    await devtools.send("Page.setWebLifecycleState", {"state": "active"})
    assert await seconds_until(table.host, after) < BACK_WITHIN
    await table.play(1)
    await same_on(*table.pages)
    await assert_marked(table.host)


async def test_a_phone_that_sleeps_longer_than_its_line_is_back_by_itself(
    visitors: Visitors, server: Server, browser: Browser
) -> None:
    table = await sit_down(visitors, server, watched=True)
    await table.play(INTO_THE_WAR - 1)
    await press(table.host)
    await mark(table.host)
    with asleep(await renderer_of(browser, table.host)):
        await press(table.guest)
        assert table.watcher is not None
        after = await same_on(table.guest, table.watcher)
    assert await seconds_until(table.host, after) < BACK_WITHIN
    await table.play(1)
    await same_on(*table.pages)
    await assert_marked(table.host)


async def renderer_of(browser: Browser, page: Page) -> int:
    """The process that draws this page, and no other's."""
    devtools = await browser.new_browser_cdp_session()

    async def busy() -> dict[int, float]:
        told = await devtools.send("SystemInfo.getProcessInfo")
        return {
            process["id"]: process["cpuTime"]
            for process in told["processInfo"]
            if process["type"] == "renderer"
        }

    before = await busy()
    await page.evaluate(
        "() => { let n = 0; for (let i = 0; i < 5e8; i++) n ^= i; return n; }"
    )
    after = await busy()
    await devtools.detach()
    return max(after, key=lambda pid: after[pid] - before.get(pid, 0.0))


@contextmanager
def asleep(pid: int) -> Iterator[None]:
    """Stop a process as a system does that needs the battery."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


BLOCKED = """
Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
});
"""

FULL = """
Storage.prototype.setItem = () => {
  throw new DOMException("exceeded the quota", "QuotaExceededError");
};
"""


async def test_play_goes_on_where_storage_is_blocked_or_full(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server, before=(BLOCKED, FULL))
    await mark(*table.pages)
    await table.play(INTO_THE_WAR)
    assert is_war(await same_on(*table.pages))
    await table.play(1)
    await same_on(*table.pages)
    await assert_marked(*table.pages)
