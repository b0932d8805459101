"""Who may ask: by which name the server was asked for, and from which page.

Rule 1: a name that anybody could point at this machine is not answered (DNS rebinding),
so a page from elsewhere cannot read what only this network may.
Rule 2: a page that was not served from here changes nothing and opens no socket.
"""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from krig.app.problems import problem_of
from krig.app.settings import Settings
from krig.errors import ForeignOrigin, KrigError, WrongHost
from krig.protocol.limits import MESSAGE_BYTES

OPEN_PATHS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
"""Asked for by machines, by whatever name they know; they tell nothing of a room."""

LOCAL_ENDINGS: Final = (".localhost", ".local", ".lan", ".home.arpa", ".fritz.box")
"""Names that no public DNS server may hand out, or that the router at home does."""

_NAME_AND_PORT: Final = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
_BARE: Final = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)

Header = tuple[bytes, bytes]

SECURITY_HEADERS: Final[tuple[Header, ...]] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


HARMLESS_TYPES: Final = (b"text/javascript", b"text/css")
"""What no browser shows as a page: a policy on these says nothing, sixty times over."""

SHORT_HEADERS: Final = tuple(
    pair
    for pair in SECURITY_HEADERS
    if pair[0] not in (b"content-security-policy", b"referrer-policy")
)


def security_headers(headers: Iterable[tuple[bytes, bytes]]) -> tuple[Header, ...]:
    """What an answer with these headers is given besides.

    >>> [name for name, _ in security_headers([(b"content-type", b"text/css")])]
    [b'x-content-type-options', b'cross-origin-resource-policy']
    """
    kinds = [value for name, value in headers if name == b"content-type"]
    harmless = bool(kinds) and kinds[0].startswith(HARMLESS_TYPES)
    return SHORT_HEADERS if harmless else SECURITY_HEADERS


def host_name(authority: str) -> str:
    """The name in a Host header, without port and brackets.

    >>> host_name("[fe80::1]:8000"), host_name("Krig.lan:8000"), host_name("")
    ('fe80::1', 'krig.lan', '')
    """
    if not _NAME_AND_PORT.fullmatch(authority):
        return ""
    try:
        return urlsplit(f"//{authority}").hostname or ""
    except ValueError:
        return ""


def is_own_name(name: str, more: Iterable[str] = ()) -> bool:
    """Whether a name can only mean a machine that is near, or one that was set.

    >>> is_own_name("192.168.1.7"), is_own_name("krig.lan"), is_own_name("evil.example")
    (True, True, False)
    """
    if name in ("", "localhost"):
        return name != ""
    if name.endswith(LOCAL_ENDINGS) or _BARE.fullmatch(name) or name in more:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=256)
def _is_own(authority: str, more: frozenset[str]) -> bool:
    """Whether a Host header has a name of ours: everybody at home sends the same."""
    return is_own_name(host_name(authority), more)


def is_own_origin(origin: str, authority: str, public_url: str | None = None) -> bool:
    """Whether a page was served from here: by the Host it asks for now, or the set one.

    >>> is_own_origin("https://krig.example", "krig.example:443")
    True
    >>> is_own_origin("null", "krig.lan"), is_own_origin("http://a.lan", "b.lan")
    (False, False)
    """
    if public_url is not None and _place(origin) == _place(public_url):
        return True
    scheme = origin.partition("://")[0]
    place = _place(origin)
    return place is not None and place == _place(f"{scheme}://{authority}")


def _place(url: str) -> tuple[str, int] | None:
    """Which machine and port a URL means; None: it is none of the web's."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)


class Policy:
    """Who may ask, by the settings of a server."""

    def __init__(self, settings: Settings) -> None:
        url = settings.public_url
        own = (host_name(urlsplit(url).netloc),) if url else ()
        self._names = frozenset((*settings.allowed_hosts, *own))
        self._public_url = url
        self._require_origin = settings.require_origin

    def complaint(
        self, hosts: list[str], origins: list[str], *, changes: bool
    ) -> KrigError | None:
        """Why a request with these headers is turned away; None: it is not."""
        if len(hosts) != 1 or not _is_own(hosts[0], self._names):
            return WrongHost()
        if not changes or (not origins and not self._require_origin):
            return None
        if len(origins) == 1 and is_own_origin(origins[0], hosts[0], self._public_url):
            return None
        return ForeignOrigin()


class Guard:
    """ASGI middleware: turns away who may not ask, and adds the security headers."""

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        self.app = app
        self.policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"].endswith("http.response.start"):
                own = list(message.get("headers", ()))
                message["headers"] = [*own, *security_headers(own)]
            await send(message)

        error = self.complaint(scope)
        if error is None:
            await self.app(scope, _limited(receive), secured)
        elif scope["type"] == "http" or _can_deny(scope):
            await problem_of(error)(scope, receive, secured)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def complaint(self, scope: Scope) -> KrigError | None:
        """Why a request is turned away; None: it is not."""
        if scope["type"] == "http" and scope["path"] in OPEN_PATHS:
            return None
        headers = Headers(scope=scope)
        changes = scope["type"] == "websocket" or scope["method"] not in _READING
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        return self.policy.complaint(hosts, origins, changes=changes)


def _limited(receive: Receive) -> Receive:
    """Take no body that is longer than any that is asked for."""
    taken = 0

    async def receive_limited() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > MESSAGE_BYTES:
                raise HTTPException(413, f"A body has at most {MESSAGE_BYTES} bytes.")
        return message

    return receive_limited


_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def _can_deny(scope: Scope) -> bool:
    """Whether the ASGI server lets a WebSocket be refused by an HTTP response."""
    return "websocket.http.response" in scope.get("extensions", {})
