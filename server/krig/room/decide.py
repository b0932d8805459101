"""What a command comes to: the facts it makes true, or a refusal that changes nothing.

Here a command finds its judge: who may ask, and what is said in a line. What takes
more is judged in the module of its matter, which also folds its facts: `seating`,
`handoff`, `dealing`, `playing`, `standstill`, `chapters`. There a judge is called as
the command is (`start`), and a fold as the fact is (`started`).

Rule 1: nothing here looks at a clock: whether a deadline is over is the host's affair.
Rule 2: a command that is already so comes to no facts, and is no error.
Rule 3: a seat is found by its token, never by what a message says.
Rule 4: what ends the game ends the chapter: nothing is added to it but the next one.
"""

from typing import Final, assert_never

from krig.engine.seats import Seat
from krig.errors import GameOver, NoGame, NotOwner, NotSeated, RoomWornOut
from krig.room import chapters, dealing, handoff, playing, seating, standstill
from krig.room import commands as c
from krig.room import facts as f
from krig.room.room import MOST_ENTRIES, Phase, Room

ALWAYS: Final = c.HostCommand | c.Come | c.Flip | c.Reveal | c.LeaveSeat
"""What is judged however long the chapter is: a game comes to its end, and to be there
is no wish. Nobody else can make a chapter grow for ever, which all would wait to read.
"""


def decide(room: Room, token: f.TokenHash | None, command: c.Command) -> f.Facts:
    """Judge a command against the room as it stands.

    Args:
        room: the newest state.
        token: whose command it is; None for the host's own, and for watchers.
        command: what is asked.

    Raises:
        Refused, Invalid: it may not be, or cannot be read; the room is as it was.
    """
    if room.phase is Phase.OVER and not isinstance(command, c.OpenChapter):
        if isinstance(command, c.HostCommand):
            return ()
        raise GameOver("The game is over; the next lobby is about to open.")
    if room.entries > MOST_ENTRIES and not isinstance(command, ALWAYS):
        raise RoomWornOut
    match command:
        case c.TakeSeat():
            return seating.take_seat(room, token, command)
        case c.ClaimSeat():
            return handoff.claim(room, token, command)
        case (
            c.OpenChapter()
            | c.Go()
            | c.FlipFor()
            | c.GiveUpWaiting()
            | c.StrikeTime()
            | c.PassOwner()
            | c.FallAsleep()
            | c.EndPause()
            | c.EndOffer()
            | c.Reopen()
            | c.CutHistory()
        ):
            return _of_the_host(room, command)
        case _:
            return _of_somebody_seated(room, token, command)


def _of_somebody_seated(
    room: Room, token: f.TokenHash | None, command: c.PlayerCommand
) -> f.Facts:
    seat = room.seat_of(token)
    if seat is None:
        raise NotSeated
    facts = _of_a_player(room, seat, command)
    if isinstance(command, c.Come | c.HidePage | c.LeaveSeat):
        return facts
    return (*standstill.wake(room, seat), *facts)


def _of_a_player(room: Room, seat: Seat, command: c.PlayerCommand) -> f.Facts:
    place = room.place(seat)
    match command:
        case c.Flip():
            return playing.flip(room, seat, command)
        case c.BeReady():
            return dealing.be_ready(room, seat, command)
        case c.Reveal():
            return dealing.reveal(room, seat, command)
        case c.LeaveSeat():
            return (f.SeatVacated(seat, f.Vacated.LEFT),)
        case c.ChangeName():
            return seating.change_name(room, seat, command)
        case c.SetAutoplay(on):
            if room.phase is not Phase.PLAYING:
                raise NoGame
            return () if place.autoplay == on else (f.AutoplaySet(seat, on),)
        case c.SetTempo(tempo, wars):
            same = (room.tempo, room.wars_by_table) == (tempo, wars)
            return () if same else (f.TempoSet(tempo, wars),)
        case c.Pause():
            return standstill.pause(room, seat, command)
        case c.OfferSeat():
            return handoff.offer(room, seat, command)
        case c.CountCards():
            return chapters.count_cards(room, seat, command)
        case c.Come(page):
            here = place.connection == page and place.gone_since is None
            return () if here else (f.SeatCame(seat, page),)
        case c.HidePage(hidden):
            return () if place.hidden == hidden else (f.PageHidden(seat, hidden),)
        case c.ChangeRules() | c.SeatBot() | c.Kick() | c.Start() | c.CloseRoom():
            if not room.is_owner(seat):
                raise NotOwner
            return _of_the_owner(room, seat, command)
        case c.TakeSeat() | c.ClaimSeat():
            raise AssertionError("judged before")
        case _:
            assert_never(command)


def _of_the_owner(
    room: Room,
    seat: Seat,
    command: c.ChangeRules | c.SeatBot | c.Kick | c.Start | c.CloseRoom,
) -> f.Facts:
    match command:
        case c.ChangeRules(rules, preset, code):
            if (room.rules, room.preset, room.game_code) == (rules, preset, code):
                return ()
            seating.in_the_lobby(room)
            return (f.RulesChanged(rules, preset, code),)
        case c.SeatBot():
            return seating.seat_bot(room, command)
        case c.Kick():
            return seating.kick(room, seat, command)
        case c.Start():
            return dealing.start(room, command)
        case c.CloseRoom(on):
            return () if room.closed == on else (f.RoomClosed(on),)
        case _:
            assert_never(command)


def _of_the_host(room: Room, command: c.HostCommand) -> f.Facts:
    match command:
        case c.FlipFor():
            return playing.flip_for(room, command)
        case c.Go(connection):
            return tuple(
                f.SeatWent(seat, connection)
                for seat, place in room.humans
                if place.connection == connection and place.gone_since is None
            )
        case c.OpenChapter():
            return chapters.open_chapter(room, command)
        case c.GiveUpWaiting():
            return dealing.give_up_waiting(room, command)
        case c.StrikeTime():
            return playing.strike_time(room, command)
        case c.PassOwner(player):
            heir, owners = room.heir, [p for _, p in room.humans if p.player == player]
            gone = any(place.gone_since is not None for place in owners)
            if room.owner != player or not gone or heir is None:
                return ()
            return (f.OwnerPassed(heir),)
        case c.FallAsleep():
            quiet = room.everybody_is_away and not room.stands_still
            return (f.Slept(),) if quiet else ()
        case c.EndOffer(seat, claim):
            return handoff.end(room, seat, claim)
        case c.EndPause():
            return (f.Resumed(),) if room.pause is not None else ()
        case c.Reopen():
            return (f.Reopened(),)
        case c.CutHistory(epoch):
            return (f.HistoryCut(epoch),)
        case _:
            assert_never(command)
