"""When no time passes: a table that is paused, asleep or kept by nobody.

Judged, and folded.
"""

from dataclasses import replace

from krig.engine.seats import Seat
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.playing import game_on
from krig.room.room import GameClock, Room, Standstill
from krig.room.step import Step

# Judged ------------------------------------------------------------------------------


def pause(room: Room, seat: Seat, command: c.Pause) -> f.Facts:
    """Judge who pauses the table, agrees to it, or plays on."""
    game_on(room)
    if not command.on:
        return (f.Resumed(seat),) if room.pause is not None else ()
    if room.pause is not None and seat in room.pause.agreed:
        return ()
    return (f.Paused(seat),)


def wake(room: Room, seat: Seat) -> f.Facts:
    """Whoever acts is here again, and a sleeping table wakes."""
    back: f.Facts = (f.SeatBack(seat),) if room.place(seat).overslept else ()
    return (f.Woke(seat), *back) if room.asleep else back


# Folded ------------------------------------------------------------------------------


def paused(room: Room, seat: Seat, at: int) -> Step:
    """The table stands still, or one more wants it to."""
    pause = room.pause
    if pause is None:
        first = Standstill(seat, (seat,), at)
        return room._replace(pause=first), (e.TablePaused(seat),)
    return room._replace(pause=replace(pause, agreed=(*pause.agreed, seat))), ()


def reopened(room: Room, at: int) -> Room:
    """Time stood still while nobody kept the room: every allowance begins anew.

    What a game's clock counted up to the entry before this one stays counted.
    """
    seats = tuple(
        place
        and place._replace(
            since=at, gone_since=None if place.gone_since is None else at
        )
        for place in room.seats
    )
    clock = room.clock
    if clock is not None and clock.since is not None:
        clock = GameClock(clock.limit, clock.at(room.at), at)
    return room._replace(
        seats=seats,
        attempt=replace(room.attempt, since=at),
        battle_since=at,
        clock=clock,
        pause=room.pause and replace(room.pause, since=at),
        all_away_since=at if room.all_away_since is not None else None,
    )
