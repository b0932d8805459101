"""A seat moves to another device: by a one-time code, in mid-war too.

Rule 1: who knows the code may take the seat over once; the log has only its hash.
Rule 2: the old token is dead from then on, so a seat is never held by two.
"""

from hashlib import sha256

from krig.engine.seats import Seat
from krig.errors import GameUnderWay, NobodyThere, NoSuchOffer, NotOwner, NotSeated
from krig.room import commands as c
from krig.room import facts as f
from krig.room.code import parse_room_code
from krig.room.room import Phase, Presence, Room

CODE_LENGTH = 8
"""Letters: forty bits for a secret that lives two minutes."""


def claim_of(code: str) -> str:
    """What is kept of a one-time code, typed as people type.

    Raises:
        InvalidRoomCode: it cannot be such a code.
    """
    return sha256(parse_room_code(code).encode()).hexdigest()


# Judged ------------------------------------------------------------------------------


def offer(room: Room, seat: Seat, command: c.OfferSeat) -> f.Facts:
    """Judge an offer: of one's own seat, or of one that its player left alone."""
    if room.phase is Phase.DEALING:
        raise GameUnderWay
    place = room.seats[command.seat]
    if place is None or not place.is_human:
        raise NobodyThere
    if command.seat != seat and not room.is_owner(seat):
        raise NotOwner
    if command.seat != seat and place.presence is not Presence.AWAY:
        raise NobodyThere
    return (f.SeatOffered(command.seat, command.claim),)


def claim(room: Room, token: f.TokenHash | None, command: c.ClaimSeat) -> f.Facts:
    """Judge a claim: a repeated one is harmless, a second one finds no offer."""
    if token is None or token in room.dead_tokens:
        raise NotSeated
    if room.seat_of(token) is not None:
        return ()
    if room.phase is Phase.DEALING:
        raise GameUnderWay
    for seat, place in room.humans:
        if place.offer is not None and place.offer == command.claim:
            return (f.SeatClaimed(seat, token, command.connection),)
    raise NoSuchOffer


def end(room: Room, seat: Seat, offered: str) -> f.Facts:
    """An offer ends by itself, unless it was taken or renewed."""
    place = room.seats[seat]
    if place is None or place.offer != offered:
        return ()
    return (f.OfferEnded(seat),)


# Folded ------------------------------------------------------------------------------


def seat_claimed(room: Room, fact: f.SeatClaimed, at: int) -> Room:
    """The new device sits there, and has not the nonce that the old one kept."""
    old = room.place(fact.seat)
    assert old.token is not None
    lobby = room.phase is Phase.LOBBY
    changed = room.with_seat(
        fact.seat,
        token=fact.token,
        connection=fact.connection,
        since=at,
        gone_since=None,
        commitment=None if lobby else old.commitment,
        hidden=False,
        overslept=False,
        offer=None,
    )
    return changed.disowned(old.token)
