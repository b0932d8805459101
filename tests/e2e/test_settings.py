"""Settings: what is chosen there is so at once, in the sheet too."""

from playwright.async_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.table import enter
from tests.live.server import Server


async def test_the_sheet_speaks_the_language_that_was_chosen_in_it(
    visitors: Visitors,
) -> None:
    page = await visitors.visit("/")
    await page.get_by_role("button", name="Meny").click()
    sheet = page.locator("dialog")
    await sheet.locator("[data-key=language]").select_option("de")
    await expect(sheet.locator("h2")).to_have_text("Einstellungen")
    await expect(sheet.get_by_label("Vier Farben auf den Karten")).to_be_checked()
    await expect(sheet).not_to_contain_text("Språk")
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)


async def test_who_sits_in_a_room_finds_its_tempo_there_and_nobody_else_does(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    page = await visitors.visit(f"/r/{code}")
    await enter(page)
    await page.get_by_role("button", name="Innstillinger").click()
    slow = page.locator("dialog [data-key=tempo-slow]")
    await slow.click()
    await expect(slow).to_have_attribute("aria-pressed", "true")
    await page.keyboard.press("Escape")
    await expect(page.locator("main [data-key=tempo-slow]")).to_have_attribute(
        "aria-pressed", "true"
    )
    watcher = await visitors.visit(f"/r/{code}?watch")
    await watcher.get_by_role("button", name="Innstillinger").click()
    await expect(watcher.locator("dialog [data-key=language]")).to_be_visible()
    await expect(watcher.locator("dialog [data-key=tempo-slow]")).to_have_count(0)


async def test_who_is_forgotten_reads_so_in_the_language_of_the_browser(
    visitors: Visitors, server: Server
) -> None:
    page = await visitors.visit(f"/r/{server.make_room('krieg_40')}")
    await enter(page)
    await page.get_by_role("button", name="Innstillinger").click()
    await page.locator("dialog [data-key=language]").select_option("de")
    await page.get_by_label("Vier Farben auf den Karten").uncheck()
    await page.get_by_role("button", name="Mich auf diesem Gerät").click()
    await page.get_by_role("button", name="Alles vergessen").click()
    await expect(page.locator(".toast")).to_have_text("Glemt.")
    await expect(page.locator(".foot [data-key=language]")).to_have_value("nb")
    await expect(page.locator(".doors")).to_contain_text("Spill sammen")
    await expect(page.locator("html")).to_have_attribute("lang", "nb")
    await expect(page.locator("html")).to_have_attribute("data-colours", "four")
    await expect(page.locator(".toast")).to_be_visible()
    assert await page.evaluate("Object.keys(localStorage)") == []
