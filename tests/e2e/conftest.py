"""Chromium at a real server: phones, a laptop, and pages that must not complain.

One browser and one server serve all the tests of a process; who kills a server has one
of their own. All of them run on one event loop, since a browser belongs to its loop.
"""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    async_playwright,
    expect,
)

from tests.live.server import Server

expect.set_options(timeout=30_000)  # a busy machine is no fault of the page

ROOT = Path(__file__).parents[2]

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

TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here shares the loop that the browser lives on."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


def running(folder: Path) -> Iterator[Server]:
    """A server for pages that press faster than people do."""
    server = Server(folder, commands_per_second=50)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that nobody kills."""
    yield from running(tmp_path_factory.mktemp("server"))


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own, to be killed."""
    yield from running(tmp_path)


class Quiet(SimpleHTTPRequestHandler):
    """Serves the repository, for the page that shows scripted states."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def harness() -> Iterator[str]:
    """Where the page with the scripted states is."""
    files = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT)))
    thread = threading.Thread(target=files.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{files.server_port}/tests/client/table.html"
    files.shutdown()
    thread.join()
    files.server_close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
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
        self.browser, self.url = browser, url
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        """What any page threw, logged as an error, or broke of the CSP."""

    async def visit(
        self,
        path: str = "/",
        size: dict[str, int] = PHONE,
        locale: str = "nb-NO",
        motion: str = "reduce",
        before: str = "",
    ) -> Page:
        """Open a page on a new device; `before` is a script that runs before ours."""
        context = await self.browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            locale=locale,
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
        )
        self._contexts.append(context)
        await context.add_init_script(TELL_VIOLATIONS + before)
        return await self.open(context, path)

    async def open(self, context: BrowserContext, path: str) -> Page:
        """Open one more page on a device."""
        page = await context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", self._threw)
        page.on("console", self._logged)
        await page.goto(path if path.startswith("http") else self.url + path)
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
    try:
        yield visitors
    finally:
        await visitors.leave()
    assert not visitors.complaints


@pytest_asyncio.fixture(loop_scope="session")
async def visitors(browser: Browser, server: Server) -> AsyncIterator[Visitors]:
    """Visitors at the server's plain address."""
    async with visitors_of(browser, server.url) as visitors:
        yield visitors


@pytest_asyncio.fixture(loop_scope="session")
async def mourners(browser: Browser, mortal: Server) -> AsyncIterator[Visitors]:
    """Visitors at the server that will be killed."""
    async with visitors_of(browser, mortal.url) as visitors:
        yield visitors
