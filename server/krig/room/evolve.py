"""The fold: a room and an entry give the room after it, and what viewers are told.

Rule 1: pure and total: an entry that `decide` once came to never raises here, for ever.
Rule 2: the only time is the entry's own.
Rule 3: the only dice are the nonces in the log.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from krig.engine import events as told
from krig.engine.code import GameCode
from krig.engine.fairness import seed_of
from krig.engine.game import Game, new_game, sides_of
from krig.engine.outcome import Ending, leaders
from krig.engine.play import Flip, abandon, count_off, play, time_up
from krig.engine.seats import Seat
from krig.engine.shuffle import deal_label, shuffled, shuffler
from krig.errors import Unfoldable
from krig.room import events as e
from krig.room import facts as f
from krig.room.decide import heir_of
from krig.room.room import (
    MOST_ENTRIES,
    Attempt,
    GameClock,
    Phase,
    Place,
    Room,
    Stage,
    Standstill,
    VoidAttempt,
)

MOST_DEAD_TOKENS = 64
"""How many vacated tokens a room remembers: older ones are strangers again."""

Step = tuple[Room, tuple[e.Event, ...]]


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
            room = _opened(fact, at)
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
        room, events = _played(room, counted, None, entry.at)
    return _settled(room, entry), events


def fold(entries: Iterable[f.Entry]) -> Room:
    """The room that a whole chapter comes to.

    Raises:
        Unfoldable: the entries are no chapter.
    """
    room: Room | None = None
    for entry in entries:
        room = (room and _flipped_on(room, entry)) or evolve(room, entry)[0]
    if room is None:
        raise Unfoldable("a chapter has an entry at least")
    return room


def _flipped_on(room: Room, entry: f.Entry) -> Room | None:
    """What `evolve` comes to if all that happens is that a player flips; else None.

    Nearly every entry is one; untold, and with nobody's coming or going to look at, it
    is folded in half the time.
    """
    before, flip = room.game, entry.facts[0]
    if (
        not isinstance(flip, f.Flipped)
        or len(entry.facts) > 1
        or entry.v != room.v + 1
        or before is None
        or room.seed is None
        or flip.by is not f.FlippedBy.PLAYER
        or room.place(flip.seat).overslept
        or room.all_away_since is not None
        or room.entries >= MOST_ENTRIES
    ):
        return None
    press = Flip(flip.seat, before.rounds + 1, before.battle)
    game, _ = play(before, press, shuffler(room.seed))
    if game.outcome is not None:
        return None
    at = max(entry.at, room.at)
    same = game.battle == before.battle and game.rounds == before.rounds
    return room._replace(
        v=entry.v,
        at=at,
        entries=room.entries + 1,
        game=game,
        wars=game.wars,
        battle_since=room.battle_since if same else entry.at,
    )


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


def _opened(fact: f.ChapterOpened, at: int) -> Room:
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


def _apply(room: Room, fact: f.Fact, at: int) -> Step:  # one branch a fact
    match fact:
        case f.Flipped():
            return _flipped(room, fact, at)
        case f.SeatTaken():
            return _seat_taken(room, fact, at)
        case f.SeatMoved(seat, to):
            return _seat_moved(room, seat, to)
        case f.SeatVacated():
            return _seat_vacated(room, fact, at)
        case f.NameChanged(seat, name):
            return _with(room, seat, name=name), (e.PlayerRenamed(seat, name),)
        case f.RulesChanged(rules, preset, code):
            changed = room._replace(rules=rules, preset=preset, game_code=code)
            return _unready(changed, e.Cleared.RULES)
        case f.Readied(seat, commitment):
            return _deal_on(_with(room, seat, commitment=commitment), at)
        case f.Unreadied(seat):
            return _with(room, seat, commitment=None), ()
        case f.AttemptOpened():
            return _attempt_opened(room, fact, at)
        case f.Started():
            return _started(room, at)
        case f.Revealed(seat, nonce):
            return _deal_on(_with(room, seat, nonce=nonce), at)
        case f.AttemptVoided(withheld):
            return _attempt_voided(room, withheld)
        case f.TimeUp():
            assert room.game is not None
            return _played(room, time_up(room.game), None, at)
        case f.SeatCame(seat, connection):
            here = {"connection": connection, "gone_since": None, "hidden": False}
            if room.place(seat).gone_since is None:
                return _with(room, seat, **here), ()
            return _with(room, seat, **here, since=at, came=at), ()
        case f.SeatWent(seat, _):
            return _with(room, seat, gone_since=at), ()
        case f.SeatBack(seat):
            return _with(room, seat, overslept=False, since=at), ()
        case f.PageHidden(seat, hidden):
            return _with(room, seat, hidden=hidden), ()
        case f.AutoplaySet(seat, on):
            return _with(room, seat, autoplay=on, overslept=False, since=at), ()
        case f.TempoSet(tempo, wars):
            return room._replace(tempo=tempo, wars_by_table=wars), ()
        case f.Paused(seat):
            agreed = room.pause.agreed if room.pause else ()
            first = room.pause.seat if room.pause else seat
            since = room.pause.since if room.pause else at
            pause = Standstill(first, (*agreed, seat), since)
            new = () if room.pause else (e.TablePaused(seat),)
            return room._replace(pause=pause), new
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
            return _with(room, seat, offer=claim, offer_since=at), ()
        case f.OfferEnded(seat):
            return _with(room, seat, offer=None), ()
        case f.SeatClaimed():
            return _claimed(room, fact, at), ()
        case f.CardsCounted():
            return room._replace(last=room.last and _counted(room.last)), ()
        case f.Reopened():
            return _reopened(room, at), ()
        case f.HistoryCut(epoch):
            return room._replace(epoch=epoch), ()
        case f.ChapterOpened():
            raise AssertionError("folded before")
        case _:
            assert_never(fact)


def _counted(last: f.LastGame) -> f.LastGame:
    """Count the cards of a game that only repeated itself (RULES R2)."""
    winners = leaders(last.counts, sides_of(len(last.counts), last.teams))
    return replace(last, winners=winners, counted=True)


def _with(room: Room, seat: Seat, **changes: object) -> Room:
    place = room.place(seat)._replace(**changes)  # type: ignore[arg-type]  # by name
    return _placed(room, seat, place)


def _placed(room: Room, seat: Seat, place: Place | None) -> Room:
    seats = (*room.seats[:seat], place, *room.seats[seat + 1 :])
    return room._replace(seats=seats)


# The lobby ---------------------------------------------------------------------------


def _unready(room: Room, why: e.Cleared) -> Step:
    """Something that was agreed has changed, so nobody is ready any more."""
    was_ready = any(place.commitment for _, place in room.humans)
    seats = tuple(p and p._replace(commitment=None) for p in room.seats)
    room = room._replace(seats=seats, terms=room.terms + 1)
    return room, (e.ReadyCleared(why),) if was_ready else ()


def _seat_taken(room: Room, fact: f.SeatTaken, at: int) -> Step:
    player = room.next_player
    place = Place(player, fact.name, fact.token, at, at, fact.connection)
    room = room._replace(next_player=f.Player(player + 1))
    if room.owner is None and fact.token is not None:
        room = room._replace(owner=player)
    room, cleared = _unready(_placed(room, fact.seat, place), e.Cleared.SEATS)
    return room, (e.PlayerSat(fact.seat, player, fact.name), *cleared)


def _seat_moved(room: Room, seat: Seat, to: Seat) -> Step:
    moved = _placed(_placed(room, to, room.place(seat)), seat, None)
    room, cleared = _unready(moved, e.Cleared.SEATS)
    return room, (e.PlayerMoved(seat, to), *cleared)


def _seat_vacated(room: Room, fact: f.SeatVacated, at: int) -> Step:
    place = room.place(fact.seat)
    news: tuple[e.Event, ...] = (
        e.PlayerLeft(fact.seat, place.player, place.name, fact.how),
    )
    if place.token is not None:
        dead = (*room.dead_tokens, place.token)[-MOST_DEAD_TOKENS:]
        room = room._replace(dead_tokens=dead)
    if room.phase is Phase.LOBBY:
        room, more = _unready(_placed(room, fact.seat, None), e.Cleared.SEATS)
    else:
        room, more = _with(room, fact.seat, left=True), ()
    if place.player == room.owner:
        heir = heir_of(room)
        if heir is None and room.humans:
            heir = room.humans[0][1].player
        room = room._replace(owner=heir)
        news += (e.OwnerChanged(heir),) if heir is not None else ()
    if room.phase is Phase.DEALING and room.humans:
        # Nobody commits for a seat that is left, so the deal may wait for no one more.
        room, more = _deal_on(room, at)
    if room.humans or room.phase in (Phase.LOBBY, Phase.OVER):
        return room, news + more
    if room.game is None:
        return room._replace(phase=Phase.OVER), news
    room, ended = _played(room, abandon(room.game), None, at)
    return room, news + ended


def _claimed(room: Room, fact: f.SeatClaimed, at: int) -> Room:
    """The new device sits there, and has not the nonce that the old one kept."""
    old = room.place(fact.seat)
    assert old.token is not None
    lobby = room.phase is Phase.LOBBY
    place = old._replace(
        token=fact.token,
        connection=fact.connection,
        since=at,
        gone_since=None,
        commitment=None if lobby else old.commitment,
        hidden=False,
        overslept=False,
        offer=None,
    )
    dead = (*room.dead_tokens, old.token)[-MOST_DEAD_TOKENS:]
    return _placed(room, fact.seat, place)._replace(dead_tokens=dead)


# The deal ----------------------------------------------------------------------------


def _attempt_opened(room: Room, fact: f.AttemptOpened, at: int) -> Step:
    dealing = room.phase is Phase.DEALING
    attempt = Attempt(
        fact.game_id,
        fact.server_nonce,
        Stage.COMMIT if dealing else Stage.OPEN,
        at,
        room.attempt.withheld,
    )
    room = room._replace(attempt=attempt, terms=room.terms + 1)
    return _deal_on(room, at)


def _started(room: Room, at: int) -> Step:
    """The chairs move together, so that the seats are the game's: 0 … n-1."""
    seats = tuple(place for place in room.seats if place is not None)
    room = room._replace(
        phase=Phase.DEALING,
        seats=seats + (None,) * (len(room.seats) - len(seats)),
        attempt=replace(room.attempt, stage=Stage.REVEAL, since=at),
    )
    return _deal_on(room, at)


