"""Shuffles that follow from a seed: the same on every machine, for ever.

Rule 1: no shuffle of a library is used; theirs differ between versions and languages.
Rule 2: every shuffle has a label of its own, so that it does not matter which is
asked for first.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256

from krig.engine.cards import Card, Deck
from krig.engine.seats import Seat

Shuffle = Callable[[str, tuple[Card, ...]], tuple[Card, ...]]
"""Shuffles cards under a label: the game's own stream, or a case's list."""

SEED_BITS = 60
"""As many as a person can type: twelve letters of a game code (RULES section 6)."""


class Stream:
    """Endless evenly spread numbers, from SHA-256 of a seed, a label and a counter."""

    def __init__(self, seed: int, label: str) -> None:
        self.word: Callable[[], int] = _words(seed, label).__next__
        """Gives the next 32-bit word."""

    def below(self, n: int) -> int:
        """The next number from 0 up to but not including `n`, each equally likely."""
        limit = 2**32 - 2**32 % n
        while (word := self.word()) >= limit:
            pass
        return word % n


def _words(seed: int, label: str) -> Iterator[int]:
    head = b"krig-stream-v1\0" + label.encode() + b"\0" + seed.to_bytes(8, "big")
    counter = 0
    while True:
        block = sha256(head + counter.to_bytes(4, "big")).digest()
        yield from struct.unpack(">8I", block)
        counter += 1


def shuffled(seed: int, label: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards in the order that the seed gives them under this label."""
    below = Stream(seed, label).below
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def shuffler(seed: int) -> Shuffle:
    """The shuffle of the game with this seed."""
    return partial(shuffled, seed)


def unshuffled(_label: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """No shuffle at all: the cards as they lie, whatever the label."""
    return cards


def deal_label(deck: Deck) -> str:
    """Under which a whole deck is shuffled."""
    return f"deal/{deck:d}"


def reshuffle_label(seat: Seat, count: int) -> str:
    """Under which a seat's won pile is shuffled for the `count`-th time, from 1."""
    return f"reshuffle/{seat}/{count}"


def pot_label(round_number: int) -> str:
    """Under which the pot of a round, counted from 1, is shuffled (order random)."""
    return f"pot/{round_number}"
