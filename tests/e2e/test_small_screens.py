"""Where there is little room: everything can still be read, and found by a finger."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.conftest import Visitors
from tests.e2e.guest import Guest
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


SHOW = """async ([state, { said = [], won = [], teams = false, replay = false }]) => {
  const { view, me } = structuredClone(STATES[state]);
  for (const seat of view.seats) seat.name = "Maximilian Alexander";
  won.forEach((cards, seat) => { view.table.hands[seat].won = cards; });
  view.room.rules.teams = teams;
  table.show(view, { ...me, replay });
  if (said.length > 0) table.tell(said, view, { ...me, replay });
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(reduced_motion="reduce")
    yield await context.new_page()
    await context.close()


async def shown(
    page: Page,
    harness: str,
    state: str,
    size: tuple[int, int],
    language: str = "de",
    **more: object,
) -> None:
    """A scripted state in which all have a long name."""
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.goto(f"{harness}?state={state}&lang={language}&calm=1")
    await page.locator(".kt-lane").first.wait_for()
    await page.evaluate(SHOW, [state, more])


OVERFLOWS = """() => {
  const panel = document.querySelector(".kt-reactions");
  const { left, right } = panel.getBoundingClientRect();
  const range = document.createRange();
  return [...panel.children].filter((button) => {
    if (!button.checkVisibility()) return false;
    range.selectNodeContents(button);
    const words = [...range.getClientRects()], box = button.getBoundingClientRect();
    const [{ left: from }, { right: to }] = [words[0], words.at(-1)];
    return words.length > 1 || from < box.left + 4 || to > box.right - 4;
  }).map((button) => button.textContent)
    .concat(left < 0 || right > innerWidth ? ["the panel"] : []);
}"""


@pytest.mark.parametrize("language", ["nb", "de", "en"])
@pytest.mark.parametrize("size", [*SMALL, (390, 664)], ids=str)
async def test_each_reaction_has_room_on_its_button(
    page: Page, harness: str, size: tuple[int, int], language: str
) -> None:
    await shown(page, harness, "two-battle", size, language)
    await page.locator(".kt-tools [aria-expanded]").click()
    assert await page.evaluate(OVERFLOWS) == []


WHO = """() => [...document.querySelectorAll(".kt-lane")].map((lane) => {
  const name = lane.querySelector(".kt-name");
  const cards = [...lane.querySelectorAll(".kt-cards > *")]
    .filter((card) => card.checkVisibility())
    .map((card) => card.getBoundingClientRect().left);
  const after = [...lane.querySelectorAll(".kt-gain, .kt-state > svg")]
    .filter((mark) => mark.checkVisibility() && mark.getBoundingClientRect().width)
    .map((mark) => mark.getBoundingClientRect().right);
  return [name.clientWidth, Math.max(0, ...after) <= Math.min(...cards)];
})"""

WON = [{"type": "pot_won", "seat": 1, "count": 10, "by": "high"}]


@pytest.mark.parametrize("said", [[], WON], ids=["pressed", "won"])
async def test_what_stands_by_four_counts_takes_no_room_from_names_and_is_under_no_card(
    page: Page, harness: str, said: list[object]
) -> None:
    state = "four-battle" if said else "four-last"
    won = [6, 12, 9, 4]
    await shown(page, harness, state, SMALL[0], said=said, won=won)
    *others, (mine, _) = await page.evaluate(WHO)
    assert mine > 0, "one's own is short"
    assert [width > 90 and clear for width, clear in others] == [True] * 3


TEAMS = """() => [...document.querySelectorAll(".kt-lane")].filter((lane) => {
  const mark = getComputedStyle(lane, "::before");
  const drawn = document.createElement("canvas").getContext("2d");
  drawn.font = `${mark.fontWeight} ${mark.fontSize} ${mark.fontFamily}`;
  const { width } = drawn.measureText(JSON.parse(mark.content));
  return width > lane.clientHeight || mark.whiteSpace !== "nowrap";
}).length"""


async def test_a_team_keeps_its_number_in_a_lane_as_low_as_a_banner_leaves_it(
    page: Page, harness: str
) -> None:
    await shown(page, harness, "four-last", (320, 400), teams=True)
    assert await page.evaluate(TEAMS) == 0


LABEL = """() => {
  const [label, button] = [".kt-label", ".kt-flip"].map((selector) =>
    document.querySelector(`krig-table > .kt-press:not(.kt-turned) ${selector}`));
  const { left, right, bottom, height } = label.getBoundingClientRect();
  const box = button.getBoundingClientRect();
  const last = document.createRange();
  last.selectNodeContents(label.lastChild);
  return {
    lines: Math.round(height / parseFloat(getComputedStyle(label).lineHeight)),
    inside: left >= box.left && right <= box.right && bottom <= box.bottom,
    end: !label.lastChild.data || last.getBoundingClientRect().right <= box.right,
    text: label.textContent,
  };
}"""


@pytest.mark.parametrize(
    ("language", "words"), [("de", "{} folgen"), ("nb", "Følg {}"), ("en", "Follow {}")]
)
@pytest.mark.parametrize("size", SMALL[:2], ids=str)
async def test_whom_a_spectator_may_follow_is_said_on_one_line(
    page: Page, harness: str, size: tuple[int, int], language: str, words: str
) -> None:
    await shown(page, harness, "four-following", size, language)
    text = words.format("Maximilian Alexander")
    whole = {"lines": 1, "inside": True, "end": True, "text": text}
    assert await page.evaluate(LABEL) == whole
    await page.evaluate(
        """() => {
          const { view, me } = structuredClone(STATES["four-following"]);
          for (const seat of view.seats) seat.name = "o";
          table.show(view, me);
        }"""
    )
    short = words.format("o")  # which is a letter of the other word, too
    assert (await page.evaluate(LABEL))["text"] == short


async def test_a_wide_lane_has_room_for_a_long_name(page: Page, harness: str) -> None:
    for state in ("three-war-3-double", "four-war-3-triple"):
        await shown(page, harness, state, (1280, 800))
        names = page.locator(".kt-name")
        cut = "(names) => names.filter((n) => n.scrollWidth > n.clientWidth).length"
        assert await names.evaluate_all(cut) == 0


CUT_RULES = """() => [...document.querySelectorAll("dialog dd")].filter((words) =>
  words.scrollWidth > words.clientWidth || words.getBoundingClientRect().height < 10)
  .map((words) => words.textContent)"""


async def test_who_may_not_change_the_house_rules_can_read_all_of_each(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    box = {"width": 320, "height": 454}
    async with Guest(server, code, "Kari") as host:
        await host.until(lambda: host.taken == 1)
        page = await visitors.visit(f"/r/{code}", box, locale="de-DE")
        await page.get_by_role("button", name="Spielen", exact=True).click()
        await page.get_by_role("button", name="Hausregeln").click()
        sheet = page.locator("dialog")
        await sheet.get_by_text("Weitere Regeln").click()
        await expect(sheet.locator("dt").first).to_have_text("Spielform")
        await expect(sheet.locator("dd").first).to_have_text("Kurze Partie, 40 Runden")
        short = sheet.locator("dl").filter(has_text="Zu wenige Karten für den Krieg")
        await expect(short.locator("dd")).to_have_text(
            "Spiel, was du hast, letzte offen"
        )
        await expect(sheet.locator("select")).to_have_count(0)
        assert await page.evaluate(CUT_RULES) == []
        await host.say("rules", rules={**host.view["room"]["rules"], "teams": True})
        teams = sheet.locator("dl").filter(has_text="Teams")
        await expect(teams.locator("dd")).to_have_text("Ja")
