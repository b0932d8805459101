"""The page is asked for again, its files are kept for ever, and both always fit."""

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

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


@pytest.fixture
def http(folder: Path) -> httpx.AsyncClient:
    app = FastAPI()
    answer_with_problems(app)
    app.include_router(routes(Client(folder)))
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url="http://krig.lan")


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


async def test_all_that_the_first_screen_needs_is_asked_for_at_once() -> None:
    client = Client(find_client())
    client.refresh()
    page = client.files["index.html"].body.decode()
    loads = re.findall(r'modulepreload" href="/client-\w+/([^"]+)"', page)
    assert {"table/table.js", "screens/home.js", "table/dom.js"} <= set(loads)
    assert not {"screens/end.js", "lang/nb.js", "app.js"} & set(loads)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_what_is_served_is_read_as_it_was_written() -> None:
    folder = find_client()
    assert folder is not None
    client = Client(folder)
    client.refresh()
    both = {
        name: [(folder / name).read_text(), file.body.decode()]
        for name, file in client.files.items()
        if name.endswith(".js")
    }
    assert any(
        "/**" in written and "/**" not in sent for written, sent in both.values()
    )
    compare = Path(__file__).parents[1] / "client" / "same-tokens.js"
    told = subprocess.run(
        ["node", compare], input=json.dumps(both), capture_output=True, text=True
    )
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


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
    app = FastAPI()
    answer_with_problems(app)
    app.include_router(routes(Client(None)))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://a") as http:
        assert (await http.get("/")).json()["code"] == "not_found"
