"""What still has to be written to one connection, and how much of it there may be.

Rule 1: a slow viewer is never waited for, and costs at most this much memory.
"""

from collections import deque

from krig.protocol.codec import is_in_a_snapshot


class Outbox:
    """Messages in the order they were sent.

    >>> box = Outbox()
    >>> box.put("one"), box.put("two"), box.take(), len(box)
    (None, None, 'one', 1)
    """

    def __init__(self, messages: int = 64, signs: int = 256 * 1024) -> None:
        self._most_messages, self._most_signs = messages, signs
        self._texts: deque[str] = deque()
        self.signs = 0
        """How long all of them are together."""

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def is_over(self) -> bool:
        """There is more in it than there may be."""
        many = len(self._texts) > self._most_messages
        return many or self.signs > self._most_signs

    def put(self, text: str) -> None:
        """Add a message."""
        self._texts.append(text)
        self.signs += len(text)

    def take(self) -> str | None:
        """Take out the oldest message, or None."""
        if not self._texts:
            return None
        text = self._texts.popleft()
        self.signs -= len(text)
        return text

    def thin(self) -> None:
        """Leave out what a snapshot will say."""
        self._texts = deque(t for t in self._texts if not is_in_a_snapshot(t))
        self.signs = sum(map(len, self._texts))
