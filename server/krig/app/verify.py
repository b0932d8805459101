"""`krig verify FILE`: checks game records that were downloaded.

A record is what `GET /api/rooms/CODE/games/N` answers; `-` reads from a pipe.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from krig.errors import RecordDiffers
from krig.room.record import Record
from krig.room.verify import verify

RECORD: TypeAdapter[Record] = TypeAdapter(Record)


def run(files: Iterable[str]) -> int:
    """Check each file; print what was found; return 1 if any does not hold."""
    wrong = 0
    for name in files:
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
            record = read_record(text)
            verify(record)
        except (OSError, UnicodeDecodeError, RecordDiffers) as error:
            print(f"{name}: {error}")
            wrong += 1
        else:
            print(f"{name}: {_summary(record)}")
    return 1 if wrong else 0


def read_record(text: str) -> Record:
    """Read a record's JSON.

    Raises:
        RecordDiffers: it has not the form of a record, and where.
    """
    try:
        return RECORD.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise RecordDiffers(f"{where}: {first['msg']}") from None


def _summary(record: Record) -> str:
    deal = "known beforehand" if record["known_beforehand"] else "fair"
    tried = len(record["void_deals"])
    again = f" at the attempt {tried + 1}" if tried else ""
    return (
        f"holds: {len(record['rounds'])} rounds between {len(record['players'])}, "
        f"the deal {deal}{again}, code {record['code']}"
    )
