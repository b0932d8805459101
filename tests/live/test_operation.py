"""A real server as whoever runs it sees it: numbers, words, lines, and a backup."""

import asyncio
import json
import re
from contextlib import AsyncExitStack, suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from krig.app.cli import main
from krig.transport.door import MANY
from tests.live.games import at_the_table, deal_by_hand, play_to_the_end, start
from tests.live.page import Page
from tests.live.server import Server, free_port


def number(text: str, name: str, **labels: str) -> float:
    """One of the numbers of `/metrics`; what was never counted is 0."""
    for line in text.splitlines():
        found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
        if found and all(f'{k}="{v}"' in (found[1] or "") for k, v in labels.items()):
            return float(found[2])
    return 0.0


async def fetch(url: str) -> httpx.Response:
    """Ask over HTTP, beside the loop that plays."""
    return await asyncio.to_thread(httpx.get, url)


async def run(*arguments: object) -> int:
    """Do what the command line says, beside the loop that plays."""
    return await asyncio.to_thread(main, [str(each) for each in arguments])


async def test_the_numbers_are_those_of_what_happened(tmp_path: Path) -> None:
    port = free_port()
    server = Server(tmp_path, 200, metrics_port=port)
    server.start()
    try:
        code = server.make_room("krieg_40")
        async with at_the_table(server, code, 2, watchers=1) as (seated, [watcher]):
            await seated[0].say("start", game=7, id=9)
            await deal_by_hand(seated)
            await seated[0].flip()
            await watcher.until(
                lambda: (watcher.view["table"] or {}).get("flipped") == [0]
            )
            await seated[1].say("nonsense")
            await seated[1].until(lambda: bool(seated[1].errors))
            told = (await fetch(f"http://127.0.0.1:{port}/metrics")).text
            assert number(told, "krig_rooms") == 1
            assert number(told, "krig_games") == 1
            assert number(told, "krig_seats", kind="here") == 2
            assert number(told, "krig_connections") == 3
            assert number(told, "krig_watchers") == 1
            assert number(told, "krig_rooms_quarantined") == 0
            commands = "krig_commands_total"
            assert number(told, commands, kind="TakeSeat", outcome="done") == 2
            assert number(told, commands, kind="Flip", outcome="done") == 1
            assert number(told, commands, kind="Start", outcome="done") == 1
            assert number(told, commands, kind="Start", outcome="stale_terms") == 1
            assert number(told, "krig_errors_total", code="unknown_message") == 1
            assert number(told, "krig_flip_seconds_count") == 1
            assert number(told, "krig_append_seconds_count") >= 8
            assert number(told, "krig_append_seconds_sum") > 0
            assert number(told, "krig_resumes_total", mode="snapshot") == 3
            assert number(told, "krig_outbox_high_messages") >= 1
            assert number(told, "krig_gc_pause_seconds_count") >= 1
            assert number(told, "krig_tasks") >= 1
            assert number(told, "process_open_fds") > 5
            await seated[0].close()
            await seated[0].open()
            await seated[0].until(lambda: seated[0].player == 1)
            other = Page(server.url, code, "Thief")
            other.token = seated[1].token
            await other.open()
            await other.until(lambda: other.seat == 1)
            told = (await fetch(f"http://127.0.0.1:{port}/metrics")).text
            assert number(told, "krig_closes_total", code="4502") == 1
            assert number(told, "krig_resumes_total", mode="events") >= 0
            await other.close()
            while not number(told, "krig_loop_lag_seconds_count"):
                told = (await fetch(f"http://127.0.0.1:{port}/metrics")).text
        assert (await fetch(f"{server.url}/metrics")).status_code == 404
        assert (await fetch(f"http://127.0.0.1:{port}/healthz")).json()["ok"]
        assert (await fetch(f"http://127.0.0.1:{port}/readyz")).is_success
        assert (await fetch(f"http://127.0.0.1:{port}/api/presets")).status_code == 404
    finally:
        server.stop()


