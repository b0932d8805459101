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
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const box = text.parentElement.getBoundingClientRect();
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


MARK_SHOWS = """(name) => {
  const range = document.createRange();
  range.selectNode(name.lastChild);
  const mark = range.getBoundingClientRect();
  const box = name.parentElement.getBoundingClientRect();
  return [range.toString(), mark.width > 0 && mark.right < box.right + 1];
}"""


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
async def test_no_name_is_so_long_that_it_hides_who_is_host(
    visitors: Visitors, server: Server, size: dict[str, int]
) -> None:
    name = "localStorage.setItem('krig.name', 'Maximilian Alexander')"
    path = f"/r/{server.make_room('krieg_40')}"
    host = await visitors.visit(path, size, locale="de-DE", before=name)
    await host.get_by_role("button", name="Spielen", exact=True).click()
    await expect(host.locator(".seat .state.on")).to_have_count(1)
    # A seat is drawn anew when the server's answer comes.
    shown = f"({MARK_SHOWS})(document.querySelector('.seat .name'))"
    whole = "[' (du, Gastgeber)', true]"
    await host.wait_for_function(f"() => String({shown}) === String({whole})")


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


WRONG = "dialog [role=alert]"
"""What is wrong with a name, in the sheet that asks for another."""

FAMILY = "👨\u200d👩\u200d👧"
"""One sign to who types it, but joined by what is not seen."""


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
        await expect(guest.locator(WRONG)).to_contain_text(re.compile("[Nn]avn"))
        await expect(guest.locator(".seat .name")).to_have_count(0)
    else:
        suggested = re.compile(r"^(?!Du )\S+ \(deg, vert\)$")
        await expect(guest.locator(".seat .name").first).to_have_text(suggested)


async def kept_name(page: Page) -> str | None:
    name: str | None = await page.evaluate("localStorage.getItem('krig.name')")
    return name


async def type_another(page: Page, name: str) -> None:
    """Answer the sheet that says what is wrong with the one before."""
    await expect(page.locator(WRONG)).to_contain_text("Det navnet går ikke")
    await page.keyboard.type(name)
    await page.keyboard.press("Enter")
    await expect(page.locator("dialog")).to_have_count(0)


async def test_a_refused_name_is_not_kept_and_another_is_asked_for_until_one_is_taken(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    page = await visitors.visit(f"/r/{code}")
    await page.get_by_label("Navnet ditt").fill(FAMILY)
    await page.get_by_role("button", name="Spill", exact=True).click()
    await expect(page.locator(WRONG)).to_contain_text("Det navnet går ikke")
    assert await kept_name(page) is None
    await type_another(page, "Kari")
    await expect(page.locator(".seat .name")).to_have_text(["Kari (deg, vert)"])
    assert await kept_name(page) == "Kari"

    await page.get_by_role("button", name="Bytt navn").click()
    await page.get_by_label("Navnet ditt").fill(FAMILY)
    await page.keyboard.press("Enter")
    await expect(page.locator(WRONG)).to_contain_text("Det navnet går ikke")
    assert await kept_name(page) == "Kari"
    await type_another(page, "Åse")
    await expect(page.locator(".seat .name")).to_have_text(["Åse (deg, vert)"])
    assert await kept_name(page) == "Åse"


@pytest.mark.parametrize("door", ["Snu kort", "Spill sammen"])
async def test_a_bad_name_that_was_kept_once_bars_no_door(
    visitors: Visitors, door: str
) -> None:
    bad = f"localStorage.setItem('krig.name', '{'W' * 21}')"
    page = await visitors.visit("/", before=bad)
    await page.get_by_role("button", name=door).click()
    await type_another(page, "Kari")
    await page.wait_for_url("**/r/*")
    assert await kept_name(page) == "Kari"


async def test_no_more_can_be_typed_than_a_name_may_have(
    visitors: Visitors, server: Server
) -> None:
    page = await visitors.visit(f"/r/{server.make_room('krieg_40')}")
    await page.get_by_label("Navnet ditt").fill("")
    await page.get_by_label("Navnet ditt").press_sequentially("W" * 30)
    await enter(page)
    await expect(page.locator(".seat .name")).to_have_text([f"{'W' * 20} (deg, vert)"])