def _attempt_voided(room: Room, withheld: tuple[Seat, ...]) -> Step:
    attempt = room.attempt
    bound = [(seat, room.place(seat)) for seat in room.taken]
    commitments = tuple((s, p.commitment) for s, p in bound if p.commitment)
    nonces = tuple((s, p.nonce) for s, p in bound if p.nonce)
    void = VoidAttempt(attempt, commitments, nonces, withheld)
    seats = tuple(p and p._replace(commitment=None, nonce=None) for p in room.seats)
    news = e.DealVoided(attempt.game_id, withheld, attempt.server_nonce, nonces)
    room = room._replace(
        seats=seats,
        voided=(*room.voided, void),
        attempt=replace(attempt, withheld=(*attempt.withheld, *withheld)),
    )
    return room, (news,)


def _deal_on(room: Room, at: int) -> Step:
    """Take the deal as far as it goes with what is on the table."""
    if room.phase is not Phase.DEALING:
        return room, ()
    if room.game_code is not None:
        return _dealt(room, GameCode.parse(room.game_code).seed, at)
    if room.missing:
        return room, ()
    if room.attempt.stage is Stage.COMMIT:
        attempt = replace(room.attempt, stage=Stage.REVEAL, since=at)
        return _deal_on(room._replace(attempt=attempt), at)
    attempt = room.attempt
    shown = {seat: room.place(seat).nonce for seat in room.taken}
    seed = seed_of(
        bytes.fromhex(attempt.game_id),
        bytes.fromhex(attempt.server_nonce),
        {seat: bytes.fromhex(nonce) for seat, nonce in shown.items() if nonce},
    )
    return _dealt(room, seed, at)


