"""What clients send is read or refused by name; what is told fits the wire's models."""

import json
from typing import Any, get_args

import pytest

from krig.engine import events as game
from krig.engine.cards import Card
from krig.engine.code import GameCode
from krig.engine.outcome import Ending, Outcome
from krig.engine.rules import PRESETS, Orphan, Rules
from krig.engine.seats import Seat
from krig.errors import InvalidMessage, InvalidRules, InvalidToken, KrigError, NotOwner
from krig.protocol import codec
from krig.protocol import messages as wire
from krig.protocol.limits import Limits
from krig.room import commands, events
from krig.room.facts import FlippedBy, Player, Tempo, Vacated
from krig.room.handoff import claim_of
from krig.room.view import View

FLIP = '{"type":"flip","game":1,"round":17,"battle":0}'
HEX = "0f" * 32


def flip(**changed: str) -> str:
    """A flip in which the text of some values is another."""
    values = {"game": "1", "round": "17", "battle": "0", **changed}
    fields = ",".join(f'"{name}":{value}' for name, value in values.items())
    return f'{{"type":"flip",{fields}}}'


BAD: dict[str, tuple[str, str]] = {
    "empty": ("", "bad_message"),
    "cut-off": (FLIP[:-1], "bad_message"),
    "two-messages": (FLIP + FLIP, "bad_message"),
    "null": ("null", "bad_message"),
    "list": (f"[{FLIP}]", "bad_message"),
    "number": ("17", "bad_message"),
    "byte-order-mark": ("\ufeff" + FLIP, "bad_message"),
    "zero-byte": ("\0", "bad_message"),
    "no-type": ('{"game":1}', "unknown_message"),
    "unknown-type": ('{"type":"cheat"}', "unknown_message"),
    "type-is-a-number": ('{"type":1}', "unknown_message"),
    "type-is-a-list": ('{"type":["flip"]}', "unknown_message"),
    "of-the-server": ('{"type":"welcome"}', "unknown_message"),
    "missing-field": ('{"type":"flip","game":1,"round":17}', "bad_message"),
    "unknown-field": (FLIP[:-1] + ',"seat":1}', "bad_message"),
    "twin-keys": (FLIP[:-1] + ',"battle":0}', "bad_message"),
    "twin-keys-one-escaped": (FLIP[:-1] + ',"b\\u0061ttle":0}', "bad_message"),
    "twin-types": ('{"type":"leave","type":"name","name":"a"}', "bad_message"),
    "twin-keys-deep-down": (
        '{"type":"rules","rules":{"war_down":1,"war_down":3}}',
        "bad_message",
    ),
    "nan": (flip(round="NaN"), "bad_message"),
    "infinity": (flip(round="Infinity"), "bad_message"),
    "overflow": (flip(round="1e999"), "bad_message"),
    "float-for-int": (flip(round="17.0"), "bad_message"),
    "bool-for-int": (flip(round="true"), "bad_message"),
    "text-for-int": (flip(round='"17"'), "bad_message"),
    "null-for-int": (flip(round="null"), "bad_message"),
    "below-zero": (flip(battle="-1"), "bad_message"),
    "too-big-a-number": (flip(game=str(2**31)), "bad_message"),
    "giant-number": (flip(game="9" * 4000), "bad_message"),
    "int-for-bool": ('{"type":"auto","on":1}', "bad_message"),
    "seat-4": ('{"type":"sit","seat":4,"name":"a"}', "bad_message"),
    "deep-nesting": ("[" * 4096, "bad_message"),
    "deep-nesting-of-objects": ('{"a":' * 800, "bad_message"),
    "deep-nesting-in-a-field": ('{"type":"flip","game":' + "[" * 4000, "bad_message"),
    "lone-surrogate-escaped": ('{"type":"name","name":"\\ud83d"}', "bad_message"),
    "lone-surrogate": ('{"type":"name","name":"\ud83d"}', "bad_message"),
    "rule-is-a-list": ('{"type":"rules","rules":{"deck":[52]}}', "bad_message"),
    "rule-is-a-float": ('{"type":"rules","rules":{"deck":52.0}}', "bad_message"),
    "rule-is-nan": ('{"type":"rules","rules":{"deck":NaN}}', "bad_message"),
    "token-too-short": (
        '{"type":"hello","protocol":1,"room":"A","token":"0f"}',
        "bad_token",
    ),
    "token-in-capitals": (
        json.dumps({"type": "hello", "protocol": 1, "room": "A", "token": HEX.upper()}),
        "bad_token",
    ),
    "token-is-a-number": (
        '{"type":"hello","protocol":1,"room":"A","token":7}',
        "bad_token",
    ),
    "4097-bytes": (
        '{"type":"name","name":"' + "x" * (4097 - 25) + '"}',
        "message_too_big",
    ),
    "4097-bytes-in-fewer-signs": (
        '{"type":"name","name":"' + "æ" * 2036 + '"}',
        "message_too_big",
    ),
}


