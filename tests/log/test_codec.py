"""The bytes on disk: golden ones that must read for ever, and damaged ones."""

import json
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krig.engine.cards import Deck
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.errors import NewerSchema, UnreadableEntry
from krig.log.codec import TAGS, decode, encode
from krig.log.log import LogName
from krig.room import facts
from krig.room.facts import (
    READABLE,
    SCHEMA,
    Connection,
    Entry,
    Fact,
    FlippedBy,
    LastGame,
    Player,
    Sitter,
    Tempo,
    TokenHash,
    Vacated,
)

RULES = (
    b'{"deck":32,"war_down":1,"short":"lose","all_short":"all_out",'
    b'"participants":"tied","match_down":false,"pile":"reshuffle","order":"auto",'
    b'"orphan":"next_highest","void":"count","round_limit":40,"time_limit":null,'
    b'"time_mid_war":"finish","teams":false,"deal":"cut","repetition":"stop"}'
)

GOLDEN: dict[Fact, bytes] = {
    facts.ChapterOpened(
        code="KRIG",
        chapter=2,
        epoch="e9",
        rules=Rules.from_dict({"short": "lose", "deck": 32}, PRESETS["krieg_40"]),
        preset=None,
        tempo=Tempo.FAST,
        wars_by_table=True,
        closed=False,
        owner=Player(1),
        seats=(
            Sitter(Player(1), "Åse", TokenHash("aa"), Connection("s1/7")),
            None,
            Sitter(Player(3), "Krig 1", None),
        ),
        next_player=Player(4),
        last=LastGame(
            game=1,
            ending="all_cards",
            winners=(Seat(1),),
            counts=(0, 52),
            rounds=212,
            wars=14,
            players=(Player(1), Player(2)),
            names=("Åse", "Bo"),
            teams=False,
            counted=True,
        ),
        dead_tokens=(TokenHash("bb"),),
        rules_version=1,
        game_code="10MGG-CD2KZ-3A44N-QQ9V8",
    ): (
        b'{"fact":"chapter_opened","code":"KRIG","chapter":2,"epoch":"e9","rules":'
        + RULES
        + b',"preset":null,"tempo":"fast","wars_by_table":true,"closed":false,'
        b'"owner":1,"seats":[{"player":1,"name":"\xc3\x85se","token":"aa",'
        b'"connection":"s1/7"},null,{"player":3,"name":"Krig 1","token":null,'
        b'"connection":null}],"next_player":4,"last":{"game":1,"ending":"all_cards",'
        b'"winners":[1],"counts":[0,52],"rounds":212,"wars":14,"players":[1,2],'
        b'"names":["\xc3\x85se","Bo"],"teams":false,"counted":true},'
        b'"dead_tokens":["bb"],"rules_version":1,'
        b'"game_code":"10MGG-CD2KZ-3A44N-QQ9V8"}'
    ),
    facts.AttemptOpened("g1", "5ec2e7"): (
        b'{"fact":"attempt_opened","game_id":"g1","server_nonce":"5ec2e7"}'
    ),
    facts.SeatTaken(Seat(0), "Bo", TokenHash("cc"), Connection("s1/8")): (
        b'{"fact":"seat_taken","seat":0,"name":"Bo","token":"cc","connection":"s1/8"}'
    ),
    facts.SeatMoved(Seat(0), Seat(3)): b'{"fact":"seat_moved","seat":0,"to":3}',
    facts.SeatVacated(Seat(1), Vacated.KICKED): (
        b'{"fact":"seat_vacated","seat":1,"how":"kicked"}'
    ),
    facts.NameChanged(Seat(1), "Liv"): (
        b'{"fact":"name_changed","seat":1,"name":"Liv"}'
    ),
    facts.RulesChanged(
        Rules.from_dict({"short": "lose", "deck": 32}, PRESETS["krieg_40"]), "krieg_40"
    ): (
        b'{"fact":"rules_changed","rules":'
        + RULES
        + b',"preset":"krieg_40","game_code":null}'
    ),
    facts.Readied(Seat(2), "c0"): b'{"fact":"readied","seat":2,"commitment":"c0"}',
    facts.Unreadied(Seat(2)): b'{"fact":"unreadied","seat":2}',
    facts.Started(): b'{"fact":"started"}',
    facts.Revealed(Seat(0), "ff"): b'{"fact":"revealed","seat":0,"nonce":"ff"}',
    facts.AttemptVoided((Seat(0), Seat(2))): (
        b'{"fact":"attempt_voided","withheld":[0,2]}'
    ),
    facts.Flipped(Seat(1)): b'{"fact":"flipped","seat":1,"by":"player"}',
    facts.Flipped(Seat(1), FlippedBy.CLOCK): (
        b'{"fact":"flipped","seat":1,"by":"clock"}'
    ),
    facts.TimeUp(): b'{"fact":"time_up"}',
    facts.SeatCame(Seat(0), Connection("s2/1")): (
        b'{"fact":"seat_came","seat":0,"connection":"s2/1"}'
    ),
    facts.SeatWent(Seat(0), Connection("s2/1")): (
        b'{"fact":"seat_went","seat":0,"connection":"s2/1"}'
    ),
    facts.SeatBack(Seat(0)): b'{"fact":"seat_back","seat":0}',
    facts.PageHidden(Seat(0), True): b'{"fact":"page_hidden","seat":0,"hidden":true}',
    facts.AutoplaySet(Seat(0), False): b'{"fact":"autoplay_set","seat":0,"on":false}',
    facts.TempoSet(Tempo.SLOW, True): (
        b'{"fact":"tempo_set","tempo":"slow","wars_by_table":true}'
    ),
    facts.Paused(Seat(0)): b'{"fact":"paused","seat":0}',
    facts.Resumed(): b'{"fact":"resumed","seat":null}',
    facts.Slept(): b'{"fact":"slept"}',
    facts.Woke(Seat(3)): b'{"fact":"woke","seat":3}',
    facts.OwnerPassed(Player(2)): b'{"fact":"owner_passed","player":2}',
    facts.RoomClosed(True): b'{"fact":"room_closed","closed":true}',
    facts.SeatOffered(Seat(1), "c1"): (
        b'{"fact":"seat_offered","seat":1,"claim":"c1"}'
    ),
    facts.OfferEnded(Seat(1)): b'{"fact":"offer_ended","seat":1}',
    facts.SeatClaimed(Seat(1), TokenHash("dd"), Connection("s1/9")): (
        b'{"fact":"seat_claimed","seat":1,"token":"dd","connection":"s1/9"}'
    ),
    facts.CardsCounted(Seat(1)): b'{"fact":"cards_counted","seat":1}',
    facts.Reopened(): b'{"fact":"reopened"}',
    facts.HistoryCut("ea"): b'{"fact":"history_cut","epoch":"ea"}',
}
"""What is on somebody's disk. A line may be added, and none is ever changed."""

