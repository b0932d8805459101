"""From ready to the first flip, by commit and reveal: judged, and folded.

Rule 1: the deal follows from all nonces together, and from nothing else (RULES 6).
Rule 2: whoever is bound must reveal, even after leaving: to be silent is to withhold.
"""

from dataclasses import replace

from krig.engine.code import GameCode
from krig.engine.fairness import commitment, seed_of
from krig.engine.game import new_game
from krig.engine.seats import FEWEST, Seat
from krig.engine.shuffle import deal_label, shuffled
from krig.errors import (
    CommitmentNeeded,
    GameUnderWay,
    InvalidRules,
    NoGame,
    NonceMismatch,
    NotReady,
    StaleTerms,
    TooFewPlayers,
)
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.playing import battle_opened
from krig.room.room import Attempt, GameClock, Phase, Room, Stage, VoidAttempt
from krig.room.step import Step

# Judged ------------------------------------------------------------------------------


def be_ready(room: Room, seat: Seat, command: c.BeReady) -> f.Facts:
    """Judge who is ready, or bound anew when a deal was void."""
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


def start(room: Room, command: c.Start) -> f.Facts:
    """Judge whether the game may begin."""
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


def reveal(room: Room, seat: Seat, command: c.Reveal) -> f.Facts:
    """Judge a nonce: it must be the one that its commitment was made of."""
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


def give_up_waiting(room: Room, command: c.GiveUpWaiting) -> f.Facts:
    """Judge whether a deal still waits for somebody in the stage that was meant."""
    late = (room.terms, room.attempt.stage) == (command.terms, command.stage)
    if not late or not room.missing:
        return ()
    return (
        f.AttemptVoided(room.missing),
        f.AttemptOpened(command.game_id, command.server_nonce),
    )


# Folded ------------------------------------------------------------------------------


def unready(room: Room, why: e.Cleared) -> Step:
    """Something that was agreed has changed, so nobody is ready any more."""
    was_ready = any(place.commitment for _, place in room.humans)
    seats = tuple(p and p._replace(commitment=None) for p in room.seats)
    room = room._replace(seats=seats, terms=room.terms + 1)
    return room, (e.ReadyCleared(why),) if was_ready else ()


def attempt_opened(room: Room, fact: f.AttemptOpened, at: int) -> Step:
    """The server is bound; after a void deal the others bind themselves anew."""
    dealing = room.phase is Phase.DEALING
    attempt = Attempt(
        fact.game_id,
        fact.server_nonce,
        Stage.COMMIT if dealing else Stage.OPEN,
        at,
        room.attempt.withheld,
    )
    return deal_on(room._replace(attempt=attempt, terms=room.terms + 1), at)


def started(room: Room, at: int) -> Step:
    """The chairs move together, so that the seats are the game's: 0 … n-1."""
    seats = tuple(place for place in room.seats if place is not None)
    room = room._replace(
        phase=Phase.DEALING,
        seats=seats + (None,) * (len(room.seats) - len(seats)),
        attempt=replace(room.attempt, stage=Stage.REVEAL, since=at),
    )
    return deal_on(room, at)


def attempt_voided(room: Room, fact: f.AttemptVoided) -> Step:
    """The deal is given up, with everything shown that was on the table."""
    attempt, withheld = room.attempt, fact.withheld
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


def deal_on(room: Room, at: int) -> Step:
    """Take the deal as far as it goes with what is on the table."""
    if room.phase is not Phase.DEALING:
        return room, ()
    if room.game_code is not None:
        return _dealt(room, GameCode.parse(room.game_code).seed, at)
    if room.missing:
        return room, ()
    attempt = room.attempt
    if attempt.stage is Stage.COMMIT:
        revealing = replace(attempt, stage=Stage.REVEAL, since=at)
        return deal_on(room._replace(attempt=revealing), at)
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
    return room, (e.CardsDealt(room.chapter), battle_opened(game))
