"""The cards, how they are written, and the three decks they come in."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from krig.errors import InvalidCard

RANKS: Final = "23456789TJQKAX"
"""The ranks from low to high; X is the joker (source 000: above the ace)."""

SUITS: Final = "shdc"
JOKERS: Final = "rb"


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card, written rank then suit: `Qs`, `Th`, jokers `Xr` and `Xb`.

    >>> Card.parse("QS")
    Card.parse('Qs')
    """

    rank: str
    """One of `23456789TJQKAX`."""
    suit: str
    """One of `shdc`; for a joker `r` or `b`. It never decides anything."""
    height: int = field(init=False, repr=False, compare=False)
    """How high the rank stands: 2 to 14 for the ace, 15 for a joker."""

    def __post_init__(self) -> None:
        """Refuse what is no card.

        Raises:
            InvalidCard: if no deck has such a card.
        """
        suits = JOKERS if self.rank == "X" else SUITS
        if len(self.rank) != 1 or self.rank not in RANKS:
            raise InvalidCard(f"{self.rank!r} is not a rank.")
        if len(self.suit) != 1 or self.suit not in suits:
            raise InvalidCard(f"{self.suit!r} is not a suit of rank {self.rank}.")
        object.__setattr__(self, "height", RANKS.index(self.rank) + 2)

    @staticmethod
    def parse(text: str) -> "Card":
        """Read a card; the suit may be in upper case.

        Raises:
            InvalidCard: if no card is written like this.
        """
        card = _CARDS.get(text) or _CARDS.get(text[:1] + text[1:].lower())
        if card is None:
            raise InvalidCard(f"{text!r} is not a card.")
        return card

    def __str__(self) -> str:
        return self.rank + self.suit

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


class Deck(IntEnum):
    """Which cards are in play, by their number."""

    STANDARD = 52
    WITH_JOKERS = 54
    SKAT = 32

    @property
    def cards(self) -> tuple[Card, ...]:
        """The deck unshuffled: spades, hearts, diamonds, clubs, each from low to high.

        The jokers come last, red before black (RULES section 6).
        """
        return _DECKS[self]


def _of_ranks(ranks: str) -> tuple[Card, ...]:
    return tuple(Card(rank, suit) for suit in SUITS for rank in ranks)


_STANDARD: Final = _of_ranks(RANKS[:-1])
_ALL: Final = _STANDARD + tuple(Card("X", suit) for suit in JOKERS)
_CARDS: Final = {str(card): card for card in _ALL}
_DECKS: Final = {
    Deck.STANDARD: _STANDARD,
    Deck.WITH_JOKERS: _ALL,
    Deck.SKAT: tuple(card for card in _STANDARD if card.height >= 7),
}


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards with blanks between them, the top card first.

    >>> [str(card) for card in parse_cards("Ks 4H Xr")]
    ['Ks', '4h', 'Xr']

    Raises:
        InvalidCard: if one of them is no card.
    """
    return tuple(map(Card.parse, text.split()))
