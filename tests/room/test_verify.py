"""A record can be checked by anybody, and no change of it goes unseen."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from krig.engine.cards import Deck
from krig.engine.code import GameCode
from krig.engine.rules import PRESETS, MidWar, Order, Rules
from krig.errors import RecordDiffers
from krig.room import commands as c
from krig.room.record import Record, record
from krig.room.room import Stage
from krig.room.verify import verify
from tests.room.scene import Scene


def as_downloaded(told: Record) -> Any:
    return json.loads(json.dumps(told))


def finished(scene: Scene, *people: str, bots: int = 0) -> Any:
    scene.begin(*people, bots=bots)
    scene.play_out()
    return as_downloaded(record(scene.entries))


GAMES = [
    pytest.param(PRESETS["krieg_40"], ("Kari", "Ola"), 0, id="krieg-2"),
    pytest.param(
        replace(PRESETS["krig_nettversjon"], round_limit=40),
        tuple("ABC"),
        0,
        id="three",
    ),
    pytest.param(PRESETS["krig_klassisk"], ("A", "B"), 2, id="four-two-bots"),
    pytest.param(Rules(deck=Deck.WITH_JOKERS, teams=True), tuple("ABCD"), 0, id="team"),
]


@pytest.mark.parametrize(("rules", "people", "bots"), GAMES)
def test_a_true_record_holds(rules: Rules, people: tuple[str, ...], bots: int) -> None:
    verify(finished(Scene(rules), *people, bots=bots))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every single word and number of a record stands."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from leaves(one, (*path, i))
    else:
        yield path


def changed(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return 1
        case str() if (
            value and value[-1] != "0" and set(value) <= set("0123456789abcdef")
        ):
            return value[:-1] + "0"
        case _:
            return str(value)[:-1] + ("s" if str(value)[-1:] != "s" else "h")


BELIEVED = {"room", "game", "preset", "name", "player", "at"}
"""What nobody can recompute, and no card depends on."""


@pytest.mark.parametrize(("rules", "people", "bots"), GAMES[:2])
def test_a_change_at_any_position_is_found(
    rules: Rules, people: tuple[str, ...], bots: int
) -> None:
    true = finished(Scene(rules), *people, bots=bots)
    tried = 0
    for path in [*leaves(true)][:: len(people) - 1]:
        is_maker_of_a_flip = "flips" in path and path[-1] == 1
        if path[-1] in BELIEVED or is_maker_of_a_flip:
            continue
        forged = deepcopy(true)
        within = forged
        for step in path[:-1]:
            within = within[step]
        within[path[-1]] = changed(within[path[-1]])
        assert forged != true
        try:
            verify(forged)
        except RecordDiffers:
            tried += 1
        else:
            pytest.fail(f"{path} was changed unseen")
    assert tried > 300


def test_a_flip_left_out_or_said_twice_is_found() -> None:
    true = finished(Scene(), "Kari", "Ola")
    for number in (0, 20, len(true["rounds"]) - 1):
        for battle in range(len(true["rounds"][number]["battles"])):
            left_out, twice = deepcopy(true), deepcopy(true)
            left_out["rounds"][number]["battles"][battle]["flips"].pop()
            flips = twice["rounds"][number]["battles"][battle]["flips"]
            flips.append(flips[-1])
            for forged in (left_out, twice):
                with pytest.raises(RecordDiffers):
                    verify(forged)


def test_a_round_more_or_less_is_found() -> None:
    true = finished(Scene(), "Kari", "Ola")
    shorter, longer = deepcopy(true), deepcopy(true)
    shorter["rounds"].pop()
    longer["rounds"].append(longer["rounds"][-1])
    for forged in (shorter, longer):
        with pytest.raises(RecordDiffers):
            verify(forged)


def test_a_deal_that_a_seat_withheld_from_is_in_the_record_and_holds() -> None:
    scene = Scene()
    for who in ("Kari", "Ola", "Liv"):
        scene.sit(who)
    for who in ("Kari", "Ola", "Liv"):
        scene.ready(who)
    scene.ask("Kari", c.Start(1))
    scene.reveal("Kari")
    scene.reveal("Liv")
    scene.ask(
        None, c.GiveUpWaiting(scene.room.terms, Stage.REVEAL, "ab" * 16, "cd" * 32)
    )
    scene.ready("Kari", "Liv")
    scene.reveal("Kari", "Liv")
    scene.play_out()
    told = as_downloaded(record(scene.entries))
    assert [deal["withheld"] for deal in told["void_deals"]] == [[1]]
    verify(told)
    hidden = deepcopy(told)
    hidden["void_deals"] = []
    with pytest.raises(RecordDiffers):
        verify(hidden)


def test_an_abandoned_game_holds_with_what_was_played_of_its_last_round() -> None:
    scene = Scene(PRESETS["krig_nettversjon"])
    scene.begin("Kari", "Ola")
    for _ in range(3):
        scene.play_round()
    scene.flip("Kari")
    scene.ask("Kari", c.LeaveSeat())
    scene.ask("Ola", c.LeaveSeat())
    told = as_downloaded(record(scene.entries))
    assert told["outcome"]["ending"] == "abandoned"
    assert told["unfinished"][0]["flips"] == [[0, "player"]]
    verify(told)


@pytest.mark.parametrize("mid_war", [False, True], ids=["waiting", "in-mid-war"])
@pytest.mark.parametrize("pressed", [False, True], ids=["nobody", "somebody"])
@pytest.mark.parametrize("rule", MidWar)
def test_a_game_that_the_clock_ended_holds(
    rule: MidWar, pressed: bool, mid_war: bool
) -> None:
    scene = Scene(Rules(time_limit=10, time_mid_war=rule))
    scene.begin("Kari", "Ola")
    scene.play_round()
    while mid_war and not scene.game.battle:
        scene.flip("Kari")
        scene.flip("Ola")
    if pressed:
        scene.flip("Kari")
    scene.ask(None, c.StrikeTime(1))
    scene.play_out()
    told = as_downloaded(record(scene.entries))
    assert told["time_struck"] is not None
    assert told["outcome"]["ending"] == "time_limit"
    verify(told)
    told["time_struck"] = [9999, 0]
    with pytest.raises(RecordDiffers):
        verify(told)


def test_a_clock_that_strikes_as_a_battle_ends_is_of_the_next() -> None:
    scene = Scene(Rules(time_limit=10))
    scene.begin("Kari", "Ola")
    scene.flip("Kari")
    game = scene.room.game
    assert game is not None
    battle = (game.rounds + 1, game.battle)
    press = c.Flip(1, *battle)
    scene.together(("Ola", press), (None, c.StrikeTime(1)))
    scene.play_out()
    told = as_downloaded(record(scene.entries))
    assert tuple(told["time_struck"]) > battle
    verify(told)


def test_a_clock_that_never_struck_is_found() -> None:
    told = finished(Scene(Rules(time_limit=10)), "Kari", "Ola")
    told["time_struck"] = [9999, 0]
    with pytest.raises(RecordDiffers, match="time_struck"):
        verify(told)


def test_a_game_started_from_a_code_says_so_and_has_its_cards() -> None:
    first = finished(Scene(PRESETS["krieg_40"]), "Kari", "Ola")
    code = GameCode.parse(first["code"])
    scene = Scene(PRESETS["krig_nettversjon"])
    scene.sit("Kari")
    scene.ask("Kari", c.ChangeRules(code.rules, None, str(code)))
    scene.sit("Ola")
    for who in ("Kari", "Ola"):
        scene.ready(who)
    scene.ask("Kari", c.Start(1))
    scene.play_out()
    again = as_downloaded(record(scene.entries))
    assert again["known_beforehand"]
    assert not first["known_beforehand"]
    cards = [[b["up"] for b in r["battles"]] for r in first["rounds"]]
    assert [[b["up"] for b in r["battles"]] for r in again["rounds"]] == cards
    verify(again)


def test_a_loop_that_stopped_the_game_holds() -> None:
    rules = Rules(war_down=1, order=Order.SEAT)
    for seed in range(20):
        told = finished(Scene(rules, seed=seed), "Kari", "Ola")
        if told["outcome"]["ending"] == "repetition":
            verify(told)
            return
    pytest.fail("86 of 100 games in table order repeat themselves")
