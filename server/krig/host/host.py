"""The host: every room a process keeps, and the way to each.

Rule 1: a room is read from its log when somebody first asks for it.
Rule 2: a fault of one room touches no other: it is set aside, and says so.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from itertools import count
from math import inf
from typing import Any, Final, TypeVar

import structlog

from krig.engine.rules import Rules
from krig.errors import (
    Conflict,
    Draining,
    GameNotOver,
    KrigError,
    NewerSchema,
    NoSuchGame,
    NoSuchRoom,
    Quarantined,
    StorageUnavailable,
    TooManyRooms,
    Unfoldable,
    Unknown,
    UnreadableEntry,
)
from krig.host.means import Means
from krig.host.observer import NOBODY, Observer
from krig.host.ports import Chance, Clock, Timer
from krig.host.reading import brought_up, folded
from krig.host.settings import HostSettings
from krig.host.table import Table
from krig.log.log import Log, LogName
from krig.protocol.session import CloseCode
from krig.room import commands as c
from krig.room import facts as f
from krig.room.chapters import open_room
from krig.room.code import code_length, draw_room_code
from krig.room.evolve import evolve, fold
from krig.room.record import Record, record
from krig.room.room import Phase, Room

RECORDS: Final = 16
"""Records that are kept at hand: to make one takes as long as a hundred flips."""

SWEPT: Final = 100
"""Rooms that the janitor reads in one go."""

TRIES: Final = 3
"""How often a room is stored anew whose first entry was lost on its way."""

T = TypeVar("T")

CLOSE_SECONDS: Final = 2.0
"""What is in flight gets so long to be stored when the server stops."""

log = structlog.get_logger()


class Host:
    """Rooms by their codes, read when asked for and forgotten in time."""

    def __init__(
        self,
        storage: Log,
        clock: Clock,
        chance: Chance,
        *,
        server: str,
        settings: HostSettings | None = None,
        observer: Observer = NOBODY,
    ) -> None:
        self._log = storage
        self._clock = clock
        self._chance = chance
        self._settings = settings or HostSettings()
        instance, numbers = chance.bytes(8).hex(), count(1)
        self._means = Means(
            storage,
            clock,
            chance,
            self._settings,
            server,
            lambda: f.Connection(f"{instance}.{next(numbers)}"),
            self._spawn,
            observer,
        )
        self._tables: dict[str, Table] = {}
        self._opening = 0
        """Rooms that are just being made."""
        self._stored_rooms = 0
        """When the janitor last counted."""
        self._set_aside: set[str] = set()
        self._reading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._expiry: dict[str, float] = {}
        """When a room that is not at hand is forgotten (monotonic s)."""
        self._offset = clock.now() - clock.monotonic() * 1000
        """From monotonic ms to the wall's, as it was at the start: a wall clock that is
        put right ages no room."""
        self._records: dict[LogName, Record] = {}
        """Those that were asked for last: a page asks twice, and somebody for ever."""
        self._forgetting: set[str] = set()
        """Rooms that are being forgotten, and are there no more."""
        self._janitor: Timer | None = None
        self._closed = False

    # Rooms ---------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every table at hand."""
        return tuple(self._tables.values())

    @property
    def quarantined(self) -> int:
        """How many rooms were found that cannot be read."""
        faulty = sum(table.faulty for table in self._tables.values())
        return len(self._set_aside) + faulty

    async def open_room(
        self, rules: Rules, preset: str | None, game_code: str | None = None
    ) -> str:
        """Make a room; return its code.

        Args:
            rules: what is played, the owner may change it.
            preset: the preset they are, or come from.
            game_code: a game to deal again; `rules` are its rules.

        Raises:
            Draining: the server stops.
            TooManyRooms: this process keeps as many as it may.
            StorageUnavailable: nothing was made.
        """
        asked = c.ChangeRules(rules, preset, game_code)
        if self._closed:
            raise Draining
        if len(self._tables) + self._opening >= self._settings.limits.rooms:
            raise TooManyRooms
        self._opening += 1
        try:
            while True:
                code = self._draw_code()
                if code is not None and await self._made(code, asked):
                    return code
        finally:
            self._opening -= 1

    def _draw_code(self) -> str | None:
        """A code grows by a sign when live rooms pass a thousandth of the space."""
        length = code_length(max(self._stored_rooms, len(self._tables)))
        return draw_room_code(self._chance.bytes(2 * length), length)

    async def _made(self, code: str, asked: c.ChangeRules) -> bool:
        """Whether the code was free, and the room is made."""
        opened = f.AttemptOpened(
            self._chance.bytes(16).hex(), self._chance.bytes(32).hex()
        )
        epoch = self._chance.bytes(8).hex()
        facts = open_room(code, epoch, opened, asked)
        nonce = self._chance.bytes(8).hex()
        entry = f.Entry(1, self._clock.now(), nonce, facts)
        chapter = LogName(code, 1)
        version = await self._stored(chapter, entry)
        if version is None:
            return False
        room, _ = evolve(None, entry)
        self._tables[code] = Table(chapter, version, room, list, self._means)
        log.info("room_opened", room=code, preset=asked.preset)
        return True

    async def _stored(self, chapter: LogName, first: f.Entry) -> int | None:
        """Store a room's first entry; None: another room has its code.

        If nobody knows whether it was stored, look for our own nonce.
        """
        for _ in range(TRIES):
            try:
                return await self._log.append(chapter, 0, first)
            except Conflict:
                return None
            except Unknown:
                stored = await self._log.read(chapter)
            if stored:
                version, found = stored[0]
                return version if found.nonce == first.nonce else None
        raise StorageUnavailable

    async def table(self, code: str) -> Table:
        """The table of a room.

        Raises:
            NoSuchRoom: nothing of it is stored.
            Quarantined, NewerSchema: what is stored cannot be read.
            StorageUnavailable: it cannot be looked up now.
        """
        table = self._tables.get(code)
        if table is not None and table.closed:
            self._let_go(code, table)
            table = None
        if code in self._set_aside:
            raise Quarantined
        if code in self._forgetting:
            raise NoSuchRoom
        if table is not None:
            return table
        reading = self._reading.get(code)
        if reading is None:
            reading = asyncio.create_task(self._read(code))
            self._reading[code] = reading
            reading.add_done_callback(lambda done: self._have_read(code, done))
        return await asyncio.shield(reading)

    def _have_read(self, code: str, reading: asyncio.Task[Table]) -> None:
        del self._reading[code]
        if not reading.cancelled():
            reading.exception()  # told to who asked, if they still wait

    async def _read(self, code: str) -> Table:
        chapter, version, (room, earlier) = await self._folded(brought_up, code)
        table = Table(chapter, version, room, earlier, self._means)
        self._tables[code] = table
        self._expiry.pop(code, None)
        return table

    async def _folded(
        self, fold: Callable[[Sequence[f.Entry]], T], code: str
    ) -> tuple[LogName, int, T]:
        """Fold a room's newest chapter; one that cannot be is set aside."""
        try:
            latest = await self._log.latest(code)
            if latest is None:
                raise NoSuchRoom
            chapter, stored = latest
            entries = [entry for _, entry in stored]
            return chapter, stored[-1][0], await folded(fold, entries)
        except (StorageUnavailable, NewerSchema, NoSuchRoom):
            raise
        except Exception as error:
            log.exception("room_set_aside", room=code)
            self._set_aside.add(code)
            raise Quarantined from error

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def record(self, code: str, game: int) -> Record:
        """The whole record of a finished game.

        Raises:
            NoSuchRoom, Quarantined, NewerSchema: as `table` does.
            NoSuchGame: no game of that number was begun here.
            GameNotOver: its cards are not shown yet.
            StorageUnavailable: it cannot be read now.
        """
        room, chapter = (await self.table(code)).room, LogName(code, game)
        if game > room.chapter:
            raise NoSuchGame
        if game == room.chapter and room.phase is not Phase.OVER:
            raise GameNotOver
        found = self._records.get(chapter) or await self._read_record(chapter)
        if code in self._tables:  # and was not forgotten meanwhile
            while len(self._records) >= RECORDS and chapter not in self._records:
                del self._records[next(iter(self._records))]
            self._records[chapter] = found
        return found

    async def _read_record(self, chapter: LogName) -> Record:
        try:
            stored = await self._log.read(chapter)
            return await folded(record, [entry for _, entry in stored])
        except (UnreadableEntry, Unfoldable) as error:
            log.warning("record_unreadable", room=chapter.code, why=str(error))
            raise Quarantined from error

    # The janitor ---------------------------------------------------------------------

    def start(self) -> None:
        """Begin to look after what nobody needs any more."""
        wait = self._settings.sweep_every
        self._janitor = self._clock.call_later(wait, lambda: self._spawn(self._sweep()))

    async def _sweep(self) -> None:
        try:
            self._let_go_of_idle_tables()
            await self._forget_old_rooms()
        except KrigError as error:
            log.warning("sweep_failed", why=str(error))
        except Exception:
            log.exception("sweep_failed")
        finally:
            if not self._closed:
                self.start()

    def _let_go_of_idle_tables(self) -> None:
        now = self._clock.monotonic()
        for code, table in list(self._tables.items()):
            quiet = now - table.quiet_since
            if table.is_idle and quiet >= self._settings.idle_after:
                self._let_go(code, table)

    def _let_go(self, code: str, table: Table) -> None:
        """Keep a table no more; it is read again when somebody asks for it."""
        del self._tables[code]
        if table.faulty:
            self._set_aside.add(code)
            return
        if not table.closed:
            table.close(CloseCode.ELSEWHERE, "idle")
        # Not from its last entry on: what wrote that may have had another clock.
        self._expiry[code] = self._clock.monotonic() + self._life(table.room)

    async def _forget_old_rooms(self) -> None:
        now, read = self._clock.monotonic(), 0
        codes = await self._log.codes()
        self._stored_rooms = len(codes)
        for code in codes:
            if self._is_wanted(code) or code in self._set_aside:
                continue
            if code not in self._expiry and read < SWEPT:
                read += 1
                expires = await self._look_up(code)
                if self._is_wanted(code):  # somebody came while we looked
                    continue
                self._expiry[code] = expires
            if self._expiry.get(code, inf) <= now:
                await self._forget(code)

    def _is_wanted(self, code: str) -> bool:
        """Somebody is in this room, or on the way."""
        return code in self._tables or code in self._reading

    async def _forget(self, code: str) -> None:
        self._forgetting.add(code)
        try:
            await self._log.forget(code)
        finally:
            self._forgetting.discard(code)
        self._expiry.pop(code, None)
        for chapter in [name for name in self._records if name.code == code]:
            del self._records[chapter]
        log.info("room_forgotten", room=code)

    async def _look_up(self, code: str) -> float:
        """When a room is forgotten; one that cannot be read is kept, and read once."""
        try:
            _, _, room = await self._folded(fold, code)
        except (NoSuchRoom, NewerSchema, Quarantined):
            return inf
        now = self._clock.monotonic()
        spent = max(0.0, now + (self._offset - room.at) / 1000)
        return now + self._life(room) - spent

    def _life(self, room: Room) -> float:
        """How long a room is kept that nobody comes back to (s)."""
        if room.phase in (Phase.DEALING, Phase.PLAYING):
            return self._settings.game_lives
        if room.chapter > 1:
            return self._settings.finished_lives
        return self._settings.lobby_lives

    # Whoever runs the server ---------------------------------------------------------

    async def remove(self, code: str) -> None:
        """Send everybody in a room away, and forget it for good.

        Raises:
            NoSuchRoom: nothing of it is stored.
            StorageUnavailable: it is closed, but cannot be forgotten now.
        """
        if await self._log.newest(code) is None:
            raise NoSuchRoom
        self._forgetting.add(code)  # from now on nobody comes in
        try:
            if code in self._reading:
                await asyncio.wait({self._reading[code]})
            table = self._tables.pop(code, None)
            if table is not None:
                why = "this room was closed by its server"
                table.close(CloseCode.NO_SUCH_ROOM, why)
                await asyncio.sleep(0)  # an append that was begun goes before
            self._set_aside.discard(code)
            await self._forget(code)
        finally:
            self._forgetting.discard(code)

    def say(self, text: str) -> int:
        """Show a text to everybody who plays or watches; return how many that is."""
        for table in self.tables:
            table.say(text)
        return sum(table.viewers for table in self.tables)

    # The end -------------------------------------------------------------------------

    async def drain(self, turns: Iterator[int]) -> None:
        """Take no new rooms, and tell everybody when to come back.

        Args:
            turns: what each viewer is told, table by table (ms from now).
        """
        self._closed = True
        for table in self.tables:
            table.drain(turns)

    async def aclose(self) -> None:
        """Let go of everything, when what is in flight is stored."""
        self._closed = True
        if self._janitor is not None:
            self._janitor.cancel()
        for table in self.tables:
            table.close(CloseCode.DRAIN, "the server stops")
        left: set[asyncio.Task[Any]] = {*self._tasks, *self._reading.values()}
        if left:
            _, left = await asyncio.wait(left, timeout=CLOSE_SECONDS)
        for task in left:
            task.cancel()
        self._tables.clear()
