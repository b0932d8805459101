"""Names that mean harm are shown as what they are, or refused by name."""

import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import PHONE, Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import enter
from tests.live.server import Server

SMALL = {"width": 320, "height": 454}

HARMLESS = (
    ("<img src=q onerror=1>", "<b onclick=a()>hi</b>", "'\"><svg onload=a()>"[:20]),
    ("שלום, עולם", "👩🏽👍🏽🇳🇴🎴", "W" * 20),
    ("漢" * 20, "{name}", "%s</script>"),
)


@pytest.mark.parametrize("names", HARMLESS, ids=["markup", "signs", "wide"])
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
async def test_a_name_is_text_wherever_it_is_shown(
    visitors: Visitors, server: Server, names: tuple[str, ...], size: dict[str, int]
) -> None:
    names = tuple(name[:20] for name in names)
    code = server.make_room("krieg_40")
    host = await visitors.visit(f"/r/{code}", size)
    await enter(host)
    await expect(host.get_by_text("(deg, vert)")).to_be_visible()
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(Guest(server, code, name)) for name in names
        ]
        for guest in guests:
            await guest.ready()
        for name in names:
            await expect(host.get_by_text(name, exact=True).first).to_be_visible()
        await assert_harmless(host)
        await host.get_by_role("button", name="Start spillet").click()
        await expect(host.locator("krig-table")).to_be_visible()
        shown = host.locator(".kt-name")
        assert set(names) <= set(await shown.all_text_contents())
        await assert_harmless(host)


async def assert_harmless(page: Page) -> None:
    """Nothing of a name has become an element, and nothing is pushed out of sight."""
    assert await page.locator("[onerror], [onload], [onclick]").count() == 0
    assert await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), (
        "no name makes the page wider than the phone"
    )


@pytest.mark.parametrize(
    "name",
    ["Z̷̧̛͍̲̔̈́a̶̢͇̓l̵̰̈g̷̰̓o̴̧̕", "\u202egpj.exe", "Ka\u200bri", "   "],
    ids=["zalgo", "bidi", "zero-width", "blank"],
)
async def test_a_name_that_deceives_gets_no_seat(
    visitors: Visitors, server: Server, name: str
) -> None:
    code = server.make_room("krieg_40")
    guest = await visitors.visit(f"/r/{code}")
    await guest.get_by_label("Navnet ditt").fill(name)
    await enter(guest)
    if name.strip():
        await expect(guest.locator(".toast")).to_contain_text(re.compile("[Nn]avn"))
        await expect(guest.locator(".seat .name")).to_have_count(0)
    else:
        await expect(guest.locator(".seat .name").first).to_contain_text("Du")
