"""Where sockets come in, and go out.

Rule 1: whoever is let in is let out, whatever carried them.
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

    def connection(self, line: Line, address: str) -> Connection:
        """Connect who was let in through the door."""
        visit = self.door.visit(address)
        return Connection(visit, self.clock, self.limits, line, self.door.observer)

    def part(self, connection: Connection, address: str) -> None:
        """Their line is gone."""
        connection.end()
        self.door.crowd.leave(address)
