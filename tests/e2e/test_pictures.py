"""Table and screens look as they did: pictures, compared block by block.

The table's are of scripted states, the screens' of a room on a real server.
`make pictures` (KRIG_PICTURES=take) takes them anew; then look at each of them.
A block of 8 by 8 pixels forgives another hinting of letters, and no shifted card.
"""

import base64
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import PRESSES, SHORT_GAME, enter, press
from tests.live.server import Server

PICTURES = Path(__file__).parent / "pictures"
TAKE = os.environ.get("KRIG_PICTURES") == "take"

PHONE, SMALL, TINY = (390, 664), (360, 560), (320, 454)
LYING, LAPTOP = (844, 390), (1280, 800)

DEEP = ("two-war-3-double", "three-war-3-double", "four-war-3-triple")
"""Three cards down and more than one war: the fullest a table is with each number."""

Shot = tuple[str, str, str, tuple[int, int]]


def shots() -> Iterator[Shot]:
    """Each picture's name, and the state, the rest of the query and the size."""
    yield "table-3-war-nb", "three-war-3", "lang=nb", PHONE
    for state in (
        *("two-quiet", "two-battle", "two-war-3", "two-unequal", "two-reshuffle"),
        *("two-on-one-screen", "two-paused", "two-void", "two-timed", "two-jokers"),
        *("three-aside", "three-battle", "three-out", "three-no-limit"),
        *("four-quiet", "four-war-3", "four-bystander", "four-teams"),
        *DEEP,
    ):
        yield f"{state}-nb", state, "lang=nb", PHONE
    for state in DEEP:
        for size in (SMALL, TINY, LYING):
            name = f"{state}-{size[0]}x{size[1]}"
            yield name, state, "lang=nb", size
        for language in ("de", "en"):
            yield f"{state}-{language}", state, f"lang={language}", PHONE
    yield "three-war-3-rtl", "three-war-3", "lang=nb&dir=rtl", PHONE
    yield "four-watching-big", "four-watching", "lang=nb", LAPTOP


COMPARE = """async ([one, other]) => {
  const read = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const { width, height } = image;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height);
  };
  const [a, b] = await Promise.all([read(one), read(other)]);
  if (a.width !== b.width || a.height !== b.height) return 1;
  const EDGE = 8, APART = 24;
  let differ = 0, blocks = 0;
  for (let y = 0; y < a.height; y += EDGE) {
    for (let x = 0; x < a.width; x += EDGE) {
      const sums = [0, 0, 0];
      let n = 0;
      for (let v = y; v < Math.min(y + EDGE, a.height); v++) {
        for (let u = x; u < Math.min(x + EDGE, a.width); u++) {
          const at = 4 * (v * a.width + u);
          for (let c = 0; c < 3; c++) sums[c] += a.data[at + c] - b.data[at + c];
          n++;
        }
      }
      blocks++;
      if (sums.some((sum) => Math.abs(sum / n) > APART)) differ++;
    }
  }
  return differ / blocks;
}"""

MOST_DIFFERENT = 0.004
"""Of all blocks. Another font size of one line is more than that."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(reduced_motion="reduce")
    yield await context.new_page()
    await context.close()


@pytest.mark.parametrize("shot", list(shots()), ids=lambda shot: shot[0])
async def test_the_table_looks_as_it_did(page: Page, harness: str, shot: Shot) -> None:
    name, state, query, (width, height) = shot
    await page.set_viewport_size({"width": width, "height": height})
    await page.goto(f"{harness}?state={state}&{query}&calm=1&flat=1")
    await page.locator(".kt-lane").first.wait_for()
    await compare(await page.screenshot(animations="disabled"), name, page)


async def compare(picture: bytes, name: str, judge: Page) -> None:
    """Hold a picture to the kept one, on a page that may read both; or keep it."""
    kept = PICTURES / f"{name}.png"
    if TAKE:
        kept.write_bytes(picture)
        return
    texts = [base64.b64encode(data).decode() for data in (picture, kept.read_bytes())]
    differs = await judge.evaluate(COMPARE, texts)
    assert differs <= MOST_DIFFERENT, f"{differs:.2%} of {kept.name} looks different"


SCREENS = ("home", "rules", "lobby-4", "lobby-2", "end", "replay")

NAMED_KARI = "localStorage.setItem('krig.name', 'Kari');"

STEADY = """(code) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());)
    node.data = node.data.replaceAll(code, "KRI7F")
      .replace(/[\\d.]+:\\d+\\//, "krig.lan/");
  for (const ground of document.querySelectorAll("body, krig-table, dialog.replay"))
    ground.style.background = "#14532d";
  document.querySelector(".screen > main")?.scrollTo(0, 0);
  document.activeElement.blur();
}"""
"""Take away what is another each time, and the glow, which makes pictures heavy."""

REDRAWN = "(code) => document.body.textContent.includes(code)"

QR = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 29 29">
<path d="M0 0h7v7H0zM14 0h7v7h-7zM0 14h7v7H0zM9 9h3v3H9z"/></svg>"""


async def test_the_screens_look_as_they_did(
    page: Page, visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(SHORT_GAME)
    shown = await visitors.visit(before=NAMED_KARI)
    await shown.route(
        "**/qr.svg*", lambda route: route.fulfill(body=QR, content_type="image/svg+xml")
    )
    differ = []

    async def look(name: str) -> None:
        picture = b""
        while not picture or await shown.evaluate(REDRAWN, code):
            await shown.evaluate(STEADY, code)
            picture = await shown.screenshot(animations="disabled")
        try:
            await compare(picture, f"{name}-nb", page)
        except AssertionError as error:
            differ.append(str(error))

    await expect(shown.locator("krig-table .kt-lane").first).to_be_visible()
    await expect(shown.locator(".foot small")).to_contain_text("Krig")
    await look("home")
    await shown.get_by_role("button", name="Regler").click()
    await look("rules")
    await shown.goto(f"{visitors.url}/r/{code}")
    await enter(shown)
    seats = shown.locator(".seat .name")
    await expect(seats).to_have_count(1)
    async with Guest(server, code, "Maximilian Alexander") as guest:
        await expect(seats).to_have_count(2)
        for taken in (3, 4):
            await shown.get_by_role("button", name="+ Datamaskin").first.click()
            await expect(seats).to_have_count(taken)
            await expect(shown.locator(".seat .state.on")).to_have_count(taken - 1)
        await look("lobby-4")
        for taken in (3, 2):
            await shown.get_by_role("button", name="Fjern").last.click()
            await expect(seats).to_have_count(taken)
        await guest.until(lambda: guest.taken == 2)
        await guest.ready()
        await expect(shown.get_by_role("button", name="Start spillet")).to_be_enabled()
        await look("lobby-2")
        await shown.get_by_role("button", name="Start spillet").click()
        for _ in range(PRESSES):
            await press(shown)
        await expect(shown.locator(".end .curve")).to_be_visible()
        await look("end")
        await shown.get_by_role("button", name="Se spillet på nytt").click()
        await shown.locator(".replay input").fill("3")
        await look("replay")
    assert differ == []


def test_every_kept_picture_is_of_a_state_and_they_weigh_little() -> None:
    kept = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert set(kept) == {name for name, *_ in shots()} | {f"{n}-nb" for n in SCREENS}
    assert sum(kept.values()) < 3_000_000