@pytest.mark.parametrize(("text", "code"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_read_is_refused_by_name(text: str, code: str) -> None:
    with pytest.raises((InvalidMessage, InvalidToken)) as caught:
        codec.decode(text)
    assert caught.value.code == code


def test_a_message_of_4096_bytes_is_read() -> None:
    text = '{"type":"name","name":"' + "x" * (4096 - 25) + '"}'
    assert len(text.encode()) == 4096
    assert codec.decode(text).type == "name"


@pytest.mark.parametrize("cut", range(len(FLIP)))
def test_a_torn_frame_is_refused_wherever_it_is_torn(cut: int) -> None:
    with pytest.raises(InvalidMessage):
        codec.decode(FLIP[:cut])


def test_a_colon_in_a_name_is_no_twin_key() -> None:
    assert codec.decode('{"type":"name","name":":-)"}') == wire.Name(
        type="name", name=":-)"
    )


SECRET = "deadbeef" * 7


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"token": SECRET}, id="too-short-a-token"),
        pytest.param({"secret": SECRET}, id="in-an-unknown-field"),
        pytest.param({SECRET: 1}, id="as-a-field"),
        pytest.param({"type": SECRET}, id="as-a-type"),
        pytest.param({"room": SECRET}, id="as-a-room"),
        pytest.param({"v": SECRET}, id="as-a-number"),
    ],
)
def test_no_error_repeats_what_was_sent(wrong: dict[str, object]) -> None:
    hello = {"type": "hello", "protocol": 1, "room": "ABCD", **wrong}
    with pytest.raises(KrigError) as caught:
        codec.decode(json.dumps(hello))
    assert "deadbeef" not in codec.encode_error(caught.value)


ASKED: dict[str, commands.PlayerCommand] = {
    '{"type":"sit","name":"Kari"}': commands.TakeSeat(None, "Kari"),
    '{"type":"sit","seat":2,"name":"Kari"}': commands.TakeSeat(Seat(2), "Kari"),
    '{"type":"leave"}': commands.LeaveSeat(),
    f'{{"type":"ready","game":1,"terms":4,"on":true,"commitment":"{HEX}"}}': (
        commands.BeReady(1, 4, True, HEX)
    ),
    '{"type":"name","name":"Ola"}': commands.ChangeName("Ola"),
    '{"type":"rules","preset":"krieg_40"}': commands.ChangeRules(
        PRESETS["krieg_40"], "krieg_40"
    ),
    '{"type":"rules","code":"1omgg-cd2kz-3a44n-qq9v8"}': commands.ChangeRules(
        GameCode.parse("10MGG-CD2KZ-3A44N-QQ9V8").rules,
        None,
        "10MGG-CD2KZ-3A44N-QQ9V8",
    ),
    '{"type":"offer","seat":1}': commands.OfferSeat(Seat(1)),
    '{"type":"claim","code":"kr7f-2q1o"}': commands.ClaimSeat(claim_of("KR7F2Q10")),
    '{"type":"count","game":2}': commands.CountCards(2),
    '{"type":"bot","seat":1,"on":true}': commands.SeatBot(Seat(1), True),
    '{"type":"kick","seat":1,"player":2}': commands.Kick(Seat(1), Player(2)),
    '{"type":"start","game":1}': commands.Start(1),
    f'{{"type":"reveal","game":1,"terms":4,"nonce":"{HEX}"}}': commands.Reveal(
        1, 4, HEX
    ),
    FLIP: commands.Flip(1, 17, 0),
    '{"type":"auto","on":true}': commands.SetAutoplay(True),
    '{"type":"tempo","tempo":"fast","wars":true}': commands.SetTempo(Tempo.FAST, True),
    '{"type":"pause","on":true}': commands.Pause(True),
    '{"type":"close","on":true}': commands.CloseRoom(True),
}


