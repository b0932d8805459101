"""Whether the server is alive and able, for machines that look after it."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import JSONResponse, Response

from krig import __version__
from krig.app.running import Running, running
from krig.errors import StorageUnavailable

CHECK_SECONDS: Final = 2.0

router = APIRouter()
Parts = Annotated[Running, Depends(running)]


@router.get("/healthz")
async def is_alive() -> dict[str, bool | str]:
    """Tell that the process answers, and its version."""
    return {"ok": True, "version": __version__}


@router.get("/readyz")
async def is_ready(parts: Parts) -> JSONResponse:
    """Tell whether a move could be stored now."""
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await parts.log.check()
    except TimeoutError:
        raise StorageUnavailable("The log does not answer.") from None
    return JSONResponse({"ok": True})


@router.get("/metrics", include_in_schema=False)
async def metrics(parts: Parts) -> Response:
    """Tell the numbers, for Prometheus."""
    return Response(generate_latest(parts.registry), media_type=CONTENT_TYPE_LATEST)
