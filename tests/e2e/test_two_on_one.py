"""Two on one screen: nothing is turned up until both have pressed."""

from playwright.async_api import Page, expect

from tests.e2e.air import air_to
from tests.e2e.conftest import Visitors
from tests.e2e.table import FLIP, PRESSES, SHORT_GAME, assert_clear, lying
from tests.live.server import Server

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


LISTEN = """
localStorage.setItem("krig.settings", JSON.stringify({ strip: true, sound: true }));
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { tones++; start.call(this, at); };
"""


async def test_two_have_strip_and_sound_and_an_end_that_a_reload_brings_back(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(SHORT_GAME)
    page = await visitors.visit(f"/r/{code}?two", before=LISTEN)
    for _ in range(PRESSES):
        for button in (ACROSS, FLIP):
            await page.locator(f'{button}[aria-disabled="false"]').click()
        await expect(
            page.locator(".strip .top").or_(page.locator(".end"))
        ).to_be_visible()
    assert await page.evaluate("tones") > PRESSES
    await expect(page.locator(".end h1")).to_contain_text("Spiller 1 vant")
    await page.reload()
    await expect(page.locator(".end h1")).to_contain_text("Spiller 1 vant")
    await expect(page.locator(".legend li").first).to_contain_text("Spiller 1")
    assert await page.evaluate("localStorage.getItem('krig.balance')") is None
    await page.get_by_role("button", name="Meny").click()
    await page.get_by_role("button", name="Innstillinger").click()
    await page.locator("[data-key=language]").select_option("de")
    await page.keyboard.press("Escape")
    await expect(page.locator(".end h1")).to_contain_text("Spiller 1 gewinnt")
    await page.get_by_role("button", name="Revanche starten").click()
    await expect(page.locator("krig-table")).to_contain_text("Runde 1")


async def begin(visitors: Visitors, url: str = "/") -> Page:
    """Two at a table, who may both press."""
    page = await visitors.visit(url)
    await page.get_by_role("button", name="To på én skjerm").click()
    await expect(page.locator("krig-table")).to_contain_text("Runde 1")
    await assert_live(page)
    return page


async def assert_live(page: Page) -> None:
    for button in (ACROSS, FLIP):
        await expect(page.locator(button)).to_have_attribute("aria-disabled", "false")


async def play(page: Page) -> None:
    """Both press once."""
    for button in (ACROSS, FLIP):
        await page.locator(f'{button}[aria-disabled="false"]').click()
    await fought(page)


async def test_two_are_told_that_the_network_is_away_and_play_on_when_it_is_back(
    visitors: Visitors, server: Server
) -> None:
    async with air_to(server.port) as air:
        page = await begin(visitors, air.url)
        banner = page.locator("p.banner[role=alert]")
        await expect(banner).to_be_hidden()
        air.cut()
        await page.context.set_offline(True)
        await expect(banner).to_contain_text("Ingen kontakt")
        for button in (ACROSS, FLIP):
            await expect(page.locator(button)).to_contain_text("Kobler til")
        await assert_clear(page)
        air.mend()
        await page.context.set_offline(False)
        await expect(banner).to_be_hidden()
        await play(page)


async def test_two_in_a_second_tab_play_there_and_the_first_can_have_them_back(
    visitors: Visitors,
) -> None:
    first = await begin(visitors)
    second = await visitors.open(first.context, first.url)
    await expect(first.locator("h1")).to_contain_text("et annet vindu")
    await play(second)
    await first.get_by_role("button", name="Spill her").click()
    await expect(second.locator("h1")).to_contain_text("et annet vindu")
    await play(first)


async def test_a_screen_for_two_in_a_room_that_is_not_there_says_so(
    visitors: Visitors,
) -> None:
    page = await visitors.visit("/r/ZZZZZ?two")
    await expect(page.locator("h1")).to_contain_text("finnes ikke")
    await page.get_by_role("button", name="Bli med").click()
    await expect(page.get_by_label("Romkode eller lenke")).to_be_focused()


async def test_neither_of_two_on_a_screen_moves_to_another_device_alone(
    visitors: Visitors,
) -> None:
    page = await begin(visitors)
    await page.get_by_role("button", name="Meny").click()
    await expect(page.get_by_role("button", name="Til forsiden")).to_be_visible()
    await expect(page.get_by_role("button", name="Flytt plassen")).to_have_count(0)


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


PLACES = """[...document.querySelectorAll(".kt-flip, .kt-lane, .kt-head")].map(
  (element) => JSON.stringify(element.getBoundingClientRect()))"""
CUT = """[...document.querySelectorAll(".kt-name")].filter(
  (name) => name.scrollWidth > name.clientWidth).length"""


async def test_two_on_a_small_screen_see_whose_lane_it_is_and_nothing_jumps(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(SHORT_GAME)
    lying_phone = {"width": 844, "height": 390}
    page = await visitors.visit(f"/r/{code}?two", lying_phone, locale="de-DE")
    await assert_live(page)
    before = await page.evaluate(PLACES)
    await page.locator(ACROSS).click()
    await expect(page.locator(FLIP)).to_contain_text("wartet auf dich")
    assert await page.evaluate(PLACES) == before
    for _ in range(2):
        await page.locator(FLIP).click()
        await assert_live(page)
        assert await page.evaluate(PLACES) == before
        await page.locator(ACROSS).click()
    await page.set_viewport_size({"width": 320, "height": 454})
    await expect(page.locator("krig-table")).to_have_attribute("data-shape", "small")
    assert await page.evaluate(CUT) == 0
