"""A table: one room kept alive. The one place where its state is taken.

Rule 1: judge, fold on a copy, encode, append, take the copy, send, acknowledge.
Rule 2: at most one append is in flight; what is asked meanwhile waits in order and
becomes the next entry.
Rule 3: every state comes through `_take`, whoever wrote its entry.
Rule 4: nothing is sent that is not stored.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

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
from krig.host.ports import Chance, Clock, Timer, Viewer
from krig.host.settings import HostSettings
from krig.log.log import Log, LogName
from krig.protocol import codec
from krig.protocol.limits import CATCH_UP_ENTRIES
from krig.protocol.session import CloseCode
from krig.room import commands as c
from krig.room import facts as f
from krig.room.code import draw_room_code
from krig.room.decide import decide
from krig.room.due import Due, due
from krig.room.events import Event
from krig.room.evolve import advance, evolve, number
from krig.room.handoff import CODE_LENGTH, claim_of
from krig.room.room import Phase, Place, Room
from krig.room.view import changed_parts, view

TOGETHER: Final = 0.02
"""Deadlines less than this apart (s) are given at once, and become one entry."""

RETRY_AFTER: Final = 0.25
"""How long the host waits before it tries a log again that did not answer (s)."""

log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class Seen:
    """What the table knows of a viewer."""

    viewer: Viewer
    token: f.TokenHash | None
    connection: f.Connection
    player: f.Player | None
    hidden: bool = False
    came: bool = False
    """The log knows that this page is here."""


@dataclass(slots=True, eq=False)
class Ask:
    """A command that waits for its turn."""

    command: c.Command
    token: f.TokenHash | None = None
    seen: Seen | None = None
    command_id: int | None = None
    news: str | None = None
    """What only who asked is told, when it is done."""
    until: float | None = None
    """When it has waited long enough (monotonic s); None: it waits for ever."""

    @property
    def is_ours(self) -> bool:
        """Nobody will ask it again if we do not: who is here, and what is due."""
        return isinstance(self.command, c.HostCommand | c.Come | c.HidePage)


Answer = tuple[Ask, KrigError | None]
"""An ask, and why it is refused; None: it is done."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The next entry, and what will be sent when it is stored.

    A refusal waits too: it was judged by what this entry makes true.
    """

    room: Room
    entry: f.Entry
    told: str
    answers: list[Answer]


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something due, and the timer that will ring for it."""

    due: Due
    when: float
    """Monotonic s."""
    timer: Timer


@dataclass(frozen=True, slots=True)
class Told:
    """What an entry told viewers, encoded once for all of them."""

    v: int
    text: str


