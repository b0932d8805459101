"""Game codes: rules, players and seed in twenty letters that a person can type.

`VRRRR-RSSSS-SSSSS-SSSCC`: the version, the rules in 25 bits, the seed in 60, and a
checksum that catches every wrong letter and every swap of neighbours (RULES
section 6). A game with a time limit also needs the round in which time was up.
"""

from dataclasses import dataclass, fields
from typing import Any, Final

from krig.engine.cards import Deck
from krig.engine.deal import Way
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
from krig.engine.shuffle import SEED_BITS
from krig.errors import InvalidGameCode, InvalidRules, NewerVersion

VERSION: Final = 1
LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U."""

MISREAD: Final = str.maketrans("OIL", "011", " -\t\r\n")
"""What people type for what they read; blanks and dashes are dropped."""

CHECK_MODULUS: Final = 1021
"""The largest prime below 32²: two letters hold the remainder."""

LENGTH: Final = 20
RULE_BITS: Final = 25

LIMITS: Final = (
    (None, None),
    (40, None),
    (240, None),
    (100, None),
    (None, 10),
    (None, 15),
    (None, 20),
)
"""The limits a code can hold: rounds, and minutes."""

# Which field takes how many bits, from the most significant on, and what the bits
# stand for. A number without a meaning is reserved for later versions.
_FIELDS: Final[tuple[tuple[str, int, tuple[object, ...]], ...]] = (
    ("players", 2, (2, 3, 4)),
    ("deck", 2, (Deck.STANDARD, Deck.WITH_JOKERS, Deck.SKAT)),
    ("war_down", 2, (0, 1, 2, 3)),
    ("short", 2, (Short.LOSE, Short.PLAY_HAVE, Short.LAST_STANDS)),
    ("all_short", 1, (AllShort.ALL_OUT, AllShort.LONGEST)),
    ("pile", 2, (Pile.BOTTOM, Pile.RESHUFFLE, Pile.TOP)),
    (
        "order",
        2,
        (Order.WINNER_FIRST, Order.LOSER_FIRST, Order.RANDOM, Order.SEAT),
    ),
    (
        "orphan",
        2,
        (Orphan.NEXT_HIGHEST, Orphan.CARRY, Orphan.VOID_END, Orphan.DISCARD),
    ),
    ("void", 1, (Void.DRAW, Void.COUNT)),
    ("match_down", 1, (False, True)),
    ("participants", 1, (Participants.TIED, Participants.ALL)),
    ("teams", 1, (False, True)),
    ("limits", 3, LIMITS),
    ("deal", 1, (Way.ROUND_ROBIN, Way.CUT)),
    ("repetition", 1, (Repetition.STOP, Repetition.IGNORE)),
    ("time_mid_war", 1, (MidWar.FINISH, MidWar.RETURN)),
)


_HELD: Final = {"round_limit", "time_limit", *(name for name, _, _ in _FIELDS)}
"""The rules that a code holds; a later one must be as it is when unset."""


@dataclass(frozen=True, slots=True)
class GameCode:
    """All that a game follows from: its rules, its number of players and its seed.

    >>> code = GameCode.parse("1omgg-cd2kz-3a44n-qq9v8")
    >>> str(code), code.seed
    ('10MGG-CD2KZ-3A44N-QQ9V8', 471328862946123497)
    """

    rules: Rules
    """Resolved: no `Order.AUTO`."""
    players: int
    seed: int
    """0 up to but not including 2 to the 60th."""

    def __post_init__(self) -> None:
        """Resolve the rules.

        Raises:
            InvalidRules: if so many players cannot play by them, or no code holds them.
            InvalidGameCode: if the seed is too large.
        """
        object.__setattr__(self, "rules", self.rules.resolved(self.players))
        if (self.rules.round_limit, self.rules.time_limit) not in LIMITS:
            raise InvalidRules("A game code holds no limit like this.")
        for rule in fields(self.rules):
            unset = getattr(self.rules, rule.name) == rule.default
            if rule.name not in _HELD and not unset:
                raise InvalidRules(f"A game code does not hold {rule.name}.")
        if not 0 <= self.seed < 1 << SEED_BITS:
            raise InvalidGameCode(f"A seed has {SEED_BITS} bits.")

    def __str__(self) -> str:
        head = VERSION << RULE_BITS | _rule_bits(self.rules, self.players)
        body = _write(head << SEED_BITS | self.seed, LENGTH - 2)
        code = body + _write(_checksum(body), 2)
        return "-".join(code[i : i + 5] for i in range(0, LENGTH, 5))

    @classmethod
    def parse(cls, text: str) -> "GameCode":
        """Read a code as people type it: small letters, O for 0, I or L for 1.

        Raises:
            InvalidGameCode: if a letter must be wrong.
            NewerVersion: if all letters are right, but a newer Krig wrote them.
        """
        code = text.upper().translate(MISREAD)
        if len(code) != LENGTH or any(letter not in LETTERS for letter in code):
            raise InvalidGameCode(f"A game code has {LENGTH} letters and digits.")
        if _read(code[-2:]) != _checksum(code[:-2]):
            raise InvalidGameCode("A letter of the game code is wrong.")
        if _read(code[0]) != VERSION:
            raise NewerVersion("This game code is from a newer version of Krig.")
        number = _read(code[1:-2])
        choices = _choices(number >> SEED_BITS)
        players = choices.pop("players")
        round_limit, time_limit = choices.pop("limits")
        rules = Rules(round_limit=round_limit, time_limit=time_limit, **choices)
        try:
            return cls(rules, players, number % (1 << SEED_BITS))
        except InvalidRules as problem:
            raise InvalidGameCode(f"No game has such rules: {problem}") from None


def _choices(bits: int) -> dict[str, Any]:
    """What each field of the rule bits stands for."""
    choices = {}
    for name, width, meanings in reversed(_FIELDS):
        bits, number = divmod(bits, 1 << width)
        if number >= len(meanings):
            raise NewerVersion(f"This game code has a newer rule for {name}.")
        choices[name] = meanings[number]
    return choices


def _rule_bits(rules: Rules, players: int) -> int:
    bits = 0
    for name, width, meanings in _FIELDS:
        match name:
            case "players":
                choice: object = players
            case "limits":
                choice = rules.round_limit, rules.time_limit
            case _:
                choice = getattr(rules, name)
        bits = bits << width | meanings.index(choice)
    return bits


def _write(number: int, length: int) -> str:
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, 32)
        digits = LETTERS[digit] + digits
    return digits


def _read(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 32 + LETTERS.index(letter)
    return number


def _checksum(body: str) -> int:
    return _read(body) % CHECK_MODULUS
