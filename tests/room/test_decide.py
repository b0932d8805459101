"""What a command comes to, and what is refused."""

from typing import get_args

import pytest

from krig.engine import events as told
from krig.engine.outcome import Ending
from krig.engine.rules import PRESETS, Rules
from krig.engine.seats import Seat
from krig.errors import (
    CommitmentNeeded,
    FutureFlip,
    GameOver,
    GameUnderWay,
    InvalidName,
    InvalidRules,
    KrigError,
    NameTaken,
    NobodyThere,
    NoFreeSeat,
    NoGame,
    NonceMismatch,
    NotInBattle,
    NotOwner,
    NotReady,
    NotSeated,
    SeatOccupied,
    StaleFlip,
    StaleTerms,
    TableStandsStill,
    TooFewPlayers,
)
from krig.room import commands as c
from krig.room import events as e
from krig.room import facts as f
from krig.room.room import Phase, Presence, Stage
from tests.room.scene import Scene, token, with_a_war


def refused(scene: Scene, who: str | None, command: c.Command) -> type[KrigError]:
    """Why a command is refused; the room is as it was."""
    room = scene.room
    with pytest.raises(KrigError) as caught:
        scene.ask(who, command)
    assert scene.room is room
    return type(caught.value)


# Seats -------------------------------------------------------------------------------


def test_to_sit_again_is_harmless() -> None:
    scene = Scene()
    scene.sit("Kari")
    assert scene.ask("Kari", c.TakeSeat(None, "Kari")) == ()
    assert scene.ask("Kari", c.TakeSeat(Seat(0), "another name")) == ()
    assert scene.room.taken == (0,)


def test_the_first_to_sit_owns_the_room() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    assert scene.owner == "Kari"


def test_a_taken_seat_and_a_full_table_are_refused_by_name() -> None:
    scene = Scene()
    scene.sit("Kari")
    assert refused(scene, "Ola", c.TakeSeat(Seat(0), "Ola")) is SeatOccupied
    scene.sit("Ola", "Anna", "Max")
    assert refused(scene, "Eva", c.TakeSeat(None, "Eva")) is NoFreeSeat


def test_names_are_unique_however_they_are_written() -> None:
    scene = Scene()
    scene.sit("Kari")
    assert refused(scene, "Ola", c.TakeSeat(None, "ＫＡＲＩ")) is NameTaken
    assert refused(scene, "Ola", c.TakeSeat(None, "\u200b")) is InvalidName
    scene.sit("Ola")
    assert refused(scene, "Ola", c.ChangeName("kari")) is NameTaken
    scene.ask("Ola", c.ChangeName("OLA"))
    assert scene.place("Ola").name == "OLA"
    assert scene.told == (e.PlayerRenamed(Seat(1), "OLA"),)


def test_who_has_no_seat_may_only_take_one() -> None:
    scene = Scene()
    scene.sit("Kari")
    for command in (c.LeaveSeat(), c.SetTempo(f.Tempo.FAST, True), c.Start(1)):
        assert refused(scene, "Eva", command) is NotSeated
        assert refused(scene, None, command) is NotSeated
    assert refused(scene, None, c.TakeSeat(None, "Eva")) is NotSeated


def test_a_player_moves_to_a_free_seat_and_all_are_ready_anew() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Ola")
    scene.ask("Kari", c.TakeSeat(Seat(3), "Kari"))
    assert scene.seat("Kari") == 3
    assert scene.told == (
        e.PlayerMoved(Seat(0), Seat(3)),
        e.ReadyCleared(e.Cleared.SEATS),
    )
    assert scene.place("Ola").commitment is None
    assert scene.owner == "Kari"


def test_who_leaves_the_lobby_frees_the_seat_and_kills_the_token() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ask("Ola", c.LeaveSeat())
    assert scene.room.seats[1] is None
    assert refused(scene, "Ola", c.TakeSeat(None, "Ola")) is NotSeated
    assert token("Ola") in scene.room.dead_tokens


