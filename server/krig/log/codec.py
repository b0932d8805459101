"""Entries as bytes: the form in which every log keeps them (UTF-8 JSON).

Rule 1: a tag never changes, and every field of a fact is written, also where it is as
by default: a default may change, the bytes may not.
Rule 2: an entry carries its schema number, and one of a newer schema is not read. So
whoever adds a fact or a field raises `READABLE`, a release later `SCHEMA`, and what no
schema knows is damage: a server that skipped it would fold another game than others.
Rule 3: whatever the bytes are, reading them gives an entry or a `LogError`.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final, NewType, Union, get_args, get_origin, get_type_hints

from pydantic_core import PydanticSerializationError, from_json, to_json

from krig.engine.rules import Rules
from krig.errors import InvalidRules, NewerSchema, UnreadableEntry
from krig.log.log import LogName
from krig.room import facts
from krig.room.facts import READABLE, Entry, Fact

TAGS: Final[Mapping[type[Fact], str]] = MappingProxyType(
    {
        facts.ChapterOpened: "chapter_opened",
        facts.AttemptOpened: "attempt_opened",
        facts.SeatTaken: "seat_taken",
        facts.SeatMoved: "seat_moved",
        facts.SeatVacated: "seat_vacated",
        facts.NameChanged: "name_changed",
        facts.RulesChanged: "rules_changed",
        facts.Readied: "readied",
        facts.Unreadied: "unreadied",
        facts.Started: "started",
        facts.Revealed: "revealed",
        facts.AttemptVoided: "attempt_voided",
        facts.Flipped: "flipped",
        facts.TimeUp: "time_up",
        facts.SeatCame: "seat_came",
        facts.SeatWent: "seat_went",
        facts.SeatBack: "seat_back",
        facts.PageHidden: "page_hidden",
        facts.AutoplaySet: "autoplay_set",
        facts.TempoSet: "tempo_set",
        facts.Paused: "paused",
        facts.Resumed: "resumed",
        facts.Slept: "slept",
        facts.Woke: "woke",
        facts.OwnerPassed: "owner_passed",
        facts.RoomClosed: "room_closed",
        facts.SeatOffered: "seat_offered",
        facts.OfferEnded: "offer_ended",
        facts.SeatClaimed: "seat_claimed",
        facts.CardsCounted: "cards_counted",
        facts.Reopened: "reopened",
        facts.HistoryCut: "history_cut",
    }
)
"""What each fact is called on disk."""

_FACTS: Final[Mapping[str, type[Fact]]] = {tag: kind for kind, tag in TAGS.items()}

_ENTRY: Final = frozenset(("schema", "v", "at", "nonce", "facts"))

_Read = Callable[[Any], Any]


class _Damaged(Exception):
    """Says what about the bytes is wrong."""


def encode(entry: Entry) -> bytes:
    """Write an entry as the bytes that a log keeps.

    >>> encode(Entry(v=7, at=0, nonce="f00d", facts=(facts.Slept(),)))
    b'{"schema":1,"v":7,"at":0,"nonce":"f00d","facts":[{"fact":"slept"}]}'

    Raises:
        UnreadableEntry: it holds what JSON cannot say, so nobody could read it again.
    """
    try:
        return to_json(
            {
                "schema": entry.schema,
                "v": entry.v,
                "at": entry.at,
                "nonce": entry.nonce,
                "facts": [_row(fact) for fact in entry.facts],
            }
        )
    except PydanticSerializationError as error:
        raise UnreadableEntry(f"Entry {entry.v} cannot be written: {error}.") from error


def decode(data: bytes, log: LogName | None = None, version: int = 0) -> Entry:
    """Read what `encode` wrote; where it is from serves only to name it in an error.

    Raises:
        NewerSchema: a newer Krig wrote it.
        UnreadableEntry: the bytes are no entry.
    """
    try:
        row = from_json(data, allow_inf_nan=False)
        schema = _whole(row.get("schema")) if isinstance(row, dict) else 0
        if schema > READABLE:
            raise NewerSchema(
                f"{_where(log, version)} is of schema {schema}, and this Krig reads "
                f"none above {READABLE}."
            )
        if schema < 1 or row.keys() != _ENTRY:
            raise _Damaged("it has not the fields of an entry")
        return Entry(
            v=_whole(row["v"]),
            at=_whole(row["at"]),
            nonce=_text(row["nonce"]),
            facts=tuple(map(_fact, _array(row["facts"]))),
            schema=schema,
        )
    except (_Damaged, ValueError, RecursionError, InvalidRules) as error:
        where = _where(log, version)
        raise UnreadableEntry(f"{where} cannot be read: {error}.") from error


def _where(log: LogName | None, version: int) -> str:
    return f"Entry {version} of {log}" if log else "The entry"


def _row(fact: Fact) -> dict[str, object]:
    """A fact as JSON values: its parts are dataclasses, which `to_json` writes too."""
    row: dict[str, object] = {"fact": TAGS[type(fact)]}
    for name in _SHAPES[type(fact)].readers:
        value = getattr(fact, name)
        if isinstance(value, Rules):
            value = value.to_dict()
        elif isinstance(value, StrEnum):
            value = value.value  # three times as fast as what `to_json` does with it
        row[name] = value
    return row


def _fact(row: object) -> Fact:
    if not isinstance(row, dict):
        raise _Damaged("a fact is no object")
    tag = row.pop("fact", None)
    if not isinstance(tag, str) or tag not in _FACTS:
        raise _Damaged(f"{tag!r} is no fact")
    fact: Fact = _SHAPES[_FACTS[tag]].read(row)
    return fact


class _Shape:
    """The fields of a dataclass, and how each of them is read."""

    def __init__(self, kind: type) -> None:
        hints = get_type_hints(kind)
        self.kind = kind
        self.readers = {each.name: _reader(hints[each.name]) for each in fields(kind)}
        self.needed = {each.name for each in fields(kind) if each.default is MISSING}

    def read(self, row: object) -> Any:
        """Build one from its fields; a field that is absent is as by default."""
        if not isinstance(row, dict):
            raise _Damaged(f"{row!r} is no {self.kind.__name__}")
        if row.keys() != self.readers.keys():  # most often all of them are there
            self._check(row)
        return self.kind(**{name: self.readers[name](row[name]) for name in row})

    def _check(self, row: dict[str, object]) -> None:
        if unknown := row.keys() - self.readers.keys():
            raise _Damaged(f"{self.kind.__name__} has no {', '.join(sorted(unknown))}")
        if lacking := self.needed - row.keys():
            raise _Damaged(f"{self.kind.__name__} lacks {', '.join(sorted(lacking))}")


def _reader(hint: Any) -> _Read:
    """How a value of this type is read."""
    if isinstance(hint, NewType):
        return _reader(hint.__supertype__)
    if get_origin(hint) in (Union, UnionType):
        (some,) = (each for each in get_args(hint) if each is not NoneType)
        return _optional(_reader(some))
    if get_origin(hint) is tuple:
        return _tuple(_reader(get_args(hint)[0]))
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    kind: type = hint
    return _choice(kind) if issubclass(kind, StrEnum) else _Shape(kind).read


def _choice(kind: type[StrEnum]) -> _Read:
    choices = {choice.value: choice for choice in kind}

    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in choices:
            raise _Damaged(f"{value!r} is no {kind.__name__}")
        return choices[value]

    return read


def _optional(read: _Read) -> _Read:
    return lambda value: None if value is None else read(value)


def _tuple(read: _Read) -> _Read:
    return lambda value: tuple(map(read, _array(value)))


def _array(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _Damaged(f"{value!r} is no list")
    return value


def _whole(value: object) -> int:
    # A bool is an int to Python, and no number to us.
    if type(value) is not int:
        raise _Damaged(f"{value!r} is no whole number")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Damaged(f"{value!r} is no text")
    return value


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Damaged(f"{value!r} is neither true nor false")
    return value


def _rules(value: object) -> Rules:
    if not isinstance(value, dict):
        raise _Damaged(f"{value!r} are no rules")
    return Rules.from_dict(value)


_SIMPLE: Final[Mapping[type, _Read]] = {
    int: _whole,
    str: _text,
    bool: _switch,
    Rules: _rules,
}

_SHAPES: Final[Mapping[type, _Shape]] = {kind: _Shape(kind) for kind in TAGS}
