"""The events of a room's life, one line of the server's log each.

Rule 1: a line holds a room's code, numbers and words of ours: no name that somebody
chose, and nothing that was ever secret.
"""

import structlog

from krig.room.room import Phase, Room

log = structlog.get_logger()


def write(before: Room, after: Room) -> None:
    """Write what an entry means for the room's life, if it means anything."""
    if before.phase is after.phase and before.chapter == after.chapter:
        return
    seats = sum(place is not None for place in after.seats)
    if after.phase is Phase.DEALING and before.phase is Phase.LOBBY:
        log.info("game_dealing", room=after.code, game=after.chapter, seats=seats)
    elif after.phase is Phase.PLAYING:
        log.info("game_started", room=after.code, game=after.chapter, seats=seats)
    elif before.chapter != after.chapter and after.last is not None:
        log.info(
            "game_ended",
            room=after.code,
            game=after.last.game,
            ending=after.last.ending,
            rounds=after.last.rounds,
        )
