"""A table: one room kept alive. The one place where its state is taken.

Rule 1: judge, fold on a copy, encode, append, take the copy, send, acknowledge.
Rule 2: at most one append is in flight; what is asked meanwhile waits in order and
becomes the next entry.
Rule 3: every state comes through `_take`, whoever wrote its entry.
Rule 4: nothing is sent that is not stored.

What is asked is judged in `judging`, who sees it and what they are sent is `audience`'s
affair, and what rings by itself is `alarms`'.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

import structlog

from krig.errors import (
    Busy,
    Conflict,
    InternalError,
    KrigError,
    NewerSchema,
    StorageUnavailable,
    Unknown,
    UnreadableEntry,
)
from krig.host import journal
from krig.host.alarms import Alarms
from krig.host.audience import Audience, Told
from krig.host.judging import Ask, Draft, complete, drafted, judge
from krig.host.means import Means
from krig.host.ports import Viewer
from krig.log.log import LogName
from krig.protocol import codec
from krig.protocol.session import CloseCode
from krig.room import commands as c
from krig.room.facts import TokenHash
from krig.room.room import Phase, Presence, Room

RETRY_AFTER: Final = 0.25
"""How long the host waits before it tries a log again that did not answer (s)."""

GATHER: Final = 1.0
"""How long it may wait that a seat has another connection (s), if it shows nowhere:
when a server comes back everybody at a table does, and that is one entry or two.
"""

log = structlog.get_logger()


class Table:
    """One room: its state, and how it comes to the next."""

    def __init__(
        self,
        chapter: LogName,
        version: int,
        room: Room,
        earlier: Callable[[], list[Told]],
        means: Means,
    ) -> None:
        self.room = room
        self.faulty = False
        """Something could not be folded: nobody may append to this room."""
        self.closed = False
        """Nothing is taken, told or rung any more."""
        self.quiet_since = means.clock.monotonic()
        """When the last viewer went (monotonic s)."""
        self._chapter = chapter
        self._version = version

        self._log = means.log
        self._clock = means.clock
        self._chance = means.chance
        self._settings = means.settings
        self._spawn = means.spawn
        self._observer = means.observer
        self._alarms = Alarms(means.clock, means.settings.pace, room, self._ring)
        self._audience = Audience(room, earlier, means, self._alarms.later)

        self._asks: deque[Ask] = deque()
        self._appending = False
        self._is_in_trouble = False
        self._retry_is_due = False
        self._pausing: asyncio.Event | None = None
        self._is_kept = False
        """Somebody came since it was read from the log, so its time runs."""

    @property
    def is_idle(self) -> bool:
        """Nobody sees it, nothing is asked and nothing is due."""
        busy = self._asks or self._appending or self._alarms.are_set
        return not (busy or len(self._audience))

    @property
    def watchers(self) -> int:
        """How many see it without a seat."""
        return self._audience.watchers

    @property
    def viewers(self) -> int:
        """How many see it."""
        return len(self._audience)

    # Viewers -------------------------------------------------------------------------

    def join(
        self, viewer: Viewer, token: TokenHash | None, epoch: str | None, v: int
    ) -> None:
        """Let a viewer see the table, and bring them up to date."""
        if self.closed:
            self._audience.dismiss(viewer, CloseCode.ELSEWHERE, "come again")
            return
        room = self.room
        seen = self._audience.admit(viewer, token, room)
        if seen is None:
            return
        now = self._alarms.now(room)
        self._audience.welcome(seen, room, now, epoch=epoch, v=v)
        if self._is_in_trouble:
            self._audience.send(seen, codec.encode_trouble(True))
            self._retry_soon()  # nobody asked as long as nobody was here
        is_urgent = self._keep()
        if seen.player is not None:
            if epoch == room.epoch and v > room.v:
                # They saw what was stored, and is no more: others may have seen it too.
                self._asks.append(Ask(c.CutHistory(self._chance.bytes(8).hex())))
                is_urgent = True
            self._asks.append(Ask(c.Come(seen.connection), token, seen))
            is_urgent |= not _is_there(room, token)
        if is_urgent:
            self._go_on()
        elif seen.player is not None:
            self._alarms.later(GATHER, self._go_on)

    def _keep(self) -> bool:
        """Somebody came: if nobody had kept the room, its time begins to run.

        Returns:
            Whether that is asked now.
        """
        if self._is_kept:
            return False
        self._is_kept = True
        if self.room.v == 1:
            return False
        self._asks.append(Ask(c.Reopen()))
        grace = self._settings.pace.deadline / 1000
        for _, place in self.room.humans:
            if place.connection is not None and place.gone_since is None:
                self._ask_later(grace, c.Go(place.connection))
        return True

    def part(self, viewer: Viewer) -> None:
        """A viewer's connection is gone."""
        seen = self._audience.part(viewer)
        if seen is None:
            return
        self.quiet_since = self._clock.monotonic()
        if seen.token is not None:  # a seat may yet be theirs: the log may be slow
            self._ask_later(self._settings.gone_after, c.Go(seen.connection))

    def resync(self, viewer: Viewer) -> None:
        """Send a viewer the whole view."""
        seen = self._audience.find(viewer)
        if seen is not None:
            self._audience.resync(seen, self.room)

    def answer_ping(self, viewer: Viewer) -> None:
        """Answer a viewer who asks whether the server is there."""
        seen = self._audience.find(viewer)
        if seen is not None:
            self._audience.send(seen, codec.encode_pong(self.room.v))

    def hear_pong(self, viewer: Viewer, hidden: bool) -> None:
        """A viewer is there; their page is in view, or not."""
        seen = self._audience.find(viewer)
        if seen is None or seen.hidden == hidden:
            return
        seen.hidden = hidden
        if seen.player is not None:
            self._ask(Ask(c.HidePage(hidden), seen.token))

    def react(self, viewer: Viewer, reaction: int) -> None:
        """Show everybody a viewer's reaction. Lossy."""
        seen = self._audience.find(viewer)
        if seen is not None:
            self._audience.tell_all(codec.encode_reaction(seen.player, reaction))

    def say(self, text: str) -> None:
        """Show everybody a text of whoever runs the server."""
        self._audience.tell_all(codec.encode_notice(text))

    def drain(self, turns: Iterator[int]) -> None:
        """Tell every viewer that the server stops, and each when to come back (ms)."""
        self._audience.tell_each(codec.encode_drain(turn) for turn in turns)
        self._audience.leave_all(CloseCode.DRAIN, "the server stops")

    def close(self, code: int, reason: str) -> None:
        """Send everybody away, and let go of every timer, for good."""
        self.closed = True
        self._audience.leave_all(code, reason)
        self._alarms.close()
        self._asks.clear()
        if self._pausing is not None:
            self._pausing.set()

    # Commands ------------------------------------------------------------------------

    def submit(
        self, viewer: Viewer, command: c.PlayerCommand, command_id: int | None
    ) -> None:
        """Take a viewer's command; its answer is sent when there is one."""
        seen = self._audience.find(viewer)
        if seen is None:
            return
        until = self._clock.monotonic() + self._settings.patience
        ask = Ask(command, seen.token, seen, command_id, until=until)
        complete(ask, self._chance, self._settings.pace.offer)
        self._ask(ask)

    def _ask(self, ask: Ask) -> None:
        if not self.closed:
            self._asks.append(ask)
            self._go_on()

    def _ask_later(self, delay: float, command: c.HostCommand) -> None:
        self._alarms.later(delay, lambda: self._ask(Ask(command)))

    def _ring(self, commands: list[c.HostCommand]) -> None:
        """Ask for everything whose time has come together."""
        self._asks.extend(Ask(command) for command in commands)
        self._go_on()

    def _go_on(self) -> None:
        """Judge what waits, unless an append is in flight."""
        if self._appending or self.closed:
            return
        at = self._alarms.now(self.room)
        answers, draft = judge(self.room, self._asks, at, self._chance)
        for ask, why in answers:
            self._answer(ask, why)
        if draft is not None:
            self._appending = True
            self._spawn(self._append(draft))

    def _answer(self, ask: Ask, why: KrigError | None) -> None:
        """Say that it is refused, and why; or that it is done, if that was asked."""
        if why is not None:
            self._refuse(ask, why)
            return
        if ask.seen is not None and ask.news is not None:
            self._audience.send(ask.seen, ask.news)
        if ask.seen is not None and ask.command_id is not None:
            ack = codec.encode_ack(ask.command_id, self.room.v)
            self._audience.send(ask.seen, ack)
        self._count(ask, "done")

    def _refuse(self, ask: Ask, error: KrigError, *, retry: bool = False) -> None:
        if ask.seen is not None:
            text = codec.encode_error(error, ask.command_id, retry=retry)
            self._audience.send(ask.seen, text)
        self._count(ask, error.code)

    def _count(self, ask: Ask, outcome: str) -> None:
        """Let the observer count what a viewer asked."""
        if ask.until is not None:
            heard = ask.until - self._settings.patience
            took = self._clock.monotonic() - heard
            self._observer.came_to(type(ask.command).__name__, outcome, took)

    # The log -------------------------------------------------------------------------

    async def _append(self, draft: Draft) -> None:
        """Store an entry, then take it; or judge again what could not be stored."""
        try:
            await self._store(draft)
        except StorageUnavailable as error:
            self._observer.appended(error.code, 0)
            if not self._is_in_trouble:
                log.warning("storage_unavailable", room=self.room.code, why=str(error))
            self._put_off(draft, error)
        except NewerSchema:
            log.warning("room_let_go", room=self.room.code)
            self.close(CloseCode.ELSEWHERE, "a newer server keeps this room")
        except Exception:
            log.exception("room_set_aside", room=self.room.code)
            self.faulty = True
            self.close(CloseCode.QUARANTINED, "this room cannot be read")
        finally:
            self._appending = False
        if self._is_in_trouble:
            self._retry_soon()
        else:
            self._go_on()

    async def _store(self, draft: Draft) -> None:
        chapter, after = self._chapter, self._version
        if draft.room.chapter != self.room.chapter:
            chapter, after = LogName(draft.room.code, draft.room.chapter), 0
        began = self._clock.monotonic()
        try:
            version = await self._log.append(chapter, after, draft.entry)
            self._observer.appended("stored", self._clock.monotonic() - began)
        except Conflict:
            await self._catch_up(draft)
        except Unknown:
            await self._look_for(draft, chapter, after)
        except UnreadableEntry:  # it cannot be written, so nothing was
            log.exception("judging_failed", room=self.room.code)
            for ask, _ in draft.answers:
                self._refuse(ask, InternalError())
        else:
            self._take(draft, chapter, version)

    async def _catch_up(self, draft: Draft) -> None:
        """Somebody else wrote first: take what they wrote, and judge again."""
        news = await self._read(self._chapter, self._version)
        while self.room.phase is Phase.OVER:
            chapter = LogName(self._chapter.code, self._chapter.chapter + 1)
            more = await self._read(chapter, 0)
            if not more:
                break
            news += more
        if not news:  # a log that lags behind its own conflict
            await self._pause()
        self._ask_again(draft)

    async def _look_for(self, draft: Draft, chapter: LogName, after: int) -> None:
        """Nobody knows whether it was stored: look for our own nonce."""
        self._trouble(True)
        while True:
            try:
                stored = await self._log.read(chapter, after)
                break
            except StorageUnavailable:
                await self._pause()
                self._give_up_old()
                if self.closed:
                    return
        self._trouble(False)
        if stored and stored[0][1].nonce == draft.entry.nonce:
            self._take(draft, chapter, stored[0][0])
        elif stored:
            await self._catch_up(draft)
        else:
            self._ask_again(draft)

    async def _read(self, chapter: LogName, after: int) -> int:
        """Take what others have written; return how much it was."""
        stored = await self._log.read(chapter, after)
        for version, entry in stored:
            self._take(drafted(self.room, entry), chapter, version)
        return len(stored)

    async def _pause(self) -> None:
        """Wait a moment, but not for a table that is closed."""
        if not self.closed:
            self._pausing = over = asyncio.Event()
            self._alarms.later(RETRY_AFTER, over.set)
            await over.wait()
            self._pausing = None

    def _ask_again(self, draft: Draft) -> None:
        if not self.closed:
            self._asks.extendleft(ask for ask, _ in reversed(draft.answers))
            self._give_up_old()

    def _give_up_old(self) -> None:
        """Refuse what has waited too long for its turn."""
        now = self._clock.monotonic()
        waiting, self._asks = self._asks, deque()
        for ask in waiting:
            if ask.until is not None and ask.until < now:
                self._refuse(ask, Busy(), retry=True)
            else:
                self._asks.append(ask)

    def _put_off(self, draft: Draft, error: StorageUnavailable) -> None:
        """Nothing can be stored: say so to who asked, and keep what is ours to ask."""
        self._trouble(True)
        waiting = [*(ask for ask, _ in draft.answers), *self._asks]
        self._asks.clear()
        for ask in waiting:
            if not ask.is_ours:
                self._refuse(ask, error, retry=True)
            elif not self.closed:
                self._asks.append(ask)

    def _retry_soon(self) -> None:
        if not self._retry_is_due:
            self._retry_is_due = True
            self._alarms.later(RETRY_AFTER, self._retry)

    def _retry(self) -> None:
        """Try what is kept; if that is nothing, ask whether the log answers."""
        self._retry_is_due = False
        self._go_on()
        if self._is_in_trouble and not self._appending and len(self._audience):
            self._spawn(self._check())

    async def _check(self) -> None:
        try:
            await self._log.check()
        except StorageUnavailable:
            self._retry_soon()
        else:
            self._trouble(False)

    def _trouble(self, on: bool) -> None:
        if self._is_in_trouble != on:
            self._is_in_trouble = on
            self._audience.tell_all(codec.encode_trouble(on))

    # The state -----------------------------------------------------------------------

    def _take(self, draft: Draft, chapter: LogName, version: int) -> None:
        """The entry is stored: it is the room's state now, and everybody is told."""
        before, room, entry = self.room, draft.room, draft.entry
        self.room = room
        self._chapter, self._version = chapter, version
        journal.write(before, room)
        self._trouble(False)
        if before.epoch == room.epoch:
            self._audience.tell_entry(entry.v, draft.told)
        else:
            self._audience.begin_anew(room, self._alarms.now(room))
        if before.seats is not room.seats:
            for seen in self._audience.recognise(room, entry, draft.events):
                self._ask(Ask(c.Come(seen.connection), seen.token, seen))
        self._alarms.mind(room, {ask.command for ask in self._asks})
        for ask, why in draft.answers:
            self._answer(ask, why)


def _is_there(room: Room, token: TokenHash | None) -> bool:
    """Whether a player is shown as here, so that their coming changes nothing."""
    seat = room.seat_of(token)
    here = (Presence.HERE, Presence.AUTO)
    return seat is not None and room.place(seat).presence in here
