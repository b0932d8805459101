"""Links lead others here, and never to their own device."""

import ipaddress
import sys

import pytest

from krig.app import links
from krig.app.links import Address, base_url, lan_addresses

LAN = [Address("192.168.1.7", "wlan0"), Address("10.0.0.2", "eth0")]


@pytest.mark.parametrize(
    ("public", "authority", "lan", "base"),
    [
        pytest.param(
            "https://krig.example", "10.0.0.2", LAN, "https://krig.example", id="set"
        ),
        pytest.param(
            None, "localhost:8000", LAN, "http://192.168.1.7:8000", id="localhost"
        ),
        pytest.param(None, "127.0.0.1", LAN, "http://192.168.1.7", id="loopback"),
        pytest.param(None, "a.localhost", LAN, "http://192.168.1.7", id="its-like"),
        pytest.param(None, "0.0.0.0", LAN, "http://192.168.1.7", id="unspecified"),
        pytest.param(None, "[::]:80", LAN, "http://192.168.1.7:80", id="likewise-v6"),
        pytest.param(None, "[::1]:80", LAN, "http://192.168.1.7:80", id="loopback-v6"),
        pytest.param(
            None, "10.0.0.2:8000", LAN, "http://10.0.0.2:8000", id="as-it-was-asked"
        ),
        pytest.param(None, "krig.lan", LAN, "http://krig.lan", id="by-name"),
        pytest.param(
            None, "localhost:8000", [], "http://localhost:8000", id="no-network"
        ),
    ],
)
def test_a_link_names_what_others_can_reach(
    public: str | None, authority: str, lan: list[Address], base: str
) -> None:
    assert base_url(public, authority, "http", lan) == base


@pytest.mark.parametrize("platform", [sys.platform, "somewhere-else"])
def test_no_address_of_this_machine_is_one_that_only_it_can_reach(
    platform: str,
) -> None:
    found = lan_addresses(platform, "0.0.0.0")
    addresses = [ipaddress.ip_address(a.ip) for a in found]
    assert not any(address.is_loopback for address in addresses)
    assert len(set(addresses)) == len(addresses)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_who_listens_at_loopback_alone_is_reached_by_no_other(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "_way_to", lambda _: "192.168.1.7")
    assert lan_addresses("somewhere-else", "0.0.0.0") == [Address("192.168.1.7", "")]
    assert lan_addresses("somewhere-else", host) == []