def test_who_leaves_in_mid_game_is_played_for_to_its_end() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Ola", c.LeaveSeat())
    assert scene.room.place(Seat(1)).presence is Presence.LEFT
    assert refused(scene, "Ola", c.LeaveSeat()) is NotSeated
    scene.play_out()
    assert scene.game.outcome is not None
    assert scene.game.outcome.ending is not Ending.ABANDONED
    scene.next_lobby()
    assert scene.room.seats[1] is None
    assert scene.room.last is not None
    assert scene.room.last.names == ("Kari", "Ola")


def test_with_no_human_left_the_game_is_abandoned() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", bots=1)
    scene.ask("Kari", c.LeaveSeat())
    scene.ask("Ola", c.LeaveSeat())
    assert scene.look().phase is Phase.OVER
    assert scene.game.outcome is not None
    assert scene.game.outcome.ending is Ending.ABANDONED
    scene.next_lobby()
    assert scene.room.owner is None
    scene.sit("Eva")
    assert scene.owner == "Eva"


def test_only_the_player_that_was_named_is_kicked() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    ola = scene.place("Ola").player
    scene.ask("Ola", c.LeaveSeat())
    scene.sit("Anna")
    assert scene.ask("Kari", c.Kick(Seat(1), ola)) == ()
    assert refused(scene, "Anna", c.Kick(Seat(0), f.Player(1))) is NotOwner
    assert refused(scene, "Kari", c.Kick(Seat(0), f.Player(1))) is NobodyThere
    kick = c.Kick(Seat(1), scene.place("Anna").player)
    scene.ask("Kari", kick)
    assert scene.told[0] == e.PlayerLeft(Seat(1), f.Player(3), "Anna", f.Vacated.KICKED)
    assert scene.ask("Kari", kick) == ()
    assert refused(scene, "Anna", c.TakeSeat(None, "Anna")) is NotSeated


def test_bots_come_and_go_by_the_owner_and_are_always_ready() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    assert refused(scene, "Ola", c.SeatBot(Seat(2), True)) is NotOwner
    assert refused(scene, "Kari", c.SeatBot(Seat(1), True)) is SeatOccupied
    scene.ask("Kari", c.SeatBot(Seat(2), True))
    assert scene.ask("Kari", c.SeatBot(Seat(2), True)) == ()
    assert refused(scene, "Kari", c.Kick(Seat(2), f.Player(3))) is NobodyThere
    scene.ask("Kari", c.SeatBot(Seat(2), False))
    assert scene.ask("Kari", c.SeatBot(Seat(2), False)) == ()
    assert scene.room.seats[2] is None


def test_a_latecomer_sits_down_in_the_next_lobby() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    assert refused(scene, "Eva", c.TakeSeat(None, "Eva")) is GameUnderWay
    scene.play_out()
    scene.next_lobby()
    scene.sit("Eva")
    assert scene.seat("Eva") == 2


# The owner ---------------------------------------------------------------------------


def test_when_the_owner_leaves_who_has_been_here_longest_owns_at_once() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.now += 1000
    scene.sit("Anna")
    scene.now += 1000
    scene.go("Ola")
    scene.come("Ola")  # so Anna has been here longer
    scene.ask("Anna", c.SetTempo(f.Tempo.FAST, False))
    scene.ask("Kari", c.LeaveSeat())
    assert scene.owner == "Anna"
    assert e.OwnerChanged(scene.place("Anna").player) in scene.told


def test_autoplay_and_acting_again_cost_nobody_their_turn_as_heir() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", "Anna")
    scene.now += 1000
    scene.ask("Ola", c.SetAutoplay(True))
    scene.ask("Ola", c.SetAutoplay(False))
    scene.ask("Kari", c.LeaveSeat())
    assert scene.owner == "Ola"


def test_the_room_passes_a_minute_after_its_owner_went() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.go("Kari")
    scene.wait(59_999)
    assert scene.owner == "Kari"
    scene.wait(1)
    assert scene.owner == "Ola"
    scene.come("Kari")
    assert scene.owner == "Ola"


