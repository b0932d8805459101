"""A moment at which a socket is cut off, unless somebody thinks better of it."""

import asyncio


class Deadline:
    """At most one timer that aborts a transport: `close` would wait for the flush."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport, seconds: float) -> None:
        """Abort in so many seconds; one that was started before stays as it was."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds, transport.abort)

    def stop(self) -> None:
        """Do not abort."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
