"""The numbers that `/metrics` shows, in the form that Prometheus reads.

Rule 1: what happens is counted when it happens; what there is, is counted when somebody
asks, a few rooms at a time, so that no move waits for a scrape.
Rule 2: no label holds what people choose (a name, a room's code): the number of series
is bounded, and no secret can be in one.
"""

import asyncio
from collections import Counter as Tally
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from krig import __version__
from krig.host.host import Host
from krig.host.observer import Observer
from krig.room.room import Phase, Presence
from krig.transport.crowd import Crowd

AT_A_TIME: Final = 200
"""Rooms that are counted before others get their turn."""

QUICK: Final = (
    *(0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05),
    *(0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
)
"""From what memory takes to what patience allows (s)."""


class Numbers(Observer):
    """Counts what the host and its connections tell."""

    def __init__(self, crowd: Crowd) -> None:
        self.registry = CollectorRegistry()
        self.stored = 0
        """How many entries were stored; by it one sees whether the server is quiet."""
        self._most_messages = self._most_signs = 0
        ProcessCollector(registry=self.registry)
        gauge = self._gauge
        build = Gauge("krig_build", "The version.", ["version"], registry=self.registry)
        build.labels(__version__).set(1)
        sockets = gauge("connections", "Open WebSockets.")
        sockets.set_function(lambda: len(crowd))
        tasks = gauge("tasks", "Tasks of the event loop.")
        tasks.set_function(lambda: len(asyncio.all_tasks()))
        self._rooms = gauge("rooms", "Rooms at hand.")
        self._games = gauge("games", "Games being played.")
        self._watchers = gauge("watchers", "Viewers without a seat.")
        self._quarantined = gauge("rooms_quarantined", "Rooms that cannot be read.")
        self._seats = Gauge(
            "krig_seats", "Taken seats.", ["kind"], registry=self.registry
        )
        high = "The most that ever waited for one viewer"
        gauge("outbox_high_messages", f"{high}.").set_function(
            lambda: self._most_messages
        )
        gauge("outbox_high_signs", f"{high}, in signs.").set_function(
            lambda: self._most_signs
        )
        self._commands = self._counter(
            "commands", "Commands by kind and by what they came to.", "kind", "outcome"
        )
        self._errors = self._counter("errors", "What was refused, by code.", "code")
        self._closes = self._counter("closes", "Connections we ended.", "code")
        self._resumes = self._counter("resumes", "Viewers brought up to date.", "mode")
        self._flip = self._histogram(
            "flip_seconds", "From a flip's arrival until its result was sent."
        )
        self._append = self._histogram(
            "append_seconds", "How long the log took to store an entry."
        )
        self._lag = self._histogram(
            "loop_lag_seconds", "How much later than wanted the event loop came round."
        )
        self._pause = self._histogram(
            "gc_pause_seconds", "How long collecting garbage stopped everything."
        )

    def _gauge(self, name: str, what: str) -> Gauge:
        return Gauge(f"krig_{name}", what, registry=self.registry)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"krig_{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str) -> Histogram:
        return Histogram(f"krig_{name}", what, buckets=QUICK, registry=self.registry)

    # What happens.

    def came_to(self, kind: str, outcome: str, seconds: float) -> None:
        """A command was answered."""
        self._commands.labels(kind, outcome).inc()
        if outcome != "done":
            self._errors.labels(outcome).inc()
        elif kind == "Flip":
            self._flip.observe(seconds)

    def appended(self, outcome: str, seconds: float) -> None:
        """The log answered an append."""
        if outcome == "stored":
            self.stored += 1
            self._append.observe(seconds)
        else:
            self._errors.labels(outcome).inc()

    def resumed(self, how: str) -> None:
        """A viewer was brought up to date."""
        self._resumes.labels(how).inc()

    def refused(self, code: str) -> None:
        """A message was refused before it was a command."""
        self._errors.labels(code).inc()

    def closed(self, code: int) -> None:
        """The server ended a connection."""
        self._closes.labels(str(code)).inc()

    def waited(self, messages: int, signs: int) -> None:
        """So much waited for one viewer."""
        self._most_messages = max(self._most_messages, messages)
        self._most_signs = max(self._most_signs, signs)

    def lagged(self, seconds: float) -> None:
        """The event loop came round so much later than wanted."""
        self._lag.observe(seconds)

    def paused(self, seconds: float) -> None:
        """Collecting garbage stopped everything for so long."""
        self._pause.observe(seconds)

    # What there is.

    async def tell(self, host: Host) -> bytes:
        """Every number, as Prometheus reads it."""
        games = watchers = 0
        kinds: Tally[Presence] = Tally()
        tables = host.tables
        for at, table in enumerate(tables, 1):
            watchers += table.watchers
            games += table.room.phase is Phase.PLAYING
            kinds.update(place.presence for place in table.room.seats if place)
            if at % AT_A_TIME == 0:
                await asyncio.sleep(0)
        self._rooms.set(len(tables))
        self._games.set(games)
        self._watchers.set(watchers)
        self._quarantined.set(host.quarantined)
        for kind in Presence:
            self._seats.labels(kind.value).set(kinds[kind])
        return generate_latest(self.registry)