def test_an_owner_who_is_back_in_time_stays_the_owner() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.go("Kari")
    kari = scene.place("Kari").player
    scene.now += 60_000
    back = c.Come(scene.page())
    scene.together(("Kari", back), (None, c.PassOwner(kari)))
    assert scene.owner == "Kari"
    assert scene.due() == []


def test_with_nobody_there_the_room_passes_to_whoever_comes() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.go("Kari")
    scene.go("Ola")
    scene.wait(600_000)
    assert scene.owner == "Kari"
    scene.come("Ola")
    scene.wait(0)
    assert scene.owner == "Ola"


@pytest.mark.parametrize(
    "command",
    [
        c.ChangeRules(Rules(), None),
        c.SeatBot(Seat(2), True),
        c.Kick(Seat(0), f.Player(1)),
        c.Start(1),
        c.CloseRoom(True),
    ],
)
def test_what_is_the_owners_is_nobody_elses(command: c.PlayerCommand) -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    assert refused(scene, "Ola", command) is NotOwner


# Ready, start and the deal -----------------------------------------------------------


def test_to_be_ready_is_to_be_bound_to_a_nonce_on_these_terms() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    room, bound = scene.room, scene.commitment("Kari")
    assert refused(scene, "Kari", c.BeReady(1, room.terms, True, None)) is (
        CommitmentNeeded
    )
    assert refused(scene, "Kari", c.BeReady(2, room.terms, True, bound)) is StaleTerms
    stale = c.BeReady(1, room.terms - 1, True, bound)
    assert refused(scene, "Kari", stale) is StaleTerms
    ready = c.BeReady(1, room.terms, True, bound)
    assert scene.ask("Kari", ready) == (f.Readied(Seat(0), bound),)
    assert scene.ask("Kari", ready) == ()
    lost = c.BeReady(1, room.terms, True, "ab" * 32)
    assert scene.ask("Kari", lost) == (f.Readied(Seat(0), "ab" * 32),)
    off = c.BeReady(1, room.terms, False, None)
    assert scene.ask("Kari", off) == (f.Unreadied(Seat(0)),)
    assert scene.ask("Kari", off) == ()


def test_other_rules_clear_every_ready_and_say_so() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    terms = scene.room.terms
    other = c.ChangeRules(PRESETS["krig_klassisk"], "krig_klassisk")
    scene.ask("Kari", other)
    assert scene.told == (e.ReadyCleared(e.Cleared.RULES),)
    assert scene.room.terms == terms + 1
    assert all(p.commitment is None for _, p in scene.room.humans)
    assert scene.ask("Kari", other) == ()
    assert refused(scene, "Kari", c.Start(1)) is NotReady


def test_a_new_player_clears_every_ready_and_says_so() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari")
    scene.sit("Anna")
    assert scene.told[1:] == (e.ReadyCleared(e.Cleared.SEATS),)
    scene.sit("Max")
    assert scene.told[1:] == (), "nobody was ready"


def test_a_game_starts_with_two_at_least_and_all_of_them_ready() -> None:
    scene = Scene()
    scene.sit("Kari")
    scene.ready("Kari")
    assert refused(scene, "Kari", c.Start(1)) is TooFewPlayers
    scene.sit("Ola")
    scene.ready("Kari")
    assert refused(scene, "Kari", c.Start(1)) is NotReady
    assert refused(scene, "Kari", c.Start(2)) is StaleTerms
    scene.ready("Ola")
    scene.start()
    assert scene.look().phase is Phase.DEALING
    assert scene.ask("Kari", c.Start(1)) == ()


def test_teams_start_with_four_only() -> None:
    scene = Scene(Rules(teams=True))
    scene.sit("Kari", "Ola", "Anna")
    scene.ready("Kari", "Ola", "Anna")
    assert refused(scene, "Kari", c.Start(1)) is InvalidRules


