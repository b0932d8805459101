"""What was agreed before the deal: every house rule, and the presets.

The letters R1 to R26 are the decisions of RULES section 2. The number of players is
no house rule: a game knows it from its seats.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any, Final

from krig.engine.cards import Deck
from krig.engine.deal import Way
from krig.engine.seats import FEWEST, MOST
from krig.errors import InvalidRules

MOST_DOWN: Final = 3
"""Face-down cards for a war; a game code holds two bits of it."""

_LONGEST_TOLD: Final = 24
"""Signs of a wrong value that its error repeats."""


class Short(StrEnum):
    """What becomes of a seat with too few cards for a war (R3)."""

    LOSE = "lose"
    """It is out, and its cards go into the pot."""
    PLAY_HAVE = "play_have"
    """It plays what it has, its last card face up; without a card it is out."""
    LAST_STANDS = "last_stands"
    """As `PLAY_HAVE`, but its last card counts on for all battles of the round."""


class AllShort(StrEnum):
    """If everyone in a war is short under `Short.LOSE` (R6)."""

    ALL_OUT = "all_out"
    LONGEST = "longest"
    """The seat with the most cards left survives."""


class Participants(StrEnum):
    """Who goes to war when more than two play."""

    TIED = "tied"
    ALL = "all"
    """Everyone still in the round."""


class Pile(StrEnum):
    """Where a won pot goes."""

    BOTTOM = "bottom"
    RESHUFFLE = "reshuffle"
    """To a won pile, which is shuffled when the stock is used up (R22)."""
    TOP = "top"


class Order(StrEnum):
    """In which order the pot goes under the pile, from the first drawn (R1)."""

    AUTO = "auto"
    """`RANDOM` where a fixed order may loop for ever, else `WINNER_FIRST`."""
    WINNER_FIRST = "winner_first"
    """The winner's own cards as played, then the other seats' clockwise."""
    LOSER_FIRST = "loser_first"
    """The other seats' cards clockwise from the winner, then the winner's own."""
    RANDOM = "random"
    SEAT = "seat"
    """Seat 0's cards first, whoever wins: most games never end."""


class Orphan(StrEnum):
    """If everyone in a war is out, and others had waited (R9)."""

    NEXT_HIGHEST = "next_highest"
    """The best of those who waited takes the pot; if two are equal, they fight."""
    CARRY = "carry"
    """The pot stays on the table for the next round."""
    VOID_END = "void_end"
    """The round is void and the game ends."""
    DISCARD = "discard"
    """The pot leaves the game."""


class Void(StrEnum):
    """Who wins if nobody is left at all (R11)."""

    DRAW = "draw"
    COUNT = "count"


class MidWar(StrEnum):
    """If time is up in the middle of a war (R15)."""

    FINISH = "finish"
    RETURN = "return"
    """Every card goes back to who laid it."""