async def test_whoever_runs_it_can_look_speak_and_close(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    code, quiet = server.make_room("krieg_40"), server.make_room("krieg_240")
    assert (server.data.parent / "krig.db.control").stat().st_mode & 0o777 == 0o600
    async with at_the_table(server, code, 2, watchers=1) as (seated, [watcher]):
        await start(seated)
        await watcher.until(lambda: watcher.phase == "playing")
        assert await run("rooms", "--data", server.data) == 0
        said = capsys.readouterr().out
        assert code in said
        assert quiet in said
        assert "2 rooms at hand, 2 stored" in said
        assert await run("rooms", "--json", "--data", server.data) == 0
        rooms = json.loads(capsys.readouterr().out)["rooms"]
        (room,) = [each for each in rooms if each["code"] == code]
        assert room["seats"] == ["here", "here"]
        assert (room["viewers"], room["watchers"]) == (3, 1)

        assert await run("say", " Back in\ttwo minutes. ", "--data", server.data) == 0
        assert capsys.readouterr().out == "said to 3 viewers\n"
        notice = '{"type":"notice","text":"Back in two minutes."}'
        for page in (*seated, watcher):
            await page.until(lambda page=page: notice in page.frames)  # type: ignore[misc]
        for signs in (201, 5000):  # more than one and more than is read at all
            assert await run("say", "x" * signs, "--data", server.data) == 1
        assert await run("say", "\n", "--data", server.data) == 1
        assert await run("close", "ZZZZZ", "--data", server.data) == 1
        capsys.readouterr()

        assert await run("close", code.lower(), "--data", server.data) == 0
        assert f"{code} is closed" in capsys.readouterr().out
        for page in (*seated, watcher):
            await page.until(lambda page=page: page.code_closed == 4510)  # type: ignore[misc]
        assert (await fetch(f"{server.url}/api/rooms/{code}")).status_code == 404
        assert (await fetch(f"{server.url}/api/rooms/{quiet}")).is_success
    assert await run("rooms", "--data", server.data) == 0
    assert "1 rooms at hand, 1 stored" in capsys.readouterr().out
    server.kill()  # which leaves the socket behind
    assert await run("rooms", "--data", server.data) == 1
    assert "No server answers" in capsys.readouterr().err
    server.start()
    assert await run("rooms", "--data", server.data) == 0


async def test_a_restored_backup_is_played_on_by_whoever_remembers_more(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = server.make_room("krieg_240")
    async with at_the_table(server, code, 2, watchers=1) as (seated, [watcher]):
        pages = (*seated, watcher)
        await start(seated)
        await watcher.until(
            lambda: (watcher.view["table"] or {"round": 0})["round"] > 3
        )
        assert await run("serve", "--check", "--data", server.data) == 0
        assert "1 rooms" in capsys.readouterr().out
        copy = tmp_path / "copy.db"
        assert await run("backup", copy, "--data", server.data) == 0
        assert await run("backup", copy, "--data", server.data) == 1
        then, epoch = watcher.v, watcher.epoch
        await watcher.until(lambda: watcher.v > then + 40)
        assert await run("restore", copy, "--data", server.data) == 1  # it runs
        server.kill()
        for page in seated:
            page.plays = False
        newest = max(page.v for page in pages)

        assert await run("restore", copy, "--data", server.data) == 0
        server.start()
        await asyncio.gather(*(page.reopen() for page in pages))
        for page in pages:
            await page.until(lambda page=page: page.epoch != epoch)  # type: ignore[misc]
            await page.until(lambda page=page: page.v < newest)  # type: ignore[misc]
        assert [page.seat for page in pages] == [0, 1, None]
        for page in seated:
            page.plays = True
            await page._do_my_part()
        await play_to_the_end(*pages)
        assert all(page.view == watcher.view for page in pages)
        rounds = server.record(code, 1).json()["rounds"]
        assert [r["round"] for r in rounds] == list(range(1, len(rounds) + 1))


def _offers(page: Page) -> list[str]:
    return [frame for frame in page.frames if frame.startswith('{"type":"offered"')]


async def test_no_line_holds_a_token_a_nonce_or_a_one_time_code(
    tmp_path: Path,
) -> None:
    server = Server(tmp_path, 200, log_level="debug", log_format="json")
    server.start()
    code = server.make_room("krieg_40")
    secrets: list[str] = []
    async with at_the_table(server, code, 2) as (seated, [watcher]):
        await deal_by_hand(seated)
        await seated[0].say("offer", seat=0, id=4)
        await seated[0].until(lambda: bool(_offers(seated[0])))
        claim = json.loads(_offers(seated[0])[-1])["code"]
        tablet = Page(server.url, code, "Tablet")
        await tablet.open()
        await tablet.until(lambda: tablet.v > 0)
        await tablet.say("claim", code=claim, id=5)
        await tablet.until(lambda: tablet.seat == 0)
        tablet.plays = seated[1].plays = True
        await seated[1].close()
        await seated[1].open()
        await seated[1].until(lambda: seated[1].player == 2)
        await tablet._do_my_part()
        await seated[1]._do_my_part()
        await play_to_the_end(tablet, seated[1])
        secrets += [claim, *(p.token for p in (*seated, tablet, watcher))]
        secrets += [page.nonce for page in seated]
        await tablet.close()
    secrets += await _misbehave(server, code)
    deal = server.record(code, 1).json()["deal"]
    secrets.append(deal["server_nonce"])
    server.stop()
    said = server.output.read_text()
    lines = [json.loads(row) for row in said.splitlines() if row.startswith("{")]
    events = [line["event"] for line in lines]
    assert {"server_started", "room_opened", "game_started", "game_ended"} <= {*events}
    assert {"viewer_came", "viewer_went", "server_stopped"} <= {*events}
    ended = next(line for line in lines if line["event"] == "game_ended")
    assert (ended["room"], ended["game"]) == (code, 1)
    assert all(line["connection"] for line in lines if line["event"] == "viewer_came")
    for secret in secrets:
        assert secret.lower() not in said.lower()
    assert not re.search(r"[0-9a-f]{32}", said)
    assert not re.search("Player|Tablet|Watcher", said), "nor what people are called"


async def _misbehave(server: Server, code: str) -> list[str]:
    """Send secrets where they do not belong; return them."""
    secrets = ["ab" * 32, "cd" * 32]
    url = server.url.replace("http", "ws") + "/ws"
    hello: dict[str, Any] = {"type": "hello", "protocol": 1, "room": code}
    for bad in (
        {**hello, "token": secrets[0] + "x"},
        {**hello, "room": secrets[0]},
        {**hello, "token": secrets[0], "epoch": secrets[1], "v": 5},
    ):
        socket = await connect(url, subprotocols=["krig.1"])  # type: ignore[list-item]
        with suppress(ConnectionClosed):
            await socket.send(json.dumps(bad))
            await socket.send(json.dumps({"type": secrets[1]}))
            await socket.send(b"\xff" + secrets[0].encode())
            while "error" not in str(await asyncio.wait_for(socket.recv(), 5)):
                pass
        await socket.close()
    await fetch(f"{server.url}/api/rooms/{secrets[0]}")
    await asyncio.to_thread(
        httpx.post, f"{server.url}/api/rooms/{code}/qr", json={"claim": secrets[0]}
    )
    return secrets


async def test_a_check_beside_it_tells_that_everybody_comes_from_one_address(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    check = ("serve", "--check", "--data", server.data)
    code = server.make_room()
    async with AsyncExitStack() as stack:
        for n in range(MANY):
            assert await run(*check) == 0
            assert capsys.readouterr().err == "", n
            page = Page(server.url, code, f"Watcher {n}")
            await page.open()
            stack.push_async_callback(page.close)
            await page.until(lambda page=page: page.v > 0)  # type: ignore[misc]
        assert await run(*check) == 0
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "127.0.0.1" in said
        assert "KRIG_TRUSTED_PROXIES" in said
    assert server.output.read_text().count("all_from_one_address") == 1


async def test_it_stops_in_order_with_its_socket_gone(server: Server) -> None:
    socket = server.data.parent / "krig.db.control"
    before = deepcopy(socket.exists())
    server.stop()
    assert (before, socket.exists()) == (True, False)
