"""Rounds, told event by event. Names like C01 are the worked cases of tests/data."""

from dataclasses import replace
from typing import Any

import pytest

from krig.engine.cards import Card, parse_cards
from krig.engine.events import (
    By,
    CardsTurned,
    Flipped,
    GameEnded,
    PotLeft,
    PotWon,
    Reshuffled,
    RoundEnded,
    RoundVoided,
    SeatOut,
    SeatShort,
    StakesLaid,
    WarDeclared,
)
from krig.engine.game import CARRIED, set_up
from krig.engine.outcome import Ending, Outcome
from krig.engine.rules import PRESETS, Orphan, Participants, Short, Void
from krig.engine.seats import Seat
from tests.engine.tables import (
    all_cards,
    play_round,
    press_all,
    stocks,
    table,
    written,
)

A, B, C, D = map(Seat, range(4))


def card(text: str) -> Card:
    return Card.parse(text)


def test_the_highest_card_takes_the_pot() -> None:
    game, told = play_round(table("Ks 2c", "7d 3h"))
    assert told == (
        Flipped(B),
        Flipped(A),
        CardsTurned(((A, card("Ks")), (B, card("7d")))),
        PotWon(A, 2, By.HIGH),
        RoundEnded(1, ((3, 0), (1, 0))),
    )
    assert stocks(game) == ["2c Ks 7d", "3h"]


def test_a_war_is_declared_then_waits_for_those_who_fight_it() -> None:
    game, told = press_all(table("Ks 2s 9s", "Kh 3h 8h", "5d 4d"))
    assert told[-1] == WarDeclared((A, B), 1)
    assert (game.battle, game.waiting, game.fighting) == (1, (A, B), (A, B))
    assert written(laid.card for laid in game.table) == "Ks Kh 5d"
    game, told = press_all(game)
    assert told == (
        Flipped(B),
        Flipped(A),
        StakesLaid(((A, 1), (B, 1))),
        CardsTurned(((A, card("9s")), (B, card("8h")))),
        PotWon(A, 7, By.HIGH),
        SeatOut(B),
        RoundEnded(1, ((7, 0), (0, 0), (1, 0))),
    )


def test_the_table_shows_for_each_battle_who_laid_how_many_cards() -> None:
    game = table("9s 2s 6s 3s Ks", "9h 2h 6h 3h Qh", "4d 5d")
    game, _ = press_all(press_all(game)[0])
    assert [(laid.battle, laid.seat, laid.face_up) for laid in game.table] == [
        (0, A, True),
        (0, B, True),
        (0, C, True),
        (1, A, False),
        (1, B, False),
        (1, A, True),
        (1, B, True),
    ]
    assert (game.battle, game.wars) == (2, 2)
    game, told = press_all(game)
    assert PotWon(A, 11, By.HIGH) in told
    assert (game.rounds, game.table, game.battle) == (1, (), 0)


def test_a_short_seat_puts_what_it_has_into_the_pot_c01() -> None:
    game, told = play_round(table("7s Qs", "7h 2h 3h 4h"))
    outcome = Outcome(Ending.ALL_CARDS, (B,), (0, 6), by_shortage=True)
    assert told[3:] == (
        WarDeclared((A, B), 1),
        SeatShort(A, 1),
        SeatOut(A),
        PotWon(B, 3, By.WALKOVER),
        RoundEnded(1, ((0, 0), (6, 0))),
        GameEnded(outcome, ()),
    )
    assert stocks(game) == ["", "2h 3h 4h 7h 7s Qs"]


def test_a_short_seat_lays_its_stock_and_then_its_won_pile() -> None:
    piles = [parse_cards("7s Qs"), parse_cards("7h 2h 3h 4h 5h")]
    rules = replace(PRESETS["krieg_40"], short=Short.LOSE, war_down=3)
    game, told = play_round(set_up(rules, piles, won=[parse_cards("9d 8d"), ()]))
    assert SeatShort(A, 3) in told
    assert written(game.seats[B].won) == "7h 7s Qs 9d 8d"


def test_nobody_can_go_on_so_cards_go_back_and_are_counted_c19() -> None:
    rules: dict[str, Any] = {"short": Short.PLAY_HAVE, "war_down": 3}
    game = table("8s 2s", "8h 3h 4h 2h", void=Void.COUNT, **rules)
    game, told = play_round(game)
    outcome = Outcome(Ending.OUT_OF_CARDS, (B,), (2, 4), by_shortage=True)
    assert told[-7:] == (
        SeatShort(A, 0),
        SeatOut(A),
        SeatShort(B, 0),
        SeatOut(B),
        RoundVoided(),
        RoundEnded(1, ((2, 0), (4, 0))),
        GameEnded(outcome, ()),
    )
    assert stocks(game) == ["8s 2s", "8h 3h 4h 2h"]
    assert game.outcome == outcome


def test_a_void_round_is_a_draw_where_cards_are_not_counted_c14() -> None:
    rules: dict[str, Any] = {"short": Short.PLAY_HAVE, "war_down": 3}
    game, told = play_round(table("8s 2s", "8h 3h 4h 2h", void=Void.DRAW, **rules))
    assert RoundVoided() in told
    assert game.outcome == Outcome(Ending.OUT_OF_CARDS, (), (2, 4), by_shortage=True)


def test_all_may_fight_a_war_of_two() -> None:
    piles = ("Ks 2s 3s", "Kh 2h 4h", "5d 2d Ad")
    game, told = press_all(table(*piles, participants=Participants.ALL))
    assert told[-1] == WarDeclared((A, B, C), 1)
    assert game.waiting == (A, B, C)
    _, told = press_all(game)
    assert PotWon(C, 9, By.HIGH) in told


