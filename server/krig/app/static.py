"""The client's files, and the page with a content hash in its links.

The page is always asked for again; what it links to is kept for a year under a path
that changes with the files. There modules are joined (see `join.py`); `/client/…` has
each as it lies, for other pages.
"""

import gzip
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from krig.app.join import join, join_styles
from krig.app.lean import lean_style, squeezed, without_comments

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

SCRIPT: Final = re.compile(r'<script type="module"[^>]* src="/client/([^"]+)"')
"""What the page runs."""

SPOKEN: Final = {"nb": "nb", "nn": "nb", "no": "nb", "de": "de", "en": "en"}
"""The words for each language that a browser may ask for."""

WORDS: Final = '<link rel="modulepreload" href="/client/lang/{}.js" />\n'

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


def found(files: Mapping[str, File], name: str) -> File:
    """The file of this name.

    Raises:
        HTTPException: There is none.
    """
    file = files.get(name)
    if file is None:
        raise HTTPException(404, "There is no such file.")
    return file


def fit_to_send(bodies: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files as the page loads them: lean, and joined where it needs many."""
    texts = {n: bodies[n].decode() for n in bodies if n.endswith((".js", ".css"))}
    styles = {n: lean_style(texts[n]) for n in texts if n.endswith(".css")}
    scripts = {n: without_comments(texts[n]) for n in texts if n.endswith(".js")}
    run = SCRIPT.search(bodies.get("index.html", b"").decode())
    if run is not None:
        scripts |= join(scripts, run[1])
    sent = {n: squeezed(code) for n, code in scripts.items()} | join_styles(styles)
    return {**bodies, **{n: text.encode() for n, text in sent.items()}}


def spoken(accepted: str) -> str:
    """The language that the client will speak, unless another was chosen there.

    >>> spoken("fr-CH, nn-NO;q=0.8, de;q=0.5"), spoken("")
    ('nb', 'en')
    """
    tags = re.findall(r"(?:^|,)\s*(\w+)", accepted.lower())
    return next((SPOKEN[tag] for tag in tags if tag in SPOKEN), "en")


def speaking(page: bytes, language: str) -> bytes:
    """The page, which asks for its words together with what will look for them."""
    return page.replace(b"</head>", f"{WORDS.format(language)}</head>".encode())


Stamp = tuple[tuple[str, int, int], ...]


LOOK_AGAIN: Final = 1.0
"""Whether a file has changed is looked up once in so long (s), not for each page."""


class Client:
    """Every file of the client, in memory; read again when one has changed."""

    def __init__(self, folder: Path | None, look_again: float = LOOK_AGAIN) -> None:
        self.folder = folder
        self._look_again = look_again
        self._looked = float("-inf")
        self._stamp: Stamp = ()
        self.hash = ""
        self.files: dict[str, File] = {}
        """Each as it lies."""
        self.sent: dict[str, File] = {}
        """Each as the page loads it, under the hash."""
        self.pages: dict[str, File] = {}
        """The page, by the language that it will speak."""

    def refresh(self) -> None:
        """Read the files again if any is new, changed or gone.

        Raises:
            CannotJoin: As long as a module says what nobody here understands.
        """
        if time.monotonic() < self._looked + self._look_again:
            return
        paths = [] if self.folder is None else sorted(self.folder.rglob("*"))
        shipped = {
            path.relative_to(self.folder).as_posix(): path
            for path in paths
            if self.folder is not None and path.suffix in TYPES and path.is_file()
        }
        stats = {name: path.stat() for name, path in shipped.items()}
        stamp = tuple((n, s.st_mtime_ns, s.st_size) for n, s in stats.items())
        if stamp != self._stamp:
            self._read(shipped)
            self._stamp = stamp
        self._looked = time.monotonic()  # a broken one is told to all who ask

    def _read(self, shipped: Mapping[str, Path]) -> None:
        bodies = {name: path.read_bytes() for name, path in shipped.items()}
        sent = fit_to_send(bodies)
        digest = sha256()
        for name, body in sent.items():
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.hash = digest.hexdigest()[:12]
        self.files = {name: self._file(name, body) for name, body in bodies.items()}
        self.sent = {name: self._file(name, body) for name, body in sent.items()}
        self.pages = {
            language: self._file("index.html", speaking(bodies["index.html"], language))
            for language in set(SPOKEN.values())
            if "index.html" in bodies
        }

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
        language = spoken(request.headers.get("accept-language", ""))
        page = found(self.pages, language).response(request, ASK_AGAIN)
        page.headers["Vary"] += ", Accept-Language"
        return page

    def plain(self, request: Request, name: str) -> Response:
        """A file as it lies."""
        self.refresh()
        return found(self.files, name).response(request, ASK_AGAIN)

    def hashed(self, request: Request, name: str, hash_: str) -> Response:
        """A file for the page; kept for ever if the hash is that of what is sent."""
        if not self.files:
            self.refresh()
        cache = FOR_EVER if hash_ == self.hash else ASK_AGAIN
        return found(self.sent, name).response(request, cache)


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
        return client.plain(request, name)

    @router.api_route("/client-{hash_}/{name:path}", methods=both)
    async def hashed(request: Request, hash_: str, name: str) -> Response:
        return client.hashed(request, name, hash_)

    return router
