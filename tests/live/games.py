"""Whole games over real sockets, as several pages play them together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.live.page import Page
from tests.live.server import Server


@asynccontextmanager
async def at_the_table(
    server: Server, code: str, players: int, watchers: int = 1
) -> AsyncIterator[tuple[list[Page], list[Page]]]:
    """Seated pages, the owner first, and pages that watch."""
    seated = [Page(server.url, code, f"Player {i}") for i in range(players)]
    watching = [Page(server.url, code, f"Watcher {i}") for i in range(watchers)]
    for page in seated:
        await page.open()
        await page.until(lambda page=page: page.v > 0)  # type: ignore[misc]
        await page.sit()
    for page in watching:
        await page.open()
    try:
        yield seated, watching
    finally:
        await asyncio.gather(*(page.close() for page in (*seated, *watching)))


async def start(seated: list[Page]) -> None:
    """Everybody is ready, and the owner starts."""
    await together(*seated)
    for page in seated:
        await page.ready()
    game = seated[0].view["room"]["game"]
    await seated[0].say("start", game=game, id=2)


async def deal_by_hand(seated: list[Page]) -> None:
    """Start a game in which no page presses by itself."""
    for page in seated:
        page.plays = False
    await start(seated)
    for page in seated:
        await page.until(lambda page=page: page.phase == "playing")  # type: ignore[misc]
    await together(*seated)


async def together(*pages: Page) -> None:
    """Wait until all pages have seen as much as the one that has seen most."""
    newest = max(page.v for page in pages)
    for page in pages:
        await page.until(lambda page=page: page.v >= newest)  # type: ignore[misc]


async def play_to_the_end(*pages: Page, game: int = 1) -> None:
    """Wait until everybody has seen the lobby after the game."""
    for page in pages:
        await page.until(
            lambda page=page: (
                page.phase == "lobby"  # type: ignore[misc]
                and page.view["room"]["game"] > game
            )
        )
    await together(*pages)
