"""Whole games whose course is known from somewhere else."""

from typing import Any

import pytest

from krig.app.case_play import REASONS
from krig.engine.cards import Deck, parse_cards
from krig.engine.code import GameCode
from krig.engine.events import WarDeclared
from krig.engine.game import new_game
from krig.engine.play import play_out
from krig.engine.shuffle import deal_label, shuffler
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
