"""How soon the next commit may begin: the more there is to write, the later.

A commit costs, an entry hardly does. So an idle log commits at once, and a busy one
lets entries gather: what waits a millisecond or four is written with one commit
instead of ten, and nobody at a table can tell.
"""

from typing import Final

SHORTEST: Final = 0.001
"""Between the beginnings of two commits (s)."""

LONGEST: Final = 0.004
"""The same, where entries alone would ask for 4,000 commits a second (s)."""

MEMORY: Final = 0.05
"""The rate of entries is the mean of about this long (s)."""


class Pace:
    """The pace of one writer; it reads no clock, but is told the time (s).

    >>> pace = Pace()
    >>> pace.began(10.0, 1)
    >>> round(pace.wait(10.0004), 4), pace.wait(10.002)
    (0.0006, 0.0)
    """

    def __init__(self) -> None:
        self._began = float("-inf")
        self._rate = 0.0
        """Entries a second."""

    def wait(self, now: float) -> float:
        """How long the next commit has to wait still (s)."""
        gap = min(LONGEST, max(SHORTEST, self._rate * SHORTEST * SHORTEST))
        return max(0.0, self._began + gap - now)

    def began(self, now: float, entries: int) -> None:
        """Take note that so many entries are committed from now on."""
        passed = max(now - self._began, SHORTEST)
        newer = min(1.0, passed / MEMORY)
        self._rate += newer * (entries / passed - self._rate)
        self._began = now
