"""Every figure that Krig is measured by: `make figures`; exit 1 if one is outside.

Two sets: the bands that a right engine's 20,000 games lie in with four standard errors
to each side, and what others have published of the game, played by their rules. The
same runs, shorter and with wider bands, are tests: tests/app/test_bands.py.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod, sqrt
from typing import Final, NamedTuple

from krig.app.figures import Result, quantile
from krig.app.simulate import game_seed, play_game, play_many, result_of
from krig.engine.cards import Deck
from krig.engine.game import set_up
from krig.engine.outcome import Ending
from krig.engine.play import play_out
from krig.engine.rules import PRESETS, AllShort, Order, Pile, Rules, Short
from krig.engine.seats import Seat
from krig.engine.shuffle import deal_label, shuffler

GAMES: Final = 20_000
"""For so many games the bands are told."""

SEED: Final = 1

Results = Sequence[Result]


class Figure(NamedTuple):
    """Something measured, and the band it must lie in."""

    name: str
    measure: Callable[[Results], float]
    low: float
    high: float

    def band(self, games: int) -> tuple[float, float]:
        """The band for another number of games: errors go by the root of it."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        half *= sqrt(GAMES / games)
        return middle - half, middle + half


class Run(NamedTuple):
    """Many games by the same rules, and what is measured of them."""

    name: str
    play: Callable[[int], Result]
    figures: tuple[Figure, ...]


# What is measured ---------------------------------------------------------------------


def mean(results: Results) -> float:
    """The rounds of a game."""
    return sum(r.rounds for r in results) / len(results)


def at(share: float) -> Callable[[Results], float]:
    """The rounds that this share of the games does not exceed."""

    def measure(results: Results) -> float:
        found = quantile(sorted(r.rounds for r in results), share)
        assert found is not None
        return found

    return measure


def percent(holds: Callable[[Result], bool]) -> Callable[[Results], float]:
    """The share of games of which it holds, in percent."""
    return lambda results: 100 * sum(map(holds, results)) / len(results)


def by_itself(result: Result) -> bool:
    """The game ended when one had all the cards."""
    return result.ending is Ending.ALL_CARDS


def odd_and_not_short(result: Result) -> bool:
    """Such a game there is none, if both begin with 26 cards (RULES section 3)."""
    return by_itself(result) and not result.by_shortage and result.rounds % 2 == 1


def first_seats_share(results: Results) -> float:
    """Of the games that somebody won, in percent."""
    return percent(lambda r: r.winners == (0,))([r for r in results if r.winners])


def bin_of(result: Result) -> int:
    """In which column of glesica's histogram the game is."""
    return result.rounds // 74


# By whose rules -----------------------------------------------------------------------


def games_of(rules: Rules, players: int = 2) -> Callable[[int], Result]:
    """Games dealt and played by some rules, by their numbers."""
    return partial(play_game, rules.resolved(players), players, SEED)


def aces_against_the_rest(war_down: int, number: int) -> Result:
    """One holds the four aces, the other all else; pots are shuffled."""
    shuffle = shuffler(game_seed(SEED, number))
    cards = shuffle(deal_label(Deck.STANDARD), Deck.STANDARD.cards)
    aces = tuple(card for card in cards if card.rank == "A")
    rest = tuple(card for card in cards if card.rank != "A")
    rules = Rules(war_down=war_down, short=Short.LOSE, order=Order.RANDOM)
    return result_of(play_out(set_up(rules, [aces, rest]), shuffle))


KLASSISK, NETTVERSJON, KRIEG_40, KRIEG_240 = map(
    PRESETS.__getitem__, ("krig_klassisk", "krig_nettversjon", "krieg_40", "krieg_240")
)
TGVOSKUILEN: Final = Rules(
    war_down=1, short=Short.LOSE, all_short=AllShort.ALL_OUT, order=Order.RANDOM
)
GLESICA: Final = Rules(war_down=3, match_down=True, order=Order.RANDOM)
GLESICA_BINS: Final = (11.53, 24.53, 18.77, 13.27, 9.35, 6.63)
ACES: Final = {1: 80.98, 2: 71.71, 3: 65.51}


def around(percentage: float) -> tuple[float, float]:
    """Four standard errors of a share of 20,000 games to each side."""
    half = 400 * sqrt(percentage / 100 * (1 - percentage / 100) / GAMES)
    return percentage - half, percentage + half


def in_bin(column: int, result: Result) -> bool:
    """Whether the game is in this column."""
    return bin_of(result) == column


def won_by(seats: tuple[Seat, ...], result: Result) -> bool:
    """Whether these won."""
    return result.winners == seats


BANDS: Final = (
    Run(
        "krieg_240",
        games_of(KRIEG_240),
        (Figure("natural end, %", percent(by_itself), 33.2, 35.9),),
    ),
    Run(
        "krieg_40",
        games_of(KRIEG_40),
        (
            Figure("natural end, %", percent(by_itself), 0.07, 0.33),
            Figure("drawn, %", percent(lambda r: not r.winners), 9.4, 11.1),
        ),
    ),
    Run(
        "krieg, no limit",
        games_of(replace(KRIEG_240, round_limit=None)),
        (Figure("mean", mean, 438, 459),),
    ),
    Run(
        "krig_klassisk, 2",
        games_of(KLASSISK),
        (
            Figure("mean", mean, 183.7, 191.9),
            Figure("by shortage, %", percent(lambda r: r.by_shortage), 9.1, 10.8),
            Figure("seat 0 of decided, %", first_seats_share, 48.6, 51.4),
        ),
    ),
    Run(
        "krig_nettversjon, 2",
        games_of(NETTVERSJON),
        (
            Figure("mean", mean, 283, 296),
            Figure("by shortage, %", percent(lambda r: r.by_shortage), 21.0, 23.4),
            Figure("seat 0 of decided, %", first_seats_share, 48.6, 51.4),
            Figure("odd, not by shortage, %", percent(odd_and_not_short), 0, 0),
        ),
    ),
    Run(
        "krig_nettversjon, 3",
        games_of(NETTVERSJON, 3),
        (Figure("mean", mean, 430, 449),),
    ),
    Run("krig_klassisk, 4", games_of(KLASSISK, 4), (Figure("mean", mean, 179, 188),)),
)
"""RULES section 4.6."""

