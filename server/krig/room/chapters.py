"""Where one chapter ends and the next begins: judged, and folded.

Rule 1: a chapter's first fact carries everything that goes on, so that none is needed
to read the next.
"""

from dataclasses import replace

from krig.engine.game import sides_of
from krig.engine.outcome import Ending, leaders
from krig.engine.seats import Seat
from krig.errors import NoGame
from krig.room import commands as c
from krig.room import facts as f
from krig.room.room import Attempt, Phase, Place, Presence, Room

# Judged ------------------------------------------------------------------------------


def open_room(
    code: str, epoch: str, first: f.AttemptOpened, asked: c.ChangeRules
) -> f.Facts:
    """The facts of a new room's first entry."""
    opened = f.ChapterOpened(
        code=code,
        chapter=1,
        epoch=epoch,
        rules=asked.rules,
        preset=asked.preset,
        tempo=f.Tempo.NORMAL,
        wars_by_table=False,
        closed=False,
        owner=None,
        seats=(None, None, None, None),
        next_player=f.Player(1),
        game_code=asked.game_code,
    )
    return opened, first


def open_chapter(room: Room, command: c.OpenChapter) -> f.Facts:
    """Open the next lobby, where the game of this chapter is over."""
    if room.phase is not Phase.OVER or room.chapter != command.chapter:
        return ()
    return _next(room), f.AttemptOpened(command.game_id, command.server_nonce)


def _next(room: Room) -> f.ChapterOpened:
    """Everything that goes on; whoever left in the game is not part of it."""
    stay = tuple(
        None if place is None or place.presence is Presence.LEFT else _sitter(place)
        for place in room.seats
    )
    return f.ChapterOpened(
        code=room.code,
        chapter=room.chapter + 1,
        epoch=room.epoch,
        rules=room.rules,
        preset=room.preset,
        tempo=room.tempo,
        wars_by_table=room.wars_by_table,
        closed=room.closed,
        owner=room.owner,
        seats=stay,
        next_player=room.next_player,
        last=_last_game(room),
        dead_tokens=room.dead_tokens,
    )


def _sitter(place: Place) -> f.Sitter:
    here = place.connection if place.gone_since is None else None
    return f.Sitter(place.player, place.name, place.token, here)


def _last_game(room: Room) -> f.LastGame | None:
    outcome = room.game.outcome if room.game is not None else None
    if room.game is None or outcome is None:
        return None
    players = [room.place(seat) for seat in room.taken]
    return f.LastGame(
        game=room.chapter,
        ending=outcome.ending.value,
        winners=outcome.winners,
        counts=outcome.counts,
        rounds=room.game.rounds,
        wars=room.game.wars,
        players=tuple(p.player for p in players),
        names=tuple(p.name for p in players),
        teams=room.rules.teams,
    )


def count_cards(room: Room, seat: Seat, command: c.CountCards) -> f.Facts:
    """Judge whether the game before ended in nothing but repetition."""
    last = room.last
    if last is None or last.game != command.game:
        raise NoGame
    if last.ending != Ending.REPETITION.value:
        raise NoGame
    return () if last.counted else (f.CardsCounted(seat),)


# Folded ------------------------------------------------------------------------------


def chapter_opened(fact: f.ChapterOpened, at: int) -> Room:
    """A lobby, from what its chapter begins with."""
    seats = tuple(
        None
        if sitter is None
        else Place(
            player=sitter.player,
            name=sitter.name,
            token=sitter.token,
            since=at,
            came=at,
            connection=sitter.connection,
            gone_since=None if sitter.connection or not sitter.token else at,
        )
        for sitter in fact.seats
    )
    return Room(
        code=fact.code,
        chapter=fact.chapter,
        epoch=fact.epoch,
        v=0,
        at=at,
        entries=0,
        phase=Phase.LOBBY,
        seats=seats,
        owner=fact.owner,
        rules=fact.rules,
        preset=fact.preset,
        tempo=fact.tempo,
        wars_by_table=fact.wars_by_table,
        closed=fact.closed,
        terms=0,
        next_player=fact.next_player,
        rules_version=fact.rules_version,
        attempt=Attempt("", ""),
        last=fact.last,
        dead_tokens=fact.dead_tokens,
        game_code=fact.game_code,
    )


def cards_counted(room: Room) -> Room:
    """The cards decide the game that only repeated itself (RULES R2)."""
    last = room.last
    assert last is not None
    winners = leaders(last.counts, sides_of(len(last.counts), last.teams))
    return room._replace(last=replace(last, winners=winners, counted=True))
