"""The way in for whoever runs the server: a socket beside its file.

`krig rooms`, `krig close CODE` and `krig say TEXT` ask here, one JSON line each way.

Rule 1: who may open the socket is who owns the file: it is nobody else's to read or
write, and nothing of it is on the network.
Rule 2: what is said to players is one line of plain text, as a name is.
"""

import asyncio
import json
import os
import sys
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import structlog

from krig.app.running import Running
from krig.app.settings import Settings
from krig.errors import Invalid, InvalidMessage, KrigError, UnknownMessage
from krig.host.table import Table
from krig.log.open import path_of
from krig.protocol.codec import sentence
from krig.protocol.limits import NOTICE_SIGNS
from krig.room.code import parse_room_code

MOST_BYTES: Final = 4096
PATIENCE: Final = 5.0
"""How long (s) a caller may take to ask."""

log = structlog.get_logger()


def control_path(settings: Settings) -> Path | None:
    """Where the socket is; None: a server without a file has none, unless one is set.

    Raises:
        StorageUnavailable: the settings name no log.
    """
    if settings.control is not None:
        return settings.control
    path = path_of(settings.where)
    return None if path is None else path.with_name(f"{path.name}.control")


@asynccontextmanager
async def controlled(parts: Running) -> AsyncIterator[None]:
    """Answer at the socket until the end; without one where there can be none."""
    path = control_path(parts.settings)
    server = None if path is None else await _listen(parts, path)
    try:
        yield
    finally:
        if server is not None and path is not None:
            server.close()
            path.unlink(missing_ok=True)


async def _listen(parts: Running, path: Path) -> asyncio.Server | None:
    if sys.platform == "win32":
        return None

    async def answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                line = await reader.readline()
            told = await _answer(parts, line)
            writer.write(json.dumps(told).encode() + b"\n")
            await writer.drain()
        except (OSError, ValueError, TimeoutError):
            pass  # it went away, or never asked
        finally:
            writer.close()

    before = os.umask(0o177)
    try:
        # There may be that of one that was killed: the file is locked by us.
        path.unlink(missing_ok=True)  # noqa: ASYNC240
        return await asyncio.start_unix_server(answer, path, limit=MOST_BYTES)
    except (OSError, ValueError) as error:  # a path may be too long for a socket
        log.warning("no_control", why=str(error))
        return None
    finally:
        os.umask(before)


async def _answer(parts: Running, line: bytes) -> dict[str, Any]:
    """Do what is asked, or say in a sentence why not."""
    try:
        match json.loads(line):
            case {"do": "rooms"}:
                return await _rooms(parts)
            case {"do": "close", "room": str(code)}:
                await parts.host.remove(parse_room_code(code))
                return {"closed": parse_room_code(code)}
            case {"do": "say", "text": str(text)}:
                return {"viewers": parts.host.say(plain(text))}
            case _:
                raise UnknownMessage("This is nothing to ask here.")
    except KrigError as error:
        return {"error": sentence(error)}
    except (ValueError, RecursionError):
        return {"error": sentence(InvalidMessage())}


def plain(text: str) -> str:
    r"""A text as it may be shown to everybody.

    >>> plain("  Back in\n two minutes ")
    'Back in two minutes'

    Raises:
        Invalid: nothing is left of it, or it is too long.
    """
    shown = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    shown = " ".join(unicodedata.normalize("NFC", shown).split())
    if not shown or len(shown) > NOTICE_SIGNS:
        raise Invalid(f"A text has 1 to {NOTICE_SIGNS} signs.")
    return shown


async def _rooms(parts: Running) -> dict[str, Any]:
    at_hand = [_row(table) for table in parts.host.tables]
    stored = len(await parts.log.codes())
    return {"rooms": at_hand, "stored": stored, "proxy": parts.door.proxy}


def _row(table: Table) -> dict[str, Any]:
    room = table.room
    return {
        "code": room.code,
        "phase": room.phase.value,
        "game": room.chapter,
        "round": room.game.rounds + 1 if room.game else None,
        "seats": [place.presence.value for place in room.seats if place],
        "viewers": table.viewers,
        "watchers": table.watchers,
    }