PUBLISHED: Final = (
    Run(
        # github tgvoskuilen/War-Simulator: mean 440 to 445, median 330 to 335,
        # 95 % 1160, 99 % 1750, 99.9 % 2600.
        "tgvoskuilen",
        games_of(TGVOSKUILEN),
        (
            Figure("mean (440–445)", mean, 430, 453),
            Figure("median (330–335)", at(0.5), 319, 347),
            Figure("95 % (1160)", at(0.95), 1118, 1210),
            Figure("99 % (1750)", at(0.99), 1642, 1842),
            Figure("99.9 % (2600)", at(0.999), 2226, 2866),
        ),
    ),
    *(
        Run(
            # hectorpefo.github.io, 2017-09-13: 80.9, 71.7 and 65.5 %.
            f"four aces, {down} down",
            partial(aces_against_the_rest, down),
            (
                Figure("aces win, %", percent(partial(won_by, (Seat(0),))), *around(p)),
                *(
                    [
                        Figure(
                            "odd lengths, % (1 in 6)",
                            percent(lambda r: r.rounds % 2 == 1),
                            *around(17.6),
                        )
                    ]
                    if down == 1
                    else []
                ),
            ),
        )
        for down, p in ACES.items()
    ),
    Run(
        # github glesica/war, README: 11.70, 24.39, 18.78, 13.26, 9.34, 6.70 %.
        "glesica, bins of 74",
        games_of(GLESICA),
        tuple(
            Figure(
                f"{74 * i}–{74 * i + 73} rounds, %",
                percent(partial(in_bin, i)),
                *around(p),
            )
            for i, p in enumerate(GLESICA_BINS)
        ),
    ),
    Run(
        # The Riddler's «flawless war»: no tie in 26 flips has 0.210214233 exactly.
        "flawless war",
        games_of(replace(KRIEG_240, round_limit=26)),
        (
            Figure(
                "no tie in 26 flips, %", percent(lambda r: not r.wars), *around(21.02)
            ),
        ),
    ),
    Run(
        "first flip",
        games_of(replace(KRIEG_240, round_limit=1, pile=Pile.BOTTOM)),
        (Figure("tie, % (3/51)", percent(lambda r: r.wars > 0), *around(300 / 51)),),
    ),
)
"""What RULES section 4.4 marks as a match; the published figure is in the name."""


def no_tie_in_26_flips() -> Fraction:
    """The exact probability that 26 flips of a fresh deck have no tie.

    By inclusion and exclusion over the pairs of a rank that meet: a rank has 6 ways for
    one such pair and 3 for two, and so many free cards pair up in (2n-1)!! ways.
    """
    ways = [1]
    for _ in range(13):
        longer = [0] * (len(ways) + 2)
        for pairs, n in enumerate(ways):
            for more, choices in enumerate((1, 6, 3)):
                longer[pairs + more] += n * choices
        ways = longer
    free = [prod(range(1, 52 - 2 * pairs, 2)) for pairs in range(len(ways))]
    signed = sum((-1) ** k * n * free[k] for k, n in enumerate(ways))
    return Fraction(signed, free[0])


def check(run: Run, games: int) -> list[tuple[Figure, float, bool]]:
    """Play the games; every figure with its value, and whether it is in its band."""
    results = play_many(run.play, games)
    checked = []
    for figure in run.figures:
        low, high = figure.band(games)
        value = figure.measure(results)
        checked.append((figure, value, low <= value <= high))
    return checked


def main() -> int:
    """Print the table; return 1 if a figure is outside its band."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--only", default="", help="runs with this in their names")
    args = parser.parse_args()
    games: int = args.games
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    )
    date = time.strftime("%Y-%m-%d", time.gmtime())
    print(f"{games} games each, seed {SEED}, {date}, commit {commit.stdout.strip()}")
    outside = 0
    for title, runs in (("Bands", BANDS), ("Published by others", PUBLISHED)):
        print(f"\n{title:<20} {'figure':<26} {'measured':>9}   {'band':<17} verdict")
        for run in (run for run in runs if args.only in run.name):
            for figure, value, inside in check(run, games):
                low, high = figure.band(games)
                band = f"{low:.4g}–{high:.4g}"
                verdict = "ok" if inside else "OUTSIDE"
                outside += not inside
                print(
                    f"{run.name:<20} {figure.name:<26} {value:>9.2f}   {band:<17} "
                    f"{verdict}",
                    flush=True,
                )
    exact = float(no_tie_in_26_flips())
    verdict = "ok" if round(exact, 9) == 0.210214233 else "OUTSIDE"
    outside += verdict != "ok"
    print(f"{'flawless war':<20} {'exact':<26} {exact:.9f} = 0.210214233     {verdict}")
    print(f"\n{outside} outside" if outside else "\nall within their bands")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
