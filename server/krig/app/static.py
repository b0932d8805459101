"""The client's files, as they lie, and the page with a content hash in its links.

The page is always asked for again; what it links to is kept for a year under a path
that changes with the files. `/client/…` without a hash works too, for other pages.
"""

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, normpath
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

FOR_EVER: Final = "max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Every kind of file that is served; what this machine makes of endings is its own."""

COMMENTS: Final = {
    ".js": re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)?\n", re.M),
    ".css": re.compile(rb"[ \t]*/\*(?:[^*]|\*(?!/))*\*/"),
}
"""Lines that are only a comment or blank: a third of what a phone would load."""

INDENT: Final = re.compile(rb"^[ \t]+", re.M)
"""Left out as well, and no more: what is served is read as it was written."""

IMPORT: Final = re.compile(rb'^(?:import|export|\}) ?[^"\n]*"(\.[^"]+\.js)";$', re.M)
"""A static import, as prettier writes it; what is fetched later has a parenthesis."""

PACKED: Final = frozenset({".png", ".woff2"})
"""What gzip makes no smaller."""

PLACES: Final = (
    Path(__file__).parent.parent / "client",
    Path(__file__).parent.parent.parent.parent / "client",
)
"""In the wheel, and in the repository."""


def find_client() -> Path | None:
    """The folder with the client's files."""
    return next((p for p in PLACES if (p / "index.html").is_file()), None)


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    body: bytes
    packed: bytes | None
    """With gzip, where that helps."""
    media_type: str

    def response(self, request: Request, cache: str) -> Response:
        """The file for this request, packed where the browser takes that."""
        headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
        body = self.body
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            body = self.packed
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=self.media_type)


def imports_of(name: str, bodies: Mapping[str, bytes]) -> tuple[str, ...]:
    """What a module needs before it runs, through all storeys.

    >>> imports_of("a.js", {"a.js": b'import "./b/c.js";', "b/c.js": b"", "d.js": b""})
    ('b/c.js',)
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        at = waiting.pop()
        for path in IMPORT.findall(bodies.get(at, b"")):
            target = normpath(f"{dirname(at)}/{path.decode()}").lstrip("/")
            if target in bodies and target not in found and target != name:
                found[target] = None
                waiting.append(target)
    return tuple(found)


Stamp = tuple[tuple[str, int, int], ...]


class Client:
    """Every file of the client, in memory; read again when one has changed."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._stamp: Stamp = ()
        self.hash = ""
        self._first: tuple[str, ...] = ()
        self.files: dict[str, File] = {}

    def refresh(self) -> None:
        """Read the files again if any is new, changed or gone."""
        paths = [] if self.folder is None else sorted(self.folder.rglob("*"))
        shipped = {
            path.relative_to(self.folder).as_posix(): path
            for path in paths
            if self.folder is not None and path.suffix in TYPES and path.is_file()
        }
        stats = {name: path.stat() for name, path in shipped.items()}
        stamp = tuple((n, s.st_mtime_ns, s.st_size) for n, s in stats.items())
        if stamp == self._stamp:
            return
        bodies = {name: path.read_bytes() for name, path in shipped.items()}
        digest = sha256()
        for name, body in bodies.items():
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self._stamp, self.hash = stamp, digest.hexdigest()[:12]
        self._first = imports_of("app.js", bodies)
        self.files = {name: self._file(name, body) for name, body in bodies.items()}

    def _file(self, name: str, body: bytes) -> File:
        ending = Path(name).suffix
        if ending == ".html":
            # Asked for all at once, not one storey of imports after the other.
            links = (
                f'<link rel="modulepreload" href="/client/{n}">' for n in self._first
            )
            if name == "index.html":
                body = body.replace(b"</head>", "".join(links).encode() + b"</head>")
            body = body.replace(b'"/client/', f'"/client-{self.hash}/'.encode())
        if ending in COMMENTS:
            body = INDENT.sub(b"", COMMENTS[ending].sub(b"", body))
        packed = None if ending in PACKED else gzip.compress(body, mtime=0)
        small = packed is not None and len(packed) < len(body)
        return File(body, packed if small else None, TYPES[ending])

    def page(self, request: Request) -> Response:
        """The page, with the newest hash in its links."""
        self.refresh()
        return self._find("index.html").response(request, ASK_AGAIN)

    def file(self, request: Request, name: str, hash_: str | None) -> Response:
        """A file; kept for ever if the hash is that of what is sent."""
        if not self.files or hash_ is None:
            self.refresh()
        cache = FOR_EVER if hash_ == self.hash else ASK_AGAIN
        return self._find(name).response(request, cache)

    def _find(self, name: str) -> File:
        file = self.files.get(name)
        if file is None:
            raise HTTPException(404, "There is no such file.")
        return file


def routes(client: Client) -> APIRouter:
    """The page at `/` and `/r/CODE`, and the files."""
    router = APIRouter(include_in_schema=False)
    both = ["GET", "HEAD"]

    @router.api_route("/", methods=both)
    @router.api_route("/r/{code}", methods=both)
    async def page(request: Request) -> Response:
        return client.page(request)

    @router.api_route("/client/{name:path}", methods=both)
    async def plain(request: Request, name: str) -> Response:
        return client.file(request, name, None)

    @router.api_route("/client-{hash_}/{name:path}", methods=both)
    async def hashed(request: Request, hash_: str, name: str) -> Response:
        return client.file(request, name, hash_)

    return router
