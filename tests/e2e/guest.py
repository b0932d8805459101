"""A guest without a screen, who sits while a test lasts, and plays by itself."""

from tests.live.page import Page
from tests.live.server import Server


class Guest:
    """`async with Guest(server, code, "Ola"): ...`."""

    def __init__(self, server: Server, code: str, name: str) -> None:
        self.page = Page(server.url, code, name)

    async def __aenter__(self) -> Page:
        page = self.page
        await page.open()
        await page.until(lambda: page.v > 0)
        await page.sit()
        await page.until(lambda: page.seat is not None)
        return page

    async def __aexit__(self, *_: object) -> None:
        await self.page.close()
