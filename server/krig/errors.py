"""Every error of Krig, and its code on the wire.

::

    KrigError
    ├── Invalid              cannot be read
    │   ├── InvalidCard         invalid_card
    │   ├── InvalidRules        invalid_rules
    │   ├── InvalidGameCode     invalid_game_code
    │   ├── NewerVersion        newer_version
    │   ├── InvalidRoomCode     invalid_room_code
    │   └── InvalidName         invalid_name
    └── Refused              can be read, but the game forbids it
        ├── StaleFlip           stale
        ├── FutureFlip          future
        ├── NotInBattle         not_in_battle
        ├── GameOver            game_over
        ├── NotSeated           not_seated
        ├── NotOwner            not_owner
        ├── SeatOccupied        seat_occupied
        ├── NoFreeSeat          no_free_seat
        ├── NameTaken           name_taken
        ├── GameUnderWay        game_under_way
        ├── NoGame              no_game
        ├── StaleTerms          stale_terms
        ├── NotReady            not_ready
        ├── TooFewPlayers       too_few_players
        ├── CommitmentNeeded    commitment_needed
        ├── NonceMismatch       nonce_mismatch
        └── NobodyThere         nobody_there

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
