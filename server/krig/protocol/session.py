"""One connection's conversation: text frames in, what to do about them out.

A connection waits for `hello`, then speaks, then is closed. What may be heard in which
state, and where it leads, is the table `TRANSITIONS` and nothing else::

    WAITING ──hello──▶ SPEAKING ──ten messages that cannot be read──▶ CLOSED
       └──anything else, or a protocol that is not ours────────────▶ CLOSED

Rule 1: nothing here knows a socket, a clock or a room: who feeds it does.
Rule 2: an error says what the client did wrong and changes nothing; only `End` ends.

Precedent for a conversation as a table: h11.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from krig.errors import (
    HelloMissing,
    Invalid,
    InvalidMessage,
    KrigError,
    SecondHello,
    UnknownProtocol,
)
from krig.protocol import messages as wire
from krig.protocol.codec import Asked, command_of, decode
from krig.protocol.limits import BAD_MESSAGES
from krig.room.commands import PlayerCommand


class CloseCode(IntEnum):
    """Why the server ends a connection. Below 4500: come back. From there: do not."""

    BAD_MESSAGES = 4400
    NO_HELLO = 4401
    TOO_FAST = 4408
    DRAIN = 4410
    ELSEWHERE = 4411
    TOO_MANY = 4429
    UPGRADE = 4500
    TOKEN_DEAD = 4501
    REPLACED = 4502
    REMOVED = 4504
    FULL = 4505
    NO_SUCH_ROOM = 4510
    QUARANTINED = 4512


class State(Enum):
    """How far a conversation has come."""

    WAITING = "waiting for hello"
    SPEAKING = "speaking"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Asks:
    """The client asks something of the room; with an id it wants an answer."""

    command: PlayerCommand
    id: int | None


@dataclass(frozen=True, slots=True)
class Wrong:
    """The message is refused: tell the client why."""

    error: KrigError
    id: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The conversation is over: tell the client why, and close."""

    code: CloseCode
    error: KrigError


Lossy = wire.Resync | wire.React | wire.Ping | wire.Pong
Heard = wire.Hello | Asks | Lossy | Wrong | End


class Kind(Enum):
    """What a message is, for the table."""

    HELLO = "hello"
    OTHER = "any other message"
    UNREADABLE = "what cannot be read"


TRANSITIONS: Final[Mapping[State, Mapping[Kind, State | CloseCode]]] = {
    State.WAITING: {
        Kind.HELLO: State.SPEAKING,
        Kind.OTHER: CloseCode.NO_HELLO,
        Kind.UNREADABLE: CloseCode.BAD_MESSAGES,
    },
    State.SPEAKING: {
        Kind.HELLO: State.SPEAKING,
        Kind.OTHER: State.SPEAKING,
        Kind.UNREADABLE: State.SPEAKING,
    },
    State.CLOSED: {
        Kind.HELLO: State.CLOSED,
        Kind.OTHER: State.CLOSED,
        Kind.UNREADABLE: State.CLOSED,
    },
}
"""Where a message leads; a close code leads to `CLOSED`."""


class Session:
    """The conversation with one client."""

    state: State
    bad: int
    """How many messages could not be read."""

    def __init__(self) -> None:
        self.state = State.WAITING
        self.bad = 0

    def hear(self, text: str) -> Heard | None:
        """Take one text frame; None: nothing is to be done any more.

        >>> Session().hear('{"type":"ping"}').code
        <CloseCode.NO_HELLO: 4401>
        """
        try:
            message = decode(text)
        except Invalid as error:
            return self._step(Kind.UNREADABLE, Wrong(error))
        match message:
            case wire.Hello():
                return self._greet(message)
            case wire.Resync() | wire.React() | wire.Ping() | wire.Pong():
                return self._step(Kind.OTHER, message)
            case _:
                return self._step(Kind.OTHER, _asked(message))

    def hear_binary(self) -> Heard | None:
        """Take a binary frame, which is no message whatever is in it."""
        error = InvalidMessage("A message is a text frame.")
        return self._step(Kind.UNREADABLE, Wrong(error))

    def close(self) -> None:
        """Hear nothing more: the connection is gone, or about to go."""
        self.state = State.CLOSED

    def _greet(self, hello: wire.Hello) -> Heard | None:
        if self.state is State.SPEAKING:
            return self._step(Kind.HELLO, Wrong(SecondHello()))
        if self.state is State.WAITING and hello.protocol != wire.PROTOCOL:
            self.state = State.CLOSED
            return End(CloseCode.UPGRADE, UnknownProtocol())
        return self._step(Kind.HELLO, hello)

    def _step(self, kind: Kind, heard: Heard) -> Heard | None:
        if self.state is State.CLOSED:
            return None
        step: State | CloseCode = TRANSITIONS[self.state][kind]
        self.bad += kind is Kind.UNREADABLE
        if self.bad >= BAD_MESSAGES:
            step = CloseCode.BAD_MESSAGES
        if isinstance(step, State):
            self.state = step
            return heard
        self.state = State.CLOSED
        return End(step, heard.error if isinstance(heard, Wrong) else HelloMissing())


def _asked(message: Asked) -> Asks | Wrong:
    """What a command asks of the room, or why it asks for nothing that exists."""
    try:
        return Asks(command_of(message), message.id)
    except Invalid as error:
        return Wrong(error, message.id)
