"""By which names the server answers, and to which pages."""

import pytest

from krig.app.guard import host_name, is_own_name, is_own_origin
from tests.app.asking import asking


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("192.168.1.7:8000", True),
        ("93.184.216.34", True),
        ("[fe80::1]:8000", True),
        ("[::1]", True),
        ("localhost:8000", True),
        ("LOCALHOST", True),
        ("krig.local", True),
        ("krig.lan:8000", True),
        ("krig.home.arpa", True),
        ("krig.fritz.box", True),
        ("karis-laptop:8000", True),
        ("krig.example", True),
        ("also.example:8000", True),
        ("evil.example", False),
        ("evil.example:8000", False),
        ("local", True),
        ("evil.example.local.evil.example", False),
        ("krig.example.evil.example", False),
        ("lan.evil.example", False),
        ("evil-lan.example", False),
        ("www.dylan", False),
        ("www.nonlocal", False),
        ("192.168.1.7.evil.example", False),
        ("", False),
        (":8000", False),
        ("[", False),
        ("-", False),
        ("a b", False),
    ],
)
async def test_it_answers_to_names_that_can_only_be_near_or_were_set(
    host: str, is_own: bool
) -> None:
    async with asking(
        public_url="https://krig.example", allowed_hosts="also.example"
    ) as http:
        answer = await http.get("/api/presets", headers={"Host": host})
    assert answer.status_code == (200 if is_own else 421)
    if not is_own:
        assert answer.json()["code"] == "wrong_host"


async def test_two_hosts_are_none() -> None:
    async with asking() as http:
        answer = await http.get(
            "/api/presets", headers=[("Host", "krig.lan"), ("Host", "krig.local")]
        )
    assert answer.status_code == 421


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("http://krig.lan:8000", "krig.lan:8000", True),
        ("http://krig.lan", "krig.lan:80", True),
        ("https://krig.lan", "krig.lan", True),
        ("https://krig.example", "127.0.0.1:8000", True),
        ("http://krig.lan:8000", "krig.lan:8001", False),
        ("http://krig.lan.evil.example", "krig.lan", False),
        ("http://krig.example", "127.0.0.1:8000", False),
        ("http://krig.lan:x", "krig.lan", False),
        ("file://", "krig.lan", False),
        ("chrome-extension://krig.lan", "krig.lan", False),
        ("null", "null", False),
        ("", "krig.lan", False),
    ],
)
def test_a_page_is_ours_if_it_came_from_where_it_asks(
    origin: str, host: str, is_own: bool
) -> None:
    assert is_own_origin(origin, host, "https://krig.example") is is_own


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://192.168.1.7:8000", 201),
        (None, 201),
        ("http://evil.example", 403),
        ("null", 403),
    ],
)
async def test_a_foreign_page_opens_no_room(origin: str | None, status: int) -> None:
    async with asking() as http:
        headers = {"Origin": origin} if origin else {}
        answer = await http.post("/api/rooms", headers=headers)
    assert answer.status_code == status


async def test_clients_without_a_page_can_be_kept_out() -> None:
    async with asking(require_origin=True) as http:
        assert (await http.post("/api/rooms")).status_code == 403
        assert (await http.get("/api/presets")).status_code == 200


async def test_every_answer_carries_the_security_headers() -> None:
    async with asking() as http:
        answers = [
            await http.get("/healthz"),
            await http.get("/nowhere"),
            await http.get("/", headers={"Host": "evil.example"}),
        ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "require-trusted-types-for 'script'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_script_and_a_style_carry_only_what_means_something_for_them() -> None:
    async with asking() as http:
        for path in ("/client/app.js", "/client/app.css"):
            answer = await http.get(path)
            assert "content-security-policy" not in answer.headers
            assert answer.headers["x-content-type-options"] == "nosniff"
        picture = await http.get("/client/favicon.svg")
    assert "content-security-policy" in picture.headers, "opened alone it is a page"


def test_names_are_read_from_any_authority() -> None:
    assert host_name("[::1") == ""
    assert not is_own_name(host_name("evil.example\\@localhost"))
