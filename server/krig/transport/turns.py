"""When each client of a server that stops comes back: one after the other.

Rule 1: who all lose their server in one moment must not all come back in one; a return
costs the server 0.8 to 1.5 ms (`make storm`), so they are told a little more apart.
"""

from collections.abc import Iterator
from itertools import count
from typing import Final

RESTART_MS: Final = 1_000
"""A restart takes about this."""

RETURN_MS: Final = 2.0
"""Between one who comes back and the next, as long as that is no long wait for all."""

LONGEST_MS: Final = 10_000
"""The last one waits no longer than this besides."""


def turns(clients: int) -> Iterator[int]:
    """What so many clients are told, one after the other (ms from now).

    >>> told = turns(4)
    >>> [next(told) for _ in range(4)]
    [1000, 1002, 1004, 1006]
    """
    apart = min(RETURN_MS, LONGEST_MS / max(1, clients))
    return (RESTART_MS + round(n * apart) for n in count())
