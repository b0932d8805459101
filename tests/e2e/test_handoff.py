"""A seat moves to another device: the old one says so, its secret is dead."""

import json
import re
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.table import FLIP, INTO_THE_WAR, Table, lying, press, same_on, sit_down
from tests.live.page import Page as Wire
from tests.live.server import Server

MOVE = "Flytt plassen til en annen enhet"
GIVE = "Gi {name} plassen på en ny enhet"
A_MOVE = re.compile(r"plassen (til|på) en \w+ enhet")


async def offer(page: Page, name: str) -> tuple[str, str]:
    """Offer a seat by the menu; return the link in the QR, and the code to type."""
    await page.get_by_role("button", name="Meny").click()
    async with page.expect_response("**/api/rooms/*/qr") as drawn:
        await page.get_by_role("button", name=name).click()
    link: str = (await (await drawn.value).json())["link"]
    await expect(page.get_by_label("QR-kode som flytter plassen")).to_be_visible()
    return link, await page.locator("dialog .game-code").inner_text()


async def token_of(page: Page, code: str) -> str:
    kept = json.loads(await page.evaluate(f"localStorage['krig.room.{code}']"))
    token: str = kept["tokens"]["first"]
    return token


async def assert_dead(server: Server, code: str, token: str) -> None:
    """Whoever still holds the old secret is nobody."""
    wire = Wire(server.url, code, "")
    wire.token = token
    await wire.open()
    await wire.until(lambda: wire.v > 0 or wire.code_closed is not None)
    assert wire.player is None
    await wire.close()


async def rest_in_the_war(table: Table) -> Any:
    """Play into the war and pause, so that no deadline passes while a seat moves."""
    await table.play(INTO_THE_WAR)
    await table.host.get_by_role("button", name="Pause").click()
    await expect(table.guest.locator(FLIP)).to_contain_text("Fortsett")
    return await same_on(*table.players)


async def assert_goes_on(table: Table) -> None:
    before = await same_on(*table.players)
    await press(table.guest)
    for page in table.players:
        await expect(page.locator(FLIP)).to_contain_text("Krig! Snu")
    await table.play(1)
    assert await same_on(*table.players) != before


@pytest.mark.parametrize("way", ["qr", "code"])
async def test_a_holder_moves_in_mid_war_and_is_at_the_same_card(
    visitors: Visitors, server: Server, way: str
) -> None:
    table = await sit_down(visitors, server)
    before = await rest_in_the_war(table)
    old = table.host
    token = await token_of(old, table.code)
    link, typed = await offer(old, MOVE)

    new = await visitors.visit("/")
    if way == "qr":
        await new.goto(visitors.url + link[link.index("/r/") :])
    else:
        await new.goto(f"{visitors.url}/r/{table.code}")
        await new.get_by_role("button", name="Jeg har en flyttekode").click()
        await new.get_by_label("Flyttekode").fill(typed.lower())
        await new.keyboard.press("Enter")
    assert await lying(old) == before, "whoever only looks uses nothing up"
    await new.get_by_role("button", name="Spill videre her").click()

    await expect(old.locator("h1")).to_have_text(
        "Plassen din er flyttet til en annen enhet."
    )
    table.host = new
    assert await same_on(*table.players) == before
    await assert_dead(server, table.code, token)
    await assert_goes_on(table)
    late = await visitors.visit(link[link.index("/r/") :])
    await late.get_by_role("button", name="Spill videre her").click()
    await expect(late.locator(".notice")).to_contain_text("gjelder ikke")


async def test_the_owner_gives_an_away_seat_to_a_new_device(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server)
    before = await rest_in_the_war(table)
    token = await token_of(table.guest, table.code)
    device = table.guest.context
    await table.guest.close()
    theirs = table.host.locator(".kt-lane:not(.kt-mine)")
    await expect(theirs.locator('[data-mark="away"]')).to_be_visible()
    name = await theirs.locator(".kt-name").inner_text()
    link, _ = await offer(table.host, GIVE.format(name=name))

    table.guest = await visitors.visit(link[link.index("/r/") :])
    await table.guest.get_by_role("button", name="Spill videre her").click()
    await expect(table.guest.locator("krig-table")).to_be_visible()
    await table.host.keyboard.press("Escape")
    assert await same_on(*table.players) == before
    await assert_dead(server, table.code, token)
    await assert_goes_on(table)
    back = await visitors.open(device, f"/r/{table.code}")
    await expect(back.locator("h1")).to_have_text("Denne plassen er ikke din lenger.")


async def test_nobody_but_the_owner_gives_an_away_seat(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server)
    await rest_in_the_war(table)
    await table.host.close()
    theirs = table.guest.locator(".kt-lane:not(.kt-mine)")
    await expect(theirs.locator('[data-mark="away"]')).to_be_visible()
    await table.guest.get_by_role("button", name="Meny").click()
    offered = table.guest.get_by_role("button", name=A_MOVE)
    await expect(offered).to_have_text([MOVE])
