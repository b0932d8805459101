"""Small games for the tests, written as a player would lay them out."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from krig.engine.cards import Card, parse_cards
from krig.engine.events import Event
from krig.engine.game import Game, set_up
from krig.engine.play import Flip, Played, play
from krig.engine.rules import PRESETS, Order
from krig.engine.shuffle import Shuffle, unshuffled


def table(
    *piles: str, preset: str = "krig_nettversjon", rounds: int = 0, **rules: Any
) -> Game:
    """A game at the start of a round, by a preset's rules with some changed.

    The order of the pot is the winner's, so that no chance is needed.
    """
    agreed = replace(PRESETS[preset], **{"order": Order.WINNER_FIRST, **rules})
    return set_up(agreed, list(map(parse_cards, piles)), rounds=rounds)


def press_all(game: Game, shuffle: Shuffle = unshuffled) -> Played:
    """Every seat that the battle waits for flips, the last of them first."""
    told: list[Event] = []
    for seat in reversed(game.waiting):
        flip = Flip(seat, game.rounds + 1, game.battle)
        game, events = play(game, flip, shuffle)
        told += events
    return game, tuple(told)


def play_round(game: Game, shuffle: Shuffle = unshuffled) -> Played:
    """Press until the table is clear."""
    told: list[Event] = []
    rounds = game.rounds
    while game.rounds == rounds and game.outcome is None:
        game, events = press_all(game, shuffle)
        told += events
    return game, tuple(told)


def written(cards: Iterable[Card]) -> str:
    """Cards as a test writes them."""
    return " ".join(map(str, cards))


def stocks(game: Game) -> list[str]:
    """The stocks of all seats."""
    return [written(held.stock) for held in game.seats]


def all_cards(game: Game) -> list[str]:
    """Every card of the game, wherever it lies, in alphabetical order."""
    piles: list[Iterable[Card]] = [game.aside, game.discarded]
    piles += [held.stock + held.won for held in game.seats]
    piles.append([laid.card for laid in game.table])
    return sorted(str(card) for pile in piles for card in pile)