class Repetition(StrEnum):
    """If the very same position comes back (R2)."""

    STOP = "stop"
    IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of a game; those not given are Krig klassisk's.

    >>> Rules(war_down=1).short
    <Short.PLAY_HAVE: 'play_have'>
    """

    deck: Deck = Deck.STANDARD
    war_down: int = 3
    """Stakes of each seat for a war, 0 to 3."""
    short: Short = Short.PLAY_HAVE
    all_short: AllShort = AllShort.LONGEST
    participants: Participants = Participants.TIED
    match_down: bool = False
    """Everyone lays only as many stakes as the poorest in the war can spare."""
    pile: Pile = Pile.BOTTOM
    order: Order = Order.AUTO
    orphan: Orphan = Orphan.NEXT_HIGHEST
    void: Void = Void.DRAW
    round_limit: int | None = None
    time_limit: int | None = None
    """In minutes."""
    time_mid_war: MidWar = MidWar.FINISH
    teams: bool = False
    """Four play in two teams: seats 0 and 2 against 1 and 3 (R18)."""
    deal: Way = Way.ROUND_ROBIN
    repetition: Repetition = Repetition.STOP

    def __post_init__(self) -> None:
        """Refuse what no game can be played by.

        Raises:
            InvalidRules: saying which rule is wrong.
        """
        if not 0 <= self.war_down <= MOST_DOWN:
            raise InvalidRules(f"war_down must be 0 to {MOST_DOWN}.")
        if self.round_limit is not None and self.round_limit < 1:
            raise InvalidRules("round_limit must be at least 1.")
        if self.time_limit is not None and self.time_limit < 1:
            raise InvalidRules("time_limit must be at least 1 minute.")
        if self.round_limit is not None and self.time_limit is not None:
            raise InvalidRules("A game has a round_limit or a time_limit, not both.")

    @property
    def may_repeat(self) -> bool:
        """Whether the game stops at a repetition: only if nothing else can end it."""
        return (
            self.repetition is Repetition.STOP
            and self.pile is not Pile.RESHUFFLE
            and self.order not in (Order.RANDOM, Order.AUTO)
            and self.round_limit is None
            and self.time_limit is None
        )

    def resolved(self, players: int) -> "Rules":
        """The rules as so many players play by them, with no `Order.AUTO` left.

        >>> Rules().resolved(3).order
        <Order.RANDOM: 'random'>

        Raises:
            InvalidRules: if so many players cannot play by these rules.
        """
        if not FEWEST <= players <= MOST:
            raise InvalidRules(f"{FEWEST} to {MOST} can play, not {players}.")
        if self.teams and players != 4:
            raise InvalidRules("Teams need four players.")
        if self.order is not Order.AUTO:
            return self
        odd_cards = self.deck // players * players % 2 == 1
        loops = self.pile is not Pile.RESHUFFLE and (players == 3 or odd_cards)
        return replace(self, order=Order.RANDOM if loops else Order.WINNER_FIRST)

    def to_dict(self) -> dict[str, str | int | bool | None]:
        """The rules as plain JSON values, by the names of the fields.

        >>> Rules().to_dict()["deck"], Rules().to_dict()["order"]
        (52, 'auto')
        """
        return {name: _plain(getattr(self, name)) for name in _READERS}

    @classmethod
    def from_dict(
        cls, rules: Mapping[str, object], base: "Rules | None" = None
    ) -> "Rules":
        """Read rules from plain JSON values; those missing are as in `base`.

        >>> Rules.from_dict({"war_down": 1}, PRESETS["krieg_40"]).round_limit
        40

        Raises:
            InvalidRules: saying which name or value is wrong.
        """
        for name in rules:
            if name not in _READERS:
                raise InvalidRules(f"{_told(name)} is not a rule.")
        given = {name: _READERS[name](name, value) for name, value in rules.items()}
        return replace(base or cls(), **given)


def _plain(value: str | int | bool | None) -> str | int | bool | None:
    """A choice without its class, so that JSON shows only its value."""
    if isinstance(value, str):
        return str(value)
    return int(value) if isinstance(value, Deck) else value


Reader = Callable[[str, object], Any]
"""Reads a rule's value, given its name; raises `InvalidRules`."""


def _choice(kind: type[Enum]) -> Reader:
    def read(name: str, value: object) -> object:
        # A choice that happens to equal another type's value (True, 52.0) is none.
        for choice in kind:
            if choice.value == value and type(choice.value) is type(value):
                return choice
        choices = ", ".join(str(choice.value) for choice in kind)
        raise InvalidRules(f"{name} must be one of {choices}, not {_told(value)}.")

    return read


def _told(value: object) -> str:
    """A value as an error repeats it; a long one may be a secret that went astray."""
    told = repr(value)
    return told if len(told) <= _LONGEST_TOLD else "this"


def _switch(name: str, value: object) -> object:
    if not isinstance(value, bool):
        raise InvalidRules(f"{name} must be true or false, not {_told(value)}.")
    return value


def _number(name: str, value: object) -> object:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidRules(f"{name} must be a whole number, not {_told(value)}.")
    return value


def _limit(name: str, value: object) -> object:
    return None if value is None else _number(name, value)


def _reader(kind: object) -> Reader:
    """What reads a rule of this type, so that a new rule needs no line here."""
    if kind is bool:
        return _switch
    if kind is int:
        return _number
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice(kind)
    assert kind == int | None, "a rule is a choice, a switch, a number or a limit"
    return _limit


_READERS: Final[Mapping[str, Reader]] = {
    rule.name: _reader(rule.type) for rule in fields(Rules)
}
"""How each rule is read, in the order of the fields."""

_KRIEG: Final = Rules(
    war_down=1,
    all_short=AllShort.ALL_OUT,
    pile=Pile.RESHUFFLE,
    void=Void.COUNT,
    deal=Way.CUT,
)

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "krig_klassisk": Rules(),
        "krig_nettversjon": Rules(
            war_down=1, short=Short.LOSE, all_short=AllShort.ALL_OUT
        ),
        "krieg_40": replace(_KRIEG, round_limit=40),
        "krieg_240": replace(_KRIEG, round_limit=240),
    }
)
"""The named sets of house rules: sources 000, 001 and, at two lengths, 002."""
