"""A room that nothing may happen to, and a server in a hurry."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.live.page import Page
from tests.live.server import Server

QUICK = {
    "HELLO_SECONDS": "1",
    "STALL_SECONDS": "2",
    "HEARTBEAT_SECONDS": "2",
    "SILENCE_SECONDS": "1.5",
}
"""A test does not wait as long as a server does."""


@contextmanager
def quick(**limits: object) -> Iterator[None]:
    """Set limits for a server that is started meanwhile."""
    wanted = QUICK | {name.upper(): str(value) for name, value in limits.items()}
    names = {f"KRIG_LIMITS__{name}": value for name, value in wanted.items()}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Witness:
    """Somebody who sits in a lobby, and sees all that happens there."""

    def __init__(self, server: Server) -> None:
        self.code = server.make_room()
        self._page = Page(server.url, self.code, "Witness")
        self._seen: tuple[int, Any] = (0, None)

    async def __aenter__(self) -> "Witness":
        await self._page.open()
        await self._page.until(lambda: self._page.v > 0)
        await self._page.sit()
        self._seen = (self._page.v, self._page.view)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._page.close()

    async def sees_no_change(self) -> None:
        """Ask for the whole view: nothing was changed, and the server answers."""
        told = len(self._page.frames)
        await self._page.say("resync")
        await self._page.until(
            lambda: any('"snapshot"' in f[:20] for f in self._page.frames[told:])
        )
        assert (self._page.v, self._page.view) == self._seen
