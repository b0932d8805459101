"""What a command comes to: the facts it makes true, or a refusal that changes nothing.

Rule 1: nothing here looks at a clock: whether a deadline is over is the host's affair.
Rule 2: a command that is already so comes to no facts, and is no error.
Rule 3: a seat is found by its token, never by what a message says.
Rule 4: what ends the game ends the chapter: nothing is added to it but the next one.
"""

from typing import assert_never

from krig.engine.code import GameCode
from krig.engine.fairness import commitment
from krig.engine.game import Game
from krig.engine.outcome import Ending
from krig.engine.seats import FEWEST, Seat
from krig.errors import (
    CommitmentNeeded,
    FutureFlip,
    GameOver,
    GameUnderWay,
    InvalidRules,
    NameTaken,
    NobodyThere,
    NoFreeSeat,
    NoGame,
    NonceMismatch,
    NotInBattle,
    NotOwner,
    NotReady,
    NotSeated,
    SeatOccupied,
    StaleFlip,
    StaleTerms,
    TableStandsStill,
    TooFewPlayers,
)
from krig.room import commands as c
from krig.room import facts as f
from krig.room import handoff
from krig.room.names import bot_name, parse_name, same_name
from krig.room.room import Phase, Place, Presence, Room, Stage

Facts = tuple[f.Fact, ...]

REPETITION = Ending.REPETITION.value


def open_room(
    code: str, epoch: str, first: f.AttemptOpened, asked: c.ChangeRules
) -> Facts:
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


def decide(room: Room, token: f.TokenHash | None, command: c.Command) -> Facts:
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
    match command:
        case c.TakeSeat():
            return _take_seat(room, token, command)
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
) -> Facts:
    seat = room.seat_of(token)
    if seat is None:
        raise NotSeated
    facts = _of_a_player(room, seat, command)
    if isinstance(command, c.Come | c.HidePage | c.LeaveSeat):
        return facts
    return (*_awake(room, seat), *facts)


def _awake(room: Room, seat: Seat) -> Facts:
    """Whoever acts is here again, and a sleeping table wakes."""
    back: Facts = (f.SeatBack(seat),) if room.place(seat).overslept else ()
    return (f.Woke(seat), *back) if room.asleep else back


def _of_a_player(room: Room, seat: Seat, command: c.PlayerCommand) -> Facts:
    place = room.place(seat)
    match command:
        case c.Flip():
            return _flip(room, seat, command)
        case c.BeReady():
            return _be_ready(room, seat, command)
        case c.Reveal():
            return _reveal(room, seat, command)
        case c.LeaveSeat():
            return (f.SeatVacated(seat, f.Vacated.LEFT),)
        case c.ChangeName():
            return _change_name(room, seat, command)
        case c.SetAutoplay():
            if room.phase is not Phase.PLAYING:
                raise NoGame
            if place.autoplay == command.on:
                return ()
            return (f.AutoplaySet(seat, command.on),)
        case c.SetTempo():
            if (room.tempo, room.wars_by_table) == (
                command.tempo,
                command.wars_by_table,
            ):
                return ()
            return (f.TempoSet(command.tempo, command.wars_by_table),)
        case c.Pause():
            return _pause(room, seat, command)
        case c.OfferSeat():
            return handoff.offer(room, seat, command)
        case c.CountCards(number):
            last = room.last
            if last is None or last.game != number or last.ending != REPETITION:
                raise NoGame
            return () if last.counted else (f.CardsCounted(seat),)
        case c.Come():
            if place.connection == command.connection and place.gone_since is None:
                return ()
            return (f.SeatCame(seat, command.connection),)
        case c.HidePage():
            if place.hidden == command.hidden:
                return ()
            return (f.PageHidden(seat, command.hidden),)
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
) -> Facts:
    match command:
        case c.ChangeRules(rules, preset, code):
            if (room.rules, room.preset, room.game_code) == (rules, preset, code):
                return ()
            _in_the_lobby(room)
            return (f.RulesChanged(rules, preset, code),)
        case c.SeatBot():
            return _seat_bot(room, command)
        case c.Kick():
            target = room.seats[command.seat]
            if target is None or target.player != command.player or target.left:
                return ()
            if command.seat == seat or target.is_bot:
                raise NobodyThere
            return (f.SeatVacated(command.seat, f.Vacated.KICKED),)
        case c.Start():
            return _start(room, command)
        case c.CloseRoom(on):
            return () if room.closed == on else (f.RoomClosed(on),)
        case _:
            assert_never(command)


def _of_the_host(room: Room, command: c.HostCommand) -> Facts:
    match command:
        case c.FlipFor():
            return _flip_for(room, command)
        case c.Go(connection):
            return tuple(
                f.SeatWent(seat, connection)
                for seat, place in room.humans
                if place.connection == connection and place.gone_since is None
            )
        case c.OpenChapter():
            if room.phase is not Phase.OVER or room.chapter != command.chapter:
                return ()
            opened = f.AttemptOpened(command.game_id, command.server_nonce)
            return _next_chapter(room), opened
        case c.GiveUpWaiting():
            late = (room.terms, room.attempt.stage) == (command.terms, command.stage)
            if not late or not room.missing:
                return ()
            return (
                f.AttemptVoided(room.missing),
                f.AttemptOpened(command.game_id, command.server_nonce),
            )
        case c.StrikeTime():
            on = room.chapter == command.game and room.clock_runs
            struck = room.game is None or room.game.time_struck
            timed = room.clock is not None
            return (f.TimeUp(),) if on and timed and not struck else ()
        case c.PassOwner():
            heir = heir_of(room)
            gone = any(
                place.player == room.owner and place.gone_since is not None
                for _, place in room.humans
            )
            if room.owner != command.player or not gone or heir is None:
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
        case c.CutHistory():
            return (f.HistoryCut(command.epoch),)
        case _:
            assert_never(command)