def test_the_chairs_move_together_and_every_commitment_still_fits() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola", "Anna")
    scene.ask("Kari", c.TakeSeat(Seat(3), "Kari"))
    scene.deal()
    assert [scene.seat(who) for who in ("Ola", "Anna", "Kari")] == [0, 1, 2]


def test_while_dealing_only_the_deal_goes_on() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    assert refused(scene, "Kari", c.Flip(1, 1, 0)) is NoGame
    assert refused(scene, "Kari", c.Pause(True)) is NoGame
    assert refused(scene, "Kari", c.SetAutoplay(True)) is NoGame
    assert refused(scene, "Eva", c.TakeSeat(None, "Eva")) is GameUnderWay
    assert refused(scene, "Kari", c.SeatBot(Seat(2), True)) is GameUnderWay
    assert refused(scene, "Kari", c.ChangeRules(Rules(), None)) is GameUnderWay
    off = c.BeReady(1, scene.room.terms, False, None)
    assert refused(scene, "Kari", off) is GameUnderWay


def test_a_nonce_that_does_not_fit_is_refused_and_its_seat_withholds() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    terms = scene.room.terms
    wrong = c.Reveal(1, terms, "00" * 32)
    assert refused(scene, "Kari", wrong) is NonceMismatch
    assert refused(scene, "Kari", c.Reveal(1, terms - 1, "00" * 32)) is StaleTerms
    scene.reveal("Ola")
    right = c.Reveal(1, terms, scene.nonce("Ola"))
    assert scene.ask("Ola", right) == ()
    first = scene.room.attempt
    scene.wait(3_000)
    (void,) = scene.room.voided
    assert void.attempt == first
    assert void.withheld == (0,)
    assert void.nonces == ((1, right.nonce),)
    assert scene.told[0] == e.DealVoided(
        first.game_id, (Seat(0),), first.server_nonce, void.nonces
    )
    assert scene.room.attempt.game_id != first.game_id
    assert scene.room.attempt.withheld == (0,)
    assert scene.room.missing == (1,), "the next attempt asks the others only"
    scene.ready("Ola")
    assert scene.look().attempt.stage is Stage.REVEAL
    scene.reveal("Ola")
    assert scene.look().phase is Phase.PLAYING
    late = c.BeReady(1, scene.room.terms, True, "ab" * 32)
    assert refused(scene, "Kari", late) is GameUnderWay


def test_nobody_stalls_a_deal_and_each_void_attempt_leaves_somebody_out() -> None:
    scene = Scene()
    people = ("Kari", "Ola", "Anna", "Max")
    scene.sit(*people)
    scene.ready(*people)
    scene.start()
    for _ in people:
        missing = scene.room.missing
        who = [scene.who(scene.room.place(s)) for s in missing[1:]]
        scene.reveal(*who)
        scene.wait(3_000)
        if scene.stage is Stage.COMMIT:
            scene.ready(*who)
    assert scene.look().phase is Phase.PLAYING
    assert len(scene.room.voided) == 4
    assert scene.room.attempt.withheld == (0, 1, 2, 3)


def test_a_stage_that_has_just_begun_is_not_late_because_the_one_before_was() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.reveal("Kari")
    scene.wait(3_000)
    assert scene.look().attempt.stage is Stage.COMMIT
    scene.now += 3_000
    (owed,) = scene.due()
    bound = c.BeReady(1, scene.room.terms, True, scene.commitment("Kari"))
    scene.together(("Kari", bound), (None, owed.command))
    assert scene.look().attempt.stage is Stage.REVEAL
    assert len(scene.room.voided) == 1
    (owed,) = scene.due()
    assert owed.since == scene.now


@pytest.mark.parametrize("kicked", [False, True], ids=["left", "kicked"])
def test_a_deal_goes_on_when_the_last_it_waited_for_is_gone(kicked: bool) -> None:
    scene = Scene()
    scene.sit("Kari", "Ola", "Anna")
    scene.ready("Kari", "Ola", "Anna")
    scene.start()
    scene.reveal("Kari", "Ola")
    scene.wait(3_000)  # Anna withheld: the others commit anew
    scene.ready("Kari")
    ola = scene.place("Ola")
    if kicked:
        scene.ask("Kari", c.Kick(Seat(1), ola.player))
    else:
        scene.ask("Ola", c.LeaveSeat())
    assert scene.look().attempt.stage is Stage.REVEAL
    scene.reveal("Kari")
    assert scene.look().phase is Phase.PLAYING


