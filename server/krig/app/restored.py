"""A server that starts on a backup: pages may remember more than its file does.

A room's epoch says which history a page has seen. So every room of a copy gets a new
one before anybody is let in, and a page that comes back is sent a snapshot, whatever it
remembers.
"""

from dataclasses import replace

import structlog

from krig.host.ports import Chance, Clock
from krig.log.log import LogName
from krig.log.sqlite import SqliteLog
from krig.room import commands as c
from krig.room import facts as f
from krig.room.decide import decide
from krig.room.evolve import advance, fold
from krig.room.room import Phase, Room

log = structlog.get_logger()


async def begin_anew(storage: SqliteLog, clock: Clock, chance: Chance) -> int:
    """Cut the history of every room that can be read; return how many there were."""
    rooms = 0
    for code in await storage.codes():
        try:
            rooms += await _cut(storage, code, clock, chance)
        except Exception:  # the host sets it aside when somebody asks for it
            log.exception("room_unreadable", room=code)
    await storage.adopt()
    log.info("backup_restored", rooms=rooms)
    return rooms


async def _cut(storage: SqliteLog, code: str, clock: Clock, chance: Chance) -> bool:
    latest = await storage.latest(code)
    if latest is None:
        return False
    chapter, stored = latest
    before = room = fold(entry for _, entry in stored)
    at, after = max(room.at, clock.now()), stored[-1][0]
    facts: tuple[f.Fact, ...] = ()
    if room.phase is Phase.OVER:  # nothing is added behind the end of a game
        game_id, nonce = chance.bytes(16).hex(), chance.bytes(32).hex()
        opening = c.OpenChapter(room.chapter)
        facts = decide(
            room, None, replace(opening, game_id=game_id, server_nonce=nonce)
        )
        room, _ = advance(room, facts, at)
        chapter, after = LogName(code, room.chapter), 0
    facts += _new_epoch(room, chance)
    await storage.append(
        chapter, after, f.Entry(before.v + 1, at, chance.bytes(8).hex(), facts)
    )
    return True


def _new_epoch(room: Room, chance: Chance) -> tuple[f.Fact, ...]:
    return decide(room, None, c.CutHistory(chance.bytes(8).hex()))
