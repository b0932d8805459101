"""The engine against an independent model of the same rules (see naive.py)."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from krig.engine.game import Game
from tests.engine.naive import NaiveWar
from tests.engine.rigged import chance_by_label, games, text_by_label
from tests.engine.tables import play_round

ROUNDS = 40
"""Most small games are over by then; the others have shown enough."""


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(game=games(), seed=st.integers(0, 9))
def test_every_round_ends_as_in_the_naive_model(game: Game, seed: int) -> None:
    rules = game.rules.to_dict()
    piles = [list(map(str, held.stock)) for held in game.seats]
    naive = NaiveWar(rules, piles, text_by_label(seed))
    while game.outcome is None and game.rounds < ROUNDS:
        game, _ = play_round(game, chance_by_label(seed))
        naive.play_round()
        if game.outcome is None or game.outcome.ending != "repetition":
            ending = game.outcome.ending if game.outcome else ""
            assert (ending, seen(game)) == (naive.ending, seen_naive(naive))
            winners = game.outcome.winners if game.outcome else ()
            assert list(winners) == naive.winners


def seen(game: Game) -> list[object]:
    return [
        [list(map(str, held.stock)) for held in game.seats],
        [list(map(str, held.won)) for held in game.seats],
        [not held.out for held in game.seats],
        [(laid.seat, str(laid.card)) for laid in game.table],
    ]


def seen_naive(naive: NaiveWar) -> list[object]:
    return [naive.draw, naive.won, naive.alive, naive.carried]
