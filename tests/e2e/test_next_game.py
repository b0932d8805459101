"""Between two games: what changes is said where one waits for the next."""

from playwright.async_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.guest import Guest
from tests.e2e.table import PRESSES, SHORT_GAME, sit_down
from tests.live.page import Page
from tests.live.server import Server


async def test_who_waits_for_a_rematch_reads_that_the_rules_are_others(
    visitors: Visitors, server: Server
) -> None:
    table = await sit_down(visitors, server)
    await table.play(PRESSES)
    rematch = table.guest.get_by_role("button", name="Omkamp")
    await rematch.click()
    await expect(table.guest.locator("button.big")).to_contain_text("Venter på")
    await table.host.get_by_role("button", name="Til venterommet").click()
    await table.host.get_by_role("button", name="Endre regler").click()
    await table.host.get_by_label("Kortstokk").select_option(
        label="52 kort og to jokere"
    )
    notice = table.guest.locator(".end footer .notice")
    await expect(notice).to_contain_text("Reglene er endret")
    await expect(notice).to_contain_text("54 kort")
    await rematch.click()
    await expect(notice).to_have_count(0)
    for page, state in ((table.host, "Venterommet"), (table.guest, "Spillet er slutt")):
        await page.goto(visitors.url)
        await expect(page.locator(".continue button")).to_contain_text(state)


async def both_sit(guest: Page) -> None:
    await guest.until(lambda: guest.taken == 2)


async def test_a_seat_in_the_next_game_is_seen_and_can_be_taken_back(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(SHORT_GAME)
    async with Guest(server, code, "Kari") as kari, Guest(server, code, "Ola") as ola:
        for guest in (kari, ola):
            guest.plays = False
            await both_sit(guest)
            await guest.ready()
        await kari.until(lambda: all(s["ready"] for s in kari.view["seats"][:2]))
        await kari.say("start", game=1)
        await kari.until(lambda: kari.phase == "playing")

        watcher = await visitors.visit(f"/r/{code}?watch")
        wish = watcher.get_by_role("button", name="Plass i neste spill")
        undo = watcher.get_by_role("button", name="Bare se på likevel")
        hint = watcher.locator(".kt-hint").last
        await expect(hint).to_have_text("Du ser på")
        await wish.click()
        await expect(hint).to_have_text("Du får plass i neste spill")
        await undo.click()
        await expect(hint).to_have_text("Du ser på")

        late = await visitors.visit(f"/r/{code}")
        await late.get_by_role("button", name="Plass i neste spill").click()
        await expect(late.locator(".kt-hint").last).to_have_text(
            "Du får plass i neste spill"
        )
        for guest in (kari, ola):
            guest.plays = True
            await guest.flip()
        await kari.until(lambda: kari.view["last"] is not None and kari.taken > 2)
        await expect(late.locator("button.big")).to_contain_text("Venter på")
        await expect(watcher.locator(".end h1")).to_be_visible()
        assert kari.taken == 3, "who took the wish back has no seat"