FIELDS_OF_SCHEMA: dict[int, str] = {
    1: "chapter_opened(code,chapter,epoch,rules,preset,tempo,wars_by_table,closed,"
    "owner,seats,next_player,last,dead_tokens,rules_version,game_code)"
    " attempt_opened(game_id,server_nonce) seat_taken(seat,name,token,connection)"
    " seat_moved(seat,to) seat_vacated(seat,how) name_changed(seat,name)"
    " rules_changed(rules,preset,game_code) readied(seat,commitment)"
    " unreadied(seat) started()"
    " revealed(seat,nonce) attempt_voided(withheld) flipped(seat,by) time_up()"
    " seat_came(seat,connection) seat_went(seat,connection) seat_back(seat)"
    " page_hidden(seat,hidden) autoplay_set(seat,on) tempo_set(tempo,wars_by_table)"
    " paused(seat) resumed(seat) slept() woke(seat) owner_passed(player)"
    " room_closed(closed) seat_offered(seat,claim) offer_ended(seat)"
    " seat_claimed(seat,token,connection) cards_counted(seat) reopened()"
    " history_cut(epoch)"
}
"""Whoever adds to what is written raises `READABLE` and adds a line."""


def entry_of(*of: Fact) -> Entry:
    return Entry(v=7, at=1_700_000_000_000, nonce="f00d", facts=of)


