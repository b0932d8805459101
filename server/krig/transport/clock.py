"""The clock and the dice of this machine, as the host wants them."""

import asyncio
import secrets
import time
from collections.abc import Callable


class SystemClock:
    """Wall time, and timers of the running event loop."""

    def now(self) -> int:
        """Return the wall time, in ms since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()

    def call_later(
        self, delay: float, callback: Callable[[], None]
    ) -> asyncio.TimerHandle:
        """Call back in `delay` seconds, unless cancelled."""
        return asyncio.get_running_loop().call_later(delay, callback)


class SystemChance:
    """The operating system's random numbers."""

    def bytes(self, n: int) -> bytes:
        """Return `n` random bytes that nobody can guess."""
        return secrets.token_bytes(n)