def heir_of(room: Room) -> f.Player | None:
    """Who gets the room when its owner is gone: the human who has been here longest."""
    present = [
        place
        for _, place in room.humans
        if place.gone_since is None and place.player != room.owner
    ]
    return min(present, key=lambda p: (p.came, p.player)).player if present else None


# Seats and names ---------------------------------------------------------------------


def _in_the_lobby(room: Room) -> None:
    if room.phase is not Phase.LOBBY:
        raise GameUnderWay


def _take_seat(room: Room, token: f.TokenHash | None, command: c.TakeSeat) -> Facts:
    if token is None or token in room.dead_tokens:
        raise NotSeated
    mine = room.seat_of(token)
    if mine is not None and command.seat in (None, mine):
        return ()
    _in_the_lobby(room)
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


def _free_name(room: Room, text: str, but: Seat | None) -> str:
    name = parse_name(text)
    for seat in room.taken:
        if seat != but and same_name(room.place(seat).name, name):
            raise NameTaken
    return name


def _change_name(room: Room, seat: Seat, command: c.ChangeName) -> Facts:
    name = _free_name(room, command.name, but=seat)
    return () if room.place(seat).name == name else (f.NameChanged(seat, name),)


def _seat_bot(room: Room, command: c.SeatBot) -> Facts:
    place = room.seats[command.seat]
    if command.on == (place is not None and place.is_bot):
        return ()
    if command.on and place is not None:
        raise SeatOccupied
    _in_the_lobby(room)
    if not command.on:
        return (f.SeatVacated(command.seat, f.Vacated.REMOVED),)
    names = tuple(room.place(seat).name for seat in room.taken)
    return (f.SeatTaken(command.seat, bot_name(names), None),)


# Ready, start and the deal -----------------------------------------------------------


def _be_ready(room: Room, seat: Seat, command: c.BeReady) -> Facts:
    place = room.place(seat)
    if command.game != room.chapter:
        raise StaleTerms
    if command.on and command.commitment is None:
        raise CommitmentNeeded
    if (command.commitment if command.on else None) == place.commitment:
        return ()
    recommits = room.attempt.stage is Stage.COMMIT and seat in room.missing
    if room.phase is not Phase.LOBBY and not recommits:
        raise GameUnderWay
    if command.terms != room.terms:
        raise StaleTerms
    if command.commitment is None or not command.on:
        return () if recommits else (f.Unreadied(seat),)
    return (f.Readied(seat, command.commitment),)


def _start(room: Room, command: c.Start) -> Facts:
    if command.game != room.chapter:
        raise StaleTerms
    if room.phase is not Phase.LOBBY:
        return ()
    if len(room.taken) < FEWEST:
        raise TooFewPlayers
    if any(place.commitment is None for _, place in room.humans):
        raise NotReady
    room.rules.resolved(len(room.taken))
    if room.game_code is not None:
        players = GameCode.parse(room.game_code).players
        if players != len(room.taken):
            raise InvalidRules(f"The game of this code is for {players} players.")
    return (f.Started(),)


def _reveal(room: Room, seat: Seat, command: c.Reveal) -> Facts:
    place = room.place(seat)
    if place.nonce == command.nonce:
        return ()
    if command.game != room.chapter or command.terms != room.terms:
        raise StaleTerms
    if seat not in room.missing or room.attempt.stage is not Stage.REVEAL:
        raise NoGame
    bound = commitment(
        bytes.fromhex(room.attempt.game_id), seat, bytes.fromhex(command.nonce)
    )
    if bound.hex() != place.commitment:
        raise NonceMismatch
    return (f.Revealed(seat, command.nonce),)


# The game ----------------------------------------------------------------------------


def _game(room: Room) -> Game:
    if room.phase is not Phase.PLAYING or room.game is None:
        raise NoGame
    return room.game


def _flip(room: Room, seat: Seat, command: c.Flip) -> Facts:
    asked = (command.round, command.battle)
    if command.game == room.chapter and asked == room.place(seat).flipped_for:
        return ()  # the server was quicker: it only takes the seat back
    if command.game < room.chapter:
        raise StaleFlip
    if command.game > room.chapter:
        raise FutureFlip
    game = _game(room)
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


def _answers(room: Room, game: Game, seat: Seat) -> Facts:
    """When the last player has pressed, the seats the server plays press at once.

    Without a press of a player they keep to the table's tempo.
    """
    rest = [s for s in game.waiting if s != seat and s not in game.flipped]
    if not all(room.plays_itself(s) for s in rest):
        return ()
    return tuple(f.Flipped(s, f.FlippedBy.AUTOPLAY) for s in rest)


def _flip_for(room: Room, command: c.FlipFor) -> Facts:
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


def _pause(room: Room, seat: Seat, command: c.Pause) -> Facts:
    _game(room)
    if not command.on:
        return (f.Resumed(seat),) if room.pause is not None else ()
    if room.pause is not None and seat in room.pause.agreed:
        return ()
    return (f.Paused(seat),)


# The next lobby ----------------------------------------------------------------------


def _next_chapter(room: Room) -> f.ChapterOpened:
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
        wars=room.wars,
        players=tuple(p.player for p in players),
        names=tuple(p.name for p in players),
        teams=room.rules.teams,
    )
