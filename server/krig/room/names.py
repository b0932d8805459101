"""What a player may be called.

Precedent for the limits: RFC 8264 (PRECIS) for what is left out, UAX #29 for what a
reader counts as one sign.
"""

import unicodedata
from typing import Final

from krig.errors import InvalidName

MOST_GRAPHEMES: Final = 20
MOST_BYTES: Final = 64
_MOST_MARKS: Final = 2
"""Combining marks on one letter: Vietnamese needs two."""
_HIDDEN: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters that show nothing, though their category says otherwise."""
_BOTS: Final = ("Åse", "Bo", "Clara", "Dag", "Ella", "Finn", "Greta", "Hans")


def parse_name(text: str) -> str:
    """Read a name: composed (NFC), stripped, one line of visible signs, single blanks.

    >>> parse_name("  Kari   Nordmann ")
    'Kari Nordmann'

    Raises:
        InvalidName: and the rule it breaks.
    """
    name = unicodedata.normalize("NFC", " ".join(filter(None, text.split(" ")))).strip()
    if not name:
        raise InvalidName("a name has at least one sign")
    graphemes, marks = 0, 0
    for sign in name:
        category = unicodedata.category(sign)
        if category in ("Mn", "Me", "Mc") or 0x1F3FB <= ord(sign) <= 0x1F3FF:
            marks += 1
            if marks > _MOST_MARKS:
                raise InvalidName("too many marks on one letter")
        elif category[0] == "C" or category in ("Zl", "Zp") or sign in _HIDDEN:
            raise InvalidName("control, direction and invisible signs are not allowed")
        else:
            graphemes, marks = graphemes + 1, 0
    if not graphemes or unicodedata.category(name[0])[0] == "M":
        raise InvalidName("a name begins with a letter, a digit or a symbol")
    if graphemes > MOST_GRAPHEMES or len(name.encode()) > MOST_BYTES:
        raise InvalidName(f"a name has at most {MOST_GRAPHEMES} signs")
    return name


def same_name(one: str, other: str) -> bool:
    """Whether two names would be taken for each other.

    >>> same_name("Kari", "ＫＡＲＩ")
    True
    """
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    """As it looks: neither case, width, ligatures nor the kind of blank decide."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())


def bot_name(taken: tuple[str, ...]) -> str:
    """Return a name for a computer player that nobody in the room has."""
    return next(bot for bot in _BOTS if not any(same_name(bot, n) for n in taken))
