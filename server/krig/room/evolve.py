"""The fold: a room and an entry give the room after it, and what viewers are told.

Here a fact finds its fold. What takes more than a line is folded in the module of its
matter, next to where the command for it is judged: see `room/decide.py`.

Rule 1: pure and total: an entry that `decide` once came to never raises here, for ever.
Rule 2: the only time is the entry's own.
Rule 3: the only dice are the nonces in the log.
"""

from collections.abc import Iterable
from typing import assert_never

from krig.engine.game import Game
from krig.engine.outcome import Ending
from krig.engine.play import Untold, count_off, time_up
from krig.engine.shuffle import shuffler
from krig.errors import Unfoldable
from krig.room import chapters, dealing, handoff, playing, seating, standstill
from krig.room import events as e
from krig.room import facts as f
from krig.room.room import MOST_ENTRIES, GameClock, Phase, Room
from krig.room.step import Step


def evolve(room: Room | None, entry: f.Entry) -> Step:
    """Fold one entry.

    Args:
        room: the state before it; None for the first of a chapter that is read alone.
        entry: the next one, of the same chapter, or the first of the next.

    Returns:
        The new state, and what viewers are told, in the order it happened.

    Raises:
        Unfoldable: the entry does not belong here.
    """
    if room is not None and entry.v != room.v + 1:
        raise Unfoldable(f"entry {entry.v} does not follow {room.v}")
    after, events = advance(room, entry.facts, entry.at)
    after, more = number(after, entry)
    return after, events + more


def advance(room: Room | None, facts: tuple[f.Fact, ...], at: int) -> Step:
    """Fold the facts alone: what a writer does who still gathers an entry."""
    events: list[e.Event] = []
    for fact in facts:
        if isinstance(fact, f.ChapterOpened):
            room = chapters.chapter_opened(fact, at)
        elif room is None:
            raise Unfoldable("a chapter begins with what goes on")
        else:
            room, more = _apply(room, fact, at)
            events.extend(more)
    if room is None:
        raise Unfoldable("an entry holds a fact at least")
    return room, tuple(events)


def number(room: Room, entry: f.Entry) -> Step:
    """Give the room the entry's number and time, and settle who is there."""
    events: tuple[e.Event, ...] = ()
    if room.entries >= MOST_ENTRIES and _between_rounds(room.game):
        assert room.game is not None
        counted = count_off(room.game, Ending.ROUND_LIMIT)
        room, events = playing.played(room, counted, None, entry.at)
    return _settled(room, entry), events


def fold(entries: Iterable[f.Entry], room: Room | None = None) -> Room:
    """The room that a whole chapter comes to.

    Args:
        entries: The chapter, or what follows on `room`.
        room: Where the chapter stands before them.

    Raises:
        Unfoldable: the entries are no chapter.
    """
    flips: _Flips | None = None
    for entry in entries:
        if flips is None and room is not None and isinstance(entry.facts[0], f.Flipped):
            flips = _Flips.on(room)
        if flips is not None:
            if flips.take(entry):
                continue
            room, flips = flips.room(), None
        room, _ = evolve(room, entry)
    if flips is not None:
        room = flips.room()
    if room is None:
        raise Unfoldable("a chapter has an entry at least")
    return room


class _Flips:
    """Players' flips, one after the other: nearly every entry of a log is one.

    Untold, and with nobody's coming or going to look at, they come to the same room as
    by `evolve` in a third of the time.
    """

    def __init__(self, room: Room, game: Game, seed: int) -> None:
        self._room = room
        self._game = Untold(game, shuffler(seed))
        self._entries = room.entries
        self._at = room.at
        self._battle_since = room.battle_since
        self._last: f.Entry | None = None

    @classmethod
    def on(cls, room: Room) -> "_Flips | None":
        """Flips may follow; None where one means more than that a card is turned up."""
        sleepy = room.all_away_since is not None or any(
            place is not None and place.overslept for place in room.seats
        )
        if room.phase is not Phase.PLAYING or room.seed is None or sleepy:
            return None
        assert room.game is not None
        return cls(room, room.game, room.seed)

    def take(self, entry: f.Entry) -> bool:
        """Fold an entry; False, and nothing, if it is more than a player's flip."""
        flip = entry.facts[0]
        if (
            not isinstance(flip, f.Flipped)
            or len(entry.facts) > 1
            or flip.by is not f.FlippedBy.PLAYER
            or self._entries >= MOST_ENTRIES
            or entry.v != (self._last or self._room).v + 1
            or not self._game.flip(flip.seat)
        ):
            return False
        if self._game.between_flips and not self._game.over:
            self._battle_since = entry.at
        self._entries += 1
        self._at = max(self._at, entry.at)
        self._last = entry
        return True

    def room(self) -> Room:
        """The room that the entries taken come to."""
        if self._last is None:
            return self._room
        before = self._room._replace(
            game=self._game.game(),
            phase=Phase.OVER if self._game.over else Phase.PLAYING,
            battle_since=self._battle_since,
            entries=self._entries - 1,
            at=self._at,
        )
        return _settled(before, self._last)


