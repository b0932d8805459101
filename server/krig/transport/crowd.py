"""How many connections there are, and how many may be.

Rule 1: whoever is in stays in; only a newcomer is turned away.
Rule 2: as it fills, new rooms are refused first, then new watchers, then new players;
who has a seat already is let back in as long as there is a socket left for them.
Rule 3: everybody at home may share an address, so private ones have no limit of their
own; an IPv6 network counts as one address, since its owner has 2⁶⁴ of them.
"""

import asyncio
import ipaddress
from collections import Counter
from enum import Enum
from functools import lru_cache
from typing import Final


class Newcomer(Enum):
    """Who wants in, and which share of all places may be taken before they do."""

    ROOM = 0.90
    WATCHER = 0.95
    PLAYER = 1.0
    SEATED = 1.1


ANY: Final = Newcomer.SEATED
"""Before `hello` nobody knows who comes, so a socket is opened for whoever may be."""


class Crowd:
    """The open connections, by address.

    >>> crowd = Crowd(most=20, most_of_one=1)
    >>> crowd.enter("93.184.216.34"), crowd.enter("93.184.216.34")
    (True, False)
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self._by_address: Counter[str] = Counter()
        self._inside = 0
        self._gone = asyncio.Event()
        self._gone.set()

    def __len__(self) -> int:
        return self._inside

    def enter(self, address: str) -> bool:
        """Let a connection in, or not."""
        home = household(address)
        crowded = is_public(address) and self._by_address[home] >= self.most_of_one
        if crowded or not self.has_place_for(ANY, 1):
            return False
        self._by_address[home] += 1
        self._inside += 1
        self._gone.clear()
        return True

    def has_place_for(self, newcomer: Newcomer, more: int = 0) -> bool:
        """Whether one of these may stay, with so many more than are in."""
        return len(self) + more <= max(1, int(self.most * newcomer.value))

    def leave(self, address: str) -> None:
        """Forget a connection that was let in."""
        home = household(address)
        self._inside -= 1
        self._by_address[home] -= 1
        if self._by_address[home] <= 0:
            del self._by_address[home]
        if not self._by_address:
            self._gone.set()

    @property
    def only_address(self) -> str | None:
        """The address that everybody comes from, if it is one."""
        return next(iter(self._by_address)) if len(self._by_address) == 1 else None

    async def is_gone(self) -> None:
        """Wait until nobody is left."""
        await self._gone.wait()


@lru_cache(4096)
def household(address: str) -> str:
    """Whose address it is: an IPv6 network of 64 bits is one household's.

    >>> household("2001:db8:1:2:3:4:5:6"), household("::ffff:192.168.1.7")
    ('2001:db8:1:2::', '192.168.1.7')
    """
    ip = _parsed(address)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Address(int(ip) >> 64 << 64))
    return address if ip is None else str(ip)


@lru_cache(4096)
def is_public(address: str) -> bool:
    """Whether an address is out on the internet, where one may be many.

    >>> is_public("192.168.1.7"), is_public("93.184.216.34")
    (False, True)
    """
    ip = _parsed(address)
    return ip is not None and ip.is_global


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return None
    # A socket that listens on both sees IPv4 inside IPv6.
    return (isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped) or ip
