"""What a client may do, and how fast."""

from dataclasses import dataclass
from typing import Final

MESSAGE_BYTES: Final = 4096
"""The longest message taken, in bytes of UTF-8."""

BAD_MESSAGES: Final = 10
"""The tenth message of a connection that cannot be read ends it."""

NOTICE_SIGNS: Final = 200
"""The longest `notice`."""

CATCH_UP_ENTRIES: Final = 30
"""Who is further behind gets a snapshot, which is small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What whoever runs a server may set: `KRIG_LIMITS__SOCKETS=500`."""

    commands_per_second: float = 5.0
    """Of a seat, in the long run; every message counts."""
    command_burst: int = 20
    watcher_per_second: float = 1.0
    watcher_burst: int = 5
    hello_seconds: float = 5.0
    """How long a connection may be silent before its `hello`."""
    heartbeat_seconds: float = 20.0
    """How often the server pings."""
    silence_seconds: float = 15.0
    """How long nothing at all may be heard after a ping."""
    stall_seconds: float = 10.0
    """A peer that takes nothing for so long is gone."""
    outbox_messages: int = 64
    """What may wait for a slow viewer; over it, all is replaced by one snapshot."""
    outbox_signs: int = 256 * 1024
    watchers: int = 200
    """Of a room."""
    sockets: int = 10_000
    """Of a process."""
    sockets_an_address: int = 200
    """Private and loopback addresses have no limit of their own, here and below."""
    rooms: int = 10_000
    """Kept by a process at once."""
    rooms_an_address: int = 200
    """Live ones that one address opened."""
    rooms_a_minute: int = 60
    """Opened from one address."""