def test_who_leaves_with_a_commitment_on_the_table_withholds() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.ask("Ola", c.LeaveSeat())
    scene.reveal("Kari")
    assert scene.room.missing == (1,)
    scene.wait(3_000)
    assert scene.room.voided[0].withheld == (1,)
    scene.ready("Kari")
    scene.reveal("Kari")
    assert scene.look().phase is Phase.PLAYING
    assert scene.room.place(Seat(1)).presence is Presence.LEFT


def test_when_all_leave_while_dealing_the_chapter_is_over_without_a_game() -> None:
    scene = Scene()
    scene.sit("Kari", "Ola")
    scene.ready("Kari", "Ola")
    scene.start()
    scene.ask("Kari", c.LeaveSeat())
    scene.ask("Ola", c.LeaveSeat())
    assert scene.look().phase is Phase.OVER
    scene.next_lobby()
    assert scene.look().phase is Phase.LOBBY
    assert scene.room.last is None


# Flips: the cases N01 to N08 of RULES ------------------------------------------------


def test_n01_a_second_press_for_a_battle_is_no_second_flip() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    press = scene.flip_now()
    assert scene.ask("Kari", press) == (f.Flipped(Seat(0)),)
    assert scene.ask("Kari", press) == ()
    assert scene.game.flipped == (0,)


def test_n02_a_press_for_a_battle_that_is_over_is_never_kept_for_the_next() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    old = scene.flip_now()
    scene.press()
    assert refused(scene, "Kari", old) is StaleFlip
    assert not scene.game.flipped
    scene.flip("Ola")
    assert scene.game.flipped == (1,), "and the table still waits for Kari"


def test_n03_two_presses_in_one_entry_turn_the_cards_once() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    press = scene.flip_now()
    facts = scene.together(("Kari", press), ("Ola", press))
    assert facts == [f.Flipped(Seat(0)), f.Flipped(Seat(1))]
    assert sum(isinstance(x, told.CardsTurned) for x in scene.told) == 1


def test_n06_a_press_that_meets_the_servers_is_one_flip() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    press = scene.flip_now()
    late = c.FlipFor(press.round, press.battle, Seat(0), f.FlippedBy.CLOCK)
    assert scene.together(("Kari", press), (None, late)) == [f.Flipped(Seat(0))]
    late = c.FlipFor(press.round, press.battle, Seat(1), f.FlippedBy.CLOCK)
    facts = scene.together((None, late), ("Ola", press))
    assert facts == [f.Flipped(Seat(1), f.FlippedBy.CLOCK), f.SeatBack(Seat(1))]
    assert scene.place("Ola").presence is Presence.HERE


def test_n07_time_is_up_while_the_table_waits_and_nobody_is_made_to_flip() -> None:
    scene = Scene(Rules(time_limit=10))
    scene.begin("Kari", "Ola")
    scene.press()
    while scene.game.battle:
        scene.press()
    scene.flip("Kari")
    rounds = scene.game.rounds
    scene.ask(None, c.StrikeTime(1))
    assert scene.look().phase is Phase.OVER
    assert scene.game.rounds == rounds
    assert scene.game.outcome is not None
    assert scene.game.outcome.ending is Ending.TIME_LIMIT
    assert not any(isinstance(x, told.CardsTurned) for x in scene.told)


