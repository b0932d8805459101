"""A whole game with neither pointer nor eyes: keys, and what a screen reader hears."""

from typing import Any

from playwright.async_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.ears import HEAR, heard
from tests.e2e.guest import Guest
from tests.e2e.table import PRESSES, SHORT_GAME
from tests.live.server import Server


async def tab_to(page: Page, name: str) -> None:
    """Go on with Tab until the button of that name has the focus."""
    for _ in range(30):
        await page.keyboard.press("Tab")
        said = await page.evaluate(
            "(at => at.ariaLabel + at.innerText)(document.activeElement)"
        )
        if name in said:
            return
    raise AssertionError(f"Tab never comes to {name!r}")


async def assert_focused(page: Page) -> None:
    focused = await page.evaluate("document.activeElement.tagName")
    assert focused not in ("BODY", "HTML"), "the focus was lost"


async def test_a_whole_game_by_keyboard_is_told_in_one_sentence_a_round(
    visitors: Visitors, server: Server
) -> None:
    code = server.deal_again(SHORT_GAME)
    page = await visitors.visit(f"/r/{code}", before=HEAR)
    await expect(page.get_by_label("Navnet ditt")).to_be_visible()
    while await page.evaluate("document.activeElement.tagName") != "INPUT":
        await page.keyboard.press("Tab")
    await page.keyboard.type("Kari")
    await page.keyboard.press("Enter")
    await expect(page.locator(".seat .name").first).to_contain_text("Kari")
    await assert_focused(page)
    async with Guest(server, code, "Ola") as ola:
        await ola.ready()
        await expect(page.get_by_role("button", name="Start spillet")).to_be_enabled()
        await assert_focused(page)
        await tab_to(page, "Start spillet")
        await page.keyboard.press("Enter")
        await expect(page.locator("krig-table")).to_be_visible()
        await assert_focused(page)

        for _ in range(PRESSES):
            told = len(await heard(page))
            await expect(page.locator(".kt-flip").last).to_have_attribute(
                "aria-disabled", "false"
            )
            await page.keyboard.press("Space")
            await page.wait_for_function(
                "n => heard.slice(n).some(([, said]) => /^(Runde|KRIG)/.test(said))",
                arg=told,
            )
            await assert_focused(page)
        await expect(page.locator(".end h1")).to_contain_text("Du vant!")
        await assert_focused(page)
        await tab_to(page, "Omkamp")
        await page.keyboard.press("Enter")
        await expect(page.locator(".end footer")).to_contain_text("1/2")
        await assert_focused(page)
    record = server.record(code, 1).json()
    assert_told(await heard(page), record)


def assert_told(told: list[list[str]], record: dict[str, Any]) -> None:
    """One polite sentence a round with everybody's count, and every war at once."""
    for played in record["rounds"]:
        mine, other = played["counts"]
        start = f"Runde {played['round']}: "
        said = [text for role, text in told if text.startswith(start)]
        roles = {role for role, text in told if text.startswith(start)}
        assert len(said) == 1, (start, told)
        assert roles == {"status"}
        assert said[0].endswith(f"Du {mine}, Ola {other}.")
        assert ("Du tok" in said[0]) == (played["winner"] == 0)
    said = [text for role, text in told if role == "status"]
    last = f"Runde {record['rounds'][-1]['round']}: "
    ended = said.index("Spillet er slutt. Du vant! 32 – 0")
    assert any(text.startswith(last) for text in said[:ended]), "first how it ended"
    alerts = [text for role, text in told if role == "alert"]
    wars = [range(1, played["war"] + 1) for played in record["rounds"]]
    assert [len(war) for war in wars] == [0, 2, 0, 0, 0, 1, 1]
    loud = [f"KRIG ×{n}!" if n > 1 else "KRIG!" for war in wars for n in war]
    assert alerts == [f"{war} Du og Ola." for war in loud]


A_WAR_AT_ONCE = """() => {
  const { before, me, entries } = STORIES["story-round"];
  const [round] = entries;
  table.show(before, me);
  const war = { type: "war", seats: [0, 1], war: 1 };
  const turned = { type: "turned", cards: [[0, "9h"], [1, "9s"]] };
  table.tell([...round.events, turned, war], STATES["two-war-declared"].view, me);
}"""


async def test_a_war_is_heard_behind_the_round_that_it_follows(
    visitors: Visitors, harness: str
) -> None:
    page = await visitors.visit(
        f"{harness}?state=two-quiet&lang=nb&calm=1", before=HEAR
    )
    await page.locator(".kt-lane").first.wait_for()
    await page.evaluate(A_WAR_AT_ONCE)
    alarm = page.locator("krig-table [role=alert]")
    await expect(alarm).to_contain_text("KRIG! Du og Ingrid.")
    told = [said for _, said in await heard(page)]
    assert "Runde 17: Du tok" in await alarm.inner_text()
    assert sum("Runde 17" in said for said in told) == 1


STATUS = "krig-table [role=status]"


async def test_a_new_tempo_and_autoplay_are_told_by_ear(
    visitors: Visitors, harness: str
) -> None:
    """Keys change them, with the focus anywhere."""
    page = await visitors.visit(f"{harness}?state=two-quiet&lang=nb&calm=1")
    await page.locator(".kt-lane").first.wait_for()
    change = """([tempo, state]) => {
      const { view, me } = structuredClone(STATES["two-quiet"]);
      view.room.tempo = tempo;
      view.seats[0].state = state;
      table.show(view, me);
    }"""
    for tempo, state, told in (
        ("normal", "here", ""),
        ("fast", "here", "Tempo: Raskt"),
        ("fast", "auto", "Autospill på"),
        ("fast", "here", "Autospill av"),
        ("slow", "here", "Tempo: Rolig"),
    ):
        await page.evaluate(change, [tempo, state])
        await expect(page.locator(STATUS)).to_have_text(told)


