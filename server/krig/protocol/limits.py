"""What a client may do, and how fast: the numbers that `welcome` tells."""

from typing import Final

MESSAGE_BYTES: Final = 4096
"""The longest message taken, in bytes of UTF-8."""

COMMANDS_PER_SECOND: Final = 5.0
"""Of a seat, in the long run; every message counts."""
COMMAND_BURST: Final = 20

WATCHER_PER_SECOND: Final = 1.0
WATCHER_BURST: Final = 5

BAD_MESSAGES: Final = 10
"""The tenth message of a connection that cannot be read ends it."""

HELLO_SECONDS: Final = 5.0
"""How long a connection may be silent before its `hello`."""

HEARTBEAT_SECONDS: Final = 20.0
"""How often the server pings."""
SILENCE_SECONDS: Final = 15.0
"""How long nothing at all may be heard after a ping."""

CATCH_UP_ENTRIES: Final = 30
"""Who is further behind gets a snapshot."""
