"""The game on the table: who may press, and what comes of it: judged, and folded.

Rule 1: what follows from a flip is the engine's to say (`krig.engine.play`).
Rule 2: a flip names its round and battle, so that none ever counts for another.
"""

from krig.engine import events as told
from krig.engine.game import Game
from krig.engine.play import Flip, play
from krig.engine.seats import Seat
from krig.engine.shuffle import shuffler
from krig.errors import FutureFlip, NoGame, NotInBattle, StaleFlip, TableStandsStill
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.room import Phase, Room
from krig.room.step import Step

# Judged ------------------------------------------------------------------------------


def game_on(room: Room) -> Game:
    """The game that is played.

    Raises:
        NoGame: none is.
    """
    if room.phase is not Phase.PLAYING or room.game is None:
        raise NoGame
    return room.game


def flip(room: Room, seat: Seat, command: c.Flip) -> f.Facts:
    """Judge a press."""
    asked = (command.round, command.battle)
    if command.game == room.chapter and asked == room.place(seat).flipped_for:
        return ()  # the server was quicker: it only takes the seat back
    if command.game < room.chapter:
        raise StaleFlip
    if command.game > room.chapter:
        raise FutureFlip
    game = game_on(room)
    now = (game.rounds + 1, game.battle)
    if asked < now:
        raise StaleFlip
    if asked > now:
        raise FutureFlip
    if seat in game.flipped:
        return ()
    if seat not in game.waiting:
        raise NotInBattle
    if room.pause is not None:
        raise TableStandsStill
    return (f.Flipped(seat), *_answers(room, game, seat))


def _answers(room: Room, game: Game, seat: Seat) -> f.Facts:
    """When the last player has pressed, the seats the server plays press at once.

    Without a press of a player they keep to the table's tempo.
    """
    rest = [s for s in game.waiting if s != seat and s not in game.flipped]
    if not all(room.plays_itself(s) for s in rest):
        return ()
    return tuple(f.Flipped(s, f.FlippedBy.AUTOPLAY) for s in rest)


def flip_for(room: Room, command: c.FlipFor) -> f.Facts:
    """Judge whether the server's flip for a seat is still wanted."""
    if room.phase is not Phase.PLAYING or room.game is None or room.stands_still:
        return ()
    game, seat = room.game, command.seat
    if (command.round, command.battle) != (game.rounds + 1, game.battle):
        return ()
    if seat in game.flipped or seat not in game.waiting:
        return ()
    if command.by is not served_by(room, game, seat):
        return ()
    return (f.Flipped(seat, command.by),)


def served_by(room: Room, game: Game, seat: Seat) -> f.FlippedBy:
    """As what the server's flip for a seat would count, if it came now."""
    if room.plays_itself(seat) or (room.wars_by_table and game.battle):
        return f.FlippedBy.AUTOPLAY
    return f.FlippedBy.CLOCK


def strike_time(room: Room, command: c.StrikeTime) -> f.Facts:
    """Judge whether the time of this game is over."""
    on = room.chapter == command.game and room.clock_runs
    struck = room.game is None or room.game.time_struck
    return (f.TimeUp(),) if on and room.clock is not None and not struck else ()


# Folded ------------------------------------------------------------------------------


def flipped(room: Room, fact: f.Flipped, at: int) -> Step:
    """A seat has pressed, or was pressed for."""
    game, seat = room.game, fact.seat
    seed = room.seed
    assert game is not None and seed is not None
    place = room.place(seat)
    if fact.by is not f.FlippedBy.PLAYER:
        now = (game.rounds + 1, game.battle)
        overslept = place.overslept or fact.by is f.FlippedBy.CLOCK
        room = room.with_seat(seat, flipped_for=now, overslept=overslept)
    elif place.overslept:
        room = room.with_seat(seat, overslept=False, since=at)
    press = Flip(seat, game.rounds + 1, game.battle)
    return played(room, play(game, press, shuffler(seed)), fact.by, at)


def played(
    room: Room,
    step: tuple[Game, tuple[told.Event, ...]],
    by: f.FlippedBy | None,
    at: int,
) -> Step:
    """Put what the engine says into the room's words."""
    before, (game, happened) = room.game, step
    assert before is not None
    news: list[e.Event] = []
    for event in happened:
        match event:
            case told.Flipped(seat):
                news.append(e.SeatFlipped(seat, by or f.FlippedBy.CLOCK))
            case told.GameEnded(outcome, aside):
                nonce = room.attempt.server_nonce
                news.append(e.GameOver(room.chapter, outcome, aside, nonce))
            case _:
                news.append(event)
    if game.outcome is not None:
        return room._replace(game=game, phase=Phase.OVER), tuple(news)
    if (game.rounds, game.battle) == (before.rounds, before.battle):
        return room._replace(game=game), tuple(news)
    news.append(battle_opened(game))
    return room._replace(game=game, battle_since=at), tuple(news)


def battle_opened(game: Game) -> e.BattleOpened:
    """Say whom the table waits for."""
    return e.BattleOpened(game.rounds + 1, game.battle, game.waiting)
