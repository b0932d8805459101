"""The table looks as it did: pictures of scripted states, compared block by block.

`make pictures` (KRIG_PICTURES=take) takes them anew; then look at each of them.
A block of 8 by 8 pixels forgives another hinting of letters, and no shifted card.
"""

import base64
import os
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

ROOT = Path(__file__).parents[2]
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


class Quiet(SimpleHTTPRequestHandler):
    """Serves the repository, for the page that shows scripted states."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def harness() -> Iterator[str]:
    """Where the page with the scripted states is."""
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT)))
    thread = threading.Thread(target=files.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{files.server_port}/tests/client/table.html"
    files.shutdown()
    thread.join()
    files.server_close()


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
    picture = await page.screenshot(animations="disabled")
    kept = PICTURES / f"{name}.png"
    if TAKE:
        kept.write_bytes(picture)
        return
    texts = [base64.b64encode(data).decode() for data in (picture, kept.read_bytes())]
    differs = await page.evaluate(COMPARE, texts)
    assert differs <= MOST_DIFFERENT, f"{differs:.2%} of {kept.name} looks different"


def test_every_kept_picture_is_of_a_state_and_they_weigh_little() -> None:
    kept = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert set(kept) == {name for name, *_ in shots()}
    assert sum(kept.values()) < 3_000_000
