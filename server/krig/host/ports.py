"""What the host needs from the layers to its right."""

from collections.abc import Callable
from typing import Protocol


class Viewer(Protocol):
    """Somebody who sees a table: a player's page or a watcher's."""

    def send(self, text: str) -> None:
        """Send one encoded message. Never waits."""
        ...

    def close(self, code: int, reason: str) -> None:
        """End the connection, behind what was sent."""
        ...


class Timer(Protocol):
    """Something that will be called back."""

    def cancel(self) -> None:
        """Do not call back."""
        ...


class Clock(Protocol):
    """Time: wall time to write down, monotonic time to wait by."""

    def now(self) -> int:
        """Return the wall time, in ms since 1970."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call back in `delay` seconds, unless cancelled."""
        ...


class Chance(Protocol):
    """The only source of secrets and of luck."""

    def bytes(self, n: int) -> bytes:
        """Return `n` bytes that nobody can guess."""
        ...
