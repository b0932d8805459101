"""`krig serve`: takes the port, opens the log, says where it is, and stops in order.

Rule 1: what can be expected to go wrong is one line and exit code 1, never a traceback.
Rule 2: it never moves to another port: another port is another origin, in which the
players' pages do not find their seats.
"""

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from io import StringIO
from types import FrameType
from typing import Final

import segno
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from krig import __version__
from krig.app import logs
from krig.app.compose import create_app, start
from krig.app.guard import Policy
from krig.app.links import base_url, lan_addresses
from krig.app.operation import operated
from krig.app.running import Running
from krig.app.settings import Settings
from krig.errors import CannotStart, KrigError
from krig.protocol.codec import sentence
from krig.protocol.limits import MESSAGE_BYTES
from krig.transport.crowd import Crowd
from krig.transport.door import BEHIND_A_PROXY
from krig.transport.http import HttpProtocol, Sockets, http_with
from krig.transport.protocol import RoomProtocol
from krig.transport.quiet import OncePerMinute
from krig.transport.turns import turns

BACKLOG: Final = 2048

DEAD_PEER_MS: Final = 20_000
"""How long sent bytes may stay unacknowledged before the kernel gives a peer up."""

RECEIVE_BUFFER: Final = 64 * 1024
"""Of each socket: nobody sends more than a few hundred bytes at once."""

SEND_BUFFER: Final = 64 * 1024
"""What the kernel keeps for a peer that reads slowly; behind it we know of it."""

WHITE_ON_BLACK: Final = "\033[97;40m"
AS_BEFORE: Final = "\033[0m"

DRAIN_SECONDS: Final = 4
REST_SECONDS: Final = 1
"""What requests under way get after the sockets are gone. With two for what tables have
in flight and two for the disk that is below ten."""


def serve(settings: Settings) -> int:
    """Serve until told to stop; return the exit code."""
    try:
        with (
            bind(settings.host, settings.port) as listener,
            _for_machines(settings) as machines,
            asyncio.Runner(loop_factory=_loop_factory()) as runner,
        ):
            runner.run(_serve(settings, listener, machines))
    except KrigError as error:
        print(f"krig: {sentence(error)}", file=sys.stderr)
        return 1
    return 0


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop of uvloop, where there is one."""
    try:
        import uvloop
    except ImportError:  # Windows
        return None
    return uvloop.new_event_loop


def _for_machines(settings: Settings) -> AbstractContextManager[socket.socket | None]:
    """Where numbers are asked for, if that has a port of its own."""
    if settings.metrics_port is None:
        return nullcontext()
    return bind(settings.host, settings.metrics_port)


async def _serve(
    settings: Settings, listener: socket.socket, machines: socket.socket | None
) -> None:
    logs.configure(settings.log_format, settings.log_level)
    async with start(settings) as parts, operated(parts, machines):
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(OncePerMinute())
        for line in warnings(settings):
            print(f"krig: {line}", file=sys.stderr)
        raise_file_limit()
        # uvicorn raises the signal again when it has stopped: that was the stop.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stopped)
        await Server(parts, listener).serve(sockets=[listener])


def warnings(settings: Settings) -> list[str]:
    """What whoever runs the server should know before anybody plays: a line each."""
    url = settings.public_url or ""
    if url.startswith("https:") and not settings.trusted_proxies:
        return [f"{url} is served by a proxy in front. {BEHIND_A_PROXY}"]
    return []


def raise_file_limit() -> None:
    """Take as many file descriptors as this user may have: each socket is one."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _stopped(_: int, __: FrameType | None) -> None:
    """Go on to the end of the programme."""


def bind(host: str, port: int) -> socket.socket:
    """Take the port.

    Raises:
        CannotStart: and the one line that says why.
    """
    try:
        [(family, *_, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        listener = socket.create_server(
            address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=both
        )
    except OSError as error:
        raise CannotStart(_why(error, host, port)) from error
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)
    return listener


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is taken: stop what uses it (another krig?), "
            f"or choose another with --port."
        )
    if error.errno == errno.EACCES:
        return f"port {port} needs rights that this user does not have."
    return f"cannot listen on {host} port {port}: {error.strerror or error}."


class Server(uvicorn.Server):
    """uvicorn's server, with a word to the players at both ends."""

    def __init__(
        self,
        parts: Running,
        listener: socket.socket,
        *,
        ws: type[asyncio.Protocol] = RoomProtocol,
    ) -> None:
        settings, limits = parts.settings, parts.settings.limits
        # A proxy's connections are all of one address, whoever they are for.
        proxied = bool(settings.trusted_proxies)
        of_one = limits.sockets if proxied else limits.sockets_an_address
        config = uvicorn.Config(
            app=create_app(settings, parts),
            lifespan="on",
            http=http_with(
                limits,
                Crowd(limits.sockets, of_one),
                sockets_of(parts) if ws is RoomProtocol else None,
            ),
            ws=ws,
            ws_max_size=MESSAGE_BYTES,
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=proxied,
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=REST_SECONDS,
        )
        super().__init__(config)
        self.port: int = listener.getsockname()[1]
        self.up = asyncio.Event()
        """It answers."""
        self._parts = parts

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open everything, then say where it is."""
        await super().startup(sockets)
        print(banner(self._parts.settings, self.port), flush=True)
        self.up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nobody new, tell everybody when to come back, then stop."""
        for server in self.servers:
            server.close()
        await self._parts.host.drain(turns(len(self._parts.crowd)))
        for connection in list(self.server_state.connections):
            if isinstance(connection, RoomProtocol | HttpProtocol):
                connection.shutdown()
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._parts.crowd.is_gone()
        await super().shutdown(sockets)


def sockets_of(parts: Running) -> Sockets:
    """How sockets are opened right at the connection, as the route would."""
    settings = parts.settings
    policy = Policy(settings)

    def may_open(host: str, origin: str | None) -> bool:
        origins = [] if origin is None else [origin]
        return policy.complaint([host], origins, changes=True) is None

    trusted = list(settings.trusted_proxies)
    proxies = ProxyHeadersMiddleware(_no_app, trusted).trusted_hosts

    def speaker(address: str, forwarded: str | None) -> str:
        if forwarded is None or address not in proxies:
            return address
        return proxies.get_trusted_client_address(forwarded)[0] or address

    return Sockets(parts.entrance, may_open, speaker)


async def _no_app(*_: object) -> None:
    """Only who is trusted is asked of the middleware."""


def banner(settings: Settings, port: int) -> str:
    """Where the server is, for people: links, a QR of the first, and the data."""
    lan = lan_addresses(sys.platform, settings.host)
    here = base_url(settings.public_url, f"localhost:{port}", "http", lan)
    lines = [f"Krig {__version__} is on the table:", "", f"  {here}"]
    if settings.public_url is None:
        lines += [f"  http://{a.ip}:{port}  ({a.interface})" for a in lan[1:]]
    lines += ["", qr(here), f"Rooms are kept in {settings.where}. Ctrl+C stops."]
    return "\n".join(lines)


def qr(link: str) -> str:
    """Draw a QR in half blocks, dark on light whatever the terminal's colours are.

    >>> len(qr("http://192.168.1.7:8000").splitlines())
    17
    """
    drawing = StringIO()
    segno.make_qr(link).terminal(drawing, compact=True)
    lines = drawing.getvalue().splitlines()
    if not sys.stdout.isatty():
        return "\n".join(lines)
    return "\n".join(f"{WHITE_ON_BLACK}{line}{AS_BEFORE}" for line in lines)
