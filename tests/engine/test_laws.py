"""Laws that hold in every game, whatever its rules and its cards."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from krig.engine.cards import Card, Deck
from krig.engine.events import (
    CardsTurned,
    Event,
    Flipped,
    GameEnded,
    RoundEnded,
    StakesLaid,
    WarDeclared,
)
from krig.engine.game import Game, new_game
from krig.engine.outcome import Ending
from krig.engine.play import Flip, fight, play, play_out
from krig.engine.rules import Order, Rules, Short
from krig.engine.seats import seats_of
from krig.engine.shuffle import shuffled, shuffler
from krig.errors import GameOver, Refused, StaleFlip
from tests.engine.rigged import chance_by_label, games
from tests.engine.tables import all_cards, press_all

MOST_BATTLES = 60

quickly = settings(
    max_examples=60, deadline=None, suppress_health_check=list(HealthCheck)
)


def battles(game: Game) -> Iterator[tuple[Game, Game, tuple[Event, ...]]]:
    """Play on; gives the game before and after each battle, and what was told."""
    for _ in range(MOST_BATTLES):
        if game.outcome is not None:
            return
        before = game
        game, events = press_all(game, chance_by_label())
        yield before, game, events


@quickly
@given(game=games())
def test_no_card_is_ever_made_or_lost(game: Game) -> None:
    cards = all_cards(game)
    for _, after, _ in battles(game):
        assert all_cards(after) == cards


@quickly
@given(game=games())
def test_an_event_holds_no_card_but_those_turned_up(game: Game) -> None:
    for _, after, events in battles(game):
        for event in events:
            match event:
                case CardsTurned() | GameEnded():
                    pass
                case _:
                    assert "Card" not in repr(event)
        hidden = {str(laid.card) for laid in after.table if not laid.face_up}
        turned = [e.cards for e in events if isinstance(e, CardsTurned)]
        assert not hidden & {str(card) for cards in turned for _, card in cards}


@quickly
@given(game=games())
def test_a_repeated_flip_changes_nothing_and_tells_nothing(game: Game) -> None:
    for before, after, _ in battles(game):
        pressed = before
        for seat in before.waiting:
            flip = Flip(seat, before.rounds + 1, before.battle)
            pressed, _ = play(pressed, flip, chance_by_label())
            if pressed.flipped:
                assert play(pressed, flip, chance_by_label()) == (pressed, ())
            else:
                with pytest.raises(Refused) as refused:
                    play(pressed, flip, chance_by_label())
                assert isinstance(refused.value, GameOver | StaleFlip)
        assert pressed == after


@quickly
@given(game=games(), data=st.data())
def test_it_does_not_matter_who_presses_first(game: Game, data: st.DataObject) -> None:
    for before, after, _ in battles(game):
        pressed = before
        for seat in data.draw(st.permutations(before.waiting)):
            flip = Flip(seat, before.rounds + 1, before.battle)
            pressed, _ = play(pressed, flip, chance_by_label())
        assert pressed == after


@quickly
@given(game=games())
def test_the_seats_waited_for_can_flip_and_the_others_have_no_cards(game: Game) -> None:
    for _, after, _ in battles(game):
        if after.outcome is None:
            assert set(after.waiting) <= set(after.fighting)
            assert len(after.fighting) >= 2
            assert after.waiting
            for seat in after.fighting:
                assert (seat in after.waiting) == bool(after.counts[seat])


@quickly
@given(game=games())
def test_what_is_told_agrees_with_the_game(game: Game) -> None:
    for before, after, events in battles(game):
        told = {type(event): event for event in events}
        flips = [event.seat for event in events if isinstance(event, Flipped)]
        assert sorted(flips) == list(before.waiting)
        assert (StakesLaid in told) == (before.battle > 0)
        wars = [event.war for event in events if isinstance(event, WarDeclared)]
        assert wars == list(range(before.battle + 1, before.battle + 1 + len(wars)))
        assert after.wars == before.wars + len(wars)
        if ended := told.get(RoundEnded):
            assert isinstance(ended, RoundEnded)
            assert ended.round == after.rounds == before.rounds + 1
            assert [sum(counts) for counts in ended.counts] == list(after.counts)
        else:
            assert after.battle == wars[-1]


@quickly
@given(game=games(), seed=st.integers(0, 9))
def test_playing_out_gives_the_game_that_flipping_gives(game: Game, seed: int) -> None:
    assume(game.rules.round_limit)
    shuffle = chance_by_label(seed)
    played_out = play_out(game, shuffle)
    while game.outcome is None:
        game, _ = fight(game, shuffle)
    assert played_out == game


@quickly
@given(
    seed=st.integers(0, 2**60 - 1),
    n=st.integers(2, 26),
    down=st.sampled_from([1, 3]),
)
def test_without_shortage_rounds_are_even_or_odd_as_the_piles_were(
    seed: int, n: int, down: int
) -> None:
    # hectorpefo.github.io, 2017-09-13: a war costs 1+2k or 1+4k cards, so that the
    # rounds together with the loser's cards keep their parity.
    rules = Rules(war_down=down, short=Short.LOSE, order=Order.RANDOM)
    cards: tuple[Card, ...] = shuffled(seed, "deal/52", Deck.STANDARD.cards)
    game = play_out(new_game(rules, 2, cards[: 2 * n]), shuffler(seed))
    assert game.outcome is not None
    if game.outcome.ending is Ending.ALL_CARDS and not game.outcome.by_shortage:
        assert game.rounds % 2 == n % 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_seats_win_about_equally_often(players: int) -> None:
    rules = Rules(order=Order.RANDOM)
    wins = [0] * players
    games_played = 150
    for seed in range(games_played):
        deck = shuffled(seed, "deal/52", Deck.STANDARD.cards)
        game = play_out(new_game(rules, players, deck), shuffler(seed))
        assert game.outcome is not None
        for seat in game.outcome.winners:
            wins[seat] += 1
    share = games_played / players
    for seat in seats_of(players):
        assert abs(wins[seat] - share) < 4.5 * share**0.5
