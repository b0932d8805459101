"""Hypothesis strategies: any rules, and piles in which ties are frequent."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from krig.engine.cards import Card, Deck
from krig.engine.deal import Way
from krig.engine.game import Game, new_game, set_up
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

Choose = Callable[[Sequence[Any]], Any]
"""Takes one of several: Hypothesis's draw, which can be shrunk, or a quick `Random`."""

LIMITS = (*[None] * 30, *range(1, 31))


def any_rules(choose: Choose, teams: bool = False) -> Rules:
    """Any rules without a time limit."""
    return Rules(
        deck=choose([*Deck]),
        war_down=choose(range(4)),
        short=choose([*Short]),
        all_short=choose([*AllShort]),
        participants=choose([*Participants]),
        match_down=choose([False, True]),
        pile=choose([*Pile]),
        order=choose([*Order]),
        orphan=choose([*Orphan]),
        void=choose([*Void]),
        round_limit=choose(LIMITS),
        time_mid_war=choose([*MidWar]),
        teams=teams,
        deal=choose([*Way]),
        repetition=choose([*Repetition]),
    )


def any_game(choose: Choose, chance: Random, seats: int) -> Game:
    """A game at its start, with few ranks and piles of unequal size."""
    agreed = any_rules(choose, teams=seats == 4 and choose([False, True]))
    ranks = chance.sample("23456789TJQKA", chance.randint(1, 5))
    cards = [card for card in Deck.WITH_JOKERS.cards if card.rank in [*ranks, "X"]]
    cards = chance.sample(
        cards, chance.randint(min(seats, len(cards)), min(24, len(cards)))
    )
    cuts = sorted(chance.sample(range(1, len(cards)), seats - 1))
    _let_tops_tie(cards, [0, *cuts], chance)
    ends = [*cuts, len(cards)]
    piles = [tuple(cards[a:b]) for a, b in zip([0, *cuts], ends, strict=True)]
    return set_up(agreed, piles)


@st.composite
def rules(draw: st.DrawFn, teams: bool = False) -> Rules:
    """Any rules without a time limit."""
    return any_rules(lambda options: draw(st.sampled_from(options)), teams)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game at its start, with few ranks and piles of unequal size."""
    seats = draw(st.integers(2, 4))
    chance = Random(draw(st.integers(0, 2**32)))
    return any_game(lambda options: draw(st.sampled_from(options)), chance, seats)


def _let_tops_tie(cards: list[Card], tops: list[int], chance: Random) -> None:
    """Swap cards so that, most times, several piles begin with the same rank."""
    rank = chance.choice(cards).rank
    places = [i for i, card in enumerate(cards) if card.rank == rank]
    some = chance.sample(tops, chance.randint(0, len(tops)))
    for top, place in zip(some, places, strict=False):
        cards[top], cards[place] = cards[place], cards[top]


class Dealt(NamedTuple):
    """A game at its start; a whole deck's has the deck, as it was dealt."""

    game: Game
    cards: tuple[Card, ...]


def dealt(number: int) -> Dealt:
    """The game of this number, in which much will happen; of eight one whole deck's."""
    luck = Random(number)
    players = luck.choice((2, 3, 3, 4, 4))
    if number % 8:
        return Dealt(any_game(luck.choice, luck, players), ())
    agreed = any_rules(luck.choice, teams=players == 4 and luck.choice([False, True]))
    cards = list(agreed.deck.cards)
    luck.shuffle(cards)
    if luck.randint(0, 3):
        # Cards of a rank that lie together are dealt to neighbours, who then tie.
        cards.sort(key=lambda card: card.rank)
        i, k = sorted(luck.sample(range(len(cards)), 2))
        cards[i:k] = luck.sample(cards[i:k], k - i)
    return Dealt(new_game(agreed, players, cards), tuple(cards))


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
