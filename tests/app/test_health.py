"""Alive, able, and in numbers."""

import pytest

from krig import __version__
from krig.app.running import Running
from krig.errors import StorageUnavailable
from tests.app.asking import asking


async def test_it_is_alive_and_says_its_version() -> None:
    async with asking() as http:
        answer = await http.get("/healthz")
        assert answer.json() == {"ok": True, "version": __version__}


async def test_it_is_ready_while_the_log_can_append() -> None:
    async with asking() as http:
        assert (await http.get("/readyz")).status_code == 200


async def test_it_is_not_ready_when_the_log_cannot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(_: object) -> None:
        raise StorageUnavailable("The disk is full.")

    async with asking() as http:
        parts = http._transport.app.state.running  # type: ignore[attr-defined]
        assert isinstance(parts, Running)
        monkeypatch.setattr(type(parts.log), "check", fail)
        answer = await http.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["code"] == "storage_unavailable"
    assert answer.json()["detail"] == "The disk is full."


async def test_it_tells_its_numbers() -> None:
    async with asking() as http:
        answer = await http.get("/metrics")
    assert "krig_connections 0.0" in answer.text


async def test_machines_may_ask_by_any_name() -> None:
    async with asking() as http:
        headers = {"Host": "pod-7.cluster.example"}
        for path in ("/healthz", "/readyz", "/metrics"):
            assert (await http.get(path, headers=headers)).status_code == 200


async def test_the_api_is_described() -> None:
    async with asking() as http:
        paths = (await http.get("/openapi.json")).json()["paths"]
    assert {"/api/rooms", "/api/rooms/{code}", "/api/presets"} <= set(paths)
