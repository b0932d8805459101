"""Many games at once, to measure what rules do: `python -m krig simulate`.

The numbers to compare with are in the tests; every game follows from the seed and its
number alone, so that the cores it is shared out over do not change a figure.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import ceil
from statistics import fmean, median
from typing import Any, Final, NamedTuple

from krig.app.case_play import REASONS
from krig.engine.game import new_game
from krig.engine.outcome import Ending
from krig.engine.play import play_out
from krig.engine.rules import PRESETS, Order, Pile, Rules
from krig.engine.seats import FEWEST, MOST, Seat
from krig.engine.shuffle import Stream, deal_label, shuffled, shuffler
from krig.errors import InvalidRules

CHUNK: Final = 250
"""Games handed to a core at once; so few that the cores end together."""


class Result(NamedTuple):
    """What is kept of one game."""

    rounds: int
    wars: int
    ending: Ending
    winners: tuple[Seat, ...]
    by_shortage: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser which options `run` reads."""
    parser.add_argument("--preset", choices=PRESETS, default="krig_klassisk")
    parser.add_argument(
        "--players", type=int, choices=range(FEWEST, MOST + 1), default=2
    )
    parser.add_argument("--games", type=_games, default=1000)
    parser.add_argument("--seed", type=_seed, default=0)
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule by its name, such as war_down=1 or round_limit=null",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the games on all cores and print the figures; returns the exit status."""
    try:
        rules = _rules(PRESETS[args.preset], args.rule, args.players)
    except InvalidRules as problem:
        print(problem, file=sys.stderr)
        return 2
    results = simulate(rules, args.players, args.games, args.seed)
    figures = figures_of(results, args.players)
    if args.json:
        print(json.dumps(figures, indent=2))
    else:
        for line in _told(figures):
            print(line)
    return 0


def simulate(rules: Rules, players: int, games: int, seed: int) -> list[Result]:
    """Play so many games, on all cores, in the order of their numbers."""
    starts = range(0, games, CHUNK)
    chunks = [range(start, min(start + CHUNK, games)) for start in starts]
    play_chunk = partial(_play_games, rules, players, seed)
    cores = min(_cores(), len(chunks))
    if cores == 1:
        parts = list(map(play_chunk, chunks))
    else:
        with ProcessPoolExecutor(cores) as pool:
            parts = list(pool.map(play_chunk, chunks))
    return [result for part in parts for result in part]


def _play_games(
    rules: Rules, players: int, seed: int, numbers: Sequence[int]
) -> list[Result]:
    return [_play_game(rules, players, _game_seed(seed, n)) for n in numbers]


def _game_seed(seed: int, number: int) -> int:
    """The seed, of 60 bits, of one game among many."""
    stream = Stream(seed, f"simulate/{number}")
    return (stream.word() << 32 | stream.word()) >> 4


def _play_game(rules: Rules, players: int, seed: int) -> Result:
    deck = shuffled(seed, deal_label(rules.deck), rules.deck.cards)
    game = play_out(new_game(rules, players, deck), shuffler(seed))
    outcome = game.outcome
    assert outcome is not None, "play_out plays to the outcome"
    return Result(
        game.rounds, game.wars, outcome.ending, outcome.winners, outcome.by_shortage
    )


def figures_of(results: Sequence[Result], players: int) -> dict[str, Any]:
    """The figures of some games, in the words of the case files.

    Rounds are those of games that came to an end: one that repeats itself never does.
    With teams a win counts for both partners.
    """
    lengths = sorted(r.rounds for r in results if r.ending is not Ending.REPETITION)
    endings = Counter(result.ending for result in results)
    wins = Counter(seat for result in results for seat in result.winners)
    draws = sum(not result.winners for result in results)
    return {
        "games": len(results),
        "rounds": {
            "mean": round(fmean(lengths), 2) if lengths else None,
            "median": median(lengths) if lengths else None,
            "p5": _quantile(lengths, 0.05),
            "p95": _quantile(lengths, 0.95),
        },
        "wars_per_game": round(fmean(result.wars for result in results), 3),
        "endings": {
            reason: endings[ending]
            for ending, reason in REASONS.items()
            if ending is not Ending.ABANDONED
        },
        "wins": {str(seat): wins[Seat(seat)] for seat in range(players)}
        | {"draw": draws},
        "by_shortage": sum(result.by_shortage for result in results),
    }


def _quantile(ordered: Sequence[int], share: float) -> int | None:
    """The smallest value that at least this share of the values does not exceed."""
    if not ordered:
        return None
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _told(figures: dict[str, Any]) -> Iterator[str]:
    for name, value in figures.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {number}" for key, number in value.items())
        yield f"{name.replace('_', ' ')}: {value}"


def _rules(preset: Rules, changes: Sequence[str], players: int) -> Rules:
    """The preset's rules with some changed, each as `name=value`.

    Raises:
        InvalidRules: if there is no such rule, or games by these rules may not end.
    """
    given = {}
    for change in changes:
        name, _, value = change.partition("=")
        try:
            given[name] = json.loads(value)
        except ValueError:
            given[name] = value  # One of the words, which need no quotes here.
    rules = Rules.from_dict(given, preset).resolved(players)
    if rules.time_limit is not None:
        raise InvalidRules("A simulation has no clock: give a round_limit instead.")
    chance = rules.order is Order.RANDOM or rules.pile is Pile.RESHUFFLE
    if not chance and rules.round_limit is None and not rules.may_repeat:
        raise InvalidRules("Games by these rules may never end.")
    return rules


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _games(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one game is played")
    return number


def _seed(text: str) -> int:
    number = int(text)
    if not 0 <= number < 2**64:
        raise argparse.ArgumentTypeError("a seed is a number from 0 to 2⁶⁴ − 1")
    return number
