"""Where sockets come in, and go out.

Rule 1: whoever is let in is let out, whatever carried them, and whatever goes wrong.
"""

from dataclasses import dataclass

from krig.host.ports import Clock
from krig.protocol.limits import Limits
from krig.transport.connection import Connection, Line
from krig.transport.door import Door


@dataclass(frozen=True, slots=True)
class Entrance:
    """What every socket's connection is made of."""

    door: Door
    clock: Clock
    limits: Limits

    def enter(self, line: Line, address: str) -> Connection | None:
        """Connect somebody; None: there is no place for them."""
        visit, observer = self.door.visit(address), self.door.observer
        if not self.door.enter(address):
            return None
        return Connection(visit, self.clock, self.limits, line, observer)

    def part(self, connection: Connection, address: str) -> None:
        """Their line is gone."""
        try:
            connection.end()
        finally:
            self.door.crowd.leave(address)