def golden(fact: bytes) -> bytes:
    return (
        b'{"schema":1,"v":7,"at":1700000000000,"nonce":"f00d","facts":[' + fact + b"]}"
    )


@pytest.mark.parametrize(("fact", "data"), GOLDEN.items(), ids=TAGS.get)
def test_golden_bytes_are_written_and_read(fact: Fact, data: bytes) -> None:
    assert encode(entry_of(fact)) == golden(data)
    assert decode(golden(data)) == entry_of(fact)


def test_every_fact_has_a_tag_and_golden_bytes() -> None:
    assert set(TAGS) == set(get_args(Fact)) == {type(fact) for fact in GOLDEN}
    assert len(set(TAGS.values())) == len(TAGS)


def test_a_tag_is_the_name_of_its_class_in_snake_case() -> None:
    for kind, tag in TAGS.items():
        assert "".join(word.capitalize() for word in tag.split("_")) == kind.__name__


def test_no_field_is_called_as_the_tag_is() -> None:
    for kind in TAGS:
        assert is_dataclass(kind)
        assert "fact" not in {field.name for field in fields(kind)}


def test_other_fields_are_another_schema() -> None:
    now = " ".join(
        f"{tag}({','.join(field.name for field in fields(kind))})"
        for kind, tag in TAGS.items()
    )
    assert now == FIELDS_OF_SCHEMA[READABLE]
    assert list(FIELDS_OF_SCHEMA) == list(range(1, READABLE + 1))


def test_what_is_written_was_read_by_the_release_before() -> None:
    assert SCHEMA <= READABLE <= SCHEMA + 1


# Reading what was written, whatever was written.

text = st.text(st.characters(codec="utf-8"))
rules = st.one_of(
    st.sampled_from(list(PRESETS.values())),
    st.builds(
        Rules,
        deck=st.sampled_from(Deck),
        war_down=st.integers(0, 3),
        round_limit=st.none() | st.integers(1, 10**6),
        teams=st.booleans(),
    ),
)


