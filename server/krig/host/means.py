"""What a host gives to every table that it keeps."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from krig.host.observer import Observer
from krig.host.ports import Chance, Clock
from krig.host.settings import HostSettings
from krig.log.log import Log
from krig.room.facts import Connection


@dataclass(frozen=True, slots=True)
class Means:
    """One set for all tables of a process."""

    log: Log
    clock: Clock
    chance: Chance
    settings: HostSettings
    server: str
    """The version of this server, as viewers are told it."""
    connections: Callable[[], Connection]
    """Names a connection as no other ever was."""
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    """Starts a task that the host waits for when it stops."""
    observer: Observer
