"""Every error of Krig, and its code on the wire.

::

    KrigError
    ├── Invalid              cannot be read
    │   ├── InvalidCard         invalid_card
    │   ├── InvalidRules        invalid_rules
    │   ├── InvalidGameCode     invalid_game_code
    │   ├── InvalidMessage      bad_message
    │   │   ├── MessageTooBig       message_too_big
    │   │   └── UnknownMessage      unknown_message
    │   ├── InvalidToken        bad_token
    │   ├── NewerVersion        newer_version
    │   ├── InvalidRoomCode     invalid_room_code
    │   ├── InvalidName         invalid_name
    │   └── RecordDiffers       record_differs
    ├── Refused              can be read, but the game forbids it
    │   ├── StaleFlip           stale
    │   ├── FutureFlip          future
    │   ├── NotInBattle         not_in_battle
    │   ├── GameOver            game_over
    │   ├── NotSeated           not_seated
    │   ├── NotOwner            not_owner
    │   ├── SeatOccupied        seat_occupied
    │   ├── NoFreeSeat          no_free_seat
    │   ├── NameTaken           name_taken
    │   ├── GameUnderWay        game_under_way
    │   ├── NoGame              no_game
    │   ├── RoomWornOut         room_worn_out
    │   ├── TableStandsStill    paused
    │   ├── StaleTerms          stale_terms
    │   ├── NotReady            not_ready
    │   ├── TooFewPlayers       too_few_players
    │   ├── CommitmentNeeded    commitment_needed
    │   ├── NonceMismatch       nonce_mismatch
    │   ├── NobodyThere         nobody_there
    │   ├── NoSuchOffer         no_such_offer
    │   ├── HelloMissing        hello_missing
    │   ├── SecondHello         second_hello
    │   ├── UnknownProtocol     upgrade
    │   ├── TooFast             too_fast
    │   ├── ForeignOrigin       foreign_origin
    │   ├── WrongHost           wrong_host
    │   ├── CannotStart         cannot_start
    │   └── NobodyAnswers       nobody_answers
    ├── Unfoldable           unfoldable
    ├── LogError             the log could not do it
    │   ├── Conflict            conflict
    │   ├── Unknown             unknown
    │   ├── StorageUnavailable  storage_unavailable
    │   ├── UnreadableEntry     unreadable_entry
    │   └── NewerSchema         newer_schema
    └── HostError            nor could the host that keeps the rooms
        ├── Busy                busy
        ├── InternalError       internal
        ├── NoSuchRoom          no_such_room
        ├── NoSuchGame          no_such_game
        ├── GameNotOver         game_not_over
        ├── TooManyRooms        too_many_rooms
        ├── Draining            draining
        ├── TooManyConnections  too_many_connections
        └── Quarantined         quarantined

A code never changes. The text of an error is a sentence for people, and may.
"""

from typing import ClassVar


class KrigError(Exception):
    """Something asked of Krig could not be done; nothing was changed by it."""

    code: ClassVar[str] = "error"
    """Names the error on the wire; it never changes."""


class Invalid(KrigError):
    """What was sent cannot be read."""

    code = "invalid"


class Refused(KrigError):
    """What was asked can be read, but may not be done now."""

    code = "refused"


class Unfoldable(KrigError):
    """An entry does not follow from what is before it: the room is set aside."""

    code = "unfoldable"


# The engine: cards, rules and codes that cannot be read.


class InvalidCard(Invalid):
    """No card is written like this."""

    code = "invalid_card"


class InvalidRules(Invalid):
    """These rules cannot be played; the text says which of them and why."""

    code = "invalid_rules"


class InvalidGameCode(Invalid):
    """This is no game code: most often a letter was mistyped."""

    code = "invalid_game_code"


class NewerVersion(Invalid):
    """This was written by a newer Krig than this one, and is no mistake of typing."""

    code = "newer_version"


# The engine: flips that the game forbids.


class StaleFlip(Refused):
    """The flip is for a battle that has been fought already."""

    code = "stale"


class FutureFlip(Refused):
    """The flip is for a battle that has not begun."""

    code = "future"


class NotInBattle(Refused):
    """The seat does not fight in this battle, so it has nothing to flip."""

    code = "not_in_battle"


class GameOver(Refused):
    """The game has an outcome, and nothing more is played in it."""

    code = "game_over"


# The room: what cannot be read.


class InvalidRoomCode(Invalid):
    """No room can have this code."""

    code = "invalid_room_code"


class RecordDiffers(Invalid):
    """A game's record is not what follows from it; the text says where."""

    code = "record_differs"


class InvalidName(Invalid):
    """Nobody may be called this; the text says which rule it breaks."""

    code = "invalid_name"


# The room: what may not be done now.


class NotSeated(Refused):
    """Only somebody with a seat may ask for this."""

    code = "not_seated"