def _between_rounds(game: Game | None) -> bool:
    return game is not None and game.outcome is None and not game.battle


def _settled(room: Room, entry: f.Entry) -> Room:
    """The entry's number and time, and what depends on who is there."""
    at = max(entry.at, room.at)
    clock, since = room.clock, room.all_away_since
    if clock is not None:
        runs = room.clock_runs
        if runs != (clock.since is not None):
            clock = GameClock(clock.limit, clock.at(at), at if runs else None)
    if not room.everybody_is_away:
        since = None
    elif since is None:
        since = at
    return room._replace(
        v=entry.v, at=at, entries=room.entries + 1, clock=clock, all_away_since=since
    )


def _apply(room: Room, fact: f.Fact, at: int) -> Step:  # one branch a fact
    match fact:
        case f.Flipped():
            return playing.flipped(room, fact, at)
        case f.SeatTaken():
            return seating.seat_taken(room, fact, at)
        case f.SeatMoved():
            return seating.seat_moved(room, fact)
        case f.SeatVacated():
            return seating.seat_vacated(room, fact, at)
        case f.NameChanged(seat, name):
            return room.with_seat(seat, name=name), (e.PlayerRenamed(seat, name),)
        case f.RulesChanged(rules, preset, code):
            changed = room._replace(rules=rules, preset=preset, game_code=code)
            return dealing.unready(changed, e.Cleared.RULES)
        case f.Readied(seat, commitment):
            return dealing.deal_on(room.with_seat(seat, commitment=commitment), at)
        case f.Unreadied(seat):
            return room.with_seat(seat, commitment=None), ()
        case f.AttemptOpened():
            return dealing.attempt_opened(room, fact, at)
        case f.Started():
            return dealing.started(room, at)
        case f.Revealed(seat, nonce):
            return dealing.deal_on(room.with_seat(seat, nonce=nonce), at)
        case f.AttemptVoided():
            return dealing.attempt_voided(room, fact)
        case f.TimeUp():
            assert room.game is not None
            return playing.played(room, time_up(room.game), None, at)
        case f.SeatCame(seat, connection):
            here = {"connection": connection, "gone_since": None, "hidden": False}
            if room.place(seat).gone_since is None:
                return room.with_seat(seat, **here), ()
            return room.with_seat(seat, **here, since=at, came=at), ()
        case f.SeatWent(seat, _):
            return room.with_seat(seat, gone_since=at), ()
        case f.SeatBack(seat):
            return room.with_seat(seat, overslept=False, since=at), ()
        case f.PageHidden(seat, hidden):
            return room.with_seat(seat, hidden=hidden), ()
        case f.AutoplaySet(seat, on):
            return room.with_seat(seat, autoplay=on, overslept=False, since=at), ()
        case f.TempoSet(tempo, wars):
            return room._replace(tempo=tempo, wars_by_table=wars), ()
        case f.Paused(seat):
            return standstill.paused(room, seat, at)
        case f.Resumed(by):
            return room._replace(pause=None, battle_since=at), (e.TableResumed(by),)
        case f.Slept():
            return room._replace(asleep=True), (e.TableSlept(),)
        case f.Woke(seat):
            awake = room._replace(asleep=False, battle_since=at, all_away_since=None)
            return awake, (e.TableWoke(seat),)
        case f.OwnerPassed(player):
            return room._replace(owner=player), (e.OwnerChanged(player),)
        case f.RoomClosed(closed):
            return room._replace(closed=closed), ()
        case f.SeatOffered(seat, claim):
            return room.with_seat(seat, offer=claim, offer_since=at), ()
        case f.OfferEnded(seat):
            return room.with_seat(seat, offer=None), ()
        case f.SeatClaimed():
            return handoff.seat_claimed(room, fact, at), ()
        case f.CardsCounted():
            return chapters.cards_counted(room), ()
        case f.Reopened():
            return standstill.reopened(room, at), ()
        case f.HistoryCut(epoch):
            return room._replace(epoch=epoch), ()
        case f.ChapterOpened():
            raise AssertionError("folded before")
        case _:
            assert_never(fact)
