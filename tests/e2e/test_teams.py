"""Two against two: everybody sees who plays with whom, and what they hold together."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from playwright.async_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import LIVE, enter
from tests.live.page import Page as Wire
from tests.live.server import Server

TEAM_GAME = "1NMGJ-C0000-00000-00EJY"
"""Four in two teams, 32 cards, three down: after four rounds the first team has all
the cards, 12 and 20 of them."""

COUNTED_GAME = "1NMGJ-C0000-00000-00HK1"
"""By the same rules, to its end at forty rounds: 0, 0, 18 and 14 cards."""

COLOURS = "(marks) => marks.map((mark) => getComputedStyle(mark).color)"

MARKS = """() => [...document.querySelectorAll(".kt-lane")]
  .sort((one, other) => one.dataset.seat - other.dataset.seat)
  .map((lane) => {
    const { content, backgroundColor } = getComputedStyle(lane, "::before");
    return [JSON.parse(content), backgroundColor, lane.getAttribute("aria-label")];
  })"""


async def test_who_plays_together_is_seen_in_lobby_table_and_end(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(TEAM_GAME)
    host, rival = [await visitors.visit(f"/r/{code}") for _ in range(2)]
    for page in (host, rival):
        await enter(page)
    teams = host.locator(".seat .team")
    await expect(teams).to_have_text(["Lag 1", "Lag 2"] * 2)
    async with Guest(server, code, "Tuva") as partner:
        await partner.ready()
        await expect(host.locator(".seat .state.on")).to_have_count(3)
        for page in (host, rival):
            await expect(page.locator("button.big")).to_have_text(
                "Lag krever fire spillere"
            )
            await expect(page.locator("button.big")).to_be_disabled()
        async with Guest(server, code, "Bo") as last:
            for guest in (partner, last):
                await all_sit(guest)
                await guest.ready()
            await expect(host.locator(".seat .state.on")).to_have_count(4)
            assert two_and_two(await teams.evaluate_all(COLOURS))
            await host.get_by_role("button", name="Start spillet").click()
            await expect(host.locator("krig-table")).to_contain_text("Runde 1")
            await assert_marked(await host.evaluate(MARKS))
            await asyncio.gather(play_out(host), play_out(rival))
            name = partner.view["last"]["names"][0]
        await expect(rival.locator(".end h1")).to_have_text(
            f"{name} og Tuva vant 32 – 0"
        )
        title = host.locator(".end h1")
        await expect(title).to_have_text("Du og Tuva vant! 32 – 0")
        score = title.locator("span")
        await expect(score).to_have_css("white-space", "nowrap")
        await expect(host.locator(".end")).to_contain_text("Lag 1 har alle kortene")
        await expect(host.locator(".story")).to_contain_text("Lag 1 ledet")
        await expect(host.locator(".legend li").nth(2)).to_have_text("Tuva (Lag 1) 20")


async def all_sit(guest: Wire) -> None:
    await guest.until(lambda: guest.taken == 4)


async def play_out(page: Page) -> None:
    """Press whenever this page may, until the game is over."""
    end = page.locator(".end h1")
    while True:
        await expect(page.locator(LIVE).or_(end)).to_be_visible()
        if await end.is_visible():
            return
        await page.locator(LIVE).click()


def two_and_two(values: list[str]) -> bool:
    """Whether partners have the same, and teams do not."""
    one, other, *rest = values
    return one != other and rest == [one, other]


async def assert_marked(lanes: list[Any]) -> None:
    """Each lane has its team's word, and its colour, and says it by ear."""
    words, colours, labels = zip(*lanes, strict=True)
    assert list(words) == ["Lag 1", "Lag 2"] * 2
    assert two_and_two(list(colours))
    assert all(word in label for word, label in zip(words, labels, strict=True))


PILES = """
new MutationObserver(() => {
  const names = document.querySelectorAll(".counting .small");
  if (names.length > 0) window.piles = [...names].map((name) => name.textContent);
}).observe(document, { subtree: true, childList: true });
"""
"""Keeps whose piles count up before it is said who won."""


async def test_teams_count_their_cards_together(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(COUNTED_GAME)
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(Guest(server, code, name))
            for name in ("Kari", "Ola", "Tuva", "Bo")
        ]
        for guest in guests:
            await all_sit(guest)
            await guest.ready()
        host = guests[0]
        await host.until(lambda: all(seat["ready"] for seat in host.view["seats"]))
        page = await visitors.visit(
            f"/r/{code}?watch", locale="de-DE", motion="allow", before=PILES
        )
        await expect(page.locator(".seat")).to_have_count(4)
        await host.say("start", game=1)
        await expect(page.locator(".kt-sums")).to_contain_text("Team 2: ")
        await expect(page.locator(".end h1")).to_have_text(
            "Kari und Tuva gewinnen 18 – 14"
        )
        assert await page.evaluate("piles") == ["Kari und Tuva", "Ola und Bo"]
