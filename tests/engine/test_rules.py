"""House rules: what may be agreed, how it is written, and what the presets say."""

import json

import pytest
from hypothesis import given

from krig.engine.cards import Deck
from krig.engine.rules import PRESETS, Order, Pile, Rules, Short
from krig.errors import InvalidRules
from tests.engine import rigged


@given(rules=rigged.rules())
def test_rules_read_from_what_was_written_are_the_same_rules(rules: Rules) -> None:
    written = json.loads(json.dumps(rules.to_dict()))
    assert Rules.from_dict(written) == rules


def test_rules_are_written_as_plain_values() -> None:
    for value in PRESETS["krieg_40"].to_dict().values():
        assert type(value) in {str, int, bool, type(None)}


def test_rules_not_given_are_those_of_the_base() -> None:
    rules = Rules.from_dict({"short": "lose", "deck": 54}, PRESETS["krieg_240"])
    assert (rules.short, rules.deck) == (Short.LOSE, Deck.WITH_JOKERS)
    assert (rules.pile, rules.round_limit) == (Pile.RESHUFFLE, 240)
    assert Rules.from_dict({}) == Rules() == PRESETS["krig_klassisk"]


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ({"stake": 1}, "stake"),
        ({"short": "give_up"}, "short"),
        ({"short": 1}, "short"),
        ({"deck": 40}, "deck"),
        ({"deck": "52"}, "deck"),
        ({"deck": 34}, "deck must be one of 52, 54, 32, not 34"),
        ({"short": "all"}, "one of lose, play_have, last_stands"),
        ({"deck": 52.0}, "deck"),
        ({"war_down": 4}, "war_down"),
        ({"war_down": -1}, "war_down"),
        ({"war_down": True}, "war_down"),
        ({"war_down": None}, "war_down"),
        ({"teams": 1}, "teams"),
        ({"teams": None}, "teams"),
        ({"round_limit": 0}, "round_limit"),
        ({"round_limit": 40.5}, "round_limit"),
        ({"time_limit": 0}, "time_limit"),
        ({"round_limit": 40, "time_limit": 10}, "both"),
        ({"order": ["random"]}, "order"),
    ],
    ids=str,
)
def test_rules_that_cannot_be_are_refused_by_name(
    rules: dict[str, object], what: str
) -> None:
    with pytest.raises(InvalidRules, match=what):
        Rules.from_dict(rules)


@pytest.mark.parametrize(
    ("rules", "players", "why"),
    [
        (Rules(), 1, "2 to 4 can play, not 1"),
        (Rules(), 5, "2 to 4 can play, not 5"),
        (Rules(teams=True), 2, "Teams need four players"),
        (Rules(teams=True), 3, "Teams need four players"),
    ],
    ids=["one-player", "five-players", "teams-of-two", "teams-of-three"],
)
def test_so_many_players_cannot_play_by_these_rules(
    rules: Rules, players: int, why: str
) -> None:
    with pytest.raises(InvalidRules, match=why):
        rules.resolved(players)


@pytest.mark.parametrize(
    ("rules", "players", "order"),
    [
        (Rules(), 2, Order.WINNER_FIRST),
        (Rules(), 3, Order.RANDOM),
        (Rules(), 4, Order.WINNER_FIRST),
        (Rules(deck=Deck.SKAT), 3, Order.RANDOM),
        (Rules(deck=Deck.WITH_JOKERS), 3, Order.RANDOM),
        (Rules(deck=Deck.WITH_JOKERS), 4, Order.WINNER_FIRST),
        (PRESETS["krieg_40"], 3, Order.WINNER_FIRST),
        (Rules(order=Order.SEAT), 3, Order.SEAT),
    ],
    ids=[
        "two",
        "three",
        "four",
        "three-with-30-cards",
        "three-with-54-cards",
        "four-with-52-of-54-cards",
        "reshuffled-anyway",
        "chosen",
    ],
)
def test_auto_is_random_where_a_fixed_order_loops(
    rules: Rules, players: int, order: Order
) -> None:
    assert rules.resolved(players).order is order


@pytest.mark.parametrize(
    ("rules", "may_repeat"),
    [
        ({"order": "winner_first"}, True),
        ({"order": "seat", "pile": "top"}, True),
        ({"order": "random"}, False),
        ({"order": "winner_first", "pile": "reshuffle"}, False),
        ({"order": "winner_first", "round_limit": 40}, False),
        ({"order": "winner_first", "time_limit": 10}, False),
        ({"order": "winner_first", "repetition": "ignore"}, False),
    ],
    ids=str,
)
def test_a_repetition_ends_only_a_game_that_nothing_else_would(
    rules: dict[str, object], may_repeat: bool
) -> None:
    assert Rules.from_dict(rules).may_repeat is may_repeat


def test_the_presets_are_as_their_sources_say() -> None:
    klassisk, nettversjon, kurz, lang = map(
        PRESETS.__getitem__,
        ["krig_klassisk", "krig_nettversjon", "krieg_40", "krieg_240"],
    )
    assert (klassisk.war_down, klassisk.short) == (3, Short.PLAY_HAVE)
    assert (nettversjon.war_down, nettversjon.short) == (1, Short.LOSE)
    assert (kurz.round_limit, lang.round_limit) == (40, 240)
    assert kurz.to_dict() | {"round_limit": 240} == lang.to_dict()
