"""Who sees a table, and what they are sent.

Rule 1: everybody is told the same, in the same order; only who they are is their own.
Rule 2: one viewer's fault is no other's, and not the table's.
Rule 3: the newest page of a seat wins, and nothing is sent behind a close.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal

import structlog

from krig.host.means import Means
from krig.host.ports import Viewer
from krig.protocol import codec
from krig.protocol.limits import CATCH_UP_ENTRIES
from krig.protocol.session import CloseCode
from krig.room import events as e
from krig.room import facts as f
from krig.room.room import Place, Room
from krig.room.view import view

PRESENCE_AFTER: Final = 0.25
"""Who come or go within so long (s) are told as one."""

COMING: Final = 20
"""So many more than may watch come in to sit down: a crowd keeps no player out."""

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
    watchers: int = -1
    """How many watch, as they were told."""


@dataclass(frozen=True, slots=True)
class Told:
    """What an entry told viewers, encoded once for all of them."""

    v: int
    text: str


class Audience:
    """The viewers of one table."""

    def __init__(
        self,
        room: Room,
        earlier: Callable[[], list[Told]],
        means: Means,
        later: Callable[[float, Callable[[], None]], None],
    ) -> None:
        """Nobody sees it yet.

        Args:
            room: as it was read.
            earlier: what its last entries told, for who missed them.
            means: what every table has.
            later: the table's timers.
        """
        self._code = room.code
        self._told: deque[Told] = deque(maxlen=CATCH_UP_ENTRIES)
        self._read_at = room.v
        self._earlier: Callable[[], list[Told]] | None = earlier
        self._means = means
        self._later = later
        self._seen: dict[Viewer, Seen] = {}
        self._presence_is_due = False

    def __len__(self) -> int:
        """Count who sees the table."""
        return len(self._seen)

    def find(self, viewer: Viewer) -> Seen | None:
        """What is known of a viewer; None: they do not see this table."""
        return self._seen.get(viewer)

    @property
    def watchers(self) -> int:
        """How many see it without a seat."""
        return sum(seen.player is None for seen in self._seen.values())

    # Coming and going ----------------------------------------------------------------

    def admit(
        self, viewer: Viewer, token: f.TokenHash | None, room: Room
    ) -> Seen | None:
        """Let somebody in, or send them away and say why."""
        if token in room.dead_tokens:
            why = "this seat is not yours any more"
            self.dismiss(viewer, CloseCode.TOKEN_DEAD, why)
            return None
        seat = room.seat_of(token)
        if seat is None and not self._has_place_for(token, room):
            self.dismiss(viewer, CloseCode.FULL, "no more watchers")
            return None
        if seat is not None:
            for older in [s for s in self._seen.values() if s.token == token]:
                self._replace(older)
        player = None if seat is None else room.place(seat).player
        seen = Seen(viewer, token, self._means.connections(), player)
        self._seen[viewer] = seen
        if player is None:
            self._presence_soon()
        log.debug("viewer_came", room=self._code, connection=seen.connection, seat=seat)
        return seen

    def _has_place_for(self, token: f.TokenHash | None, room: Room) -> bool:
        """Whether one without a seat may come in: to watch, or to take one."""
        may_sit = token is not None and any(
            place is None or place.offer is not None for place in room.seats
        )
        most = self._means.settings.limits.watchers + (COMING if may_sit else 0)
        return (may_sit or not room.closed) and self.watchers < most

    def part(self, viewer: Viewer) -> Seen | None:
        """Somebody's connection is gone; None: they did not see this table."""
        seen = self._seen.pop(viewer, None)
        if seen is not None:
            if seen.player is None:
                self._presence_soon()
            log.debug("viewer_went", room=self._code, connection=seen.connection)
        return seen

    def leave_all(self, code: int, reason: str) -> None:
        """Send everybody away."""
        gone = list(self._seen)
        self._seen.clear()
        for viewer in gone:
            self.dismiss(viewer, code, reason)

    def dismiss(self, viewer: Viewer, code: int, reason: str) -> None:
        """End a connection, whether or not it was let in."""
        self._seen.pop(viewer, None)
        try:
            viewer.close(code, reason)
        except Exception:
            log.exception("viewer_failed", room=self._code)

    def _replace(self, seen: Seen) -> None:
        self.dismiss(seen.viewer, CloseCode.REPLACED, "this seat is open elsewhere")

    # What is sent --------------------------------------------------------------------

    def send(self, seen: Seen, text: str) -> None:
        """Send to one who still sees the table."""
        if seen.viewer in self._seen:
            try:
                seen.viewer.send(text)
            except Exception:
                log.exception(
                    "viewer_failed", room=self._code, connection=seen.connection
                )

    def tell_all(self, text: str) -> None:
        """Send to everybody."""
        for seen in list(self._seen.values()):
            self.send(seen, text)

    def tell_each(self, texts: Iterable[str]) -> None:
        """Send each of them a text of their own."""
        for seen, text in zip(list(self._seen.values()), texts, strict=False):
            self.send(seen, text)

    def tell_entry(self, v: int, text: str) -> None:
        """Tell everybody what the entry of this number told."""
        self._told.append(Told(v, text))
        self.tell_all(codec.join_events(v, [text]))

    def welcome(
        self, seen: Seen, room: Room, now: int, *, epoch: str | None = None, v: int = 0
    ) -> None:
        """Say who they are, and bring them up to date.

        Args:
            seen: who is welcomed.
            room: as it stands.
            now: the time (ms since 1970).
            epoch: of the history that they know.
            v: up to where they know it.
        """
        missed = self._missed(v, room) if epoch == room.epoch else None
        sync: Literal["in_sync", "events", "snapshot"] = "snapshot"
        if missed is not None:
            sync = "events" if missed else "in_sync"
        welcome = codec.encode_welcome(
            server=self._means.server,
            room=room.code,
            player=seen.player,
            epoch=room.epoch,
            v=room.v,
            sync=sync,
            now=now,
            deadline_ms=self._means.settings.pace.deadline,
            limits=self._means.settings.limits,
        )
        self.send(seen, welcome)
        self._means.observer.resumed(sync)
        if missed:
            self.send(seen, codec.join_events(room.v, missed))
        elif sync == "snapshot":
            self.resync(seen, room)
        self._tell_watchers(seen, self.watchers)

    def _missed(self, v: int, room: Room) -> list[str] | None:
        """What was told since `v`; None: so much is not kept."""
        if not 0 <= room.v - v <= CATCH_UP_ENTRIES:
            return None
        if v < self._read_at and self._earlier is not None:
            told, self._earlier = self._earlier(), None
            self._told = deque([*told, *self._told], maxlen=CATCH_UP_ENTRIES)
        missed = [told.text for told in self._told if told.v > v]
        return missed if len(missed) == room.v - v else None

    def resync(self, seen: Seen, room: Room) -> None:
        """Send the whole view, and what else they may have lost on their way."""
        self.send(seen, codec.encode_snapshot(room.v, view(room)))
        seen.watchers = -1
        self._tell_watchers(seen, self.watchers)

    def begin_anew(self, room: Room, now: int) -> None:
        """History was cut: what anybody holds of it may be of another."""
        self._told.clear()
        self._earlier = None
        for seen in list(self._seen.values()):
            self.welcome(seen, room, now)

    def _presence_soon(self) -> None:
        if not self._presence_is_due:
            self._presence_is_due = True
            self._later(PRESENCE_AFTER, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_is_due = False
        watchers = self.watchers
        for seen in list(self._seen.values()):
            self._tell_watchers(seen, watchers)

    def _tell_watchers(self, seen: Seen, watchers: int) -> None:
        """Tell how many watch to who does not know it."""
        if seen.watchers != watchers:
            seen.watchers = watchers
            self.send(seen, codec.encode_presence(watchers))

    # Who they are --------------------------------------------------------------------

    def recognise(
        self, room: Room, entry: f.Entry, events: Iterable[e.Event]
    ) -> list[Seen]:
        """Tell viewers who they are now, and send away who was made to go.

        Returns:
            Those whom another page of theirs gave a seat, and is gone: theirs is here.
        """
        kicked, arrived, before = _kicked(events), _arrived(entry), self.watchers
        here: list[Seen] = []
        for seen in list(self._seen.values()):
            seat = room.seat_of(seen.token)
            place = None if seat is None else room.place(seat)
            seen.came = seen.came or seen.connection in arrived
            if place is not None and self._is_outrun(seen, place):
                self._replace(seen)
            elif self._is_somebody_else(seen, place, room, kicked):
                here.append(seen)
        if self.watchers != before:
            self._presence_soon()
        return here

    def _is_somebody_else(
        self, seen: Seen, place: Place | None, room: Room, kicked: Collection[f.Player]
    ) -> bool:
        """Whether they have a seat now that the log does not know them to be at."""
        was, seen.player = seen.player, None if place is None else place.player
        if was == seen.player:
            return False
        seen.hidden = False  # as the log has it: their next pong says what is so
        if seen.token in room.dead_tokens:
            seen.token = None
        if was is not None and any(p.player == was for _, p in room.humans):
            self._replace(seen)  # the seat moved to another device
            return False
        self.send(seen, codec.encode_you(seen.player))
        if was in kicked:
            self.dismiss(seen.viewer, CloseCode.REMOVED, "you were removed")
        return place is not None and not seen.came

    def _is_outrun(self, seen: Seen, place: Place) -> bool:
        """A newer page of this seat is here, or on another server."""
        newest = place.connection
        if newest is None or newest == seen.connection:
            return False
        return seen.came or any(s.connection == newest for s in self._seen.values())


def _kicked(events: Iterable[e.Event]) -> set[f.Player]:
    """Who lost a seat because the owner said so."""
    return {
        event.player
        for event in events
        if isinstance(event, e.PlayerLeft) and event.how is f.Vacated.KICKED
    }


def _arrived(entry: f.Entry) -> set[f.Connection | None]:
    """The pages that this entry says are here."""
    return {
        fact.connection
        for fact in entry.facts
        if isinstance(fact, f.SeatCame | f.SeatTaken | f.SeatClaimed)
    }
