"""Names that mean harm are shown as what they are, or refused by name."""

import re
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import PHONE, Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import enter
from tests.live.page import Page as Wire
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


LONG = ("MW" * 10, "ש" * 20)

WHAT_SHOWS = """(selector) =>
[...document.querySelectorAll(selector)].map((element) => {
  const box = element.getBoundingClientRect();
  const [text] = element.childNodes;
  const isInside = (at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { left, right } = range.getBoundingClientRect();
    return left > box.left - 1 && right < box.right + 1;
  };
  return [text.data, isInside(0), isInside(text.length - 1)];
})"""
"""Of each name: whether there is room for its first letter, and for its last."""


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
async def test_a_long_name_keeps_its_beginning_in_whatever_direction(
    visitors: Visitors, server: Server, direction: str
) -> None:
    code = server.make_room("krieg_40")
    host = await visitors.visit(f"/r/{code}", SMALL)
    await host.evaluate(f"document.documentElement.dir = '{direction}'")
    await enter(host)
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(Guest(server, code, name)) for name in LONG
        ]
        for guest in guests:
            await everybody_sits(guest)
            await guest.ready()
        await expect(host.locator(".seat .name")).to_have_count(3)
        await assert_begun(host, ".seat .name")
        await host.get_by_role("button", name="Start spillet").click()
        await expect(host.locator(".kt-name")).to_have_count(3)
        await assert_begun(host, ".kt-name")


async def everybody_sits(guest: Wire) -> None:
    await guest.until(lambda: guest.taken == len(LONG) + 1)


async def assert_begun(page: Page, selector: str) -> None:
    """Names are cut at their end."""
    shown = await page.evaluate(WHAT_SHOWS, selector)
    assert {name for name, *_ in shown} >= set(LONG)
    assert not all(last for *_, last in shown), "there was no room for all of them"
    assert [name for name, first, _ in shown if not first] == []


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
    await guest.get_by_role("button", name="Spill", exact=True).click()
    if name.strip():
        await expect(guest.locator(".toast")).to_contain_text(re.compile("[Nn]avn"))
        await expect(guest.locator(".seat .name")).to_have_count(0)
    else:
        await expect(guest.locator(".seat .name").first).to_contain_text("Du")
