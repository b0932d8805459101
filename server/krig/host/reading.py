"""A chapter as it is read from its log: folded where it holds up nobody."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from krig.host.audience import Told
from krig.host.judging import drafted
from krig.protocol.limits import CATCH_UP_ENTRIES
from krig.room.evolve import fold
from krig.room.facts import Entry
from krig.room.room import Room

SHORT: Final = 200
"""Entries that are folded (5 ms) before a thread would be worth its while."""

T = TypeVar("T")


async def folded(fold: Callable[[Sequence[Entry]], T], entries: Sequence[Entry]) -> T:
    """Fold beside the loop: a chapter of 20,000 entries takes half a second."""
    if len(entries) <= SHORT:
        return fold(entries)
    return await asyncio.to_thread(fold, entries)


def brought_up(entries: Sequence[Entry]) -> tuple[Room, Callable[[], list[Told]]]:
    """The room that a chapter comes to, and a way to have what its last entries told.

    Most viewers missed none of it, since they saw it before the server was lost.

    Raises:
        Unfoldable: the entries are no chapter.
    """
    before = max(1, len(entries) - CATCH_UP_ENTRIES)
    room, last = fold(entries[:before]), entries[before:]
    return fold(last, room), partial(_told, room, last)


def _told(room: Room, entries: Sequence[Entry]) -> list[Told]:
    told = []
    for entry in entries:
        draft = drafted(room, entry)
        room = draft.room
        told.append(Told(entry.v, draft.told))
    return told
