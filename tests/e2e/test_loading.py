"""What a page asks for on its way from home to a game."""

import re

import pytest
from playwright.async_api import Request, Route, expect

from krig import __version__
from tests.e2e.conftest import Visitors

FILES = {"style.css", "app.js", "later.js"}


@pytest.mark.parametrize(
    ("locale", "words"), [("nb-NO", "nb"), ("de-AT", "de"), ("fr-FR", "en")]
)
async def test_home_and_a_game_are_a_handful_of_files_each_fetched_once(
    visitors: Visitors, locale: str, words: str
) -> None:
    page = await visitors.visit("/healthz", locale=locale)
    fetched: list[str] = []

    def note(request: Request) -> None:
        asset = re.search(r"/client[^/]*/(.*\.(?:js|css))$", request.url)
        fetched.extend(asset.groups() if asset else ())

    page.on("request", note)
    await page.goto(visitors.url)
    await page.locator('.kt-flip[aria-disabled="false"]').last.click()
    await page.wait_for_url("**/r/*")
    await page.locator(".kt-cards > .kt-card[data-card]:not(.kt-back)").first.wait_for()
    await page.locator(".kt-menu").last.click()
    await expect(page.locator("dialog[open]")).to_be_visible()
    assert sorted(fetched) == sorted(FILES | {f"lang/{words}.js"})


async def test_home_is_there_without_a_number_format_which_takes_longer_than_all_of_it(
    visitors: Visitors,
) -> None:
    page = await visitors.visit("/healthz")
    await page.add_init_script(
        "window.made = []; for (const name of ['NumberFormat', 'ListFormat'])"
        "Intl[name] = class extends Intl[name] {"
        "constructor(...of) { super(...of); made.push(name); } }"
    )
    await page.goto(visitors.url)
    await page.locator('.kt-flip[aria-disabled="false"]').last.wait_for()
    assert await page.evaluate("made") == []
    await page.evaluate("new Intl.NumberFormat()")
    assert await page.evaluate("made") == ["NumberFormat"]


async def test_home_tells_the_version_and_whose_server_it_is(
    visitors: Visitors,
) -> None:
    page = await visitors.visit("/")
    await expect(page.locator(".foot small")).to_have_text(f"Krig {__version__}")

    async def answer(route: Route) -> None:
        about = {"version": "9", "imprint": "https://a.test/we", "privacy": None}
        await route.fulfill(json=about)

    await page.route("**/api/about", answer)
    await page.reload()
    links = page.locator(".foot small a")
    await expect(links).to_have_attribute("href", "https://a.test/we")