AT = "(document.activeElement?.dataset.key ?? document.activeElement?.tagName)"


async def test_a_closed_sheet_leaves_the_focus_at_the_button_that_opened_it(
    visitors: Visitors, server: Server
) -> None:
    """The lobby is drawn anew under it, and all its buttons are others."""
    page = await visitors.visit(f"/r/{server.make_room('krieg_40')}")
    await page.get_by_role("button", name="Spill", exact=True).click()
    panel = page.locator(".panel.stack")
    for key, field, do, then in (
        ("house", "rule-deck", "3", ("32 kort", panel)),
        ("rename", "name", "Åse", ("Åse", page.locator(".seat").first)),
        ("move", "", "", ("", panel)),
        ("settings", "language", "D", ("Regeln ändern", panel)),
        ("qr", "", "", ("", panel)),
    ):
        await page.locator(f"[data-key={key}]").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("dialog[open]")).to_be_visible()
        if field:
            await page.locator(f"dialog [data-key={field}]").focus()
            await page.keyboard.type(do)
            await page.keyboard.press("Enter" if key == "rename" else "Tab")
        text, where = then
        await expect(where).to_contain_text(text)
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog[open]")).to_have_count(0)
        await page.wait_for_function(f"() => {AT} === '{key}'")


async def test_who_adds_computers_by_keyboard_goes_on_at_the_next_free_seat(
    visitors: Visitors, server: Server
) -> None:
    page = await visitors.visit(f"/r/{server.make_room('krieg_40')}")
    await page.get_by_role("button", name="Spill", exact=True).click()
    await page.locator("[data-key=bot-2]").focus()
    for key in ("bot-1", "bot-3", "big"):
        await page.keyboard.press("Enter")
        await page.wait_for_function(f"() => {AT} === '{key}'")
    await expect(page.locator(".seat .name")).to_have_count(4)
    await page.keyboard.press("Enter")
    await expect(page.locator("krig-table")).to_be_visible()


async def test_that_a_link_was_copied_is_heard_over_a_sheet_too(
    visitors: Visitors, server: Server
) -> None:
    page = await visitors.visit(f"/r/{server.make_room('krieg_40')}", before=HEAR)
    await page.get_by_role("button", name="Spill", exact=True).click()
    await page.locator(".panel.invite [data-key=share-false]").click()
    await page.wait_for_function("() => heard.some(([, said]) => said === 'Kopiert')")
    await page.locator("[data-key=qr]").click()
    await page.locator("dialog [data-key=share-true]").click()
    await expect(page.locator("dialog [role=status]")).to_have_text("Kopiert")
    await page.keyboard.press("Escape")
    await page.locator("[data-key=move]").click()
    await page.locator("dialog [data-key=copy]").click()
    await expect(page.locator("dialog [role=status]")).to_have_text("Kopiert")


TIME_IS_UP = """(events) => {
  const { view, me } = structuredClone(STATES["two-time-struck"]);
  if (events.length > 1) {
    Object.assign(view.table, { round: 16, battle: 0, waiting: [] });
    for (const hand of view.table.hands) hand.laid = [];
  }
  table.tell(events, view, me);
}"""
GAME_ENDED = {"type": "game_ended", "outcome": {"ending": "time_limit"}}


async def test_that_time_is_up_is_read_and_heard_and_the_round_does_not_go_back(
    visitors: Visitors, harness: str
) -> None:
    page = await visitors.visit(f"{harness}?state=two-time-struck&lang=nb&calm=1")
    await page.locator(".kt-lane").first.wait_for()
    for events, told in (
        ([{"type": "time_struck"}], "Tiden er ute: dette er siste runde."),
        (
            [{"type": "round_void"}, GAME_ENDED],
            "Tiden er ute: alle får kortene sine tilbake.",
        ),
    ):
        await page.evaluate(TIME_IS_UP, events)
        await expect(page.locator("krig-table [role=alert]")).to_have_text(told)
        await page.wait_for_function("() => !table.playing")
        await expect(page.locator(".kt-pot")).to_contain_text(told)
        await expect(page.locator("krig-table [role=alert]")).to_have_text(told)
    await page.evaluate("STATES['two-time-struck'].view.table.last_round = false")
    await page.evaluate(TIME_IS_UP, [{"type": "round_void"}, GAME_ENDED])
    await expect(page.locator(".kt-round")).to_contain_text("Runde 17")


async def test_each_of_two_buttons_says_by_ear_whose_it_is(
    visitors: Visitors, harness: str
) -> None:
    page = await visitors.visit(f"{harness}?state=two-on-one-screen&lang=nb&calm=1")
    flips = page.locator(".kt-flip:visible")
    await expect(flips).to_have_count(2)
    names = [
        str(await flip.get_attribute("aria-label")).split(":")[0]
        for flip in await flips.all()
    ]
    assert names == ["Ingrid", "Kari"]
    await page.evaluate("table.second = null")
    await expect(flips).to_have_count(1)
    assert await flips.get_attribute("aria-label") is None
