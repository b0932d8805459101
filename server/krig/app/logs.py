"""What the process writes about itself: one line an event, to standard error.

Rule 1: no line holds a token, a nonce, a one-time code, a name or a message: only
codes of rooms, numbers and words of ours. `_hide` is the last resort, for the text of
an error that nobody thought of.
Rule 2: what libraries write (uvicorn, asyncio) has the same form as our own lines.
"""

import logging
import re
import sys
from typing import Any, Final, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

SECRET: Final = re.compile(r"[0-9A-Fa-f]{32,}")
"""Tokens, their hashes and nonces are that long, and nothing that is told is."""

HIDDEN: Final = "[hidden]"


class _StandardError:
    """Whatever standard error is when a line is written."""

    def write(self, text: str) -> int:
        """Write a line, or a part of one."""
        return sys.stderr.write(text)

    def flush(self) -> None:
        """Let nothing wait."""
        sys.stderr.flush()


def configure(form: str | None = None, level: str = "info") -> None:
    """Write `json` lines, or `console` lines for people; None: as the terminal is."""
    if form is None:
        form = "console" if sys.stderr.isatty() else "json"
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _hide,
    ]
    end: Processor = structlog.processors.JSONRenderer()
    if form == "console":
        end = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    threshold = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, end],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _StandardError())),
        cache_logger_on_first_use=False,
    )
    foreign = logging.StreamHandler(_StandardError())
    foreign.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_name_of_library, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                end,
            ],
        )
    )
    logging.basicConfig(
        handlers=[foreign], level=max(threshold, logging.WARNING), force=True
    )
    logging.captureWarnings(True)


def _name_of_library(_: Any, __: str, event: EventDict) -> EventDict:
    """Say who writes, where that is not us."""
    record = event.get("_record")
    if record is not None:
        event["logger"] = record.name
    return event


def _hide(_: Any, __: str, event: EventDict) -> EventDict:
    """Blot out what could be a secret, wherever it stands."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = SECRET.sub(HIDDEN, value)
    return event
