"""The timers of a table: for what its room is owed, and for what the host does later.

Rule 1: a timer waits in monotonic time, and never longer than the whole allowance.
Rule 2: what is due no more never rings.
Rule 3: the time that is written down runs as monotonic time does, so that a wall clock
that is put right in mid-game takes nothing from anybody's time, and gives nobody more.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from krig.host.ports import Clock, Timer
from krig.room import commands as c
from krig.room.due import Due, Pace, due
from krig.room.room import Room

TOGETHER: Final = 0.02
"""Deadlines less than this apart (s) are given at once, and become one entry."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something due, and the timer that will ring for it."""

    due: Due
    when: float
    """Monotonic s."""
    timer: Timer


class Alarms:
    """What rings at a table, until it is closed."""

    def __init__(
        self,
        clock: Clock,
        pace: Pace,
        room: Room,
        ring: Callable[[list[c.HostCommand]], None],
    ) -> None:
        self._clock = clock
        self._pace = pace
        self._ring_for = ring
        self._due: dict[c.HostCommand, Alarm] = {}
        self._others: set[Timer] = set()
        self._closed = False
        self._offset = 0.0
        """What to add to monotonic ms to have the time that is written down."""
        self._believe_the_wall(room)

    @property
    def are_set(self) -> bool:
        """The room is owed something."""
        return bool(self._due)

    def now(self, room: Room) -> int:
        """The time to write down (ms since 1970)."""
        return max(room.at, round(self._clock.monotonic() * 1000 + self._offset))

    def _believe_the_wall(self, room: Room) -> None:
        self._offset = self._clock.now() - self._clock.monotonic() * 1000
        self._offset += max(0, room.at - self._clock.now())

    def mind(self, room: Room, asked: Collection[c.Command]) -> None:
        """Have a timer for what the room is owed now, and for nothing else.

        Args:
            room: as it stands.
            asked: what waits to be judged, and needs no timer any more.
        """
        if self._closed:
            return
        owed = {d.command: d for d in due(room, self._pace)}
        for command in [k for k, a in self._due.items() if a.due != owed.get(k)]:
            self._due.pop(command).timer.cancel()
        for command, d in owed.items():
            if command not in self._due and command not in asked:
                self._set(d, self.now(room) - d.since)
        if not owed:
            self._believe_the_wall(room)

    def _set(self, d: Due, spent: int) -> None:
        delay = max(0, min(d.allowance, d.allowance - spent)) / 1000
        timer = self._clock.call_later(delay, self._ring)
        self._due[d.command] = Alarm(d, self._clock.monotonic() + delay, timer)

    def _ring(self) -> None:
        """Give everything whose time has come; what comes together is one entry."""
        now = self._clock.monotonic() + TOGETHER
        over = [k for k, alarm in self._due.items() if alarm.when <= now]
        for command in over:
            self._due.pop(command).timer.cancel()
        self._ring_for(over)

    def later(self, delay: float, callback: Callable[[], None]) -> None:
        """Call back once, in `delay` seconds, unless the table is closed before."""
        if self._closed:
            return

        def call() -> None:
            self._others.discard(timer)
            callback()

        timer = self._clock.call_later(delay, call)
        self._others.add(timer)

    def close(self) -> None:
        """Let go of every timer, for good."""
        self._closed = True
        for timer in (*(alarm.timer for alarm in self._due.values()), *self._others):
            timer.cancel()
        self._due.clear()
        self._others.clear()
        self._ring_for = _nobody  # or a table would stay, through us, until collected


def _nobody(_: list[c.HostCommand]) -> None:
    """Nobody is there to hear it."""
