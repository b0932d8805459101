"""Room codes: what one person reads out and another types.

Crockford's base 32 without its vowels, so that few words can form: thirty signs, none
of which looks like another. A code is an address, not a secret.
"""

from typing import Final

from krig.errors import InvalidRoomCode

ALPHABET: Final = "0123456789BCDFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 5
"""24 million rooms; a code grows when live rooms pass a thousandth of that."""

_LONGEST: Final = 8
_LOOK_ALIKES: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "U": "V"})
_UNFORTUNATE: Final = ("FCK", "FVCK", "KKK", "NZ", "SS", "88", "666", "SHT", "CNT")


def parse_room_code(text: str) -> str:
    """Read a code as people type it: any case, blanks, dashes, look-alikes.

    >>> parse_room_code("kro-7l")
    'KR071'

    Raises:
        InvalidRoomCode: it cannot be a room's code.
    """
    letters = "".join(text.upper().split()).replace("-", "").translate(_LOOK_ALIKES)
    if not 4 <= len(letters) <= _LONGEST or any(c not in ALPHABET for c in letters):
        raise InvalidRoomCode
    return letters


def code_length(rooms: int) -> int:
    """How long the codes of new rooms are when so many live.

    >>> code_length(24_300), code_length(24_301)
    (5, 6)
    """
    length = LENGTH
    while rooms * 1000 > len(ALPHABET) ** length and length < _LONGEST:
        length += 1
    return length


def draw_room_code(chance: bytes, length: int = LENGTH) -> str | None:
    """Make a code of `chance` (two bytes a letter), or None: draw again.

    >>> draw_room_code(bytes(range(10)))
    '159FK'
    """
    words = (int.from_bytes(chance[i : i + 2]) for i in range(0, 2 * length, 2))
    code = "".join(ALPHABET[word % len(ALPHABET)] for word in words)
    return None if any(word in code for word in _UNFORTUNATE) else code
