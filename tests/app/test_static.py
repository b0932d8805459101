"""The page is asked for again, its files are kept for ever, and both always fit."""

import gzip
import os
import re
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from krig.app.join import CannotJoin
from krig.app.problems import answer_with_problems
from krig.app.static import Client, find_client, routes

PAGE = (
    '<script src="/client/main.js"></script><link href="/client/look.css" '
    'rel="stylesheet"><p>' + "Krig " * 100
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "main.js").write_text('import "./state.js";\n' * 50)
    (tmp_path / "look.css").write_text("p {}")
    (tmp_path / "screens").mkdir()
    (tmp_path / "screens" / "home.js").write_text("//")
    (tmp_path / ".secret").write_text("no")
    (tmp_path / "notes.md").write_text("no")
    return tmp_path


def asking_for(folder: Path | None) -> httpx.AsyncClient:
    """Ask a server whose client lies there."""
    app = FastAPI()
    answer_with_problems(app)
    app.include_router(routes(Client(folder, look_again=0)))
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url="http://krig.lan")


@pytest.fixture
def http(folder: Path) -> httpx.AsyncClient:
    return asking_for(folder)


async def linked(http: httpx.AsyncClient) -> str:
    """The folder that the page's links name now."""
    page = await http.get("/")
    return "/" + page.text.split('src="/')[1].split("/")[0]


@pytest.mark.parametrize("path", ["/", "/r/7KQ4M", "/r/7KQ4M?watch"])
async def test_the_page_links_to_files_by_their_hash(
    http: httpx.AsyncClient, path: str
) -> None:
    page = await http.get(path)
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert '"/client/' not in page.text
    assert page.text.count('"/client-') == 2


async def test_a_file_by_its_hash_is_kept_for_ever(http: httpx.AsyncClient) -> None:
    file = await http.get(f"{await linked(http)}/screens/home.js")
    assert file.headers["cache-control"] == "max-age=31536000, immutable"
    assert file.headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("under", ["/client", "/client-000000000000"])
async def test_a_file_by_no_hash_or_an_old_one_is_asked_for_again(
    http: httpx.AsyncClient, under: str
) -> None:
    file = await http.get(f"{under}/look.css")
    assert file.status_code == 200
    assert file.headers["cache-control"] == "no-cache"
    assert file.headers["content-type"] == "text/css; charset=utf-8"


async def test_a_changed_file_gets_another_hash(
    http: httpx.AsyncClient, folder: Path
) -> None:
    before = await linked(http)
    (folder / "look.css").write_text("b {}")
    os.utime(folder / "look.css", ns=(1, 1))
    after = await linked(http)
    assert after != before
    assert (await http.get(f"{after}/look.css")).text == "b {}"
    assert (await http.get(f"{before}/look.css")).headers["cache-control"] == "no-cache"


async def test_files_are_packed_for_who_takes_that(http: httpx.AsyncClient) -> None:
    async with http.stream("GET", "/client/main.js") as packed:
        raw = b"".join([part async for part in packed.aiter_raw()])
    assert packed.headers["content-encoding"] == "gzip"
    assert len(raw) < 100
    plain = await http.get("/client/main.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("accepted", "words"),
    [("nn-NO,nn;q=0.9,de;q=0.5", "nb"), ("fr, de-AT;q=0.8", "de"), ("fr", "en")],
)
async def test_the_page_asks_at_once_for_all_that_home_needs(
    accepted: str, words: str
) -> None:
    async with asking_for(find_client()) as http:
        page = await http.get("/", headers={"Accept-Language": accepted})
        assert "Accept-Language" in page.headers["vary"]
        links = re.findall(r'(?:src|href)="/client-\w+/([^"]+)"', page.text)
        assert {*links} == {"favicon.svg", "style.css", "app.js", f"lang/{words}.js"}
        assert 'rel="modulepreload"' in page.text
        base = await linked(http)
        needs = [(await http.get(f"{base}/{name}")).text for name in links]
    more = [name for text in needs for name in re.findall(r'from ?"(\.[^"]+)"', text)]
    assert more == [], "this is asked for one storey later"


async def test_under_the_hash_modules_are_joined_and_else_they_lie_as_written() -> None:
    folder = find_client()
    assert folder is not None
    async with asking_for(folder) as http:
        base = await linked(http)
        for name in ("app.js", "later.js", "style.css"):
            file = await http.get(f"{base}/{name}")
            assert file.headers["cache-control"] == "max-age=31536000, immutable"
            assert len(file.content) > 30_000
        for name in ("app.js", "screens/end.js", "style.css", "lang/de.js"):
            plain = await http.get(f"/client/{name}")
            assert plain.content == (folder / name).read_bytes()
        assert (await http.get("/client/later.js")).status_code == 404


def test_what_is_sent_otherwise_than_before_gets_another_hash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, before = Client(find_client()), Client(find_client())
    now.refresh()
    monkeypatch.setattr("krig.app.static.squeezed", lambda code: code)
    before.refresh()
    assert now.hash != before.hash, "an older server's files are kept for a year"


async def test_an_edited_module_is_in_the_next_page_and_a_broken_one_is_told(
    folder: Path,
) -> None:
    (folder / "index.html").write_text('<script type="module" src="/client/main.js">')
    (folder / "main.js").write_text('import { a } from "./state.js";\nalert(a);\n')
    (folder / "state.js").write_text("export const a = 1;\n")
    async with asking_for(folder) as http:
        first = await linked(http)
        assert "const a=1;" in (await http.get(f"{first}/main.js")).text
        (folder / "state.js").write_text("export const a = 22;\n")
        second = await linked(http)
        assert second != first
        assert "const a=22;" in (await http.get(f"{second}/main.js")).text
        (folder / "state.js").write_text("export default 3;\n")
        for _ in range(2):
            with pytest.raises(CannotJoin, match=r"^state.js: export default 3;$"):
                await http.get("/")


def test_a_broken_module_is_told_to_all_who_ask_and_an_edit_looked_for_in_time(
    folder: Path,
) -> None:
    client = Client(folder, look_again=1e9)
    (folder / "index.html").write_text('<script type="module" src="/client/main.js">')
    (folder / "main.js").write_text("export default 3;\n")
    for _ in range(2):
        with pytest.raises(CannotJoin):
            client.refresh()
    (folder / "main.js").write_text("alert(1);\n")
    client.refresh()
    before = client.hash
    (folder / "main.js").write_text("alert(22);\n")
    client.refresh()
    assert client.hash == before


@pytest.mark.parametrize(
    "path",
    [".secret", "notes.md", "../index.html", "%2e%2e/index.html", "screens", ""],
)
async def test_nothing_is_served_but_files_of_the_client(
    http: httpx.AsyncClient, path: str
) -> None:
    await http.get("/")
    assert (await http.get(f"/client/{path}")).status_code == 404


async def test_a_head_is_answered_like_a_get(http: httpx.AsyncClient) -> None:
    assert (await http.head("/")).status_code == 200


async def test_without_a_client_the_server_still_answers() -> None:
    async with asking_for(None) as http:
        assert (await http.get("/")).json()["code"] == "not_found"
