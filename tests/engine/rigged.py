"""Hypothesis strategies: any rules, and piles in which ties are frequent."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from krig.engine.cards import Card, Deck
from krig.engine.deal import Way
from krig.engine.game import Game, set_up
from krig.engine.rules import (
    AllShort,
    MidWar,
    Order,
    Orphan,
    Participants,
    Pile,
    Repetition,
    Rules,
    Short,
    Void,
)
from krig.engine.shuffle import Shuffle

limits = st.none() | st.integers(1, 30)


@st.composite
def rules(draw: st.DrawFn, teams: bool = False) -> Rules:
    """Any rules without a time limit."""
    return Rules(
        deck=draw(st.sampled_from(Deck)),
        war_down=draw(st.integers(0, 3)),
        short=draw(st.sampled_from(Short)),
        all_short=draw(st.sampled_from(AllShort)),
        participants=draw(st.sampled_from(Participants)),
        match_down=draw(st.booleans()),
        pile=draw(st.sampled_from(Pile)),
        order=draw(st.sampled_from(Order)),
        orphan=draw(st.sampled_from(Orphan)),
        void=draw(st.sampled_from(Void)),
        round_limit=draw(limits),
        time_mid_war=draw(st.sampled_from(MidWar)),
        teams=teams,
        deal=draw(st.sampled_from(Way)),
        repetition=draw(st.sampled_from(Repetition)),
    )


@st.composite
def games(draw: st.DrawFn, players: int | None = None) -> Game:
    """A game at its start, with few ranks and piles of unequal size."""
    seats = players or draw(st.integers(2, 4))
    agreed = draw(rules(teams=seats == 4 and draw(st.booleans())))
    chance = Random(draw(st.integers(0, 2**32)))
    ranks = chance.sample("23456789TJQKA", chance.randint(1, 5))
    cards = [card for card in Deck.WITH_JOKERS.cards if card.rank in [*ranks, "X"]]
    cards = chance.sample(
        cards, chance.randint(min(seats, len(cards)), min(24, len(cards)))
    )
    cuts = sorted(chance.sample(range(1, len(cards)), seats - 1))
    ends = [*cuts, len(cards)]
    piles = [tuple(cards[a:b]) for a, b in zip([0, *cuts], ends, strict=True)]
    return set_up(agreed, piles)


def chance_by_label(seed: int = 0) -> Shuffle:
    """A shuffle that the label and the cards decide, but no code of Krig's."""

    def shuffle(label: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Random(f"{seed} {label}").sample(cards, len(cards)))

    return shuffle


ShuffleText = Callable[[str, list[str]], list[str]]


def text_by_label(seed: int = 0) -> ShuffleText:
    """The same shuffle, of cards that are only written."""

    def shuffle(label: str, cards: list[str]) -> list[str]:
        return Random(f"{seed} {label}").sample(cards, len(cards))

    return shuffle
