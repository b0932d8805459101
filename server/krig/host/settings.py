"""What whoever runs a server may set about how it keeps rooms."""

from dataclasses import dataclass

from krig.protocol.limits import Limits
from krig.room.due import Pace


@dataclass(frozen=True, slots=True)
class HostSettings:
    """Times in seconds, unless they say ms."""

    pace: Pace = Pace()
    gone_after: float = 3.0
    """A connection that has been away for so long is given up."""
    patience: float = 10.0
    """How long a command may wait for its turn in the log, then `busy`."""
    limits: Limits = Limits()
    lobby_lives: float = 600.0
    """An empty lobby."""
    game_lives: float = 30 * 86_400.0
    """A game that nobody is at; 24 h on a public server."""
    finished_lives: float = 30 * 86_400.0
    """A finished game, for its replay."""
    idle_after: float = 30.0
    """A table that nobody sees and nothing is due at leaves memory."""
    sweep_every: float = 60.0
    """How often the janitor looks around."""
