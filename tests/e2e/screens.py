"""Every screen of the client, one after the other."""

from collections.abc import AsyncIterator

from playwright.async_api import Page, expect

from tests.e2e.conftest import LAPTOP, PHONE, Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import INTO_THE_WAR, PRESSES, SHORT_GAME, enter, press
from tests.live.server import Server

Shown = AsyncIterator[tuple[str, Page]]


async def every_screen(
    visitors: Visitors, server: Server, size: dict[str, int] = PHONE
) -> Shown:
    """Each screen's name, and the page that shows it."""
    page = await visitors.visit("/", size)
    await expect(page.locator("krig-table")).to_be_visible()
    yield "home", page
    for door in ("Bli med", "Se på", "Regler"):
        await page.get_by_role("button", name=door, exact=True).click()
        yield f"home: {door}", page
        await page.keyboard.press("Escape")
    await page.locator("krig-table").get_by_role("button", name="Meny").click()
    yield "settings", page
    await page.get_by_role("button", name="Glem meg").click()
    yield "forget me?", page
    await page.keyboard.press("Escape")

    await page.goto(f"{visitors.url}/r/ZZZZZ")
    await expect(page.get_by_role("alert").first).to_be_visible()
    yield "no such room", page
    await page.goto(f"{visitors.url}/r/ZZZZZ?watch")
    await expect(page.locator("h1")).to_contain_text("finnes ikke")
    yield "nothing to watch", page

    code = server.deal_again(SHORT_GAME)
    await page.goto(f"{visitors.url}/r/{code}")
    await expect(page.get_by_role("button", name="Spill", exact=True)).to_be_visible()
    yield "at the door", page
    await enter(page)
    await expect(page.locator(".seat .name")).to_have_count(1)
    async with Guest(server, code, "Maximilian Alexander") as guest:
        await expect(page.locator(".seat .name")).to_have_count(2)
        yield "lobby", page
        async for shown in sheets(page, "lobby", "Endre regler", "Inviter"):
            yield shown
        guest.plays = False
        await guest.ready()
        await page.get_by_role("button", name="Start spillet").click()
        await guest.until(lambda: guest.must_reveal() or guest.phase == "playing")
        if guest.must_reveal():
            await guest.reveal()
        await expect(page.locator("krig-table")).to_contain_text("Runde 1")
        yield "table", page
        async for shown in sheets(page, "table", "Meny", "Reaksjoner"):
            yield shown
        guest.plays = True
        for _ in range(INTO_THE_WAR):
            await guest.flip()
            await press(page)
        await expect(page.locator(".kt-lane.kt-war")).to_have_count(2)
        yield "war", page
        for name, box in (("watching", size), ("big screen", LAPTOP)):
            watcher = await visitors.visit(f"/r/{code}?watch", box)
            await expect(watcher.locator(".kt-lane.kt-war")).to_have_count(2)
            yield name, watcher
            await watcher.close()
        for _ in range(PRESSES - INTO_THE_WAR):
            await guest.flip()
            await press(page)
        await expect(page.locator(".end .curve")).to_be_visible()
        yield "end", page
        await visitors.open(page.context, f"/r/{code}")
        await expect(page.locator("h1")).to_contain_text("et annet vindu")
        yield "another window", page


async def sheets(page: Page, screen: str, *doors: str) -> Shown:
    """What opens over a screen."""
    for door in doors:
        await page.get_by_role("button", name=door).first.click()
        yield f"{screen}: {door}", page
        await page.keyboard.press("Escape")
