"""Every screen, for everyone: by ear, by thumb, in large text and in any colours."""

from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.conftest import Visitors, visitors_of
from tests.e2e.screens import every_screen
from tests.e2e.table import SHORT_GAME, enter
from tests.live.server import Server

pytestmark = pytest.mark.client_tools

AXE = Path(__file__).parents[1] / "client/node_modules/axe-core/axe.min.js"

RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}"""

LEAST_TARGET = 44
LEAST_CONTRAST = 4.5

SMALL_TARGETS = """(least) => [...document.querySelectorAll(
    "button, select, a[href], summary, input:not([type=hidden])")]
  .map((element) => element.closest("label.switch") ?? element)
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([element, { width, height }]) => width < least - 0.5 || height < least - 0.5)
  .map(([element, { width, height }]) =>
    `${element.className || element.tagName}: ${width}×${height}`)"""

FAINT = """(least) => {
  const read = (text) => {
    const n = text.match(/[\\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return [...n.slice(0, 3), n[3] ?? 1];
  };
  const over = ([r, g, b, a], [R, G, B]) =>
    [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  // The felt where its glow is brightest: the least that white letters get.
  const felt = over([255, 255, 255, 0.1], [0x14, 0x53, 0x2d]);
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || element.closest("[aria-hidden=true], .unseen, .kt-unseen, option"))
      continue;
    const box = element.getBoundingClientRect();
    if (!element.checkVisibility({ opacityProperty: true }) || box.width < 2) continue;
    const up = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      up.unshift(read(getComputedStyle(at).backgroundColor));
      if (at.tagName !== "BODY") opacity *= Number(getComputedStyle(at).opacity);
    }
    const ground = up.slice(2).reduce((below, colour) => over(colour, below), felt);
    const [r, g, b, a] = read(getComputedStyle(element).color);
    const got = ratio(over([r, g, b, a * opacity], ground), ground);
    if (got < least)
      faint.push(`${element.className || element.tagName} ` +
        `${element.textContent.slice(0, 20)}: ${got.toFixed(2)}`);
  }
  return faint;
}"""

BEYOND = """() => {
  const { scrollWidth } = document.scrollingElement;
  const wide = scrollWidth > innerWidth ? [`page: ${scrollWidth}`] : [];
  const out = [...document.querySelectorAll("button, select, h1, .kt-lane, input")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.closest(".continue, .unseen"))
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < -1 || right > innerWidth + 1)
    .map(([element]) => element.className || element.textContent);
  const press = document.querySelector("krig-table > .kt-press:not(.kt-turned)");
  const low = press?.checkVisibility() &&
    press.getBoundingClientRect().bottom > innerHeight + 1 ? ["flip button"] : [];
  return [...wide, ...out, ...low];
}"""

Found = dict[str, list[str]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def found(browser: Browser, server: Server) -> Found:
    """What is wrong on any screen, by kind."""
    found: Found = {}
    seen: list[str] = []

    async def look(kind: str, name: str, page: Page, script: str, *asked: Any) -> None:
        wrong = await page.evaluate(script, *asked)
        found.setdefault(kind, []).extend(f"{name}: {what}" for what in wrong)

    async with visitors_of(browser, server.url) as visitors:
        async for name, page in every_screen(visitors, server):
            seen.append(name)
            if not await page.evaluate("'axe' in window"):
                await page.evaluate(AXE.read_text())  # by DevTools, past the CSP
            await look("axe", name, page, RUN_AXE)
            await look("targets", name, page, SMALL_TARGETS, LEAST_TARGET)
            await look("contrast", name, page, FAINT, LEAST_CONTRAST)
            await look("phone", name, page, BEYOND)
            await page.evaluate("document.documentElement.style.fontSize = '200%'")
            await look("text", name, page, BEYOND)
            await page.evaluate("document.documentElement.style.fontSize = ''")
            await page.evaluate("document.documentElement.dir = 'rtl'")
            await look("rtl", name, page, BEYOND)
            await page.evaluate("document.documentElement.dir = ''")
            await page.emulate_media(forced_colors="active")
            await look("forced", name, page, BEYOND)
            await page.emulate_media(forced_colors="none")
    assert len(seen) >= 20, seen
    return found


async def test_axe_finds_nothing_serious_on_any_screen(found: Found) -> None:
    assert found["axe"] == []


async def test_whatever_can_be_pressed_is_as_large_as_a_thumb(found: Found) -> None:
    assert found["targets"] == []


async def test_whatever_can_be_read_stands_out_from_its_ground(found: Found) -> None:
    assert found["contrast"] == []


async def test_no_screen_is_wider_than_the_phone(found: Found) -> None:
    assert found["phone"] == []


async def test_text_twice_as_large_stays_on_the_screen(found: Found) -> None:
    assert found["text"] == []


async def test_right_to_left_stays_on_the_screen(found: Found) -> None:
    assert found["rtl"] == []


async def test_forced_colours_keep_everything_in_its_place(found: Found) -> None:
    assert found["forced"] == []


async def test_the_smallest_phone_can_go_on_and_reads_that_a_seat_is_free(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(SHORT_GAME)
    page = await visitors.visit(f"/r/{code}", {"width": 320, "height": 454})
    await enter(page)
    free = await page.locator(".seat.free").first.evaluate(
        "(seat) => [seat.children[0].scrollWidth, seat.children[0].clientWidth]"
    )
    assert free[0] <= free[1]
    await page.goto(server.url)
    go_on = page.locator(".continue button")
    await expect(go_on).to_be_in_viewport(ratio=1)
    await go_on.click()
    await expect(page.locator(".seat.free").first).to_be_visible()
