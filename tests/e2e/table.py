"""What the tests do at a table in a browser, and what they read off it."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Page, expect

from tests.e2e.conftest import LAPTOP, Visitors
from tests.live.server import Server

SHORT_GAME = "15GGG-C0000-00000-3K4FV"
"""Two players, 32 cards, three down: seven rounds, a double war in the second of them
and a war in the sixth; the host wins. Found by playing the seeds from 1 on."""

REST = 0.6
PATIENCE = 25.0

PRESSES = 10
"""What each of the two presses in that game."""

INTO_THE_WAR = 3
"""After so many of them a double war lies on the table."""

LONG_GAME = "11MGG-C0000-00000-004BP"
"""Two players, 52 cards, three down: all forty rounds, a double war in the second."""

FLIP = "krig-table > .kt-press:not(.kt-turned) > .kt-flip"
LIVE = f'{FLIP}[aria-disabled="false"]'

LYING = """() => {
  const table = document.querySelector("krig-table");
  if (!table) return null;
  const lanes = [...table.querySelectorAll(".kt-lane")].sort(
    (one, other) => one.dataset.seat - other.dataset.seat);
  return {
    round: table.querySelector(".kt-round").textContent,
    counts: lanes.map((lane) => lane.querySelector(".kt-count").textContent),
    cards: lanes.map((lane) => [...lane.querySelectorAll(".kt-cards > .kt-card")]
      .map((card) => card.dataset.card || "–")),
  };
}"""


@dataclass
class Table:
    """Two phones and a laptop that watches, at one table."""

    code: str
    host: Page
    guest: Page
    watcher: Page | None

    @property
    def players(self) -> tuple[Page, Page]:
        """The two who press."""
        return self.host, self.guest

    @property
    def pages(self) -> list[Page]:
        """Everybody who sees it."""
        return [*self.players, *([self.watcher] if self.watcher else [])]

    async def play(self, presses: int) -> None:
        """Both press so many times."""
        for _ in range(presses):
            await asyncio.gather(*(press(page) for page in self.players))


async def sit_down(
    visitors: Visitors,
    server: Server,
    game: str = SHORT_GAME,
    *,
    watched: bool = False,
    before: tuple[str, str] = ("", ""),
    through: str = "",
) -> Table:
    """Two phones at a table on which that game is dealt.

    Args:
        before: scripts that run on each phone before ours.
        through: the host's way to the server.
    """
    code = server.deal_again(game)
    host = await visitors.visit(f"{through}/r/{code}", before=before[0])
    await enter(host)
    await expect(host.locator(".seat").first).to_contain_text("vert")
    guest = await visitors.visit(f"/r/{code}", before=before[1])
    await enter(guest)
    await host.get_by_role("button", name="Start spillet").click()
    watcher = await visitors.visit(f"/r/{code}?watch", LAPTOP) if watched else None
    table = Table(code, host, guest, watcher)
    for page in table.pages:
        await expect(page.locator("krig-table")).to_contain_text("Runde 1")
    return table


async def enter(page: Page) -> None:
    """Sit and be ready, with one press; whoever sits first is the host."""
    await page.get_by_role("button", name="Spill", exact=True).click()
    await expect(page.locator(".seat .name").filter(has_text="(deg")).to_have_count(1)


async def press(page: Page) -> None:
    """Press the wide button, as soon as it can be pressed."""
    await page.locator(LIVE).click()


async def lying(page: Page) -> Any:
    """What lies on this page's table; None: it shows none."""
    return await page.evaluate(LYING)


async def same_on(*pages: Page) -> Any:
    """Wait until all these pages show the same table, at rest; return what lies on it.

    A round that is being told rests on one picture for 350 ms at most (plan.js), and
    all pages may be at the same one: what stays longer is the end of the story.
    """
    seen: list[Any] = []
    since = 0.0
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                before, seen = seen, [await lying(page) for page in pages]
                now = time.monotonic()
                if seen != before or None in seen or any(s != seen[0] for s in seen):
                    since = now
                elif now - since > REST:
                    return seen[0]
                await frame(pages[0])
    except TimeoutError:
        raise AssertionError(f"they never saw the same: {seen}") from None


async def seconds_until(page: Page, expected: Any) -> float:
    """Wait until this lies on the page's table; return how long that took."""
    start = time.monotonic()
    async with asyncio.timeout(PATIENCE):
        while await lying(page) != expected:
            await frame(page)
    return time.monotonic() - start


COVERED = """() => {
  const over = document.querySelector("p.banner[role=alert]").getBoundingClientRect();
  return [...document.querySelectorAll(".room :is(button, .kt-head, .kt-lane)")]
    .filter((element) => {
      const { top, bottom, width } = element.getBoundingClientRect();
      return width > 0 && (top < over.bottom || bottom > innerHeight);
    }).map((element) => element.className);
}"""
"""What of a table lies under the banner at the top, or below the page."""

SIZES = ((390, 664), (320, 454), (844, 390), (1280, 800))


async def assert_clear(page: Page) -> None:
    """What the page has to say of the network covers nothing, on any screen."""
    await expect(page.locator("p.banner[role=alert]")).to_be_visible()
    was = page.viewport_size
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(COVERED) == [], f"covered on {width} by {height}"
    if was:
        await page.set_viewport_size(was)


async def frame(page: Page) -> None:
    """Wait until the page draws again."""
    await page.evaluate("() => new Promise(requestAnimationFrame)")
