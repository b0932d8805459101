"""Whole games at a real server: everybody sees the same, and nothing too early."""

import asyncio
import json
import re

import pytest

from tests.live.games import at_the_table, play_to_the_end, start
from tests.live.page import Page
from tests.live.server import Server

CARD = re.compile(r"\b(?:[2-9TJQKA][shdcSHDC]|X[rbRB])\b")


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_everybody_at_the_table_and_beside_it_sees_the_same_game(
    server: Server, players: int
) -> None:
    code = server.make_room("krieg_40")
    async with at_the_table(server, code, players) as (seated, [watcher]):
        await start(seated)
        await play_to_the_end(*seated, watcher)
        assert all(page.view == watcher.view for page in seated)
        assert watcher.view["last"]["rounds"] <= 40
        games = [[e for e in page.told if e["type"] != "seats"] for page in seated]
        assert all(game[-200:] == games[0][-200:] for game in games)
        fresh = Page(server.url, code, "Late")
        await fresh.open()
        await fresh.until(lambda: fresh.v == watcher.v)
        assert fresh.view == watcher.view, "what was told adds up to a snapshot"
        await fresh.close()


async def test_a_watcher_who_comes_in_the_middle_of_a_war_sees_what_the_players_see(
    server: Server,
) -> None:
    code = server.make_room("krig_nettversjon")
    async with at_the_table(server, code, 2, watchers=0) as (seated, _):
        one, other = seated
        await start(seated)
        await one.until(lambda: one.view["table"] is not None)
        one.plays = False
        while not one.view["table"]["battle"]:
            battle = (one.view["table"]["round"], one.view["table"]["battle"])
            await one.flip()
            await one.until(
                lambda battle=battle: (
                    (  # type: ignore[misc]
                        one.view["table"]["round"],
                        one.view["table"]["battle"],
                    )
                    != battle
                )
            )
        await other.until(lambda: other.view["table"]["flipped"] == [1])
        await one.until(lambda: one.v == other.v)
        late = Page(server.url, code, "Late")
        await late.open()
        await late.until(lambda: late.v >= one.v)
        assert late.view["table"] == one.view["table"] == other.view["table"]
        assert all(hand["laid"] for hand in late.view["table"]["hands"])
        await late.close()


async def test_the_same_seats_play_again_and_versions_run_on(server: Server) -> None:
    code = server.make_room("krieg_40")
    async with at_the_table(server, code, 2) as (seated, [watcher]):
        for game in (1, 2):
            await start(seated)
            await play_to_the_end(*seated, watcher, game=game)
        assert watcher.view["last"]["game"] == 2
        assert [p["name"] for p in watcher.view["seats"][:2]] == [
            "Player 0",
            "Player 1",
        ]


async def test_no_byte_tells_a_card_before_it_is_turned_up_or_a_secret_before_the_end(
    server: Server,
) -> None:
    for players, preset in ((2, "krig_nettversjon"), (4, "krig_klassisk")):
        code = server.make_room(preset, round_limit=40)
        async with at_the_table(server, code, players) as (seated, watching):
            await start(seated)
            await play_to_the_end(*seated, *watching)
            record = server.record(code, 1).raise_for_status().json()
            for page in (*seated, *watching):
                _scan(page, record, [p.token for p in seated])


def _scan(page: Page, record: dict[str, object], tokens: list[str]) -> None:
    """Go through all that a page was sent, and look for what it may not know."""
    turned: list[str] = []
    deal = record["deal"]
    assert isinstance(deal, dict)
    over = False
    secrets = [deal["server_nonce"], *tokens]
    seed = int(str(record["seed"]))
    spellings = [str(seed), f"{seed:x}", f"{seed:015x}"]
    aside = record["aside"]
    assert isinstance(aside, list)
    seen = 0
    for frame in page.frames:
        message = json.loads(frame)
        told = [e for entry in message.get("entries", []) for e in entry]
        over = over or any(e["type"] == "game_ended" for e in told)
        turned += [c for e in told if e["type"] == "turned" for _, c in e["cards"]]
        if message["type"] == "snapshot":
            table = message["view"]["table"] or {"hands": []}
            groups = [g for hand in table["hands"] for g in hand["laid"]]
            turned += [g["up"] for g in groups if g["up"]]
        for card in CARD.findall(frame):
            seen += 1
            assert card in turned or (over and card in aside), (card, frame)
        if not over:
            low = frame.lower()
            assert not [s for s in secrets if s in low]
            assert not [s for s in spellings if s in low]
        assert not [t for t in tokens if t in frame.lower()]
    assert seen > 40, "the scan has cards to look at"


async def test_flips_from_everybody_at_the_same_moment_are_one_flip_each(
    server: Server,
) -> None:
    code = server.make_room("krieg_40")
    async with at_the_table(server, code, 4, watchers=0) as (seated, _):
        for page in seated:
            page.plays = True
        await start(seated)
        await asyncio.gather(*(play_to_the_end(page) for page in seated))
        rounds = server.record(code, 1).json()["rounds"]
        for number, played in enumerate(rounds, start=1):
            assert played["round"] == number
            for battle in played["battles"]:
                flipped = [seat for seat, _ in battle["flips"]]
                assert len(flipped) == len(set(flipped))