def test_n08_a_seat_that_is_out_does_not_press() -> None:
    scene = Scene(Rules(), seed=1)
    scene.begin("Kari", "Ola", "Anna")
    while not any(held.out for held in scene.game.seats):
        scene.press()
        assert scene.look().phase is Phase.PLAYING
    while scene.game.battle:
        scene.press()
    (out,) = [Seat(i) for i, held in enumerate(scene.game.seats) if held.out]
    loser = scene.who(scene.room.place(out))
    assert refused(scene, loser, scene.flip_now()) is NotInBattle
    rounds, battle = scene.game.rounds, scene.game.battle
    scene.flip(*[who for who in scene.people if who != loser])
    assert (scene.game.rounds, scene.game.battle) != (rounds, battle)


def test_a_flip_for_a_battle_to_come_or_another_game_is_refused_by_name() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    assert refused(scene, "Kari", c.Flip(1, 2, 0)) is FutureFlip
    assert refused(scene, "Kari", c.Flip(1, 1, 1)) is FutureFlip
    assert refused(scene, "Kari", c.Flip(2, 1, 0)) is FutureFlip
    assert refused(scene, "Kari", c.Flip(0, 1, 0)) is StaleFlip
    assert refused(scene, "Kari", c.Flip(1, 0, 5)) is StaleFlip


def test_in_a_war_only_the_tied_press() -> None:
    scene = with_a_war("Kari", "Ola", "Anna")
    waiting = scene.game.waiting
    if len(waiting) == 2:
        (other,) = [s for s in (0, 1, 2) if s not in waiting]
        watcher = scene.who(scene.room.place(Seat(other)))
        assert refused(scene, watcher, scene.flip_now()) is NotInBattle


def test_when_the_server_was_quicker_a_press_only_takes_the_seat_back() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    press = scene.flip_now()
    scene.flip("Kari")
    scene.wait(15_000)
    assert scene.place("Ola").presence is Presence.AWAY
    assert scene.game.rounds + scene.game.battle > 0
    assert scene.ask("Ola", press) == (f.SeatBack(Seat(1)),)
    assert scene.place("Ola").presence is Presence.HERE
    assert scene.ask("Ola", press) == ()
    assert not scene.game.flipped


def test_bots_answer_the_last_press_of_a_player_at_once() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", bots=2)
    assert scene.ask("Kari", scene.flip_now()) == (f.Flipped(Seat(0)),)
    auto = f.FlippedBy.AUTOPLAY
    assert scene.ask("Ola", scene.flip_now()) == (
        f.Flipped(Seat(1)),
        f.Flipped(Seat(2), auto),
        f.Flipped(Seat(3), auto),
    )


def test_the_server_flips_for_who_is_away_at_the_tables_tempo() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    flip = scene.flip_now()
    clock = c.FlipFor(flip.round, flip.battle, Seat(1), f.FlippedBy.CLOCK)
    auto = c.FlipFor(flip.round, flip.battle, Seat(1), f.FlippedBy.AUTOPLAY)
    assert scene.left(clock) == 15_000
    scene.now += 500
    scene.go("Ola")
    assert (scene.left(clock), scene.left(auto)) == (None, 2_500)
    scene.ask("Kari", c.SetTempo(f.Tempo.SLOW, False))
    assert scene.left(auto) == 3_500
    assert scene.ask(None, clock) == (), "it counts as what it is now"
    assert scene.ask(None, auto) == (f.Flipped(Seat(1), f.FlippedBy.AUTOPLAY),)
    assert scene.ask(None, auto) == ()


def test_wars_by_table_are_pressed_by_the_server_and_leave_everybody_here() -> None:
    scene = with_a_war("Kari", "Ola")
    scene.ask("Kari", c.SetTempo(f.Tempo.FAST, True))
    war = scene.flip_now()
    scene.wait(1_000)
    assert (scene.game.rounds + 1, scene.game.battle) != (war.round, war.battle)
    assert {p.presence for _, p in scene.room.humans} == {Presence.HERE}
    assert scene.ask("Kari", war) == (), "too late, and harmless"
    by = {d.command.by for d in scene.due() if isinstance(d.command, c.FlipFor)}
    assert by <= {f.FlippedBy.CLOCK} or scene.game.battle


# Autoplay, pause and sleep -----------------------------------------------------------


