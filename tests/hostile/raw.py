"""A peer that sends whatever bytes it likes, and says how it was answered."""

import asyncio
import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

TEXT, BINARY, CONTINUED = 1, 2, 0
CLOSE, PING, PONG = 8, 9, 10

UPGRADE: Final = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Sec-WebSocket-Protocol: krig.1\r\n{more}\r\n"
)

CUT_OFF: Final = 0
"""No close code: the peer was dropped without a word."""


def frame(
    payload: bytes | str,
    opcode: int = TEXT,
    *,
    fin: bool = True,
    rsv: int = 0,
    masked: bool = True,
    size: int | None = None,
) -> bytes:
    """Any frame, right or wrong; `size` is the length it claims to have."""
    said = payload.encode() if isinstance(payload, str) else payload
    claimed = len(said) if size is None else size
    first = fin << 7 | rsv << 4 | opcode
    flag = masked << 7
    if claimed <= 125:
        head = bytes((first, flag | claimed))
    elif claimed < 1 << 16:
        head = bytes((first, flag | 126)) + claimed.to_bytes(2)
    else:
        head = bytes((first, flag | 127)) + claimed.to_bytes(8)
    if not masked:
        return head + said
    mask = os.urandom(4)
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(said))


@dataclass
class Raw:
    """A socket after its handshake."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def connect(
        cls,
        port: int,
        *,
        host: str = "127.0.0.1",
        plain: socket.socket | None = None,
        receive_buffer: int | None = None,
    ) -> "Raw":
        """Open a socket, and say nothing."""
        plain = plain or socket.socket()
        if receive_buffer is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, (host, port))
        limit = 2**16 if receive_buffer is None else receive_buffer
        return cls(*await asyncio.open_connection(sock=plain, limit=limit))

    @classmethod
    async def open(
        cls,
        port: int,
        *,
        host: str = "127.0.0.1",
        more: str = "",
        plain: socket.socket | None = None,
        receive_buffer: int | None = None,
    ) -> "Raw":
        """Open a WebSocket."""
        raw = await cls.connect(
            port, host=host, plain=plain, receive_buffer=receive_buffer
        )
        raw.writer.write(UPGRADE.format(host=host, more=more).encode())
        head = await raw.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        return raw

    def send(self, *frames: bytes) -> None:
        """Write, whether anybody takes it or not."""
        if not self.writer.transport.is_closing():
            self.writer.write(b"".join(frames))

    async def hear(self) -> tuple[int, bytes]:
        """One frame of the server: its opcode and what it says."""
        first, size = await self.reader.readexactly(2)
        if size >= 126:
            size = int.from_bytes(
                await self.reader.readexactly(2 if size == 126 else 8)
            )
        return first & 15, await self.reader.readexactly(size)

    async def closed(self) -> int:
        """Hear to the end; return the close code, or CUT_OFF."""
        try:
            while True:
                opcode, said = await self.hear()
                if opcode == CLOSE:
                    return int.from_bytes(said[:2])
        except (asyncio.IncompleteReadError, OSError):
            return CUT_OFF

    async def gone(self) -> None:
        """Read until there is nothing more to read."""
        try:
            while await self.reader.read(2**16):
                pass
        except OSError:
            return

    async def leave(self) -> None:
        """Go without a word."""
        self.writer.transport.abort()
        with suppress(OSError):
            await self.writer.wait_closed()