@pytest.mark.parametrize(("text", "command"), ASKED.items())
def test_a_message_asks_the_room_for_its_command(
    text: str, command: commands.PlayerCommand
) -> None:
    message = codec.decode(text)
    assert isinstance(message, codec.Asked)
    assert codec.command_of(message) == command


def test_every_message_that_asks_is_tried_above() -> None:
    tried = {type(codec.decode(text)) for text in ASKED}
    assert tried == set(get_args(codec.Asked))


def test_rules_are_the_presets_but_for_those_that_are_named() -> None:
    agreed = codec.agreed_rules("krieg_40", {"war_down": 3})
    assert agreed.to_dict() == {**PRESETS["krieg_40"].to_dict(), "war_down": 3}
    assert codec.agreed_rules(None, {"war_down": 1}) == Rules(war_down=1)


@pytest.mark.parametrize(
    ("preset", "rules"),
    [
        pytest.param("bridge", None, id="no-such-preset"),
        pytest.param(None, None, id="nothing-named"),
        pytest.param(None, {"trumps": True}, id="no-such-rule"),
        pytest.param(None, {"war_down": 4}, id="too-many-stakes"),
        pytest.param(None, {"round_limit": 10**400}, id="a-limit-no-code-can-hold"),
        pytest.param("krieg_40", {"time_limit": 10}, id="two-limits"),
    ],
)
def test_rules_that_nobody_can_play_are_refused(
    preset: str | None, rules: dict[str, object] | None
) -> None:
    with pytest.raises(InvalidRules) as caught:
        codec.agreed_rules(preset, rules)
    assert len(codec.sentence(caught.value)) <= 200


# What is told ----------------------------------------------------------------------

S0, S1 = Seat(0), Seat(1)
EVENTS: list[events.Event] = [
    events.PlayerSat(S0, Player(1), "Kari"),
    events.PlayerLeft(S0, Player(1), "Kari", Vacated.KICKED),
    events.PlayerMoved(S0, S1),
    events.PlayerRenamed(S0, "Ola"),
    events.ReadyCleared(events.Cleared.RULES),
    events.DealVoided("0f" * 16, (S1,), HEX, ((S0, HEX),)),
    events.CardsDealt(1),
    events.SeatFlipped(S0, FlippedBy.CLOCK),
    events.BattleOpened(17, 1, (S0, S1)),
    events.GameOver(
        1,
        Outcome(Ending.ROUND_LIMIT, (S0,), (27, 25)),
        (Card.parse("Xr"),),
        HEX,
    ),
    events.TablePaused(S0),
    events.TableResumed(None),
    events.TableSlept(),
    events.TableWoke(S1),
    events.OwnerChanged(Player(2)),
    game.Reshuffled(S0, 12),
    game.StakesLaid(((S0, 1), (S1, 1))),
    game.CardsTurned(((S0, Card.parse("Qs")), (S1, Card.parse("Xb")))),
    game.WarDeclared((S0, S1), 1),
    game.SeatShort(S1, 1),
    game.PotWon(S0, 6, game.By.WALKOVER),
    game.PotLeft(Orphan.CARRY, 4),
    game.RoundVoided(),
    game.SeatOut(S1),
    game.RoundEnded(17, ((20, 6), (26, 0))),
    game.TimeStruck(),
]