def test_autoplay_is_a_choice_and_no_absence() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.SetAutoplay(True))
    assert scene.ask("Kari", c.SetAutoplay(True)) == ()
    assert scene.place("Kari").presence is Presence.AUTO
    scene.ask("Kari", c.HidePage(True))
    assert scene.place("Kari").presence is Presence.AWAY
    scene.come("Kari")
    assert scene.place("Kari").presence is Presence.AUTO
    scene.now += 7_000
    scene.ask("Kari", c.SetAutoplay(False))
    flip = scene.flip_now()
    late = c.FlipFor(flip.round, flip.battle, Seat(0), f.FlippedBy.CLOCK)
    assert scene.left(late) == 15_000


def test_anyone_pauses_and_anyone_resumes() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.flip("Kari")
    scene.now += 10_000
    scene.ask("Ola", c.Pause(True))
    assert scene.told == (e.TablePaused(Seat(1)),)
    assert scene.ask("Ola", c.Pause(True)) == ()
    assert refused(scene, "Ola", scene.flip_now()) is TableStandsStill
    assert [d.command for d in scene.due()] == [c.EndPause()]
    scene.now += 100_000
    scene.ask("Kari", c.Pause(False))
    assert scene.ask("Kari", c.Pause(False)) == ()
    assert scene.game.flipped == (0,), "what was pressed stays pressed"
    flip = scene.flip_now()
    late = c.FlipFor(flip.round, flip.battle, Seat(1), f.FlippedBy.CLOCK)
    assert scene.left(late) == 15_000


def test_a_pause_ends_by_itself_unless_all_agree() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Ola", c.Pause(True))
    scene.wait(599_999)
    assert scene.look().pause is not None
    scene.wait(1)
    assert scene.look().pause is None
    assert e.TableResumed(None) in scene.told
    scene.ask("Ola", c.Pause(True))
    scene.ask("Kari", c.Pause(True))
    assert scene.told == (), "that they agree is no second pause"
    scene.wait(3_600_000)
    pause = scene.look().pause
    assert pause is not None
    assert (pause.seat, pause.agreed) == (1, (1, 0))


def test_a_table_with_everybody_away_sleeps_and_wakes_at_the_first_tap() -> None:
    scene = Scene(Rules())
    scene.begin("Kari", "Ola")
    scene.go("Kari")
    scene.go("Ola")
    scene.wait(120_000)
    assert scene.look().asleep
    assert scene.due() == []
    scene.come("Kari")
    assert scene.look().asleep, "a page that loads is no tap"
    rounds = scene.game.rounds
    facts = scene.ask("Kari", scene.flip_now())
    assert facts[0] == f.Woke(Seat(0))
    assert scene.told[0] == e.TableWoke(Seat(0))
    assert not scene.look().asleep
    assert scene.game.rounds + scene.game.battle > rounds, "who is away answers it"


def test_any_tap_wakes_the_table() -> None:
    scene = Scene(Rules())
    scene.begin("Kari", "Ola")
    scene.wait(15_000 + 120_000)
    assert scene.look().asleep
    tempo = c.SetTempo(scene.room.tempo, scene.room.wars_by_table)
    assert scene.ask("Ola", tempo) == (f.Woke(Seat(1)), f.SeatBack(Seat(1)))


def test_autoplay_in_view_keeps_the_table_awake() -> None:
    scene = Scene(Rules())
    scene.begin("Kari", "Ola")
    scene.ask("Kari", c.SetAutoplay(True))
    scene.go("Ola")
    scene.wait(300_000)
    assert not scene.look().asleep


def test_who_is_back_in_the_same_entry_keeps_the_table_awake() -> None:
    scene = Scene(Rules())
    scene.begin("Kari", "Ola")
    scene.go("Kari")
    scene.go("Ola")
    scene.wait(119_999)
    scene.now += 1
    back = c.Come(scene.page())
    scene.together(("Kari", back), (None, c.FallAsleep()))
    assert not scene.look().asleep


