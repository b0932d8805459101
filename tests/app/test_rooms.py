"""Rooms over HTTP: opened, looked at, drawn; every error a problem with its code."""

import pytest

from krig.app.problems import ProblemBody
from krig.app.rooms import summary
from krig.engine.rules import PRESETS
from krig.room.view import SeatView
from tests.app.asking import asking
from tests.protocol.test_codec import VIEW


async def test_a_room_is_opened_and_found_again() -> None:
    async with asking() as http:
        opened = await http.post("/api/rooms", json={"preset": "krig_klassisk"})
        assert opened.status_code == 201
        code = opened.json()["code"]
        assert opened.json() == {
            "code": code,
            "link": f"http://192.168.1.7:8000/r/{code}",
            "watch_link": f"http://192.168.1.7:8000/r/{code}?watch",
        }
        seen = await http.get(f"/api/rooms/{code.lower()}")
        assert seen.json() == {
            "code": code,
            "phase": "lobby",
            "game": 1,
            "preset": "krig_klassisk",
            "seats": [None, None, None, None],
            "free": 4,
            "watchers": 0,
            "closed": False,
            "round": None,
            "link": f"http://192.168.1.7:8000/r/{code}",
            "watch_link": f"http://192.168.1.7:8000/r/{code}?watch",
            "may": ["play", "watch"],
        }


async def test_a_room_asked_for_with_nothing_is_played_by_krieg_40() -> None:
    async with asking() as http:
        code = (await http.post("/api/rooms")).json()["code"]
        assert (await http.get(f"/api/rooms/{code}")).json()["preset"] == "krieg_40"


async def test_links_name_the_public_url() -> None:
    async with asking(public_url="https://krig.example") as http:
        opened = (await http.post("/api/rooms")).json()
        assert opened["link"] == f"https://krig.example/r/{opened['code']}"


BASE = "http://192.168.1.7:8000"
KARI: SeatView = {
    "player": 1,
    "name": "Kari",
    "kind": "human",
    "ready": False,
    "commitment": None,
    "state": "here",
}


@pytest.mark.parametrize(
    ("phase", "taken", "closed", "may"),
    [
        pytest.param("lobby", 1, False, ["play", "watch"], id="a-free-seat"),
        pytest.param("lobby", 4, False, ["watch"], id="full"),
        pytest.param("playing", 2, False, ["next", "watch"], id="wait-for-the-next"),
        pytest.param("lobby", 4, True, [], id="full-and-closed"),
        pytest.param("playing", 2, True, ["next"], id="closed-to-watchers"),
    ],
)
def test_the_door_says_what_one_may(
    phase: str, taken: int, closed: bool, may: list[str]
) -> None:
    room = {**VIEW["room"], "phase": phase, "closed": closed}
    seats: list[SeatView | None] = [KARI] * taken + [None] * (4 - taken)
    seen = summary({**VIEW, "room": room, "seats": seats}, 3, BASE)  # type: ignore[typeddict-item]
    assert seen.may == may
    assert (seen.free, seen.watchers) == (4 - taken, 3)


async def test_the_door_tells_no_more_of_a_seat_than_who_sits_there() -> None:
    seen = summary({**VIEW, "seats": [KARI, None]}, 0, BASE)
    assert seen.model_dump()["seats"] == [{"name": "Kari", "kind": "human"}, None]


async def test_the_link_for_another_device_is_drawn_and_stands_in_no_address() -> None:
    async with asking() as http:
        code = (await http.post("/api/rooms")).json()["code"]
        drawn = await http.post(f"/api/rooms/{code}/qr", json={"claim": "KR7F2Q1B"})
        assert drawn.json()["link"].endswith(f"/r/{code}#claim=KR7F2Q1B")
        assert drawn.json()["path"].count("M") > 100
        bad = await http.post(f"/api/rooms/{code}/qr", json={"claim": "<script>"})
        assert bad.status_code == 422


