"""What the clock owes a room: commands that the host gives when nobody else acts.

Rule 1: what is due follows from the state alone; the host turns it into timers, and
drops those that are due no more.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from krig.engine.game import Game
from krig.room import commands as c
from krig.room.facts import FlippedBy, Tempo
from krig.room.playing import served_by
from krig.room.room import Phase, Room


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the table waits, in ms."""

    slow: int = 4_000
    normal: int = 3_000
    fast: int = 1_000
    """What the server takes for a flip, by tempo."""
    deadline: int = 15_000
    """What a player has for a press."""
    offer: int = 120_000
    """How long another device may take over a seat that is offered."""
    deal: int = 3_000
    """What a page has for its part in the deal."""
    owner: int = 60_000
    """How long the owner may be gone."""
    sleep: int = 120_000
    """How long a table plays on with everybody away."""
    pause: int = 600_000
    """How long a pause lasts unless all agree to it."""

    def of(self, tempo: Tempo) -> int:
        """What the server takes for a flip."""
        match tempo:
            case Tempo.SLOW:
                return self.slow
            case Tempo.NORMAL:
                return self.normal
            case Tempo.FAST:
                return self.fast


@dataclass(frozen=True, slots=True)
class Due:
    """A command, and when to give it: `allowance` ms after `since`."""

    command: c.HostCommand
    since: int
    allowance: int


def due(room: Room, pace: Pace) -> tuple[Due, ...]:
    """Everything the clock owes the room as it stands."""
    return tuple(_due(room, pace))


def _due(room: Room, pace: Pace) -> Iterator[Due]:
    match room.phase:
        case Phase.OVER:
            yield Due(c.OpenChapter(room.chapter), room.at, 0)
            return
        case Phase.DEALING if room.missing:
            attempt = room.attempt
            late = c.GiveUpWaiting(room.terms, attempt.stage)
            yield Due(late, attempt.since, pace.deal)
        case Phase.PLAYING if room.game is not None:
            yield from _due_in_game(room, room.game, pace)
        case _:
            pass
    for seat, place in room.humans:
        if place.offer is not None:
            end = c.EndOffer(seat, place.offer)
            yield Due(end, place.offer_since, pace.offer)
        gone = place.gone_since
        if place.player == room.owner and gone is not None and room.heir is not None:
            yield Due(c.PassOwner(place.player), gone, pace.owner)


def _due_in_game(room: Room, game: Game, pace: Pace) -> Iterator[Due]:
    if room.pause is not None:
        if any(seat not in room.pause.agreed for seat, _ in room.humans):
            yield Due(c.EndPause(), room.pause.since, pace.pause)
        return
    if room.asleep:
        return
    if room.all_away_since is not None:
        yield Due(c.FallAsleep(), room.all_away_since, pace.sleep)
    if room.clock is not None and room.clock.since is not None:
        left = room.clock.limit - room.clock.used
        if not game.time_struck:
            yield Due(c.StrikeTime(room.chapter), room.clock.since, left)
    for seat in game.waiting:
        if seat not in game.flipped:
            by = served_by(room, game, seat)
            press = c.FlipFor(game.rounds + 1, game.battle, seat, by)
            if by is FlippedBy.CLOCK:
                since = max(room.battle_since, room.place(seat).since)
                yield Due(press, since, pace.deadline)
            else:
                yield Due(press, room.battle_since, pace.of(_tempo(room)))


def _tempo(room: Room) -> Tempo:
    """With everybody away a table is in no hurry: forty rounds outlast its sleep."""
    return room.tempo if room.all_away_since is None else Tempo.SLOW
