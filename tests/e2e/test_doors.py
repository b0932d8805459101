"""At a room's door: what is said there is what may be done there."""

from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Route, expect

from tests.e2e.conftest import Visitors
from tests.e2e.guest import Guest
from tests.live.page import Page
from tests.live.server import Server


async def test_a_closed_room_sends_who_would_watch_to_its_free_seats(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    async with Guest(server, code, "Kari") as host:
        await host.say("close", on=True)
        await host.until(lambda: host.view["room"]["closed"])
        page = await visitors.visit(f"/r/{code}?watch")
        await expect(page.locator("h1")).to_have_text(
            "Rommet tar ikke imot flere tilskuere."
        )
        await page.get_by_role("button", name="Se etter en plass").click()
        await page.get_by_role("button", name="Spill", exact=True).click()
        await expect(page.locator(".seat .name")).to_have_count(2)


async def test_who_watches_by_localhost_shows_a_link_that_leads_others_here(
    visitors: Visitors, server: Server
) -> None:
    """The laptop that is the table's screen was opened where the server runs."""
    code = server.make_room("krieg_40")
    link = f"http://192.168.1.7:8000/r/{code}"

    async def elsewhere(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(json={**await answer.json(), "link": link})

    page = await visitors.visit("/")
    await page.route(f"**/api/rooms/{code}", elsewhere)
    await page.goto(f"{server.url}/r/{code}?watch")
    shown = page.locator(".invite .link")
    await expect(shown).to_have_text(link.removeprefix("http://"))
    await page.locator("[data-key=qr]").click()
    await expect(page.locator("dialog .link").first).to_have_text(link)


FULL = ("Kari", "Ola", "Åse", "Bo")


async def everybody_sits(guest: Page) -> None:
    await guest.until(lambda: guest.taken == len(FULL))


async def test_the_door_of_a_full_table_promises_no_seat_in_the_next_game(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    async with AsyncExitStack() as stack:
        guests = [
            await stack.enter_async_context(Guest(server, code, name)) for name in FULL
        ]
        host = guests[0]
        for guest in guests:
            guest.plays = False
            await everybody_sits(guest)
            await guest.ready()
        await host.until(lambda: all(seat["ready"] for seat in host.view["seats"]))
        await host.say("start", game=1)
        await host.until(lambda: host.phase == "playing")
        page = await visitors.visit(f"/r/{code}")
        await expect(page.locator("main")).to_contain_text("Alle plasser er tatt.")
        await expect(page.locator("main")).to_contain_text("Spillet er i gang.")
        await expect(page.locator("main")).not_to_contain_text("neste spill")
        await expect(page.locator("footer button")).to_have_text(["Se på"])


@pytest.mark.parametrize("path", ["/r/ZZZZZ", "/r/ZZZZZ?watch"], ids=["play", "watch"])
async def test_a_wrong_code_can_be_typed_again_where_it_is_refused(
    visitors: Visitors, server: Server, path: str
) -> None:
    code = server.make_room("krieg_40")
    page = await visitors.visit(path)
    await page.get_by_role("button", name="Bli med").click()
    await page.get_by_label("Romkode eller lenke").fill(code)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/r/{code}*")


OUT_OF_REACH = """() => [...document.querySelectorAll(".doors button, .foot select")]
.filter((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const at = (dx, dy) => document.elementFromPoint(x + dx, y + dy);
  return !element.contains(at(width / 2, 2)) ||
    !element.contains(at(width / 2, height - 2));
}).map((element) => element.textContent)"""


@pytest.mark.parametrize("size", [(320, 454), (360, 560), (844, 390)], ids=str)
async def test_every_door_is_there_beside_two_games_to_go_on_with(
    visitors: Visitors, server: Server, size: tuple[int, int]
) -> None:
    box = {"width": size[0], "height": size[1]}
    page = await visitors.visit("/", box, locale="de-DE")
    for _ in range(2):
        await page.goto(f"{visitors.url}/r/{server.make_room('krieg_40')}")
        await page.get_by_role("button", name="Spielen", exact=True).click()
        await expect(page.locator(".seat .name").first).to_contain_text("(du")
    await page.goto(visitors.url)
    games = page.locator(".continue button")
    await expect(games).to_have_count(2)
    assert await page.evaluate(OUT_OF_REACH) == []
    lane = await page.locator(".kt-lane").first.bounding_box()
    second = await games.last.bounding_box()
    assert lane is not None
    assert second is not None
    assert lane["height"] > 60, "there is room for a name, a count and a state"
    assert second["x"] < size[0] - 30, "one sees that there is another"