def some(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any value of a fact, or of a part of one."""
    named: dict[Any, st.SearchStrategy[Any]] = {
        hint: strategy
        for hint, strategy in {str: text, TokenHash: text, Connection: text}.items()
        if hint in get_type_hints(kind).values()
    }
    return st.builds(
        kind,
        **{
            field: named[hint]
            for field, hint in get_type_hints(kind).items()
            if hint in named
        },
    )


st.register_type_strategy(Rules, rules)
st.register_type_strategy(Sitter, some(Sitter))
st.register_type_strategy(str, text)

entries = st.builds(
    Entry,
    v=st.integers(1, 2**53),
    at=st.integers(0, 2**53),
    nonce=text,
    facts=st.lists(st.one_of(*map(some, TAGS)), max_size=5).map(tuple),
    schema=st.just(SCHEMA),
)


@given(entries)
def test_what_was_written_is_read(entry: Entry) -> None:
    assert decode(encode(entry)) == entry


@pytest.mark.parametrize("kind", TAGS, ids=TAGS.values())
def test_every_fact_is_read_as_written(kind: type[Fact]) -> None:
    @settings(max_examples=20)
    @given(some(kind))
    def check(fact: Fact) -> None:
        again = decode(encode(entry_of(fact))).facts[0]
        assert again == fact
        assert repr(again) == repr(fact)  # the very types, and not their equals

    check()


# Damage.


@given(st.binary() | st.text('[{}]:,"-0.19eEnulltrue\\\u00e5').map(str.encode))
def test_bytes_that_are_no_entry_are_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableEntry):
        decode(data)


@given(st.sampled_from(list(GOLDEN.values())), st.data())
def test_a_damaged_byte_is_an_entry_or_a_log_error(
    fact: bytes, data: st.DataObject
) -> None:
    whole = bytearray(golden(fact))
    whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(UnreadableEntry, NewerSchema):
        decode(bytes(whole))


@given(st.sampled_from(list(GOLDEN.values())), st.data())
def test_a_torn_entry_is_unreadable(fact: bytes, data: st.DataObject) -> None:
    whole = golden(fact)
    with pytest.raises(UnreadableEntry):
        decode(whole[: data.draw(st.integers(0, len(whole) - 1))])


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param(b"3", id="no-object"),
        pytest.param(b'{"seat":1}', id="no-tag"),
        pytest.param(b'{"fact":["flipped"],"seat":1}', id="tag-is-no-text"),
        pytest.param(b'{"fact":"shuffled","seat":1}', id="unknown-fact"),
        pytest.param(b'{"fact":"flipped"}', id="field-missing"),
        pytest.param(b'{"fact":"flipped","seat":1,"card":"Qs"}', id="unknown-field"),
        pytest.param(b'{"fact":"flipped","seat":true}', id="bool-for-number"),
        pytest.param(b'{"fact":"flipped","seat":1.0}', id="float-for-number"),
        pytest.param(b'{"fact":"flipped","seat":NaN}', id="nan"),
        pytest.param(b'{"fact":"flipped","seat":null}', id="null-for-number"),
        pytest.param(b'{"fact":"flipped","seat":1,"by":"dice"}', id="unknown-choice"),
        pytest.param(b'{"fact":"flipped","seat":1,"by":[]}', id="list-for-choice"),
        pytest.param(b'{"fact":"room_closed","closed":1}', id="number-for-bool"),
        pytest.param(b'{"fact":"history_cut","epoch":1}', id="number-for-text"),
        pytest.param(b'{"fact":"attempt_voided","withheld":2}', id="number-for-list"),
        pytest.param(
            b'{"fact":"rules_changed","rules":[],"preset":null}', id="list-for-rules"
        ),
        pytest.param(
            b'{"fact":"rules_changed","rules":{"war_down":9},"preset":null}',
            id="rules-nobody-can-play-by",
        ),
        pytest.param(b"[" * 100_000, id="nested-for-ever"),
    ],
)
def test_a_damaged_fact_is_unreadable_and_says_where(fact: bytes) -> None:
    with pytest.raises(UnreadableEntry, match=r"^Entry 12 of KRIG/3 cannot be read"):
        decode(golden(fact), LogName("KRIG", 3), 12)


def test_a_field_that_is_absent_is_as_by_default() -> None:
    assert decode(golden(b'{"fact":"flipped","seat":1}')) == entry_of(
        facts.Flipped(Seat(1), FlippedBy.PLAYER)
    )


@pytest.mark.parametrize("more", [b"", b',"what":"we do not know yet"'])
def test_an_entry_of_a_newer_schema_is_left_alone(more: bytes) -> None:
    data = b'{"schema":%d,"v":1%s}' % (READABLE + 1, more)
    with pytest.raises(NewerSchema, match=r"^Entry 12 of KRIG/3 is of schema"):
        decode(data, LogName("KRIG", 3), 12)


def test_what_json_cannot_say_is_not_written() -> None:
    with pytest.raises(UnreadableEntry):
        encode(entry_of(facts.NameChanged(Seat(0), "\ud800")))


def test_the_bytes_are_compact_utf_8() -> None:
    data = encode(entry_of(facts.NameChanged(Seat(0), "Åse ♠")))
    assert "Åse ♠".encode() in data
    assert (
        data
        == json.dumps(
            json.loads(data), ensure_ascii=False, separators=(",", ":")
        ).encode()
    )
