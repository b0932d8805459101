"""How many connections there are, and how many may be.

Rule 1: whoever is in stays in; only a newcomer is turned away.
Rule 2: everybody at home may share an address, so private ones have no limit of their
own.
"""

import asyncio
import ipaddress
from collections import Counter


class Crowd:
    """The open connections, by address.

    >>> crowd = Crowd(most=2, most_of_one=1)
    >>> crowd.enter("10.0.0.1"), crowd.enter("10.0.0.1"), crowd.enter("10.0.0.2")
    (True, True, False)
    """

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self._by_address: Counter[str] = Counter()
        self._gone = asyncio.Event()
        self._gone.set()

    def __len__(self) -> int:
        return self._by_address.total()

    def enter(self, address: str) -> bool:
        """Let a connection in, or not."""
        crowded = is_public(address) and self._by_address[address] >= self.most_of_one
        if crowded or len(self) >= self.most:
            return False
        self._by_address[address] += 1
        self._gone.clear()
        return True

    def leave(self, address: str) -> None:
        """Forget a connection that was let in."""
        self._by_address[address] -= 1
        if self._by_address[address] <= 0:
            del self._by_address[address]
        if not self._by_address:
            self._gone.set()

    async def is_gone(self) -> None:
        """Wait until nobody is left."""
        await self._gone.wait()


def is_public(address: str) -> bool:
    """Whether an address is out on the internet, where one may be many.

    >>> is_public("192.168.1.7"), is_public("93.184.216.34")
    (False, True)
    """
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False