async def test_the_presets_are_listed_with_every_rule() -> None:
    async with asking() as http:
        listed = (await http.get("/api/presets")).json()
        assert listed == [
            {"name": name, "rules": rules.to_dict()} for name, rules in PRESETS.items()
        ]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/rooms/ZZZZZ", None, 404, "no_such_room"),
        ("GET", "/api/rooms/!", None, 422, "invalid_room_code"),
        ("GET", "/api/rooms/ZZZZZ/games/1", None, 404, "no_such_room"),
        ("GET", "/api/rooms/ZZZZZ/games/one", None, 422, "bad_request"),
        ("GET", "/api/rooms/ZZZZZ/games/0", None, 422, "bad_request"),
        ("GET", "/api/rooms/ZZZZZ/games/" + "9" * 30, None, 422, "bad_request"),
        ("GET", "/r/!/qr.svg", None, 422, "invalid_room_code"),
        ("GET", "/r/ZZZZZ/qr.svg", None, 404, "no_such_room"),
        ("GET", "/nowhere", None, 404, "not_found"),
        ("GET", "/client/nothing.js", None, 404, "not_found"),
        ("GET", "/client/../pyproject.toml", None, 404, "not_found"),
        ("GET", "/client/%2e%2e/pyproject.toml", None, 404, "not_found"),
        ("PUT", "/api/rooms", None, 405, "method_not_allowed"),
        ("POST", "/api/rooms", b'{"preset":"bridge"}', 422, "invalid_rules"),
        ("POST", "/api/rooms", b'{"rules":{"war_down":9}}', 422, "invalid_rules"),
        ("POST", "/api/rooms", b'{"rules":{"war_down":1.0}}', 422, "bad_request"),
        ("POST", "/api/rooms", b'{"seed":17}', 422, "bad_request"),
        ("POST", "/api/rooms", b"[", 422, "bad_request"),
        ("POST", "/api/rooms", b"[" * 4096, 400, "bad_request"),
        ("POST", "/api/rooms", b" " * 4097, 413, "message_too_big"),
    ],
)
async def test_every_error_is_a_problem_with_a_code(
    method: str, path: str, body: bytes | None, status: int, code: str
) -> None:
    headers = {"Content-Type": "application/json"}
    async with asking() as http:
        answer = await http.request(method, path, content=body, headers=headers)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = ProblemBody.model_validate(answer.json(), strict=True)
    assert (answer.status_code, problem.status) == (status, status)
    assert problem.code == code


async def test_an_unfinished_game_shows_no_record() -> None:
    async with asking() as http:
        code = (await http.post("/api/rooms")).json()["code"]
        answer = await http.get(f"/api/rooms/{code}/games/1")
        assert (answer.status_code, answer.json()["code"]) == (409, "game_not_over")
        answer = await http.get(f"/api/rooms/{code}/games/2")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_game")


async def test_the_qr_is_a_drawing_of_the_link() -> None:
    async with asking() as http:
        code = (await http.post("/api/rooms")).json()["code"]
        play = await http.get(f"/r/{code}/qr.svg")
        watch = await http.get(f"/r/{code}/qr.svg?watch")
    assert play.headers["content-type"] == "image/svg+xml"
    assert play.content.startswith(b"<svg ")
    assert b"style=" not in play.content, "the CSP allows none"
    assert play.content != watch.content


async def test_rooms_from_one_public_address_have_a_limit_and_at_home_none() -> None:
    async with asking() as http:
        transport = http._transport
        for address, last in (("192.168.1.9", 201), ("93.184.216.34", 429)):
            transport.client = (address, 4000)  # type: ignore[attr-defined]
            answers = [await http.post("/api/rooms") for _ in range(80)]
            assert {a.status_code for a in answers[:60]} == {201}
            assert last in {a.status_code for a in answers[60:]}
        late = next(a for a in answers if a.status_code == 429)
        assert late.json()["code"] == "too_fast"
        assert "retry-after" in late.headers
