"""The engine against an independent model of the same rules (see naive.py).

A machine of Hypothesis's deals game after game and lets seats flip, one by one or all
at once, twice, too late and too early, and the clock strike; after every step engine
and model are alike in all there is. `make model` takes a million such steps.
"""

import os
from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from krig.engine.game import Game
from krig.engine.outcome import Ending
from krig.engine.play import Flip, play, play_out, time_up
from krig.engine.seats import Seat
from krig.errors import FutureFlip, GameOver, KrigError, NotInBattle, StaleFlip
from tests.engine.naive import NaiveWar, naive_deal
from tests.engine.rigged import chance_by_label, dealt, text_by_label

GAMES = int(os.environ.get("KRIG_MODEL_GAMES", "2000"))
STEPS = 50
"""Of one life of the machine; several games fit into it."""

PATIENCE = 5_000
"""Rounds that a game is played out for at once: some repeat only after millions."""

numbers = st.integers(0, 23)
games = st.integers(0, 2**40)


class War(RuleBasedStateMachine):
    """Engine and model at the same table."""

    happened: ClassVar[Counter[str]] = Counter()
    """What has come up so far, in all lives."""

    def __init__(self) -> None:
        super().__init__()
        self.game: Game
        self.model: NaiveWar

    @initialize(number=games)
    def deal(self, number: int) -> None:
        start = dealt(number)
        self.game, cards = start.game, start.cards
        rules = self.game.rules.to_dict()
        piles = [list(map(str, held.stock)) for held in self.game.seats]
        if cards:
            *piles, aside = naive_deal(rules, len(piles), list(map(str, cards)))
            assert list(map(str, self.game.aside)) == aside
        self.shuffle = chance_by_label(number)
        self.model = NaiveWar(rules, piles, text_by_label(number))
        self.model.happened = War.happened
        self.over = False
        War.happened["games"] += 1

    @precondition(lambda self: self.over)
    @rule(number=games)
    def deal_again(self, number: int) -> None:
        with pytest.raises(GameOver):
            play(self.game, self.flip(0), self.shuffle)
        self.deal(number)

    @precondition(lambda self: not self.over)
    @rule(number=numbers)
    def all_flip(self, number: int) -> None:
        for _ in range(1 + number % 3):
            waiting = [s for s in self.game.waiting if s not in self.game.flipped]
            first = number % len(waiting)
            seats = [*waiting[first:], *waiting[:first]]
            for seat in seats if number < 12 else reversed(seats):
                self.press(seat)
            if self.over:
                return

    @precondition(lambda self: not self.over)
    @rule(number=numbers)
    def one_flips(self, number: int) -> None:
        waiting = self.game.waiting
        self.press(waiting[number % len(waiting)])

    @precondition(lambda self: not self.over)
    @rule(number=st.integers(0, 44))
    def one_flips_wrongly(self, number: int) -> None:
        game, round_, battle = self.game, number // 5 % 3 - 1, number // 15 - 1
        flip = Flip(Seat(number % 5), game.rounds + 1 + round_, game.battle + battle)
        refusal: type[KrigError]
        match (round_, battle):
            case (0, 0) if flip.seat in self.model.must_flip:
                return self.press(flip.seat)
            case (0, 0):
                refusal = NotInBattle
            case (-1, _) | (0, -1):
                refusal = StaleFlip
            case _:
                refusal = FutureFlip
        with pytest.raises(refusal):
            play(game, flip, self.shuffle)

    @precondition(lambda self: not self.over)
    @rule(number=numbers)
    def the_clock_strikes(self, number: int) -> None:
        if number:  # Seldom, so that games go on.
            return self.all_flip(number)
        War.happened["clock strikes"] += 1
        self.game, _ = time_up(self.game)
        self.model.time_up()
        self.look()

    @precondition(lambda self: not self.over and ends(self.game))
    @rule(number=numbers)
    def it_is_played_out(self, number: int) -> None:
        if number % 4:
            return self.all_flip(number)
        self.game = play_out(self.game, self.shuffle, self.game.rounds + PATIENCE)
        while not self.model.ending and self.model.rounds < self.game.rounds:
            self.model.all_flipped()
        self.look()

    def flip(self, seat: int) -> Flip:
        return Flip(Seat(seat), self.game.rounds + 1, self.game.battle)

    def press(self, seat: int) -> None:
        before, repeated = self.game, seat in self.game.flipped
        self.game, events = play(before, self.flip(seat), self.shuffle)
        if repeated:
            assert (self.game, events) == (before, ())
        elif {*before.flipped, seat} == set(before.waiting):
            self.model.all_flipped()
            self.look()
        else:
            assert self.game == before._replace(flipped=self.game.flipped)

    def look(self) -> None:
        """See that all is alike."""
        game, model = self.game, self.model
        outcome = game.outcome
        self.over = outcome is not None
        if outcome is not None and outcome.ending is Ending.REPETITION:
            assert model.repeated or again(model)
            assert outcome.winners == ()
            War.happened["repetitions"] += 1
        else:
            assert list(game.waiting) == model.must_flip
            assert game.battle == model.battle
            told = outcome and (outcome.ending, list(outcome.winners))
            ended = (model.ending, model.winners) if model.ending else None
            assert told == ended
            if outcome is not None:
                assert outcome.by_shortage == model.by_shortage
            if game.rules.may_repeat and model.repeated:
                assert game.rounds <= 4 * model.repeated
        assert (game.rounds, game.wars) == (model.rounds, model.wars)
        assert [list(map(str, held.stock)) for held in game.seats] == model.draw
        assert [list(map(str, held.won)) for held in game.seats] == model.won
        assert [held.out for held in game.seats] == model.out
        assert [(x.seat, str(x.card), x.face_up) for x in game.table] == model.table
        assert list(map(str, game.discarded)) == model.discarded
        if outcome is not None:
            assert list(outcome.counts) == [
                model.total(p) for p in range(len(model.out))
            ]

    @invariant()
    def every_step_is_counted(self) -> None:
        War.happened["steps"] += 1


def ends(game: Game) -> bool:
    """Whether the game is sure to end, whatever the cards."""
    return game.rules.may_repeat or game.rules.round_limit is not None


def again(model: NaiveWar) -> bool:
    """Whether the position that has just been reached was there before."""
    return repr((model.draw, model.won, model.table)) in model.positions


def lives(count: int) -> settings:
    return settings(
        max_examples=count,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )


@pytest.mark.timeout(600)
def test_two_thousand_games_go_as_in_the_naive_model() -> None:
    War.happened.clear()
    while War.happened["games"] < GAMES:
        run_state_machine_as_test(War, settings=lives(100))
