"""A client of the application itself: no socket, no port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from krig.app.compose import create_app, start
from krig.app.settings import Settings


@asynccontextmanager
async def asking(**settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """Ask a started application that keeps its rooms in memory."""
    wanted = Settings(**{"log": "memory:", **settings})
    async with start(wanted) as parts:
        transport = httpx.ASGITransport(create_app(wanted, parts))
        transport.app.state.running = parts  # type: ignore[attr-defined]
        async with httpx.AsyncClient(
            transport=transport, base_url="http://192.168.1.7:8000"
        ) as http:
            yield http