def _dealt(room: Room, seed: int, at: int) -> Step:
    deck = room.rules.deck
    cards = shuffled(seed, deal_label(deck), deck.cards)
    game = new_game(room.rules, len(room.taken), cards)
    limit = room.rules.time_limit
    room = room._replace(
        phase=Phase.PLAYING,
        attempt=replace(room.attempt, stage=Stage.DONE, since=at),
        seed=seed,
        game=game,
        battle_since=at,
        clock=GameClock(limit * 60_000, 0, None) if limit else None,
    )
    return room, (e.CardsDealt(room.chapter), _battle(game))


# The game ----------------------------------------------------------------------------


def _flipped(room: Room, fact: f.Flipped, at: int) -> Step:
    game, seat = room.game, fact.seat
    seed = room.seed
    assert game is not None and seed is not None
    place = room.place(seat)
    if fact.by is not f.FlippedBy.PLAYER:
        now = (game.rounds + 1, game.battle)
        overslept = place.overslept or fact.by is f.FlippedBy.CLOCK
        room = _with(room, seat, flipped_for=now, overslept=overslept)
    elif place.overslept:
        room = _with(room, seat, overslept=False, since=at)
    press = Flip(seat, game.rounds + 1, game.battle)
    return _played(room, play(game, press, shuffler(seed)), fact.by, at)


