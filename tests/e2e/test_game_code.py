"""A game code deals the same cards again, wherever it is typed."""

import re
from typing import Any

from playwright.async_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import INTO_THE_WAR, PRESSES, SHORT_GAME, lying, press
from tests.live.server import Server

COPY_HERE = """
delete Navigator.prototype.share;
Object.defineProperty(navigator, "clipboard", {
  value: { writeText: async (text) => { window.copied = text; } },
});
"""


async def open_room(page: Page, door: str, field: str, code: str) -> str:
    """Type a code behind a door of home; return the code of the room that opens."""
    await page.get_by_role("button", name=door, exact=True).click()
    await expect(page.get_by_role("textbox", name=field)).to_be_focused()
    await page.keyboard.type(code)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text(f"spillkoden {SHORT_GAME}")).to_be_visible()
    return page.url.rsplit("/", 1)[1]


async def start_against(page: Page, guest: Any) -> None:
    await guest.ready()
    await page.get_by_role("button", name="Start spillet").click()
    await expect(page.locator("krig-table")).to_be_visible()


async def play_into_the_war(page: Page) -> Any:
    """Return what each has turned up in the first war."""
    for _ in range(INTO_THE_WAR):
        await press(page)
    await expect(page.locator(".kt-war .kt-face")).to_have_count(4)
    seen = await lying(page)
    return [[card for card in cards if card != "–"] for cards in seen["cards"]]


async def test_a_shared_code_deals_the_same_cards_on_another_device(
    visitors: Visitors, server: Server
) -> None:
    typed = SHORT_GAME.lower().replace("-", " ").replace("0", "o")
    host = await visitors.visit(before=COPY_HERE)
    code = await open_room(host, "Bli med", "Romkode eller lenke", typed)
    async with Guest(server, code, "Ola") as guest:
        await start_against(host, guest)
        first = await play_into_the_war(host)
        for _ in range(PRESSES - INTO_THE_WAR):
            await press(host)
        await expect(host.locator(".end .game-code")).to_have_text(SHORT_GAME)
        await host.get_by_role("button", name="Del resultatet").click()
        await host.wait_for_function("() => 'copied' in window")
    shared = await host.evaluate("copied")
    found = re.search(r"[0-9A-Z]{5}(-[0-9A-Z]{5}){3}", shared)
    assert found, shared
    assert "32 – 0" in shared

    other = await visitors.visit()
    code = await open_room(other, "Spillkode", "Spillkode", found[0])
    async with Guest(server, code, "Ola") as guest:
        await start_against(other, guest)
        assert await play_into_the_war(other) == first


async def test_the_same_cards_again_in_the_same_room_and_a_wrong_letter_is_told(
    visitors: Visitors, server: Server
) -> None:
    page = await visitors.visit()
    wrong = SHORT_GAME[:-1] + "W"
    await page.get_by_role("button", name="Spillkode").click()
    field = page.get_by_role("textbox", name="Spillkode")
    for typed, told in ((wrong, "Ett tegn må være feil"), ("KRI7F", "20 bokstaver")):
        await field.fill(typed)
        await page.keyboard.press("Enter")
        await expect(page.locator("dialog [role=alert]")).to_contain_text(told)
    await field.fill(SHORT_GAME)
    await page.get_by_role("button", name="Åpne et bord").click()
    await expect(page.get_by_text(f"spillkoden {SHORT_GAME}")).to_be_visible()
    async with Guest(server, page.url.rsplit("/", 1)[1], "Ola") as guest:
        await start_against(page, guest)
        for _ in range(PRESSES):
            await press(page)
        await page.get_by_role("button", name="Spill de samme kortene igjen").click()
        await expect(page.get_by_text(f"spillkoden {SHORT_GAME}")).to_be_visible()
        await expect(page.locator(".seat .name")).to_have_count(2)
