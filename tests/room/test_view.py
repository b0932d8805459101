"""What every viewer sees."""

import json

from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.room import commands as c
from krig.room import facts as f
from krig.room.view import changed_parts, view
from tests.room.scene import Scene, token, with_a_war


def test_a_lobby_shows_who_is_bound_to_what() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ask("Kari", c.SeatBot(Seat(3), True))
    scene.ready("Ola")
    shown = view(scene.room)
    kari, ola, nobody, bot = shown["seats"]
    assert nobody is None
    assert kari
    assert ola
    assert bot
    assert (kari["ready"], ola["ready"], bot["ready"]) == (False, True, True)
    assert ola["commitment"] == scene.place("Ola").commitment
    assert (bot["kind"], bot["state"]) == ("bot", "bot")
    assert shown["room"]["owner"] == kari["player"]
    assert shown["table"] is None


def test_a_war_shows_stakes_face_down_and_one_card_face_up() -> None:
    scene = with_a_war("Kari", "Ola", rules=PRESETS["krig_klassisk"])
    table = view(scene.room)["table"]
    assert table is not None
    assert (table["battle"], table["wars"], table["pot"]) == (1, 1, 2)
    for hand in table["hands"]:
        (group,) = hand["laid"]
        assert group["down"] == 0
        assert group["up"] is not None


def test_the_view_before_all_have_pressed_shows_no_card_of_the_round() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.flip("Kari")
    table = view(scene.room)["table"]
    assert table is not None
    assert table["flipped"] == [0]
    assert all(hand["laid"] == [] for hand in table["hands"])


def test_no_token_nonce_or_seed_is_in_any_view_of_a_game_under_way() -> None:
    scene = Scene(PRESETS["krieg_240"])
    scene.begin("Kari", "Ola", "Anna")
    for _ in range(60):
        text = json.dumps(view(scene.room))
        assert token("Kari") not in text
        assert scene.room.attempt.server_nonce not in text
        assert str(scene.room.seed) not in text
        scene.press()


def test_a_part_is_sent_only_when_it_changed() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")

    def parts(who: str, command: c.Command) -> list[object]:
        before = scene.room
        scene.ask(who, command)
        return [part["type"] for part in changed_parts(before, scene.room)]

    assert parts("Kari", scene.flip_now()) == []
    assert parts("Ola", c.ChangeName("Olav")) == ["seats"]
    assert parts("Ola", c.SetTempo(f.Tempo.FAST, False)) == ["room"]
    assert parts("Ola", c.SetAutoplay(True)) == ["seats"]
    assert parts("Ola", c.Come(scene.page())) == []


def test_a_timed_table_is_sent_when_its_clock_stops_or_starts() -> None:
    scene = Scene(Rules(time_limit=15))
    scene.begin("Kari", "Ola")
    before = scene.room
    scene.ask("Kari", c.Pause(True))
    parts = {str(part["type"]): part for part in changed_parts(before, scene.room)}
    assert parts.keys() == {"room", "table"}
    table = view(scene.room)["table"]
    assert table is not None
    assert table["clock"] == {"limit_ms": 900_000, "used_ms": 0, "since": None}


def test_how_the_last_game_ended_is_shown_in_the_next_lobby() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.play_out()
    before = scene.room
    scene.next_lobby()
    last = view(scene.room)["last"]
    assert last is not None
    assert last["names"] == ["Kari", "Ola"]
    assert last["teams"] is False
    assert sum(last["counts"]) == 52
    types = [part["type"] for part in changed_parts(before, scene.room)]
    assert types == ["room", "seats", "table", "last"]