# The end and what follows ------------------------------------------------------------


def test_nothing_is_added_to_a_chapter_that_is_over() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.ask("Ola", c.LeaveSeat())
    scene.play_out()
    assert scene.look().phase is Phase.OVER
    for mine in (c.Flip(1, 1, 0), c.SetTempo(f.Tempo.FAST, True), c.LeaveSeat()):
        assert refused(scene, "Kari", mine) is GameOver
    page = scene.place("Kari").connection
    assert page is not None
    for ours in (c.Go(page), c.Reopen(), c.StrikeTime(1), c.CutHistory("x")):
        assert scene.ask(None, ours) == ()
    assert [d.command for d in scene.due()] == [c.OpenChapter(1)]


def test_the_next_chapter_carries_all_that_goes_on() -> None:
    scene = Scene()
    scene.begin("Kari", "Ola", bots=1)
    scene.ask("Ola", c.SetTempo(f.Tempo.FAST, True))
    scene.ask("Kari", c.CloseRoom(True))
    scene.go("Ola")
    scene.play_out()
    before = scene.room
    opened, attempt = scene.ask(None, c.OpenChapter(1))
    assert isinstance(opened, f.ChapterOpened)
    assert isinstance(attempt, f.AttemptOpened)
    assert scene.ask(None, c.OpenChapter(1)) == ()
    room = scene.room
    assert room.chapter == 2
    assert room.v == before.v + 1
    same = ("code", "epoch", "owner", "rules", "preset", "tempo", "wars_by_table")
    for name in (*same, "closed", "next_player", "dead_tokens"):
        assert getattr(room, name) == getattr(before, name), name
    assert [p and (p.player, p.name, p.token) for p in room.seats] == [
        p and (p.player, p.name, p.token) for p in before.seats
    ]
    assert scene.place("Kari").connection == before.place(Seat(0)).connection
    assert scene.place("Ola").gone_since == scene.now
    outcome = before.game.outcome if before.game else None
    assert outcome is not None
    assert room.last is not None
    assert room.last.counts == outcome.counts
    assert room.last.winners == outcome.winners
    assert (room.game, room.seed, room.voided, room.clock) == (None, None, (), None)
    scene.come("Ola")
    scene.deal()
    assert scene.room.chapter == 2


def test_every_command_is_known_to_the_judge() -> None:
    scene = Scene()
    scene.sit("Kari")
    asked: list[c.Command] = [
        c.TakeSeat(None, "Kari"),
        c.LeaveSeat(),
        c.BeReady(1, 1, False, None),
        c.ChangeName("Kari"),
        c.ChangeRules(Rules(), None),
        c.SeatBot(Seat(1), True),
        c.Kick(Seat(1), f.Player(9)),
        c.Start(1),
        c.Reveal(1, 1, "00" * 32),
        c.Flip(1, 1, 0),
        c.SetAutoplay(True),
        c.SetTempo(f.Tempo.FAST, True),
        c.Pause(True),
        c.CloseRoom(True),
        c.CountCards(1),
        c.OfferSeat(Seat(0), "c1"),
        c.ClaimSeat("c1"),
        c.Come(f.Connection("x")),
        c.HidePage(True),
        c.OpenChapter(1),
        c.Go(f.Connection("x")),
        c.FlipFor(1, 0, Seat(0), f.FlippedBy.CLOCK),
        c.GiveUpWaiting(1, Stage.REVEAL),
        c.StrikeTime(1),
        c.PassOwner(f.Player(1)),
        c.FallAsleep(),
        c.EndPause(),
        c.EndOffer(Seat(0), "c1"),
        c.Reopen(),
        c.CutHistory("x"),
    ]
    kinds = {*get_args(c.PlayerCommand), *get_args(c.HostCommand)}
    assert {type(command) for command in asked} == kinds
    for command in asked:
        mine = isinstance(command, c.PlayerCommand)
        try:
            scene.judge("Kari" if mine else None, command)
        except KrigError:
            assert mine, "what the host asks is never refused"
