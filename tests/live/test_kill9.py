"""A killed server changes nothing: what was acknowledged is there, once, for all."""

import asyncio
from copy import deepcopy
from typing import Any

from tests.live.games import (
    at_the_table,
    deal_by_hand,
    play_to_the_end,
    start,
    together,
)
from tests.live.page import Page
from tests.live.server import Server


def _table(page: Page) -> dict[str, Any]:
    table: dict[str, Any] = page.view["table"]
    return table


async def _press(page: Page) -> None:
    """Press, and wait until the press is acknowledged."""
    heard = len(page.told)
    seat = page.seat

    def acknowledged() -> bool:
        news = page.told[heard:]
        return any(e["type"] == "flipped" and e["seat"] == seat for e in news)

    await page.flip()
    await page.until(acknowledged)


async def _play_into_a_war(*pages: Page) -> None:
    while not _table(pages[0])["battle"]:
        for page in pages:
            await _press(page)
        await together(*pages)


async def test_a_kill_in_the_middle_of_a_war_loses_and_doubles_nothing(
    server: Server,
) -> None:
    code = server.make_room("krig_nettversjon")
    async with at_the_table(server, code, 2) as (seated, [watcher]):
        pages = (*seated, watcher)
        one, other = seated
        await deal_by_hand(seated)
        await _play_into_a_war(one, other)
        await _press(one)  # acknowledged: it must survive
        await together(*pages)
        before, v, epoch = deepcopy(one.view), one.v, one.epoch
        assert before["table"]["flipped"] == [0]

        server.kill()
        server.start()
        fresh = Page(server.url, code, "Fresh")
        await fresh.open()
        await fresh.until(lambda: fresh.v >= v)
        assert fresh.view["table"] == before["table"], "the same card, the same press"
        await fresh.close()

        await asyncio.gather(*(page.reopen() for page in pages))
        for page in pages:
            await page.until(lambda page=page: page.v > v)  # type: ignore[misc]
        await together(*pages)
        for page in pages:
            assert page.epoch == epoch
            assert page.view["table"] == before["table"]
        assert [page.seat for page in pages] == [0, 1, None]

        number = before["table"]["round"]
        for page in seated:
            page.plays = True
        await other.flip()
        for page in pages:
            await page.until(lambda page=page: _table(page)["round"] > number + 5)  # type: ignore[misc]
        one.plays = other.plays = False


async def test_kills_all_through_a_game_lose_and_double_nothing(
    server: Server,
) -> None:
    code = server.make_room("krieg_40")
    async with at_the_table(server, code, 3) as (seated, [watcher]):
        pages = (*seated, watcher)
        await start(seated)
        await watcher.until(lambda: watcher.phase == "playing")
        for number in (3, 11, 20, 31):
            await watcher.until(lambda n=number: _table(watcher)["round"] >= n)  # type: ignore[misc]
            server.kill()
            acknowledged = max(page.v for page in pages)
            server.start()
            await asyncio.gather(*(page.reopen() for page in pages))
            for page in pages:
                await page.until(lambda p=page, v=acknowledged: p.v > v)  # type: ignore[misc]
        await play_to_the_end(*pages)
        assert all(page.view == watcher.view for page in pages)
        rounds = server.record(code, 1).json()["rounds"]
        assert [r["round"] for r in rounds] == list(range(1, len(rounds) + 1))
        assert all(sum(r["counts"]) == 3 * 17 for r in rounds)
