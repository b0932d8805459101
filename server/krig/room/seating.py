"""Who sits where and is called what: judged, and folded.

Rule 1: a token has one seat at the most, and a dead one never has one again.
Rule 2: whoever leaves in mid-game leaves a seat that the server plays to the end.
"""

from krig.engine.play import abandon
from krig.engine.seats import Seat
from krig.errors import (
    GameUnderWay,
    NameTaken,
    NobodyThere,
    NoFreeSeat,
    NotSeated,
    SeatOccupied,
)
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.dealing import deal_on, unready
from krig.room.names import bot_name, parse_name, same_name
from krig.room.playing import played
from krig.room.room import Phase, Place, Room
from krig.room.step import Step

# Judged ------------------------------------------------------------------------------


def in_the_lobby(room: Room) -> None:
    """Refuse what is only for the lobby.

    Raises:
        GameUnderWay: the cards are dealt, or about to be.
    """
    if room.phase is not Phase.LOBBY:
        raise GameUnderWay


def take_seat(room: Room, token: f.TokenHash | None, command: c.TakeSeat) -> f.Facts:
    """Judge who sits down, or moves to another seat."""
    if token is None or token in room.dead_tokens:
        raise NotSeated
    mine = room.seat_of(token)
    if mine is not None and command.seat in (None, mine):
        return ()
    in_the_lobby(room)
    if command.seat is None:
        free = [Seat(i) for i, place in enumerate(room.seats) if place is None]
        if not free:
            raise NoFreeSeat
        seat = free[0]
    elif room.seats[command.seat] is None:
        seat = command.seat
    else:
        raise SeatOccupied
    if mine is not None:
        return (f.SeatMoved(mine, seat),)
    name = _free_name(room, command.name, but=None)
    return (f.SeatTaken(seat, name, token, command.connection),)


def change_name(room: Room, seat: Seat, command: c.ChangeName) -> f.Facts:
    """Judge another name."""
    name = _free_name(room, command.name, but=seat)
    return () if room.place(seat).name == name else (f.NameChanged(seat, name),)


def _free_name(room: Room, text: str, but: Seat | None) -> str:
    name = parse_name(text)
    for seat in room.taken:
        if seat != but and same_name(room.place(seat).name, name):
            raise NameTaken
    return name


def seat_bot(room: Room, command: c.SeatBot) -> f.Facts:
    """Judge a computer player's coming or going."""
    place = room.seats[command.seat]
    if command.on == (place is not None and place.is_bot):
        return ()
    if command.on and place is not None:
        raise SeatOccupied
    in_the_lobby(room)
    if not command.on:
        return (f.SeatVacated(command.seat, f.Vacated.REMOVED),)
    names = tuple(room.place(seat).name for seat in room.taken)
    return (f.SeatTaken(command.seat, bot_name(names), None),)


def kick(room: Room, seat: Seat, command: c.Kick) -> f.Facts:
    """Judge whether the owner, on `seat`, may remove this player."""
    target = room.seats[command.seat]
    if target is None or target.player != command.player or target.left:
        return ()
    if command.seat == seat or target.is_bot:
        raise NobodyThere
    return (f.SeatVacated(command.seat, f.Vacated.KICKED),)


# Folded ------------------------------------------------------------------------------


def seat_taken(room: Room, fact: f.SeatTaken, at: int) -> Step:
    """Somebody sits; the first to come owns the room."""
    player = room.next_player
    place = Place(player, fact.name, fact.token, at, at, fact.connection)
    room = room._replace(next_player=f.Player(player + 1))
    if room.owner is None and fact.token is not None:
        room = room._replace(owner=player)
    room, cleared = unready(room.placed(fact.seat, place), e.Cleared.SEATS)
    return room, (e.PlayerSat(fact.seat, player, fact.name), *cleared)


def seat_moved(room: Room, fact: f.SeatMoved) -> Step:
    """Somebody sits on another seat."""
    moved = room.placed(fact.to, room.place(fact.seat)).placed(fact.seat, None)
    room, cleared = unready(moved, e.Cleared.SEATS)
    return room, (e.PlayerMoved(fact.seat, fact.to), *cleared)


def seat_vacated(room: Room, fact: f.SeatVacated, at: int) -> Step:
    """A seat has lost its player: the room may get another owner, the game its end."""
    place = room.place(fact.seat)
    news: tuple[e.Event, ...] = (
        e.PlayerLeft(fact.seat, place.player, place.name, fact.how),
    )
    if place.token is not None:
        room = room.disowned(place.token)
    if room.phase is Phase.LOBBY:
        room, more = unready(room.placed(fact.seat, None), e.Cleared.SEATS)
    else:
        room, more = room.with_seat(fact.seat, left=True), ()
    if place.player == room.owner:
        heir = room.heir
        if heir is None and room.humans:
            heir = room.humans[0][1].player
        room = room._replace(owner=heir)
        news += (e.OwnerChanged(heir),) if heir is not None else ()
    if room.phase is Phase.DEALING and room.humans:
        # Nobody commits for a seat that is left, so the deal may wait for no one more.
        room, more = deal_on(room, at)
    if room.humans or room.phase in (Phase.LOBBY, Phase.OVER):
        return room, news + more
    if room.game is None:
        return room._replace(phase=Phase.OVER), news
    room, ended = played(room, abandon(room.game), None, at)
    return room, news + ended
