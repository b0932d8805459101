"""The addresses that others can reach this server by, and links to its rooms.

Rule 1: a link never names `localhost`: on the guest's phone that is the phone.
"""

import ipaddress
import socket
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from krig.app.guard import host_name

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

GET_ADDRESS: Final = {"linux": 0x8915, "darwin": 0xC0206921}
"""SIOCGIFADDR: the IPv4 address of a named interface."""

INNER: Final = ("lo", "docker", "br-", "veth", "virbr", "cni", "utun", "awdl", "bridge")
"""How interfaces begin that lead to no other machine."""

SOMEWHERE: Final = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")
"""Asked for the way to them (nothing is sent): the internet, and homes' networks."""


@dataclass(frozen=True, slots=True)
class Address:
    """One of this machine's addresses, and the interface that has it."""

    ip: str
    interface: str


def lan_addresses(platform: str, host: str) -> list[Address]:
    """Every IPv4 address that another machine may reach, the likeliest first.

    Interfaces are asked one by one, so that a hotspot or a cable with no default route
    is found too; where that cannot be done, the routing table is asked.

    Args:
        platform: `sys.platform`.
        host: what is listened on: behind `localhost` no other machine reaches us.
    """
    if _is_loopback(host):
        return []
    found = {a.ip: a for a in _of_interfaces(platform)}
    routed = [ip for ip in map(_way_to, SOMEWHERE) if ip]
    for ip in routed:
        if platform not in GET_ADDRESS:
            found.setdefault(ip, Address(ip, ""))
    return sorted(found.values(), key=lambda a: _unlikeliness(a.ip, routed))


def _of_interfaces(platform: str) -> Iterable[Address]:
    if fcntl is None or platform not in GET_ADDRESS:
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            if name.startswith(INNER):
                continue
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(asked, GET_ADDRESS[platform], request)
            except OSError:
                continue  # it has no address
            ip = socket.inet_ntoa(answer[20:24])
            if not ipaddress.ip_address(ip).is_loopback:
                yield Address(ip, name)


def _way_to(destination: str) -> str | None:
    """The address that a packet to there would leave from."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect((destination, 9))
            ip = str(asked.getsockname()[0])
        except OSError:
            return None
    return None if ipaddress.ip_address(ip).is_loopback else ip


def _unlikeliness(ip: str, routed: list[str]) -> tuple[bool, int]:
    first = routed.index(ip) if ip in routed else len(routed)
    return ipaddress.ip_address(ip).is_link_local, first


def base_url(
    public_url: str | None, authority: str, scheme: str, lan: list[Address]
) -> str:
    """Where others find this server, without a slash at the end.

    What was set goes first, then the address that this request came to, then a LAN
    address, and the name it was asked for by only where there is nothing better.

    >>> base_url(None, "localhost:8000", "http", [Address("192.168.1.7", "wlan0")])
    'http://192.168.1.7:8000'
    """
    if public_url is not None:
        return public_url
    name = host_name(authority)
    if lan and (_is_loopback(name) or name in ("0.0.0.0", "::")):
        port = urlsplit(f"//{authority}").port
        return f"{scheme}://{lan[0].ip}" + (f":{port}" if port else "")
    return f"{scheme}://{authority}"


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def room_link(base: str, code: str, *, watch: bool = False) -> str:
    """The link that leads to a room.

    >>> room_link("http://192.168.1.7:8000", "7KQ4M", watch=True)
    'http://192.168.1.7:8000/r/7KQ4M?watch'
    """
    return f"{base}/r/{code}" + ("?watch" if watch else "")
