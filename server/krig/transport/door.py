"""The door: who finds a room, and for whom there is a place.

Rule 1: who has a seat is never kept out for the sake of somebody new.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from krig.errors import InvalidRoomCode, NoSuchGame, NoSuchRoom, TooManyConnections
from krig.host.host import Host
from krig.host.observer import NOBODY, Observer
from krig.host.ports import Clock
from krig.host.table import Table
from krig.room.code import parse_room_code
from krig.room.facts import TokenHash
from krig.transport.crowd import Crowd, Newcomer, is_public
from krig.transport.guesses import Guesses

MANY = 16
"""So many sockets of one private address, and none of another, are a proxy's."""

log = structlog.get_logger()


class Door:
    """What stands between addresses and tables."""

    def __init__(
        self, crowd: Crowd, host: Host, clock: Clock, observer: Observer = NOBODY
    ) -> None:
        self.crowd = crowd
        self.observer = observer
        self._host = host
        self._clock = clock
        self._guesses = Guesses(clock.monotonic())
        self._has_warned = False

    def enter(self, address: str) -> bool:
        """Let a socket in, or not."""
        is_in = self.crowd.enter(address)
        if not self._has_warned and (proxy := self.proxy) is not None:
            self._has_warned = True
            log.warning("all_from_one_address", address=proxy, hint=BEHIND_A_PROXY)
        return is_in

    @property
    def proxy(self) -> str | None:
        """The private address that everybody comes from, if they are so many."""
        only = self.crowd.only_address if len(self.crowd) >= MANY else None
        return None if only is None or is_public(only) else only

    def visit(self, address: str) -> "Visit":
        """What somebody at an address may look for."""
        return Visit(self, address)

    async def look_for(
        self, address: str, code: str, token: TokenHash | None = None
    ) -> Table:
        """Find a room's table.

        Raises:
            TooFast: from this address too many codes were tried.
            InvalidRoomCode, NoSuchRoom: there is none.
            KrigError: as `Host.table` does.
        """
        with self.failing(address, seated=token is not None):
            table = await self._host.table(parse_room_code(code))
        if token is not None and table.room.seat_of(token) is None:
            self._guesses.check(address, self._clock.monotonic())
        return table

    @contextmanager
    def failing(self, address: str, *, seated: bool = False) -> Iterator[None]:
        """Count a room that is not there; `seated`: it may be looked for all the same.

        Raises:
            TooFast: from this address too many codes were tried.
        """
        now = self._clock.monotonic()
        if not seated:
            self._guesses.check(address, now)
        try:
            yield
        except (InvalidRoomCode, NoSuchRoom, NoSuchGame):
            self._guesses.check(address, now)
            self._guesses.failed(address, now)
            raise


class Visit:
    """One connection's way to its table."""

    def __init__(self, door: Door, address: str) -> None:
        self._door = door
        self._address = address

    async def find(self, code: str, token: TokenHash | None) -> Table:
        """Find a room's table, if there is a place for who comes.

        Raises:
            TooManyConnections: the server is full for such as they are.
            KrigError: as `Door.look_for` does.
        """
        table = await self._door.look_for(self._address, code, token)
        newcomer = Newcomer.WATCHER if token is None else Newcomer.PLAYER
        if table.room.seat_of(token) is not None:
            newcomer = Newcomer.SEATED
        if not self._door.crowd.has_place_for(newcomer):
            raise TooManyConnections
        return table


BEHIND_A_PROXY = (
    "Players are not told apart by their addresses, so limits for each address hit "
    "everybody or nobody: set KRIG_TRUSTED_PROXIES to the proxy in front, if there is "
    "one."
)
