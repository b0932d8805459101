"""How cards are written, how high they stand, and which decks they make up."""

import pytest

from krig.engine.cards import Card, Deck, parse_cards
from krig.errors import InvalidCard


@pytest.mark.parametrize("card", Deck.WITH_JOKERS.cards, ids=str)
def test_a_card_read_from_what_was_written_is_the_same_card(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert eval(repr(card)) is card


@pytest.mark.parametrize(
    ("text", "card"),
    [("QS", "Qs"), ("XR", "Xr"), ("9d", "9d")],
    ids=["upper-case-suit", "joker", "as-written"],
)
def test_a_suit_may_be_written_in_upper_case(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize(
    "text",
    ["", "Q", "qs", "1s", "Qx", "Xs", "Qr", "10s", "Qs ", "Qss", "ſs", "Qſ"],
    ids=repr,
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(InvalidCard):
        Card.parse(text)


@pytest.mark.parametrize(
    ("rank", "suit"), [("", "s"), ("Q", ""), ("QK", "s"), ("Q", "sh"), ("X", "s")]
)
def test_a_card_cannot_be_made_up(rank: str, suit: str) -> None:
    with pytest.raises(InvalidCard):
        Card(rank, suit)


def test_a_joker_stands_above_the_ace_and_the_two_is_lowest() -> None:
    heights = [card.height for card in parse_cards("2s Ts Js Qs Ks As Xr")]
    assert heights == [2, 10, 11, 12, 13, 14, 15]


def test_the_suit_does_not_count() -> None:
    assert len({card.height for card in parse_cards("5s 5h 5d 5c")}) == 1
    assert len({card.height for card in parse_cards("Xr Xb")}) == 1


@pytest.mark.parametrize(
    ("deck", "first", "last"),
    [
        (Deck.STANDARD, "2s", "Ac"),
        (Deck.WITH_JOKERS, "2s", "Xb"),
        (Deck.SKAT, "7s", "Ac"),
    ],
    ids=str,
)
def test_a_deck_has_each_of_its_cards_once(deck: Deck, first: str, last: str) -> None:
    assert len(set(deck.cards)) == len(deck.cards) == deck
    assert (str(deck.cards[0]), str(deck.cards[-1])) == (first, last)