class NotOwner(Refused):
    """Only the room's owner may ask for this."""

    code = "not_owner"


class SeatOccupied(Refused):
    """Somebody else sits there."""

    code = "seat_occupied"


class NoFreeSeat(Refused):
    """Every seat is taken."""

    code = "no_free_seat"


class NameTaken(Refused):
    """Somebody in the room has this name, or one that looks the same."""

    code = "name_taken"


class GameUnderWay(Refused):
    """This can only be changed between games."""

    code = "game_under_way"


class NoGame(Refused):
    """There is no game on the table for this."""

    code = "no_game"


class RoomWornOut(Refused):
    """So much was changed here that nothing may be any more: open another room."""

    code = "room_worn_out"


class TableStandsStill(Refused):
    """The table is paused, so nothing is flipped."""

    code = "paused"


class StaleTerms(Refused):
    """What was agreed has changed since; look again and say it again."""

    code = "stale_terms"


class NotReady(Refused):
    """Not everybody is ready."""

    code = "not_ready"


class TooFewPlayers(Refused):
    """War is played by two at least."""

    code = "too_few_players"


class CommitmentNeeded(Refused):
    """To be ready is to be bound to a nonce: its commitment is missing."""

    code = "commitment_needed"


class NonceMismatch(Refused):
    """The nonce is not the one that the commitment was made of."""

    code = "nonce_mismatch"


class NobodyThere(Refused):
    """No such player, or none of that kind, sits on this seat."""

    code = "nobody_there"


# The wire: messages that cannot be read, and who may not send them.


class InvalidMessage(Invalid):
    """This is no message of the protocol; the text says where it goes wrong."""

    code = "bad_message"


class MessageTooBig(InvalidMessage):
    """A message is longer than any message of the protocol can be."""

    code = "message_too_big"


class UnknownMessage(InvalidMessage):
    """The protocol has no message of this type."""

    code = "unknown_message"


class InvalidToken(Invalid):
    """A token is 32 bytes, written as 64 lower-case hexadecimal digits."""

    code = "bad_token"


class NoSuchOffer(Refused):
    """No seat is offered by this code, or not any more."""

    code = "no_such_offer"


class HelloMissing(Refused):
    """The first message of a connection is `hello`."""

    code = "hello_missing"


class SecondHello(Refused):
    """A connection says hello once; who wants another room opens another."""

    code = "second_hello"


class UnknownProtocol(Refused):
    """The client speaks another version of the protocol: load the page anew."""

    code = "upgrade"


class TooFast(Refused):
    """More messages came than anybody needs to play."""

    code = "too_fast"


class ForeignOrigin(Refused):
    """The page that asks was not served from here."""

    code = "foreign_origin"


class WrongHost(Refused):
    """The server was asked for by a name that is not its own."""

    code = "wrong_host"


# The process.


class CannotStart(Refused):
    """The server cannot start; the text is the one line that says why."""

    code = "cannot_start"


class NobodyAnswers(Refused):
    """No server of this file runs here."""

    code = "nobody_answers"


# The log: what kept an entry from being stored or read.


class LogError(KrigError):
    """The log of a room could not do what it was asked."""

    code = "log"


class Conflict(LogError):
    """Somebody else appended first, so nothing was written: catch up, judge again."""

    code = "conflict"


class Unknown(LogError):
    """It may or may not have been stored: look for your own nonce before repeating."""

    code = "unknown"


class StorageUnavailable(LogError):
    """The storage does not take or give anything now; nothing was written."""

    code = "storage_unavailable"


class UnreadableEntry(LogError):
    """What is stored is no entry, or this is no entry that can be stored."""

    code = "unreadable_entry"


class NewerSchema(LogError):
    """It was written by a newer Krig: leave it to one that can read it."""

    code = "newer_schema"


# The host.


class HostError(KrigError):
    """The host that keeps the rooms could not do it."""

    code = "host"


class Busy(HostError):
    """Others were quicker for too long; the same again may work."""

    code = "busy"


class InternalError(HostError):
    """A fault of ours; nothing was changed by it."""

    code = "internal"


class NoSuchRoom(HostError):
    """No room has this code, or not any more."""

    code = "no_such_room"


class NoSuchGame(HostError):
    """No game of this room has this number."""

    code = "no_such_game"


class GameNotOver(HostError):
    """The record of a game is shown when the game is over."""

    code = "game_not_over"


class TooManyRooms(HostError):
    """The server keeps as many rooms as it can."""

    code = "too_many_rooms"


class Draining(HostError):
    """The server stops, and takes no new rooms; it will be back in a moment."""

    code = "draining"


class TooManyConnections(HostError):
    """The server is full; who has a seat is let in all the same."""

    code = "too_many_connections"


class Quarantined(HostError):
    """What is stored of this room cannot be read, so it was set aside."""

    code = "quarantined"
