"""A conversation: hello first and once, and ten unreadable messages end it."""

import pytest

from krig.errors import (
    HelloMissing,
    InvalidMessage,
    InvalidRules,
    InvalidToken,
    SecondHello,
    UnknownProtocol,
)
from krig.protocol import messages as wire
from krig.protocol.session import (
    TRANSITIONS,
    Asks,
    CloseCode,
    End,
    Kind,
    Session,
    State,
    Wrong,
)
from krig.room.commands import Flip

HELLO = '{"type":"hello","protocol":1,"room":"7KQ4M"}'
FLIP = '{"type":"flip","id":3,"game":1,"round":1,"battle":0}'


def greeted() -> Session:
    session = Session()
    assert isinstance(session.hear(HELLO), wire.Hello)
    return session


def test_the_table_says_what_to_do_in_every_state() -> None:
    assert set(TRANSITIONS) == set(State)
    assert all(set(steps) == set(Kind) for steps in TRANSITIONS.values())


@pytest.mark.parametrize("text", [FLIP, '{"type":"ping"}', '{"type":"pong"}'])
def test_who_does_not_say_hello_first_is_sent_away(text: str) -> None:
    session = Session()
    heard = session.hear(text)
    assert isinstance(heard, End)
    assert (heard.code, type(heard.error)) == (CloseCode.NO_HELLO, HelloMissing)
    assert session.state is State.CLOSED


def test_a_hello_with_a_token_that_cannot_be_one_ends_it_by_name() -> None:
    heard = Session().hear(HELLO[:-1] + ',"token":"0f"}')
    assert isinstance(heard, End)
    assert (heard.code, type(heard.error)) == (CloseCode.BAD_MESSAGES, InvalidToken)


@pytest.mark.parametrize("protocol", [0, 2, 10**9])
def test_a_client_of_another_protocol_is_told_to_upgrade(protocol: int) -> None:
    heard = Session().hear(f'{{"type":"hello","protocol":{protocol},"room":"7KQ4M"}}')
    assert isinstance(heard, End)
    assert (heard.code, type(heard.error)) == (CloseCode.UPGRADE, UnknownProtocol)


def test_a_second_hello_is_refused_and_changes_nothing() -> None:
    session = greeted()
    heard = session.hear(HELLO)
    assert isinstance(heard, Wrong)
    assert isinstance(heard.error, SecondHello)
    assert isinstance(session.hear(FLIP), Asks)


def test_a_command_is_handed_on_with_its_id() -> None:
    assert greeted().hear(FLIP) == Asks(Flip(1, 1, 0), 3)


def test_what_is_lossy_is_handed_on_as_it_came() -> None:
    session = greeted()
    assert session.hear('{"type":"ping"}') == wire.Ping(type="ping")
    assert session.hear('{"type":"resync"}') == wire.Resync(type="resync")


def test_rules_that_cannot_be_played_are_refused_with_the_id_of_the_message() -> None:
    heard = greeted().hear('{"type":"rules","id":8,"preset":"bridge"}')
    assert isinstance(heard, Wrong)
    assert (heard.id, type(heard.error)) == (8, InvalidRules)


def test_the_tenth_message_that_cannot_be_read_ends_it() -> None:
    session = greeted()
    for n in range(9):
        heard = session.hear("?") if n % 2 else session.hear_binary()
        assert isinstance(heard, Wrong)
        assert isinstance(session.hear(FLIP), Asks)
    end = session.hear("?")
    assert isinstance(end, End)
    assert (end.code, type(end.error)) == (CloseCode.BAD_MESSAGES, InvalidMessage)


@pytest.mark.parametrize("text", [HELLO, FLIP, "?", '{"type":"ping"}'])
def test_nothing_is_heard_after_the_end(text: str) -> None:
    session = greeted()
    session.close()
    assert session.hear(text) is None
    assert session.hear_binary() is None


def test_codes_from_4500_on_are_those_that_nobody_comes_back_after() -> None:
    assert {code for code in CloseCode if code >= 4500} == {
        CloseCode.UPGRADE,
        CloseCode.TOKEN_DEAD,
        CloseCode.REPLACED,
        CloseCode.REMOVED,
        CloseCode.FULL,
        CloseCode.NO_SUCH_ROOM,
        CloseCode.QUARANTINED,
    }