class Table:
    """One room: its state, its viewers, what is asked of it and what is due."""

    def __init__(
        self,
        chapter: LogName,
        version: int,
        room: Room,
        told: list[Told],
        *,
        storage: Log,
        clock: Clock,
        chance: Chance,
        settings: HostSettings,
        server: str,
        connections: Callable[[], f.Connection],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self.room = room
        self.faulty = False
        """Something could not be folded: nobody may append to this room."""
        self.closed = False
        """Nothing is taken, told or rung any more."""
        self._chapter = chapter
        self._version = version
        self._told: deque[Told] = deque(told, maxlen=CATCH_UP_ENTRIES)

        self._log = storage
        self._clock = clock
        self._chance = chance
        self._settings = settings
        self._server = server
        self._connections = connections
        self._spawn = spawn

        self._seen: dict[Viewer, Seen] = {}
        self._asks: deque[Ask] = deque()
        self._appending = False
        self._is_in_trouble = False
        self._timers: dict[c.HostCommand, Alarm] = {}
        self._others: set[Timer] = set()
        self._presence_is_due = False
        self._retry_is_due = False
        self._pausing: asyncio.Event | None = None
        self._offset = 0.0
        """What to add to monotonic ms to have the time that is written down."""
        self._is_kept = False
        """Somebody came since it was read from the log, so its time runs."""
        self.quiet_since = clock.monotonic()
        self._believe_the_wall()

    # Viewers -------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Nobody sees it, nothing is asked and nothing is due."""
        return not (self._seen or self._asks or self._appending or self._timers)

    @property
    def watchers(self) -> int:
        """How many see it without a seat."""
        return sum(seen.player is None for seen in self._seen.values())

    @property
    def viewers(self) -> int:
        """How many see it."""
        return len(self._seen)

    def join(
        self, viewer: Viewer, token: f.TokenHash | None, epoch: str | None, v: int
    ) -> None:
        """Let a viewer see the table, and bring them up to date."""
        room, seat = self.room, self.room.seat_of(token)
        if self.closed:
            self._dismiss(viewer, CloseCode.ELSEWHERE, "come again")
            return
        if token in room.dead_tokens:
            self._dismiss(
                viewer, CloseCode.TOKEN_DEAD, "this seat is not yours any more"
            )
            return
        full = room.closed or self.watchers >= self._settings.limits.watchers
        if seat is None and full:
            self._dismiss(viewer, CloseCode.FULL, "no more watchers")
            return
        self._outrun(token if seat is not None else None)
        player = None if seat is None else room.place(seat).player
        seen = Seen(viewer, token, self._connections(), player)
        self._seen[viewer] = seen
        self._welcome(seen, epoch, v)
        self._keep()
        if seat is not None:
            self._ask(Ask(c.Come(seen.connection), token, seen))
        self._presence_soon()

    def _outrun(self, token: f.TokenHash | None) -> None:
        """The newest page of a seat wins, and the older is told so."""
        older = [s for s in self._seen.values() if token and s.token == token]
        for seen in older:
            self._replace(seen)

    def _replace(self, seen: Seen) -> None:
        del self._seen[seen.viewer]
        self._dismiss(seen.viewer, CloseCode.REPLACED, "this seat is open elsewhere")

    def _welcome(self, seen: Seen, epoch: str | None, v: int) -> None:
        room = self.room
        missed = [told.text for told in self._told if told.v > v]
        known = epoch == room.epoch and v > 0 and len(missed) == room.v - v
        sync: Literal["in_sync", "events", "snapshot"] = "snapshot"
        if known:
            sync = "events" if missed else "in_sync"
        welcome = codec.encode_welcome(
            server=self._server,
            room=room.code,
            player=seen.player,
            epoch=room.epoch,
            v=room.v,
            sync=sync,
            now=self._now(),
            deadline_ms=self._settings.pace.deadline,
            limits=self._settings.limits,
        )
        self._send(seen.viewer, welcome)
        if sync == "events":
            self._send(seen.viewer, codec.join_events(room.v, missed))
        elif sync == "snapshot":
            self._send(seen.viewer, codec.encode_snapshot(room.v, view(room)))
        if self._is_in_trouble:
            self._send(seen.viewer, codec.encode_trouble(True))

    def part(self, viewer: Viewer) -> None:
        """A viewer's connection is gone."""
        seen = self._seen.pop(viewer, None)
        if seen is None:
            return
        self.quiet_since = self._clock.monotonic()
        self._presence_soon()
        if seen.player is not None:
            self._ask_later(self._settings.gone_after, c.Go(seen.connection))

    def resync(self, viewer: Viewer) -> None:
        """Send a viewer the whole view."""
        if viewer in self._seen:
            self._send(viewer, codec.encode_snapshot(self.room.v, view(self.room)))

    def answer_ping(self, viewer: Viewer) -> None:
        """Answer a viewer who asks whether the server is there."""
        self._send(viewer, codec.encode_pong(self.room.v))

    def hear_pong(self, viewer: Viewer, hidden: bool) -> None:
        """A viewer is there; their page is in view, or not."""
        seen = self._seen.get(viewer)
        if seen is None or seen.hidden == hidden:
            return
        seen.hidden = hidden
        if seen.player is not None:
            self._ask(Ask(c.HidePage(hidden), seen.token))

    def react(self, viewer: Viewer, reaction: int) -> None:
        """Show everybody a viewer's reaction. Lossy."""
        seen = self._seen.get(viewer)
        if seen is not None:
            self._tell_all(codec.encode_reaction(seen.player, reaction))

    def drain(self, retry_after_ms: int) -> None:
        """Tell every viewer that the server stops, and when to come back."""
        for viewer in list(self._seen):
            self._send(viewer, codec.encode_drain(retry_after_ms))
            self._dismiss(viewer, CloseCode.DRAIN, "the server stops")

    def close(self, code: int, reason: str) -> None:
        """Send everybody away, and let go of every timer, for good."""
        self.closed = True
        for viewer in list(self._seen):
            self._dismiss(viewer, code, reason)
        self._seen.clear()
        self._asks.clear()
        if self._pausing is not None:
            self._pausing.set()
        for alarm in self._timers.values():
            alarm.timer.cancel()
        for timer in self._others:
            timer.cancel()
        self._timers.clear()
        self._others.clear()

    def _tell_all(self, text: str) -> None:
        for viewer in list(self._seen):
            self._send(viewer, text)

    def _send(self, viewer: Viewer, text: str) -> None:
        try:
            viewer.send(text)
        except Exception:  # one viewer's fault is no other's
            log.exception("viewer_failed", room=self.room.code)

    def _dismiss(self, viewer: Viewer, code: int, reason: str) -> None:
        try:
            viewer.close(code, reason)
        except Exception:
            log.exception("viewer_failed", room=self.room.code)

    def _presence_soon(self) -> None:
        """Tell how many watch, once for all who come or go within a moment."""
        if not self._presence_is_due:
            self._presence_is_due = True
            self._later(RETRY_AFTER, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_is_due = False
        self._tell_all(codec.encode_presence(self.watchers))

    # Commands ------------------------------------------------------------------------

    def submit(
        self, viewer: Viewer, command: c.PlayerCommand, command_id: int | None
    ) -> None:
        """Take a viewer's command; its answer is sent when there is one."""
        seen = self._seen.get(viewer)
        if seen is None:
            return
        until = self._clock.monotonic() + self._settings.patience
        ask = Ask(command, seen.token, seen, command_id, until=until)
        if isinstance(command, c.TakeSeat | c.ClaimSeat):
            ask.command = replace(command, connection=seen.connection)
        elif isinstance(command, c.OfferSeat):
            self._prepare_offer(ask, command)
        self._ask(ask)

    def _prepare_offer(self, ask: Ask, command: c.OfferSeat) -> None:
        """Draw the one-time code; only who offers the seat is told, when it stands."""
        code = None
        while code is None:
            code = draw_room_code(self._chance.bytes(2 * CODE_LENGTH), CODE_LENGTH)
        ask.command = replace(command, claim=claim_of(code))
        for_ms = self._settings.pace.offer
        ask.news = codec.encode_offered(command.seat, code, for_ms)

    def _ask(self, ask: Ask) -> None:
        if not self.closed:
            self._asks.append(ask)
            self._go_on()

    def _go_on(self) -> None:
        """Judge what waits, unless an append is in flight."""
        if self._appending or self.closed:
            return
        draft = self._judge()
        if draft is not None:
            self._appending = True
            self._spawn(self._append(draft))

    def _judge(self) -> Draft | None:
        """Make one entry of everything that waits; refuse what may not be.

        The next chapter is opened by an entry of its own, and before anything else
        is judged: nothing is added behind the end of a game.
        """
        room, at = self.room, self._now()
        facts: list[f.Fact] = []
        events: list[Event] = []
        answers: list[Answer] = []
        if self._asks and room.phase is Phase.OVER:
            self._asks.appendleft(Ask(c.OpenChapter(room.chapter)))
        while self._asks:
            opens = isinstance(self._asks[0].command, c.OpenChapter)
            if facts and (opens or room.phase is Phase.OVER):
                break
            ask = self._asks.popleft()
            try:
                new = decide(room, ask.token, self._with_chance(ask.command))
                if new:
                    room, more = advance(room, new, at)
                    facts.extend(new)
                    events.extend(more)
                why = None
            except KrigError as error:
                new, why = (), error
            except Exception:
                log.exception("judging_failed", room=self.room.code)
                new, why = (), InternalError()
            if facts:
                answers.append((ask, why))
            else:
                self._answer(ask, why)
            if opens and new:
                break
        if not facts:
            return None
        entry = f.Entry(self.room.v + 1, at, self._chance.bytes(8).hex(), tuple(facts))
        try:
            room, more = number(room, entry)
            told = encoded(self.room, room, (*events, *more))
        except Exception:
            log.exception("judging_failed", room=self.room.code)
            for ask, _ in answers:
                self._refuse(ask, InternalError())
            return None
        return Draft(room, entry, told, answers)

    def _with_chance(self, command: c.Command) -> c.Command:
        """Give the host's own commands the secrets they need."""
        if isinstance(command, c.OpenChapter | c.GiveUpWaiting):
            game_id, nonce = self._chance.bytes(16), self._chance.bytes(32)
            return replace(command, game_id=game_id.hex(), server_nonce=nonce.hex())
        return command

    def _answer(self, ask: Ask, why: KrigError | None) -> None:
        """Say that it is refused, and why; or that it is done, if that was asked."""
        if why is not None:
            self._refuse(ask, why)
            return
        if ask.seen is not None and ask.news is not None:
            self._send(ask.seen.viewer, ask.news)
        if ask.seen is not None and ask.command_id is not None:
            self._send(ask.seen.viewer, codec.encode_ack(ask.command_id, self.room.v))

    def _refuse(self, ask: Ask, error: KrigError, *, retry: bool = False) -> None:
        if ask.seen is not None and ask.seen.viewer in self._seen:
            text = codec.encode_error(error, ask.command_id, retry=retry)
            self._send(ask.seen.viewer, text)

    # The log -------------------------------------------------------------------------

    async def _append(self, draft: Draft) -> None:
        """Store an entry, then take it; or judge again what could not be stored."""
        try:
            await self._store(draft)
        except StorageUnavailable as error:
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
        try:
            version = await self._log.append(chapter, after, draft.entry)
        except Conflict:
            await self._catch_up(draft)
        except Unknown:
            await self._look_for(draft, chapter, after)
        except UnreadableEntry:  # it cannot be written, so nothing was
            log.exception("judging_failed", room=self.room.code)
            for ask, _ in draft.answers:
                self._refuse(ask, InternalError())
        else:
            self._take(draft.room, draft.entry, draft.told, chapter, version)
            self._answer_all(draft)

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
            version, entry = stored[0]
            self._take(draft.room, entry, draft.told, chapter, version)
            self._answer_all(draft)
        elif stored:
            await self._catch_up(draft)
        else:
            self._ask_again(draft)

    async def _read(self, chapter: LogName, after: int) -> int:
        """Take what others have written; return how much it was."""
        stored = await self._log.read(chapter, after)
        for version, entry in stored:
            room, events = evolve(self.room, entry)
            told = encoded(self.room, room, events)
            self._take(room, entry, told, chapter, version)
        return len(stored)

    async def _pause(self) -> None:
        """Wait a moment, but not for a table that is closed."""
        if not self.closed:
            self._pausing = over = asyncio.Event()
            self._later(RETRY_AFTER, over.set)
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
            self._later(RETRY_AFTER, self._retry)

    def _retry(self) -> None:
        """Try what is kept; if that is nothing, ask whether the log answers."""
        self._retry_is_due = False
        self._go_on()
        if self._is_in_trouble and not self._appending and self._seen:
            self._spawn(self._check())

    async def _check(self) -> None:
        try:
            await self._log.check()
        except StorageUnavailable:
            self._retry_soon()
        else:
            self._trouble(False)

    def _take(
        self, room: Room, entry: f.Entry, told: str, chapter: LogName, version: int
    ) -> None:
        """The entry is stored: it is the room's state now, and everybody is told."""
        before, self.room = self.room, room
        self._chapter, self._version = chapter, version
        self._told.append(Told(entry.v, told))
        self._trouble(False)
        self._tell_all(codec.join_events(entry.v, [told]))
        if before.seats is not room.seats:
            self._seats_changed(_kicked(before, entry), _arrived(entry))
        self._mind_the_clock()

    def _seats_changed(
        self, kicked: set[f.Player], arrived: set[f.Connection | None]
    ) -> None:
        """Tell viewers who they are now, and send away who was made to go."""
        for seen in list(self._seen.values()):
            seat = self.room.seat_of(seen.token)
            place = None if seat is None else self.room.place(seat)
            seen.came = seen.came or seen.connection in arrived
            if place is not None and self._is_outrun(seen, place):
                self._replace(seen)
            else:
                self._tell_who(seen, place, kicked)
        self._presence_soon()

    def _tell_who(self, seen: Seen, place: Place | None, kicked: set[f.Player]) -> None:
        was, seen.player = seen.player, None if place is None else place.player
        if was == seen.player:
            return
        if seen.token in self.room.dead_tokens:
            seen.token = None
        if was is not None and any(p.player == was for _, p in self.room.humans):
            self._replace(seen)  # the seat moved to another device
            return
        self._send(seen.viewer, codec.encode_you(seen.player))
        if was in kicked:
            del self._seen[seen.viewer]
            self._dismiss(seen.viewer, CloseCode.REMOVED, "you were removed")
        elif place is not None and not seen.came:
            # It was another page of theirs that sat down, and it is gone.
            self._ask(Ask(c.Come(seen.connection), seen.token, seen))

    def _is_outrun(self, seen: Seen, place: Place) -> bool:
        """A newer page of this seat is here, or on another server."""
        newest = place.connection
        if newest is None or newest == seen.connection:
            return False
        return seen.came or any(s.connection == newest for s in self._seen.values())

    def _answer_all(self, draft: Draft) -> None:
        for ask, why in draft.answers:
            self._answer(ask, why)

    def _trouble(self, on: bool) -> None:
        if self._is_in_trouble != on:
            self._is_in_trouble = on
            self._tell_all(codec.encode_trouble(on))

    # The clock -----------------------------------------------------------------------

    def _keep(self) -> None:
        """Somebody came: if nobody had kept the room, its time begins to run."""
        if self._is_kept:
            return
        self._is_kept = True
        if self.room.v == 1:
            return
        self._ask(Ask(c.Reopen()))
        grace = self._settings.pace.deadline / 1000
        for _, place in self.room.humans:
            if place.connection is not None and place.gone_since is None:
                self._ask_later(grace, c.Go(place.connection))

    def _now(self) -> int:
        """The time to write down (ms since 1970).

        It runs as monotonic time does: a wall clock that is put right in the middle
        of a game takes nothing from anybody's time, and gives nobody more.
        """
        return max(self.room.at, round(self._clock.monotonic() * 1000 + self._offset))

    def _believe_the_wall(self) -> None:
        self._offset = self._clock.now() - self._clock.monotonic() * 1000
        self._offset += max(0, self.room.at - self._clock.now())

    def _mind_the_clock(self) -> None:
        """Have a timer for what is due, and for nothing else."""
        if self.closed:
            return
        owed = {d.command: d for d in due(self.room, self._settings.pace)}
        for command in [k for k, a in self._timers.items() if a.due != owed.get(k)]:
            self._timers.pop(command).timer.cancel()
        asked = {ask.command for ask in self._asks}
        for command, d in owed.items():
            if command not in self._timers and command not in asked:
                self._set_timer(d)
        if not owed:
            self._believe_the_wall()

    def _set_timer(self, d: Due) -> None:
        spent = self._now() - d.since
        delay = max(0, min(d.allowance, d.allowance - spent)) / 1000
        timer = self._clock.call_later(delay, self._ring)
        self._timers[d.command] = Alarm(d, self._clock.monotonic() + delay, timer)

    def _ring(self) -> None:
        """Ask for everything whose time has come; what comes together is one entry."""
        now = self._clock.monotonic() + TOGETHER
        for command in [k for k, alarm in self._timers.items() if alarm.when <= now]:
            self._timers.pop(command).timer.cancel()
            self._asks.append(Ask(command))
        self._go_on()

    def _ask_later(self, delay: float, command: c.HostCommand) -> None:
        self._later(delay, lambda: self._ask(Ask(command)))

    def _later(self, delay: float, callback: Callable[[], None]) -> None:
        """Call back once, unless the table is closed before."""
        if self.closed:
            return

        def call() -> None:
            self._others.discard(timer)
            callback()

        timer = self._clock.call_later(delay, call)
        self._others.add(timer)


def _kicked(before: Room, entry: f.Entry) -> set[f.Player]:
    """Who lost a seat by this entry because the owner said so."""
    return {
        before.place(fact.seat).player
        for fact in entry.facts
        if isinstance(fact, f.SeatVacated) and fact.how is f.Vacated.KICKED
    }


def _arrived(entry: f.Entry) -> set[f.Connection | None]:
    """The pages that this entry says are here."""
    return {
        fact.connection
        for fact in entry.facts
        if isinstance(fact, f.SeatCame | f.SeatTaken | f.SeatClaimed)
    }


def encoded(before: Room, after: Room, events: tuple[Event, ...]) -> str:
    """What an entry tells, encoded once: what happened, then what changed whole."""
    told = [codec.told(event) for event in events]
    return codec.encode_entry([*told, *changed_parts(before, after)])