def _played(
    room: Room,
    step: tuple[Game, tuple[told.Event, ...]],
    by: f.FlippedBy | None,
    at: int,
) -> Step:
    """Put what the engine says into the room's words."""
    before, (game, happened) = room.game, step
    assert before is not None
    news: list[e.Event] = []
    wars = room.wars
    for event in happened:
        match event:
            case told.Flipped(seat):
                news.append(e.SeatFlipped(seat, by or f.FlippedBy.CLOCK))
            case told.GameEnded(outcome, aside):
                nonce = room.attempt.server_nonce
                news.append(e.GameOver(room.chapter, outcome, aside, nonce))
            case told.WarDeclared():
                wars += 1
                news.append(event)
            case _:
                news.append(event)
    if game.outcome is not None:
        over = room._replace(game=game, wars=wars, phase=Phase.OVER)
        return over, tuple(news)
    if (game.rounds, game.battle) == (before.rounds, before.battle):
        return room._replace(game=game), tuple(news)
    news.append(_battle(game))
    return room._replace(game=game, wars=wars, battle_since=at), tuple(news)


def _battle(game: Game) -> e.BattleOpened:
    return e.BattleOpened(game.rounds + 1, game.battle, game.waiting)


def _reopened(room: Room, at: int) -> Room:
    """Time stood still while nobody kept the room: every allowance begins anew.

    What a game's clock counted up to the entry before this one stays counted.
    """
    seats = tuple(
        place
        and place._replace(
            since=at, gone_since=None if place.gone_since is None else at
        )
        for place in room.seats
    )
    clock = room.clock
    if clock is not None and clock.since is not None:
        clock = GameClock(clock.limit, clock.at(room.at), at)
    return room._replace(
        seats=seats,
        attempt=replace(room.attempt, since=at),
        battle_since=at,
        clock=clock,
        pause=room.pause and replace(room.pause, since=at),
        all_away_since=at if room.all_away_since is not None else None,
    )
