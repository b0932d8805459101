"""Text twice as large, on the table: nothing is cut off, nothing lies over another."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.e2e.conftest import PHONE

SHOTS = [
    *(((390, 664), language) for language in ("nb", "de", "en")),
    *((size, "de") for size in ((360, 560), (320, 454), (844, 390), (1280, 800))),
]
"""German is the longest."""

WRONG = """async ({ replay }) => {
  const settled = () =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const clips = ".kt-name, .kt-label > span, .kt-pot, .kt-flip, .kt-tool, krig-table";
  const read = () => {
    const texts = [], wrong = [];
    const walk = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
      const owner = node.parentElement;
      const drawn = owner.closest("svg, .kt-card, .kt-unseen, .kt-bubble");
      if (!node.data.trim() || drawn) continue;
      const { clipPath } = getComputedStyle(owner);
      if (!owner.checkVisibility() || clipPath !== "none") continue;
      const box = owner.closest(clips).getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const slack = line.height * 0.15;  // what no letter reaches
        let { left, right, top, bottom } = line;
        [top, bottom] = [top + slack, bottom - slack];
        if (owner.matches(".kt-name, .kt-label > span")) [left, right] =
          [Math.max(left, box.left), Math.min(right, box.right)];
        if (left < box.left - 1 || right > box.right + 1 ||
            top < box.top - 1 || bottom > box.bottom + 1)
          wrong.push(`cut off: ${node.data}`);
        const lane = owner.closest(".kt-who")?.parentElement;
        for (const card of lane?.querySelectorAll(".kt-cards > *") ?? []) {
          const over = card.getBoundingClientRect();
          if (left < over.right - 1 && right > over.left + 1 &&
              top < over.bottom - 1 && bottom > over.top + 1)
            wrong.push(`${node.data} under a card`);
        }
        for (const other of texts) {
          const beside = left > other.right - 1 || right < other.left + 1;
          if (other.owner === owner || beside) continue;
          if (top < other.bottom - 1 && bottom > other.top + 1)
            wrong.push(`${node.data} over ${other.text}`);
        }
        texts.push({ owner, text: node.data, left, right, top, bottom });
      }
    }
    const button = table.querySelector(":scope > .kt-press:not(.kt-turned)");
    const { bottom, height } = button.getBoundingClientRect();
    const least = table.second ? 44 : 72;
    if (button.checkVisibility() && (bottom > innerHeight || height < least))
      wrong.push(`the flip button: ${height} high, to ${bottom}`);
    return wrong;
  };
  const found = new Set();
  await settled();
  for (const [name, { view, me, second = null, said }] of Object.entries(STATES)) {
    if (second && replay) continue;  // There is no such thing.
    const who = { ...me, replay };
    const moved = second !== table.second;
    table.second = second;
    table.show(view, who);
    if (said) table.tell(said, view, who);
    if (said || moved) await settled();
    for (const wrong of read()) found.add(`${name}: ${wrong}`);
  }
  return [...found];
}"""

SIZE_OF = """(selectors) => selectors.map((selector) => {
  const element = document.querySelector(selector);
  return parseFloat(selector === ".kt-card" ? element.offsetWidth
    : getComputedStyle(element).fontSize);
})"""
TEXTS = (".kt-name", ".kt-count", ".kt-round", ".kt-pot > span", ".kt-label")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(reduced_motion="reduce")
    yield await context.new_page()
    await context.close()


async def shown(page: Page, harness: str, query: str, scale: str) -> None:
    await page.goto(f"{harness}?{query}&calm=1&flat=1")
    await page.locator(".kt-lane").first.wait_for()
    await page.evaluate(f"document.documentElement.style.fontSize = '{scale}'")


@pytest.mark.parametrize("scale", ["100%", "200%"])
@pytest.mark.parametrize(
    ("size", "language"), SHOTS, ids=lambda x: x if isinstance(x, str) else f"{x[0]}"
)
async def test_no_text_on_the_table_is_cut_off_or_covered(
    page: Page, harness: str, size: tuple[int, int], language: str, scale: str
) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await shown(page, harness, f"state=two-quiet&lang={language}", scale)
    assert await page.evaluate(WRONG, {"replay": False}) == []


@pytest.mark.parametrize(
    "size", [(320, 342), (568, 320), (667, 375), (740, 360), (844, 278)]
)
@pytest.mark.parametrize("replay", [False, True], ids=["game", "replay"])
async def test_nothing_on_a_low_table_is_cut_off_or_covered(
    page: Page, harness: str, size: tuple[int, int], replay: bool
) -> None:
    """A replay has its controls below the table: 454 of height leave it 342."""
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await shown(page, harness, "state=two-quiet&lang=de", "100%")
    assert await page.evaluate(WRONG, {"replay": replay}) == []


@pytest.mark.parametrize("state", ["two-war-3", "three-war-3", "four-war-3"])
async def test_text_grows_with_the_readers_setting_and_cards_stay_large(
    page: Page, harness: str, state: str
) -> None:
    await page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    asked = [*TEXTS, ".kt-card"]
    await shown(page, harness, f"state={state}&lang=nb", "100%")
    before = await page.evaluate(SIZE_OF, asked)
    await shown(page, harness, f"state={state}&lang=nb", "200%")
    after = await page.evaluate(SIZE_OF, asked)
    *texts, card = (new / old for new, old in zip(after, before, strict=True))
    assert min(texts) > (1.05 if "four" in state else 1.2)
    assert max(texts) > 1.4
    assert card >= 0.75


async def test_what_has_little_room_grows_too(page: Page, harness: str) -> None:
    await page.set_viewport_size({"width": 844, "height": 390})
    asked = [".kt-chip", ".kt-pot > span"]
    await shown(page, harness, "state=two-war-3-double&lang=nb", "100%")
    before = await page.evaluate(SIZE_OF, asked)
    await shown(page, harness, "state=two-war-3-double&lang=nb", "200%")
    after = await page.evaluate(SIZE_OF, asked)
    assert all(new / old > 1.2 for new, old in zip(after, before, strict=True))
