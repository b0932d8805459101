"""Handing out the shuffled deck: equal piles, and what is left over lies aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from krig.engine.cards import Card


class Way(StrEnum):
    """How the deck is handed out (RULES R26)."""

    ROUND_ROBIN = "round_robin"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Deal:
    """The deck handed out: a pile for each seat, and the cards that lie aside."""

    piles: tuple[tuple[Card, ...], ...]
    """By seat, the top card first."""
    aside: tuple[Card, ...]
    """The last cards of the deck, which nobody gets or sees (RULES R20, R21)."""


def deal(cards: Sequence[Card], players: int, way: Way) -> Deal:
    """Hand out a shuffled deck, so that every seat has equally many cards.

    The first card a seat is dealt lies on top of its pile. Round robin deals one
    card at a time; a cut gives each seat a block of the deck.

    >>> from krig.engine.cards import parse_cards
    >>> deal(parse_cards("2s 3s 4s 5s 6s"), 2, Way.CUT).aside
    (Card.parse('6s'),)
    """
    size = len(cards) // players
    used = size * players
    match way:
        case Way.ROUND_ROBIN:
            piles = [tuple(cards[seat:used:players]) for seat in range(players)]
        case Way.CUT:
            piles = [
                tuple(cards[seat * size : (seat + 1) * size]) for seat in range(players)
            ]
    return Deal(tuple(piles), tuple(cards[used:]))
