"""A finished game is shown again, card for card as its record tells it."""

from typing import Any

from playwright.async_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.table import PRESSES, lying, sit_down
from tests.live.server import Server

WHERE = ".replay input[type=range]"
DRAWN = """() => {
  window.drawn = new Set();
  new MutationObserver((changes) => {
    for (const { target } of changes) drawn.add(target.dataset?.card);
  }).observe(document.querySelector(".replay .kt-lanes"), {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-card"] });
}"""
"""Every card that is turned up from now on, if only for a moment."""


async def test_a_game_is_shown_again_as_its_record_tells_it(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server)
    await table.play(PRESSES)
    page = table.host
    await page.get_by_role("button", name="Se spillet på nytt").click()
    await expect(page.locator(".replay")).to_be_visible()
    await expect(page.locator(WHERE)).to_have_attribute("max", str(PRESSES))
    await expect(page.locator(WHERE)).to_have_value("0")
    record = server.record(table.code, 1).json()

    steps = [
        (played, battle, nth == len(played["battles"]) - 1)
        for played in record["rounds"]
        for nth, battle in enumerate(played["battles"])
    ]
    assert len(steps) == PRESSES
    for n, (played, battle, decided) in enumerate(steps, start=1):
        await page.locator(WHERE).fill(str(n))
        seen = await lying(page)
        if decided:
            assert counts(seen) == played["counts"]
        else:
            assert ups(seen) == dict(battle["up"])

    await page.locator(WHERE).fill("0")
    await page.evaluate(DRAWN)
    for n, (_, battle, _) in enumerate(steps[:2], start=1):
        await page.get_by_role("button", name="Ett steg fram").click()
        await expect(page.locator(WHERE)).to_have_value(str(n))
        await page.wait_for_function(
            "(cards) => cards.every((card) => drawn.has(card))",
            arg=[card for _, card in battle["up"]],
        )
    await page.get_by_role("button", name="Ett steg tilbake").click()
    await expect(page.locator(WHERE)).to_have_value("1")
    await assert_next_war_and_close(page, steps)


async def assert_next_war_and_close(page: Page, steps: list[Any]) -> None:
    """From after the first battle: on to each war, which plays; and out again."""
    await assert_it_fills_a_phone_that_lies(page)
    wars = [n for n, (*_, decided) in enumerate(steps) if not decided]
    for war in wars[:1], wars[-1:]:
        await page.locator(WHERE).fill(str(war[0]))
        await page.get_by_role("button", name="Til neste krig").click()
        await page.wait_for_function(
            "([where, n]) => document.querySelector(where).value > n",
            arg=[WHERE, war[0]],
        )
        await page.get_by_role("button", name="Stans").click()
        await expect(page.get_by_role("button", name="Spill av")).to_be_visible()
    await page.locator(WHERE).fill(str(len(steps) - 1))
    forth = page.get_by_role("button", name="Ett steg fram")
    await forth.click()
    await expect(forth).to_be_disabled()
    await expect(forth).to_be_focused()
    await expect(page.get_by_role("button", name="Til neste krig")).to_be_disabled()
    await page.locator(".replay").get_by_role("button", name="Lukk").click()
    await expect(page.locator(".replay")).to_have_count(0)
    await expect(page.locator(".end h1")).to_contain_text("Du vant!")


LYING_PHONE = {"width": 844, "height": 390}

BOXES = """() => [".kt-lanes", ".kt-pot", ".kt-bar"].map((selector) =>
  document.querySelector(`.replay ${selector}`).getBoundingClientRect())"""


async def assert_it_fills_a_phone_that_lies(page: Page) -> None:
    """There is no button to press beside the lanes, so they have its room."""
    upright = page.viewport_size
    assert upright is not None
    await page.set_viewport_size({**LYING_PHONE})  # type: ignore[typeddict-item]
    await expect(page.locator(".replay krig-table")).to_have_attribute(
        "data-shape", "wide"
    )
    lanes, pot, bar = await page.evaluate(BOXES)
    assert lanes["width"] > 0.95 * LYING_PHONE["width"]
    assert lanes["height"] > 0.6 * LYING_PHONE["height"]
    assert pot["height"] > 0
    assert pot["bottom"] <= bar["top"]
    await page.set_viewport_size(upright)


def counts(seen: Any) -> list[int]:
    """How many cards each has, the won pile too."""
    return [sum(map(int, count.split(" + "))) for count in seen["counts"]]


def ups(seen: Any) -> dict[int, str]:
    """The newest card that lies face up before each seat."""
    faces = [[card for card in cards if card != "–"] for cards in seen["cards"]]
    return {seat: cards[-1] for seat, cards in enumerate(faces)}
