"""A network between a phone and the server that can be taken away and given back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Air:
    """Carries bytes to a port, or swallows them: nobody is told that it is off."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []
        self._off = False
        self.url = ""

    def cut(self) -> None:
        """What is open now stays open, and silent for ever."""
        self._off = True
        for task in self._open:
            task.cancel()

    def mend(self) -> None:
        """Whoever connects from now on gets through."""
        self._off = False

    async def end(self) -> None:
        """Hang up everywhere."""
        self.cut()
        for writer in self._ends:
            writer.transport.abort()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Take a connection."""
        self._ends.append(writer)
        if self._off:
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._ends.append(far_writer)
        for source, target in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(_pump(source, target))
            self._open.add(task)
            task.add_done_callback(self._open.discard)


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while chunk := await source.read(65536):
            target.write(chunk)
            await target.drain()
        target.close()


@asynccontextmanager
async def air_to(port: int) -> AsyncIterator[Air]:
    """Air over a port of its own."""
    air = Air(port)
    taker = await asyncio.start_server(air.carry, "127.0.0.1")
    air.url = f"http://127.0.0.1:{taker.sockets[0].getsockname()[1]}"
    try:
        yield air
    finally:
        taker.close()
        await air.end()
