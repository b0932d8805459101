"""Whole games whose course is known from somewhere else."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from krig.app.case_play import REASONS, Numbered
from krig.engine.cards import SUITS, Deck, parse_cards
from krig.engine.code import GameCode
from krig.engine.events import WarDeclared
from krig.engine.game import Game, new_game, set_up
from krig.engine.outcome import Ending
from krig.engine.play import play_out
from krig.engine.rules import PRESETS, Order, Repetition
from krig.engine.shuffle import deal_label, shuffler, unshuffled
from tests.engine.tables import play_round, table
from tests.engine.vectors import SEEDS

# Source 002 (krieg.txt): «Ein Beispiel, die ersten sechs Runden einer kurzen Partie».
# Its cards and counts are exactly these; the cards behind them are any others.
OURS = "Ks 4h 9s 8s Ah Td 6h 3h 2d 5h"
THEIRS = "7d Jc 9c 8d Ts Qh 6s 7s Kc 3d"
COUNTS = [(27, 25), (26, 26), (29, 23), (28, 24), (25, 27), (26, 26)]


def test_the_six_rounds_that_source_002_tells() -> None:
    told = {*parse_cards(OURS), *parse_cards(THEIRS)}
    behind = [str(card) for card in Deck.STANDARD.cards if card not in told]
    game = table(
        " ".join([OURS, *behind[:16]]),
        " ".join([THEIRS, *behind[16:]]),
        preset="krieg_40",
    )
    wars = []
    for counts in COUNTS:
        game, events = play_round(game)
        assert game.counts == counts
        wars.append(sum(isinstance(event, WarDeclared) for event in events))
    assert wars == [0, 0, 1, 0, 1, 0]


@pytest.mark.parametrize(
    ("seed", "code", "expected"),
    [
        pytest.param(
            int(vector["seed"]),
            vector["codes"][name],
            game,
            id=f"{name}-{vector['seed']}",
        )
        for vector in SEEDS
        for name, game in vector["games"].items()
    ],
)
def test_a_game_code_gives_the_game_of_the_vectors(
    seed: int, code: str, expected: dict[str, Any]
) -> None:
    parsed = GameCode.parse(code)
    assert parsed.seed == seed
    deck = parsed.rules.deck
    shuffle = shuffler(parsed.seed)
    cards = shuffle(deal_label(deck), deck.cards)
    game = play_out(new_game(parsed.rules, parsed.players, cards), shuffle)
    assert game.outcome is not None
    assert expected == {
        "reason": REASONS[game.outcome.ending],
        "rounds": game.rounds,
        "wars": game.wars,
        "winner": game.outcome.winners[0] if game.outcome.winners else None,
        "counts": list(game.outcome.counts),
    }


# J. Ganley, ganley.org/2004/07/war: two piles of ranks, whatever their suits.
GANLEY = ("23456789TJQK2A3456789TJQKA", "32547698JTKQA2436587T9QJAK")


def ganleys_deal(order: Order) -> Game:
    suits = {rank: iter(SUITS) for rank in "23456789TJQKA"}
    piles = [" ".join(rank + next(suits[rank]) for rank in pile) for pile in GANLEY]
    return table(*piles, order=order)


def test_ganleys_deal_goes_round_for_ever_in_table_order_with_never_a_war() -> None:
    start = ganleys_deal(Order.SEAT)
    game = play_out(start, unshuffled)
    assert game.outcome is not None
    assert game.outcome.ending is Ending.REPETITION
    assert game.wars == 0
    seen: list[Game] = []
    game = start._replace(trail=None)
    while all(game.seats != earlier.seats for earlier in seen):
        seen.append(game)
        game, _ = play_round(game)
    (first,) = [earlier for earlier in seen if earlier.seats == game.seats]
    assert (first.rounds, game.rounds) == (26, 26 + 52)


@pytest.mark.parametrize("order", [Order.WINNER_FIRST, Order.LOSER_FIRST], ids=str)
def test_ganleys_deal_ends_in_one_war_of_all_52_cards(order: Order) -> None:
    game = ganleys_deal(order)
    for _ in range(26):
        game, told = play_round(game)
        assert not any(isinstance(event, WarDeclared) for event in told)
    game, told = play_round(game)
    assert game.outcome is not None
    assert (game.outcome.ending, game.outcome.winners) == (Ending.OUT_OF_CARDS, ())
    assert (game.rounds, game.wars, game.counts) == (27, 13, (26, 26))


def spiveys_deal(best: int, **rules: Any) -> Game:
    """M. Z. Spivey, Cycles in War, Integers 10 (2010), G2: 52 cards of 52 ranks.

    The case counts them so that the highest is best; the paper's best card is 1.
    """
    file = Path(__file__).parents[1] / "data" / "cases.json"
    (case,) = [c for c in json.loads(file.read_text())["cases"] if c["id"] == "I10"]
    piles = [
        tuple(Numbered(str(n if best == 1 else 53 - n)) for n in pile)
        for pile in case["piles"]
    ]
    agreed = replace(PRESETS["krig_nettversjon"], order=Order.WINNER_FIRST, **rules)
    return set_up(agreed, piles)


def test_spiveys_deal_returns_to_itself_after_31_920_battles() -> None:
    start = spiveys_deal(1)
    game = play_out(start, unshuffled)
    assert game.outcome is not None
    assert game.outcome.ending is Ending.REPETITION
    limited = spiveys_deal(1, round_limit=31_920, repetition=Repetition.IGNORE)
    assert play_out(limited, unshuffled).seats == start.seats


def test_who_has_no_patience_for_spiveys_deal_finds_it_undecided() -> None:
    game = play_out(spiveys_deal(1), unshuffled, 1000)
    assert game.outcome is None
    assert game.rounds == 1000


def test_spiveys_deal_read_the_other_way_ends_after_276() -> None:
    game = play_out(spiveys_deal(52), unshuffled)
    assert game.outcome is not None
    assert (game.outcome.ending, game.rounds) == (Ending.ALL_CARDS, 276)
