"""The composition root: which log, which host, which routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from fastapi import FastAPI
from starlette.websockets import WebSocket

from krig import __version__
from krig.app import about, health, rooms, static
from krig.app.doorkeeper import Doorkeeper
from krig.app.guard import Guard, Policy
from krig.app.metrics import Numbers
from krig.app.problems import PROBLEMS, answer_with_problems
from krig.app.restored import begin_anew
from krig.app.running import Running, running
from krig.app.settings import HOUR, Settings
from krig.host.host import Host
from krig.host.settings import HostSettings
from krig.log.open import open_log
from krig.log.sqlite import SqliteLog
from krig.transport.clock import SystemChance, SystemClock
from krig.transport.crowd import Crowd
from krig.transport.door import Door
from krig.transport.entrance import Entrance
from krig.transport.route import speak


def create_app(
    settings: Settings | None = None, parts: Running | None = None
) -> FastAPI:
    """Put an application together; without parts it opens its log when it is started.

    Raises:
        ValidationError: the environment holds a setting that cannot be.
    """
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            nullcontext(parts) if parts else start(settings) as app.state.running
        ):
            yield

    app = FastAPI(
        title="Krig",
        summary="War, the card game, played together on phones around a table",
        version=__version__,
        lifespan=lifespan,
        responses=PROBLEMS,
        # Their pages load scripts from elsewhere, which no page of ours does.
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(Guard, policy=Policy(settings))
    answer_with_problems(app)
    app.include_router(health.router)
    if settings.metrics_port is None:
        app.include_router(health.inner)
    app.include_router(about.router)
    app.include_router(rooms.router)
    app.include_router(rooms.pictures)
    app.include_router(static.routes(static.Client(static.find_client())))

    @app.websocket("/ws")
    async def ws(socket: WebSocket) -> None:
        await speak(socket, running(socket).entrance)

    return app


@asynccontextmanager
async def start(settings: Settings) -> AsyncIterator[Running]:
    """Open the log and keep rooms until the end.

    Raises:
        StorageUnavailable: in one line, why the log cannot be opened.
    """
    log = open_log(settings.where)
    limits = settings.limits
    clock, crowd = SystemClock(), Crowd(limits.sockets, limits.sockets_an_address)
    chance, numbers = SystemChance(), Numbers(crowd)
    try:
        keeping = HostSettings(
            limits=limits,
            lobby_lives=settings.empty_lobby_minutes * 60,
            game_lives=settings.abandoned_seconds,
            finished_lives=settings.finished_game_hours * HOUR,
            idle_after=settings.idle_seconds,
            sweep_every=min(60.0, settings.idle_seconds),
        )
        host = Host(
            log, clock, chance, server=__version__, settings=keeping, observer=numbers
        )
        if isinstance(log, SqliteLog) and log.is_copy:
            await begin_anew(log, clock, chance)
        host.start()
        try:

            async def is_there(code: str) -> bool:
                return await log.newest(code) is not None

            door = Door(crowd, host, clock, numbers)
            doorkeeper = Doorkeeper(crowd, clock, limits, is_there)
            entrance = Entrance(door, clock, limits)
            yield Running(
                settings, log, host, clock, crowd, door, entrance, doorkeeper, numbers
            )
        finally:
            await host.aclose()
    finally:
        await log.aclose()
