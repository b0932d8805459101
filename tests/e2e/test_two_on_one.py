"""Two on one screen: nothing is turned up until both have pressed."""

from playwright.async_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.table import FLIP, lying

ACROSS = "krig-table > .kt-press.kt-turned > .kt-flip"


async def test_two_play_face_to_face_with_a_button_and_a_key_each(
    visitors: Visitors,
) -> None:
    page = await visitors.visit()
    await page.get_by_role("button", name="To på én skjerm").click()
    await expect(page.locator("krig-table")).to_contain_text("Runde 1")
    await expect(page.locator(ACROSS)).to_have_attribute("aria-disabled", "false")
    turned = await page.locator(".kt-press.kt-turned").evaluate(
        "(element) => getComputedStyle(element).transform"
    )
    assert turned == "matrix(-1, 0, 0, -1, 0, 0)"

    await page.locator(ACROSS).click()
    await expect(page.locator(ACROSS)).to_have_attribute("aria-disabled", "true")
    assert not faces(await lying(page)), "one press turns nothing up"
    await page.locator(FLIP).click()
    await fought(page)
    for _ in range(3):
        for key in ("f", "j"):
            await page.keyboard.press(key)
        await fought(page)


async def fought(page: Page) -> None:
    """Wait until the battle is over and both may press for the next."""
    for button in (ACROSS, FLIP):
        await expect(page.locator(button)).to_have_attribute("aria-disabled", "false")
    assert len(faces(await lying(page))) % 2 == 0
    told = page.locator("krig-table [role=status]")
    war = page.locator(".kt-lane.kt-war")
    await expect(told.filter(has_text="Runde").or_(war).first).to_be_attached()


def faces(table: dict[str, list[list[str]]]) -> list[str]:
    return [card for cards in table["cards"] for card in cards if card != "–"]
