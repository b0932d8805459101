"""The story of a game, from counts that a reader can follow."""

from krig.room.statistics import Played, statistics


def played(*rounds: tuple[int, int | None, list[int]]) -> list[Played]:
    return [{"war": war, "winner": who, "counts": n} for war, who, n in rounds]


def test_the_turning_war_is_the_one_after_which_the_winner_led_to_the_end() -> None:
    story = played(
        (0, 1, [25, 27]),
        (1, 0, [28, 24]),
        (0, 1, [27, 25]),
        (2, 1, [22, 30]),
        (0, 1, [21, 31]),
    )
    told = statistics([26, 26], story, [1])
    assert told["turning_round"] == 4
    assert (told["wars"], told["rounds_in_war"]) == (3, 2)


def test_without_such_a_war_the_greatest_swing_turned_the_game() -> None:
    story = played((1, 0, [29, 23]), (0, 1, [25, 27]), (1, 1, [22, 30]))
    assert statistics([26, 26], story, [1])["turning_round"] == 1
    assert statistics([26, 26], story, [])["turning_round"] == 1


def test_a_game_without_a_war_was_turned_by_none() -> None:
    told = statistics([2, 2], played((0, 0, [3, 1]), (0, 0, [4, 0])), [0])
    assert told["turning_round"] is None


def test_a_war_in_which_nobody_gained_a_card_turned_nothing() -> None:
    told = statistics([8, 8, 8], played((2, None, [8, 8, 8])), [])
    assert told["turning_round"] is None


def test_streaks_leads_and_wars_are_counted_for_each_seat() -> None:
    story = played(
        (0, 0, [3, 1, 2]),
        (2, 0, [4, 0, 2]),
        (0, 2, [3, 0, 3]),
        (0, None, [3, 0, 3]),
        (0, 0, [4, 0, 2]),
    )
    first, second, third = statistics([2, 2, 2], story, [0])["seats"]
    assert first == {
        "wars_won": 2,
        "longest_streak": 2,
        "biggest_lead": 2,
        "rounds_led": 3,
    }
    assert (second["biggest_lead"], second["rounds_led"]) == (0, 0)
    assert (third["longest_streak"], third["rounds_led"]) == (1, 0)