def test_every_event_is_told_and_every_one_is_tried_here() -> None:
    every = set(get_args(events.Event))
    assert set(codec.TELLERS) == every
    assert {type(event) for event in EVENTS} == every


@pytest.mark.parametrize("event", EVENTS, ids=lambda e: type(e).__name__)
def test_an_event_is_told_as_the_wire_says(event: events.Event) -> None:
    text = codec.join_events(8, [codec.encode_entry([codec.told(event)])])
    heard = wire.FROM_SERVER.validate_json(text)
    assert isinstance(heard, wire.Events)
    [[told]] = heard.entries
    assert json.loads(text)["entries"][0][0] == json.loads(told.model_dump_json())


def test_everything_the_wire_can_tell_is_told_by_an_event_or_a_part() -> None:
    kinds = {_type_of(model) for model in get_args(get_args(wire.ToldEvent)[0])}
    told = {name for name, _ in codec.TELLERS.values()}
    assert kinds == told | {"room", "seats", "table", "last"}


def _type_of(model: Any) -> str:
    return str(get_args(model.model_fields["type"].annotation)[0])


VIEW: View = {
    "room": {
        "code": "7KQ4M",
        "phase": "lobby",
        "game": 1,
        "terms": 3,
        "owner": 1,
        "closed": False,
        "rules": PRESETS["krieg_40"].to_dict(),
        "preset": "krieg_40",
        "game_code": None,
        "tempo": "normal",
        "wars_by_table": False,
        "paused": None,
        "asleep": False,
        "deal": {
            "id": "0f" * 16,
            "commitment": HEX,
            "stage": "open",
            "missing": [],
            "withheld": [],
        },
    },
    "seats": [None, None, None, None],
    "table": None,
    "last": None,
}

SENT = {
    "welcome": codec.encode_welcome(
        server="0.1.0",
        room="7KQ4M",
        player=None,
        epoch="0f" * 8,
        v=7,
        sync="snapshot",
        now=1_700_000_000_000,
        deadline_ms=15_000,
        limits=Limits(),
    ),
    "you": codec.encode_you(1),
    "snapshot": codec.encode_snapshot(7, VIEW),
    "events": codec.join_events(7, []),
    "ack": codec.encode_ack(3, 7),
    "error": codec.encode_error(NotOwner(), 3),
    "presence": codec.encode_presence(2),
    "reaction": codec.encode_reaction(None, 5),
    "ping": codec.encode_ping(7),
    "pong": codec.encode_pong(7),
    "trouble": codec.encode_trouble(True),
    "drain": codec.encode_drain(1000),
    "notice": codec.encode_notice("Back in two minutes."),
    "offered": codec.encode_offered(1, "KR7F2Q10", 120_000),
}


@pytest.mark.parametrize(("kind", "text"), SENT.items(), ids=SENT.keys())
def test_what_the_server_sends_is_as_the_wire_says(kind: str, text: str) -> None:
    heard = wire.FROM_SERVER.validate_json(text)
    assert heard.type == kind
    # Every field is sent, also those that a model could make up.
    assert set(json.loads(text)) == set(type(heard).model_fields)


def test_every_message_of_the_server_is_tried_above() -> None:
    assert set(SENT) == {
        _type_of(model) for model in get_args(get_args(wire.FromServer)[0])
    }


def test_only_what_a_snapshot_says_may_be_left_out() -> None:
    kept = {kind for kind, text in SENT.items() if not codec.is_in_a_snapshot(text)}
    for_them_alone = {"welcome", "you", "ack", "error", "offered"}
    assert kept == for_them_alone | {"trouble", "drain", "notice"}


def test_an_error_without_a_text_says_what_its_class_means() -> None:
    assert codec.sentence(NotOwner()) == NotOwner.__doc__
    assert codec.sentence(NotOwner("Ask Kari.")) == "Ask Kari."
