"""The client's files, as they lie, and the page with a content hash in its links.

The page is always asked for again; what it links to is kept for a year under a path
that changes with the files. `/client/…` without a hash works too, for other pages.
"""

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

FOR_EVER: Final = "public, max-age=31536000, immutable"
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


Stamp = tuple[tuple[str, int, int], ...]


class Client:
    """Every file of the client, in memory; read again when one has changed."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._stamp: Stamp = ()
        self.hash = ""
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
        self.files = {name: self._file(name, body) for name, body in bodies.items()}

    def _file(self, name: str, body: bytes) -> File:
        ending = Path(name).suffix
        if ending == ".html":
            body = body.replace(b'"/client/', f'"/client-{self.hash}/'.encode())
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
