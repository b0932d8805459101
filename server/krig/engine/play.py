"""Playing: a game and a flip give the next game, and the events that viewers are told.

Rule 1: every function here is pure; chance is the `shuffle` that it is handed.
Rule 2: a refused flip changes nothing, and a repeated one does not either.

The first round that source 002 tells, with two cards each:

>>> from krig.engine.cards import parse_cards
>>> from krig.engine.game import set_up
>>> from krig.engine.rules import PRESETS
>>> from krig.engine.shuffle import unshuffled
>>> game = set_up(
...     PRESETS["krieg_40"], [parse_cards("Ks 4h"), parse_cards("7d Jc")]
... )
>>> game, events = play(game, Flip(Seat(0), 1, 0), unshuffled)
>>> events
(Flipped(seat=0),)
>>> game, events = play(game, Flip(Seat(1), 1, 0), unshuffled)
>>> events[2]
PotWon(seat=0, count=2, by=<By.HIGH: 'high'>)
>>> game.counts
(3, 1)
"""

from math import inf
from typing import NamedTuple

from krig.engine import round as rounds
from krig.engine.events import Event, Flipped, TimeStruck
from krig.engine.game import Game
from krig.engine.outcome import Ending
from krig.engine.rules import MidWar
from krig.engine.seats import Seat
from krig.engine.shuffle import Shuffle
from krig.engine.table import Table
from krig.errors import FutureFlip, GameOver, NotInBattle, StaleFlip

Played = tuple[Game, tuple[Event, ...]]
"""The game after a transition, and what is told of it."""


class Flip(NamedTuple):
    """A seat turns up its top card; it says for which battle it means to."""

    seat: Seat
    round: int
    """The round being played, from 1."""
    battle: int
    """0 for the first flip of the round, +1 for each war."""


def play(game: Game, flip: Flip, shuffle: Shuffle) -> Played:
    """Take a seat's flip; when all that the battle waits for have come, fight it.

    A seat's second flip for the same battle changes nothing and tells nothing.

    Raises:
        GameOver: if the game has an outcome.
        StaleFlip: if that battle has been fought.
        FutureFlip: if that battle has not begun.
        NotInBattle: if the seat has nothing to flip in this battle.
    """
    _refuse_after_the_end(game)
    asked, now = (flip.round, flip.battle), (game.rounds + 1, game.battle)
    if asked < now:
        raise StaleFlip(f"Battle {now} is being fought, not {asked}.")
    if asked > now:
        raise FutureFlip(f"Battle {now} is being fought, not {asked} yet.")
    if flip.seat not in game.waiting:
        raise NotInBattle(f"Seat {flip.seat} does not flip in this battle.")
    if flip.seat in game.flipped:
        return game, ()
    if len(game.flipped) + 1 < len(game.waiting):
        flipped = tuple(sorted((*game.flipped, flip.seat)))
        return game._replace(flipped=flipped), (Flipped(flip.seat),)
    table = Table(game, shuffle)
    table.events.append(Flipped(flip.seat))
    rounds.fight(table)
    return _done(table)


def fight(game: Game, shuffle: Shuffle) -> Played:
    """Fight the battle as if every seat in it had flipped; nobody's flip is told.

    Raises:
        GameOver: if the game has an outcome.
    """
    _refuse_after_the_end(game)
    table = Table(game, shuffle)
    rounds.fight(table)
    return _done(table)


def play_out(game: Game, shuffle: Shuffle, patience: float = inf) -> Game:
    """Play to the outcome, as if every seat flipped at once; nothing is told of it.

    A game that is still on after so many rounds as there is patience for is left as it
    is: one that comes back to a position after millions has no outcome for long.
    """
    table = Table(game, shuffle)
    while table.outcome is None and table.rounds < patience:
        if not table.battle:
            rounds.skip_plain_rounds(table, patience)
        if table.outcome is None:
            rounds.fight(table)
            table.events.clear()
    return table.frozen()


class Untold:
    """A game that is played on by one flip after another, with nothing told of it.

    The table stays open between them: this is how a log is folded fast.
    """

    def __init__(self, game: Game, shuffle: Shuffle) -> None:
        self._table = Table(game, shuffle)
        self._flipped = list(game.flipped)

    @property
    def over(self) -> bool:
        """Whether the game has an outcome."""
        return self._table.outcome is not None

    @property
    def between_flips(self) -> bool:
        """Whether a battle has just been fought, so that nobody has flipped since."""
        return not self._flipped

    def flip(self, seat: Seat) -> bool:
        """Take a flip for the battle that is on; False, and nothing, if none is due."""
        table, flipped = self._table, self._flipped
        if seat not in table.waiting or seat in flipped:
            return False
        flipped.append(seat)
        if len(flipped) == len(table.waiting):
            flipped.clear()
            rounds.fight(table)
            table.events.clear()
        return True

    def game(self) -> Game:
        """The game as it stands, as `play` would have come to it."""
        return self._table.frozen()._replace(flipped=tuple(sorted(self._flipped)))


def time_up(game: Game) -> Played:
    """The clock strikes: the cards are counted, now or after the war (R15, R16).

    While the table waits for the first flip of a round nobody is made to flip.

    Raises:
        GameOver: if the game has an outcome.
    """
    _refuse_after_the_end(game)
    if not game.battle or game.rules.time_mid_war is MidWar.RETURN:
        return count_off(game, Ending.TIME_LIMIT)
    if game.time_struck:
        return game, ()
    return game._replace(time_struck=True), (TimeStruck(),)


def count_off(game: Game, ending: Ending) -> Played:
    """End the game now: whoever has the most cards wins, and a shared lead is a draw.

    In the middle of a war every card first goes back to who laid it.

    Raises:
        GameOver: if the game has an outcome.
    """
    table = _interrupted(game)
    rounds.count_off(table, ending)
    return _done(table)


def abandon(game: Game) -> Played:
    """End the game now, with no winner: nobody is left to play it.

    Raises:
        GameOver: if the game has an outcome.
    """
    table = _interrupted(game)
    rounds.end(table, Ending.ABANDONED, ())
    return _done(table)


def _interrupted(game: Game) -> Table:
    _refuse_after_the_end(game)
    table = Table(game)
    if game.battle:
        rounds.give_back(table)
    return table


def _refuse_after_the_end(game: Game) -> None:
    if game.outcome is not None:
        raise GameOver("The game is over.")


def _done(table: Table) -> Played:
    return table.frozen(), tuple(table.events)
