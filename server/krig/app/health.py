"""Whether the server is alive and able, for machines that look after it."""

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Depends, FastAPI
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, Response

from krig import __version__
from krig.app.problems import answer_with_problems
from krig.app.running import Running, running
from krig.errors import StorageUnavailable

CHECK_SECONDS: Final = 2.0

router = APIRouter()
inner = APIRouter(include_in_schema=False)
"""Not for everybody, where a port of its own is set."""

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


@inner.get("/metrics")
async def metrics(parts: Parts) -> Response:
    """Tell the numbers, for Prometheus."""
    told = await parts.numbers.tell(parts.host)
    return Response(told, media_type=CONTENT_TYPE_LATEST)


def for_machines(parts: Running) -> FastAPI:
    """The application behind KRIG_METRICS_PORT: this file, and nothing for players."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.running = parts
    answer_with_problems(app)
    app.include_router(router)
    app.include_router(inner)
    return app
