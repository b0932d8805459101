"""Who is ready stays so when somebody only sits down, and not on other rules."""

from playwright.async_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.ears import HEAR, heard
from tests.e2e.guest import Guest
from tests.e2e.table import enter
from tests.live.server import Server


async def test_ready_is_said_again_by_the_page_unless_the_rules_have_changed(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    host = await visitors.visit(f"/r/{code}")
    await enter(host)
    await expect(host.locator(".seat .state.on")).to_have_count(1)
    guest = await visitors.visit(f"/r/{code}")
    await enter(guest)
    for page in (host, guest):
        await expect(page.locator(".seat .state.on")).to_have_count(2)
    await expect(host.locator(".notice")).to_contain_text("Du er fortsatt klar")

    third = await visitors.visit(f"/r/{code}")
    await enter(third)
    for page in (host, guest, third):
        await expect(page.locator(".seat .state.on")).to_have_count(3)

    await host.get_by_role("button", name="Endre regler").click()
    await host.get_by_label("Kortstokk").select_option(label="32 kort, fra sju til ess")
    for page in (guest, third):
        await expect(page.locator(".notice")).to_contain_text("Reglene er endret")
        await expect(page.locator(".seat .state.on")).to_have_count(0)
    await guest.get_by_role("button", name="Jeg er klar").click()
    for page in (guest, third):
        await expect(page.locator(".seat .state.on")).to_have_count(1)


async def test_nobody_is_asked_to_be_ready_again_who_was_not(
    visitors: Visitors, server: Server
) -> None:
    """And that somebody sat down is heard all the same."""
    code = server.make_room("krieg_40")
    host = await visitors.visit(f"/r/{code}", before=HEAR)
    await enter(host)
    watcher = await visitors.visit(f"/r/{code}?watch", before=HEAR)
    await expect(watcher.locator(".seat .state.on")).to_have_count(1)
    async with Guest(server, code, "Ola") as guest:
        await expect(host.locator(".seat .state.on")).to_have_count(1)
        await guest.ready()
        await expect(host.locator(".seat .state.on")).to_have_count(2)
        await host.get_by_role("button", name="Endre regler").click()
        deck = host.get_by_label("Kortstokk")
        await deck.select_option(label="32 kort, fra sju til ess")
        await host.keyboard.press("Escape")
        await expect(host.locator(".seat .state.on")).to_have_count(0)
        async with Guest(server, code, "Bo"):
            for page in (host, watcher):
                await page.wait_for_function(
                    "() => heard.some(([, said]) => said === 'Bo satte seg.')"
                )
    told = [said for _, said in await heard(watcher)]
    assert not [said for said in told if "klar" in said]
    await expect(watcher.locator(".notice")).to_have_count(0)


async def test_who_is_pressed_for_is_not_shown_as_ready(
    visitors: Visitors, harness: str
) -> None:
    page = await visitors.visit(f"{harness}?state=two-pressed&lang=nb&calm=1")
    state = page.locator(".kt-lane").first.locator(".kt-state")
    for presence, shown in (("here", "klar"), ("away", "borte"), ("auto", "auto")):
        await page.evaluate(
            """presence => {
              const { view, me } = structuredClone(STATES["two-pressed"]);
              view.seats[1].state = presence;
              table.show(view, me);
            }""",
            presence,
        )
        await expect(state).to_have_text(shown)


async def test_a_button_that_is_redrawn_under_a_finger_still_hears_its_tap(
    visitors: Visitors, server: Server
) -> None:
    code = server.make_room("krieg_40")
    host = await visitors.visit(f"/r/{code}")
    await enter(host)
    async with Guest(server, code, "Ola") as guest:
        await guest.until(lambda: guest.taken == 2)
        await guest.ready()
        start = host.get_by_role("button", name="Start spillet")
        await start.hover()
        await host.mouse.down()
        await guest.say("name", name="Olav", id=7)
        await guest.until(lambda: guest.view["seats"][1]["name"] == "Olav")
        await host.wait_for_timeout(200)
        await expect(host.locator(".seat .name").nth(1)).to_have_text("Olav")
        await host.mouse.up()
        await expect(host.locator("krig-table")).to_be_visible()
