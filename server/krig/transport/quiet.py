"""What peers can make libraries log is logged once a minute, and no more."""

import logging
import time
from typing import Final

SECONDS: Final = 60.0


class OncePerMinute(logging.Filter):
    """Lets a line through that was not there in the last minute.

    >>> once, line = OncePerMinute(), logging.makeLogRecord({"msg": "bad request"})
    >>> once.filter(line), once.filter(line)
    (True, False)
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Let a line through, or not. They differ by their template's first line."""
        now, line = time.monotonic(), str(record.msg).partition("\n")[0]
        if now - self._said.get(line, -SECONDS) < SECONDS:
            return False
        self._said[line] = now
        return True
