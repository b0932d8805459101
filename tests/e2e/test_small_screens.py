"""Where there is little room: everything can still be read, and found by a finger."""

import pytest
from playwright.async_api import Route, expect

from tests.e2e.conftest import Visitors
from tests.live.server import Server

SMALL = [(320, 454), (360, 560), (844, 390)]


CUT_SHORT = """() => [...document.querySelectorAll(".continue .small")]
.filter((state) => {
  const box = state.closest("button").getBoundingClientRect();
  const { right, bottom } = state.getBoundingClientRect();
  return right > box.right || bottom > box.bottom;
}).map((state) => state.textContent)"""
"""Of the games to go on with: whose code and round one cannot read."""


APART = """() => {
  const [one, other] = [".foot select", ".kt-menu"].map(
    (selector) => document.querySelector(selector).getBoundingClientRect().y);
  return Math.abs(one - other);
}"""
"""How far the choice of language is from the line of the table's head."""


@pytest.mark.parametrize("size", SMALL, ids=str)
async def test_a_long_name_takes_no_code_and_no_round_from_a_game_to_go_on_with(
    visitors: Visitors, server: Server, size: tuple[int, int]
) -> None:
    box = {"width": size[0], "height": size[1]}
    named = "localStorage.setItem('krig.name', 'Maximilian Alexander')"
    page = await visitors.visit("/", box, locale="de-DE", before=named)
    await expect(page.locator(".kt-menu")).to_be_visible()
    assert await page.evaluate(APART) == 0
    for _ in range(2):
        await page.goto(f"{visitors.url}/r/{server.make_room('krieg_40')}")
        await page.get_by_role("button", name="Spielen", exact=True).click()
        await expect(page.locator(".seat .name").first).to_contain_text("(du")
    await page.goto(visitors.url)
    await expect(page.locator(".continue button")).to_have_count(2)
    assert await page.evaluate(CUT_SHORT) == []
    assert await page.evaluate(APART) == 0


LINKS = """() => [...document.querySelectorAll(".foot a")].map((link) => {
  const { width, height, top, bottom } = link.getBoundingClientRect();
  const doors = document.querySelector(".doors").getBoundingClientRect();
  const isClear = bottom <= doors.top || top >= doors.bottom - 0.5;
  return width >= 44 && height >= 44 && bottom <= innerHeight && isClear;
})"""


@pytest.mark.parametrize("size", [(320, 454), (390, 664), (844, 390)], ids=str)
async def test_a_finger_finds_whose_server_it_is_on_home_or_in_the_settings(
    visitors: Visitors, size: tuple[int, int]
) -> None:
    page = await visitors.visit("/healthz", {"width": size[0], "height": size[1]})

    async def answer(route: Route) -> None:
        links = {"imprint": "https://a.test/we", "privacy": "https://a.test/you"}
        await route.fulfill(json={"version": "9", **links})

    await page.route("**/api/about", answer)
    await page.goto(visitors.url)
    await expect(page.locator(".foot a")).to_have_count(2)
    if size[1] > 454 or size[0] > 640:
        assert await page.evaluate(LINKS) == [True, True]
    await page.get_by_role("button", name="Meny").click()
    sheet = page.locator("dialog")
    await expect(sheet).to_contain_text("Ingen konto. Ingen reklame.")
    await expect(sheet).to_contain_text("Krig 9")
    for link, words in zip(
        await sheet.locator("a").all(), ("Om utgiveren", "Personvern"), strict=True
    ):
        await expect(link).to_have_text(words)
        await link.scroll_into_view_if_needed()
        box = await link.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
