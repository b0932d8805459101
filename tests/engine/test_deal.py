"""Handing out the deck."""

import pytest

from krig.engine.cards import Deck
from krig.engine.deal import Way, deal
from tests.engine.tables import written


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deck", Deck, ids=str)
def test_everyone_gets_equally_many_and_the_last_cards_lie_aside(
    deck: Deck, players: int, way: Way
) -> None:
    dealt = deal(deck.cards, players, way)
    size = deck // players
    assert [len(pile) for pile in dealt.piles] == [size] * players
    assert dealt.aside == deck.cards[size * players :]
    assert {*sum(dealt.piles, ()), *dealt.aside} == set(deck.cards)


def test_the_first_card_dealt_lies_on_top() -> None:
    dealt = deal(Deck.STANDARD.cards, 2, Way.ROUND_ROBIN)
    assert written(dealt.piles[1][:3]) == "3s 5s 7s"


def test_a_cut_gives_blocks() -> None:
    dealt = deal(Deck.STANDARD.cards, 4, Way.CUT)
    assert [written(pile[:2]) for pile in dealt.piles] == [
        "2s 3s",
        "2h 3h",
        "2d 3d",
        "2c 3c",
    ]