def test_a_standing_last_card_is_not_pressed_for_c08() -> None:
    game = table("7s 2s Qs 3s 9s 4s", "7h Qh", short=Short.LAST_STANDS)
    game, _ = press_all(press_all(game)[0])
    assert (game.fighting, game.waiting) == ((A, B), (A,))
    game, told = press_all(game)
    assert told[:3] == (
        Flipped(A),
        StakesLaid(((A, 1),)),
        CardsTurned(((A, card("9s")),)),
    )
    assert stocks(game) == ["4s", "7h Qh 7s 2s Qs 3s 9s"]


def test_a_standing_card_counts_in_every_battle_for_an_orphaned_pot() -> None:
    # Seat 2 stands on its king twice, so it has shown K K: more than seat 3's K 5.
    game = table(
        "Ks As", "Kh Ah", "Kd", "Kc 5c 2c", short=Short.LAST_STANDS, war_down=0
    )
    game, told = play_round(game)
    assert PotWon(C, 7, By.ORPHAN) in told


def test_an_orphaned_pot_falls_to_the_best_who_waited_d12() -> None:
    game, told = play_round(table("Ks 2s", "Kh 3h", "9d 6d", "5c 7c"))
    assert PotWon(C, 6, By.ORPHAN) in told
    assert game.waiting == (C, D)
    _, told = play_round(game)
    assert PotWon(D, 2, By.HIGH) in told


def test_those_who_waited_may_go_to_war_themselves_d13() -> None:
    game, told = press_all(table("Ks 2s", "Kh 3h", "9d 6d Qd 4d", "9c 7c Jc 4c"))
    wars = [event for event in told if isinstance(event, WarDeclared)]
    assert wars == [WarDeclared((A, B), 1), WarDeclared((C, D), 2)]
    assert (game.battle, game.waiting) == (2, (C, D))
    game, told = press_all(game)
    assert PotWon(C, 10, By.ORPHAN) in told


def test_a_carried_pot_lies_there_for_the_next_round_d15() -> None:
    game = table("Ks 2s", "Kh 3h", "9d 6d", "5c 7c", orphan=Orphan.CARRY)
    game, told = play_round(game)
    assert PotLeft(Orphan.CARRY, 6) in told
    assert {laid.battle for laid in game.table} == {CARRIED}
    assert game.waiting == (C, D)
    game, told = play_round(game)
    assert PotWon(D, 8, By.HIGH) in told
    assert stocks(game)[D] == "5c 7c Ks 2s Kh 3h 9d 6d"


def test_a_discarded_pot_leaves_the_game_d27() -> None:
    game = table("Ks 2s", "Kh 3h", "9d 6d", "5c 7c", orphan=Orphan.DISCARD)
    cards = all_cards(game)
    game, told = play_round(game)
    assert PotLeft(Orphan.DISCARD, 6) in told
    assert len(game.discarded) == 6
    assert all_cards(game) == cards


@pytest.mark.parametrize("orphan", Orphan)
def test_one_who_waited_alone_takes_the_pot_under_every_orphan_rule(
    orphan: Orphan,
) -> None:
    _, told = play_round(table("Ks", "Kh", "5d 2d", orphan=orphan))
    assert PotWon(C, 3, By.ORPHAN) in told


@pytest.mark.parametrize("orphan", [Orphan.CARRY, Orphan.DISCARD])
def test_a_pot_is_not_left_behind_when_nobody_has_a_card(orphan: Orphan) -> None:
    game, told = play_round(table("Ks", "Kh", "9d", "5c", orphan=orphan))
    assert RoundVoided() in told
    assert game.counts == (1, 1, 1, 1)
    assert game.outcome is not None
    assert game.outcome.ending is Ending.OUT_OF_CARDS


def test_a_won_pile_is_shuffled_only_when_a_card_is_needed_h07() -> None:
    piles = [parse_cards("Ks"), parse_cards("7d 3d")]
    game = set_up(PRESETS["krieg_40"], piles, won=[parse_cards("2s"), ()])
    game, _ = play_round(game)
    assert [written(held.won) for held in game.seats] == ["2s Ks 7d", ""]
    game, told = play_round(game, lambda _, cards: cards[::-1])
    assert told[2] == Reshuffled(A, 3)
    assert told[3] == CardsTurned(((A, card("7d")), (B, card("3d"))))


def test_each_reshuffle_of_a_seat_has_a_label_of_its_own() -> None:
    labels = []

    def shuffle(label: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        labels.append(label)
        return cards

    game = table("Ks", "7d 3d 2d 4d 5d 6d", preset="krieg_40")
    while game.outcome is None:
        game, _ = play_round(game, shuffle)
    for seat in (A, B):
        own = [label for label in labels if label.startswith(f"reshuffle/{seat}")]
        assert len(own) > 2
        assert own == [f"reshuffle/{seat}/{n}" for n in range(1, len(own) + 1)]


def test_two_who_lose_their_last_card_are_out_together_d19() -> None:
    _, told = play_round(table("Ks 2s", "7h", "5d", "3c 2c"))
    assert [event for event in told if isinstance(event, SeatOut)] == [
        SeatOut(B),
        SeatOut(C),
    ]


def test_the_last_side_left_beats_the_round_limit() -> None:
    game, _ = play_round(table("Ks 2s", "7d", rounds=39, round_limit=40))
    assert game.outcome == Outcome(Ending.ALL_CARDS, (A,), (3, 0))


def test_a_team_wins_together_when_both_opponents_are_out_e02() -> None:
    game, _ = play_round(table("2s", "9h 3h", "4d", "Kc 7c", teams=True))
    assert game.outcome == Outcome(Ending.ALL_CARDS, (B, D), (0, 1, 0, 5))
    assert (game.waiting, game.fighting) == ((), ())
