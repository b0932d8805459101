"""Chromium at a real server: phones, a laptop, and pages that must not complain."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    async_playwright,
)

from tests.live.server import Server

PHONE = {"width": 390, "height": 664}
"""A phone of 390×844, less the browser's bars."""

LAPTOP = {"width": 1280, "height": 800}

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is no secure context, as an address in a home network is none.
    "--host-resolver-rules=MAP krig.lan 127.0.0.1",
)

EXPECTED = (
    "WebSocket connection to",  # a server that is being killed
    "Failed to load resource",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server with an empty store."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """Debian's Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=list(QUIET)
        )
        yield browser
        await browser.close()


class Visitors:
    """Devices that open pages of one server, each with a store of its own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        """What any page threw, logged as an error, or broke of the CSP."""

    async def visit(
        self,
        path: str = "/",
        size: dict[str, int] = PHONE,
        locale: str = "nb-NO",
        motion: str = "reduce",
    ) -> Page:
        """Open a page on a new device."""
        context = await self._browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=locale,
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
        )
        self._contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", self._threw)
        page.on("console", self._logged)
        await page.goto(self._url + path)
        return page

    def _threw(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(EXPECTED):
            self.complaints.append(message.text)

    async def leave(self) -> None:
        """Close every device."""
        for context in self._contexts:
            await context.close()


@asynccontextmanager
async def visitors_of(browser: Browser, url: str) -> AsyncIterator[Visitors]:
    """Visitors, of whose pages none may complain."""
    visitors = Visitors(browser, url)
    yield visitors
    await visitors.leave()
    assert not visitors.complaints


@pytest.fixture
async def visitors(browser: Browser, server: Server) -> AsyncIterator[Visitors]:
    """Visitors at the server's plain address."""
    async with visitors_of(browser, server.url) as visitors:
        yield visitors


@pytest.fixture
async def lan_visitors(browser: Browser, server: Server) -> AsyncIterator[Visitors]:
    """Visitors at a name of the local network: no secure context."""
    async with visitors_of(browser, f"http://krig.lan:{server.port}") as visitors:
        yield visitors
