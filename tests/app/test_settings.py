"""Settings come from the environment, and a wrong one is named."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from krig.app.settings import Settings
from krig.protocol.limits import Limits


def test_every_setting_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    assert (settings.port, settings.where) == (8000, Path("data/krig.sqlite"))


def test_the_environment_sets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRIG_PORT", "9000")
    monkeypatch.setenv("KRIG_DATA", "/var/lib/krig.sqlite")
    monkeypatch.setenv("KRIG_PUBLIC_URL", "https://krig.example/")
    monkeypatch.setenv("KRIG_ALLOWED_HOSTS", "One.example, two.example")
    monkeypatch.setenv("KRIG_LIMITS__SOCKETS", "500")
    settings = Settings()
    assert settings.limits == Limits(sockets=500)
    assert settings.port == 9000
    assert settings.where == Path("/var/lib/krig.sqlite")
    assert settings.public_url == "https://krig.example"
    assert settings.allowed_hosts == ("one.example", "two.example")


def test_a_log_is_used_instead_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRIG_DATA", "/var/lib/krig.sqlite")
    monkeypatch.setenv("KRIG_LOG", "memory:")
    assert Settings().where == "memory:"


def test_what_is_set_to_nothing_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRIG_LOG", "")
    monkeypatch.setenv("KRIG_PUBLIC_URL", "")
    assert (Settings().log, Settings().public_url) == (None, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "70000"),
        ("PORT", "eight"),
        ("PUBLIC_URL", "krig.example"),
        ("PUBLIC_URL", "https://krig.example/game"),
        ("PUBLIC_URL", "ftp://krig.example"),
    ],
)
def test_a_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"KRIG_{name}", value)
    with pytest.raises(ValidationError) as caught:
        Settings()
    assert caught.value.errors()[0]["loc"] == (name.lower(),)


def test_any_asgi_server_finds_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRIG_LOG", "memory:")
    from krig.app.main import app

    assert app.title == "Krig"


def test_a_proxy_that_is_trusted_is_a_network_and_never_everybody() -> None:
    trusted = Settings(trusted_proxies="172.17.0.0/16, ::1").trusted_proxies  # type: ignore[arg-type]
    assert trusted == ("172.17.0.0/16", "::1")
    for wrong in ("*", "0.0.0.0/0", "::/0", "proxy.lan", "172.17.0.1/16"):
        with pytest.raises(ValidationError):
            Settings(trusted_proxies=wrong)  # type: ignore[arg-type]
