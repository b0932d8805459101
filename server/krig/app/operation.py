"""What a server does besides serving.

Numbers on a port of their own, the caretaker's socket, the pulse of its event loop, and
garbage in quiet moments.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from socket import socket
from typing import Final

import structlog
import uvicorn

from krig import __version__
from krig.app.control import controlled
from krig.app.garbage import Garbage
from krig.app.health import for_machines
from krig.app.running import Running

PULSE: Final = 0.5
"""How often the event loop's punctuality is measured (s)."""

QUIET: Final = 5.0
"""Nothing stored for so long is a quiet moment (s)."""

SETTLE_EVERY: Final = 300.0
"""At least between two collections in quiet moments (s)."""

log = structlog.get_logger()


@asynccontextmanager
async def operated(
    parts: Running, machines: socket | None = None
) -> AsyncIterator[None]:
    """Look after a server until the end; `machines` is where numbers are asked for."""
    with Garbage(parts.numbers.paused) as garbage:
        async with controlled(parts), _numbers_at(parts, machines):
            pulse = asyncio.create_task(_feel_the_pulse(parts, garbage))
            log.info("server_started", version=__version__, pid=os.getpid())
            try:
                yield
            finally:
                pulse.cancel()
                log.info("server_stopped", entries=parts.numbers.stored)


async def _feel_the_pulse(parts: Running, garbage: Garbage) -> None:
    """Measure how late the loop is; when nothing has happened lately, tidy up."""
    loop = asyncio.get_running_loop()
    numbers = parts.numbers
    stored, quiet_since, settled_at = numbers.stored, loop.time(), loop.time()
    settled = stored
    while True:
        due = loop.time() + PULSE
        await asyncio.sleep(PULSE)
        now = loop.time()
        numbers.lagged(max(0.0, now - due))
        if numbers.stored != stored:
            stored, quiet_since = numbers.stored, now
        long_ago = now - settled_at >= SETTLE_EVERY
        if now - quiet_since >= QUIET and long_ago and settled != stored:
            garbage.settle()
            settled, settled_at = stored, now


@asynccontextmanager
async def _numbers_at(parts: Running, listener: socket | None) -> AsyncIterator[None]:
    if listener is None:
        yield
        return
    config = uvicorn.Config(
        for_machines(parts),
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = _Quiet(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


class _Quiet(uvicorn.Server):
    """A server beside another one, which has the signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them alone."""
        yield
