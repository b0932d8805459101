"""What a started application has: its log, its host, and who is connected."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from krig.app.doorkeeper import Doorkeeper
from krig.app.metrics import Numbers
from krig.app.settings import Settings
from krig.host.host import Host
from krig.log.log import Log
from krig.transport.clock import SystemClock
from krig.transport.crowd import Crowd
from krig.transport.door import Door
from krig.transport.entrance import Entrance


@dataclass(frozen=True, slots=True)
class Running:
    """The parts that requests need."""

    settings: Settings
    log: Log
    host: Host
    clock: SystemClock
    crowd: Crowd
    door: Door
    entrance: Entrance
    doorkeeper: Doorkeeper
    numbers: Numbers
    """What `/metrics` shows."""


def running(connection: HTTPConnection) -> Running:
    """The parts of the application that a request came to."""
    parts = connection.app.state.running
    assert isinstance(parts, Running), "requests come after the start"
    return parts
