"""Shuffles that follow from a seed, against the vectors in tests/data."""

from typing import Any

import pytest

from krig.engine.cards import Deck, parse_cards
from krig.engine.seats import Seat
from krig.engine.shuffle import (
    Stream,
    deal_label,
    pot_label,
    reshuffle_label,
    shuffled,
    shuffler,
)
from tests.engine.tables import written
from tests.engine.vectors import SEEDS

every_seed = pytest.mark.parametrize("vector", SEEDS, ids=lambda v: v["seed"])


@every_seed
def test_the_stream_gives_the_words_of_the_vectors(vector: dict[str, Any]) -> None:
    stream = Stream(int(vector["seed"]), "deal/52")
    assert [stream.word() for _ in range(4)] == vector["words"]


@every_seed
def test_numbers_below_a_limit_are_those_of_the_vectors(vector: dict[str, Any]) -> None:
    # The last limit makes the stream pass over three words of ten.
    limits = [2, 3, 6, 10, 52, 1000, *[3_000_000_000] * 3]
    stream = Stream(int(vector["seed"]), "test")
    assert [stream.below(limit) for limit in limits] == vector["below"]


@every_seed
@pytest.mark.parametrize("deck", Deck, ids=str)
def test_decks_are_shuffled_as_in_the_vectors(
    vector: dict[str, Any], deck: Deck
) -> None:
    cards = shuffled(int(vector["seed"]), deal_label(deck), deck.cards)
    assert written(cards).upper() == vector[f"deck{deck:d}"]


@every_seed
def test_a_won_pile_is_shuffled_as_in_the_vectors(vector: dict[str, Any]) -> None:
    cards = parse_cards("2s 3s 4s 5s 6s 7s 8s 9s")
    shuffle = shuffler(int(vector["seed"]))
    found = {
        written(shuffle(reshuffle_label(Seat(seat), count), cards)).upper()
        for seat in range(4)
        for count in (1, 2, 3)
    }
    assert vector["reshuffle"] in found
    assert len(found) == 12  # Another label is another shuffle.


def test_labels_are_those_of_the_game_code() -> None:
    assert deal_label(Deck.SKAT) == "deal/32"
    assert reshuffle_label(Seat(1), 3) == "reshuffle/1/3"
    assert pot_label(17) == "pot/17"


def test_every_number_below_is_about_equally_frequent() -> None:
    stream = Stream(7, "test")
    counts = [0] * 6
    for _ in range(6000):
        counts[stream.below(6)] += 1
    # Chi-squared with 5 degrees of freedom: 20.5 is exceeded once in a thousand.
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5


@pytest.mark.parametrize("n", [1, 2, 3, 2**31 + 1, 2**32])
def test_a_number_below_n_is_below_n(n: int) -> None:
    stream = Stream(3, "test")
    assert all(0 <= stream.below(n) < n for _ in range(50))
