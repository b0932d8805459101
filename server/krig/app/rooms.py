"""Rooms over HTTP: to open one, to look at it from the door, to read a record."""

import sys
from functools import lru_cache
from io import BytesIO
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from krig.app.links import base_url, lan_addresses, room_link
from krig.app.running import Running, running
from krig.engine.rules import PRESETS
from krig.protocol.codec import agreed
from krig.room.code import parse_room_code
from krig.room.record import Record
from krig.room.view import SeatView, View, view

DEFAULT_PRESET = "krieg_40"

router = APIRouter(prefix="/api")
pictures = APIRouter(include_in_schema=False)

Parts = Annotated[Running, Depends(running)]
GameNumber = Annotated[int, Path(ge=1, lt=2**31)]


class NewRoom(BaseModel):
    """What is to be played: a preset, rules of one's own, or a preset but for some."""

    model_config = ConfigDict(strict=True, extra="forbid")

    preset: str | None = None
    rules: dict[str, bool | int | str | None] | None = None
    code: str | None = None
    """A game code: that game is dealt again."""


class OpenedRoom(BaseModel):
    """Where the new room is."""

    code: str
    link: str
    watch_link: str


class SeatSummary(BaseModel):
    """Who sits on a seat."""

    name: str
    kind: Literal["human", "bot"]


class RoomSummary(BaseModel):
    """What someone at the door may know."""

    code: str
    phase: str
    game: int
    preset: str | None
    seats: list[SeatSummary | None]
    free: int
    watchers: int
    closed: bool
    round: int | None = Field(description="the round being played; null: no game")
    link: str
    watch_link: str
    may: list[Literal["play", "watch", "next"]] = Field(
        description="play: take a seat now; next: take one when this game is over"
    )


class Preset(BaseModel):
    """A named set of house rules."""

    name: str
    rules: dict[str, bool | int | str | None]


@router.post("/rooms", status_code=201)
async def open_room(
    request: Request, parts: Parts, wanted: NewRoom | None = None
) -> OpenedRoom:
    """Open a room."""
    wanted = wanted or NewRoom()
    preset = wanted.preset
    if preset is None and wanted.rules is None and wanted.code is None:
        preset = DEFAULT_PRESET
    async with parts.doorkeeper.letting(_address(request)) as opened:
        asked = agreed(preset, wanted.rules, wanted.code)
        code = await parts.host.open_room(asked.rules, asked.preset, asked.game_code)
        opened.add(code)
    base = _base(request, parts)
    return OpenedRoom(
        code=code,
        link=room_link(base, code),
        watch_link=room_link(base, code, watch=True),
    )


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


@router.get("/rooms/{code}")
async def look_at_room(request: Request, code: str, parts: Parts) -> RoomSummary:
    """Tell whether I may play, watch, or wait for the next game."""
    table = await parts.door.look_for(_address(request), code)
    return summary(view(table.room), table.watchers, _base(request, parts))


def summary(seen: View, watchers: int, base: str) -> RoomSummary:
    """What of a room's view is told at the door."""
    room, seats, table = seen["room"], seen["seats"], seen["table"]
    free = seats.count(None)
    may: list[Literal["play", "watch", "next"]] = []
    if free:
        may.append("play" if room["phase"] == "lobby" else "next")
    if not room["closed"]:
        may.append("watch")
    return RoomSummary(
        code=room["code"],
        phase=room["phase"],
        game=room["game"],
        preset=room["preset"],
        seats=[_seat(seat) for seat in seats],
        free=free,
        watchers=watchers,
        closed=room["closed"],
        round=None if table is None else table["round"],
        link=room_link(base, room["code"]),
        watch_link=room_link(base, room["code"], watch=True),
        may=may,
    )


def _seat(seat: SeatView | None) -> SeatSummary | None:
    return seat and SeatSummary(name=seat["name"], kind=seat["kind"])


@router.get("/rooms/{code}/games/{number}")
async def read_record(
    request: Request, code: str, number: GameNumber, parts: Parts
) -> Record:
    """Tell everything about a game that is over: for a replay, and as proof."""
    with parts.door.failing(_address(request)):
        return await parts.host.record(parse_room_code(code), number)


@router.get("/presets")
async def list_presets() -> list[Preset]:
    """Tell the named sets of house rules."""
    return [Preset(name=n, rules=rules.to_dict()) for n, rules in PRESETS.items()]


class HandOff(BaseModel):
    """The one-time code of a seat that was offered."""

    model_config = ConfigDict(strict=True, extra="forbid")

    claim: str = Field(pattern=r"^[0-9A-Z]{4,12}$")


class Drawing(BaseModel):
    """A QR: a square of `size` modules, the dark ones as the path of an SVG."""

    link: str
    size: int
    path: str


@router.post("/rooms/{code}/qr")
async def draw_hand_off(
    request: Request, code: str, wanted: HandOff, parts: Parts
) -> Drawing:
    """Draw the link by which another device takes over a seat.

    The one-time code is in the body and behind the link's `#`, so in no log.
    """
    room = room_link(_base(request, parts), parse_room_code(code))
    link = f"{room}#claim={wanted.claim}"
    rows = segno.make_qr(link, error="m").matrix
    path = "".join(
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    )
    return Drawing(link=link, size=len(rows), path=path)


@pictures.get("/r/{code}/qr.svg")
async def draw_qr(request: Request, code: str, parts: Parts) -> Response:
    """Draw a room's link, for playing or (`?watch`) for watching."""
    table = await parts.door.look_for(_address(request), code)
    watch = "watch" in request.query_params
    link = room_link(_base(request, parts), table.room.code, watch=watch)
    return Response(
        _svg(link),
        media_type="image/svg+xml",
        headers={"Cache-Control": "no-cache"},
    )


@lru_cache(maxsize=512)
def _svg(link: str) -> bytes:
    """Draw a link, once: it takes as long as twenty flips."""
    drawing = BytesIO()
    segno.make_qr(link, error="m").save(drawing, kind="svg", xmldecl=False, scale=8)
    return drawing.getvalue()


def _base(request: Request, parts: Running) -> str:
    return base_url(
        parts.settings.public_url,
        request.headers.get("host", ""),
        request.url.scheme,
        lan_addresses(sys.platform, parts.settings.host),
    )
