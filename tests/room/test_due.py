"""What the clock owes."""

from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.room import commands as c
from krig.room import facts as f
from krig.room.due import Pace, due
from krig.room.room import Phase
from tests.room.scene import Scene


def test_a_lobby_with_its_owner_there_owes_nothing() -> None:
    scene = Scene()
    assert scene.due() == []
    scene.sit("Kari", "Ola")
    scene.ready("Kari")
    assert scene.due() == []


def test_a_game_that_is_over_owes_the_next_lobby_at_once() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.play_out()
    (owed,) = scene.due()
    assert (owed.command, owed.allowance) == (c.OpenChapter(1), 0)


def test_every_seat_that_has_not_pressed_has_a_deadline_of_its_own() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", "Anna")
    scene.flip("Ola")
    by = f.FlippedBy.CLOCK
    assert [d.command for d in due(scene.room, Pace())] == [
        c.FlipFor(1, 0, Seat(0), by),
        c.FlipFor(1, 0, Seat(2), by),
    ]


def test_a_deadline_counts_from_the_battle_and_no_entry_renews_it() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    began = scene.now
    scene.now += 5_000
    scene.ask("Kari", c.ChangeName("Kaja"))
    scene.flip("Kari")
    (owed,) = scene.due()
    assert (owed.since, owed.allowance) == (began, 15_000)


def test_who_comes_back_in_the_middle_of_a_battle_has_the_whole_time() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.SetTempo(f.Tempo.SLOW, False))
    scene.go("Ola")
    scene.now += 2_000
    scene.come("Ola")
    since = {d.command: d.since for d in scene.due()}
    assert since[c.FlipFor(1, 0, Seat(1), f.FlippedBy.CLOCK)] == scene.now
    assert since[c.FlipFor(1, 0, Seat(0), f.FlippedBy.CLOCK)] == scene.now - 2_000


def test_the_tempo_is_the_servers_pace() -> None:
    scene = Scene()
    scene.begin("Kari", bots=1)
    for tempo, ms in ((f.Tempo.SLOW, 4_000), (f.Tempo.FAST, 1_000)):
        scene.ask("Kari", c.SetTempo(tempo, False))
        bot = c.FlipFor(1, 0, Seat(1), f.FlippedBy.AUTOPLAY)
        assert scene.left(bot) == ms


def test_the_clock_alone_plays_a_game_of_autoplayers_to_its_end() -> None:
    scene = Scene(Rules(round_limit=10))
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.SetAutoplay(True))
    scene.ask("Ola", c.SetAutoplay(True))
    began = scene.now
    while scene.room.phase is Phase.PLAYING:
        scene.wait(1_000)
    assert scene.now - began >= 30_000


def test_no_short_game_is_played_to_its_end_in_an_empty_room() -> None:
    scene = Scene(PRESETS["krieg_40"])
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.SetTempo(f.Tempo.FAST, False))
    scene.go("Kari")
    scene.go("Ola")
    scene.wait(600_000)
    assert scene.room.asleep
    assert scene.game.rounds < 40
