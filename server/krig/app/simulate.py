"""Many games at once, to measure what rules do: `python -m krig simulate`.

The numbers to compare with are in `tests/bench/figures.py`; every game follows from the
seed and its number alone, so that the cores it is shared out over do not change a
figure.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, replace
from enum import Enum
from functools import partial
from typing import Final

from krig.app.figures import Result, figures_of, told
from krig.engine.game import Game, new_game
from krig.engine.outcome import Ending
from krig.engine.play import play_out
from krig.engine.rules import PRESETS, Order, Pile, Rules
from krig.engine.seats import FEWEST, MOST
from krig.engine.shuffle import Stream, deal_label, shuffler
from krig.errors import InvalidRules

CHUNK: Final = 250
"""Games handed to a core at once; so few that the cores end together."""

SECONDS_A_ROUND: Final = 4
"""A simulation's clock: at this pace 10 minutes are 150 rounds."""

PATIENCE: Final = 1_000_000
"""After so many rounds a game is told as undecided: of three players' games by a fixed
order one in two hundred repeats itself only later."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser which options `run` reads."""
    parser.add_argument("--preset", choices=PRESETS, default="krig_klassisk")
    parser.add_argument(
        "--players", type=int, choices=range(FEWEST, MOST + 1), default=2
    )
    parser.add_argument("--games", type=_games, default=1000)
    parser.add_argument("--seed", type=_seed, default=0)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    rules = parser.add_argument_group("house rules, where not the preset's")
    for rule in fields(Rules):
        _add_rule(rules, rule.name, rule.type)


def _add_rule(group: argparse._ArgumentGroup, name: str, kind: object) -> None:
    """Give a rule a flag by its name, that takes what its type allows."""
    add = partial(
        group.add_argument,
        f"--{name.replace('_', '-')}",
        dest=name,
        default=argparse.SUPPRESS,
    )
    if kind is bool:
        add(action=argparse.BooleanOptionalAction)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        choices = [choice.value for choice in kind]
        add(choices=choices, type=type(choices[0]))
    else:
        add(
            type=int if kind is int else _limit,
            metavar="N" if kind is int else "N|none",
        )


def run(args: argparse.Namespace) -> int:
    """Play the games on all cores and print the figures; returns the exit status."""
    given = {r.name: getattr(args, r.name) for r in fields(Rules) if r.name in args}
    try:
        rules = Rules.from_dict(given, PRESETS[args.preset]).resolved(args.players)
        _refuse_the_endless(rules)
    except InvalidRules as problem:
        print(problem, file=sys.stderr)
        return 2
    results = simulate(rules, args.players, args.games, args.seed)
    figures = figures_of(results, args.players)
    print(json.dumps(figures, indent=2) if args.json else "\n".join(told(figures)))
    return 0


def _refuse_the_endless(rules: Rules) -> None:
    """Take only rules by which chance, a limit or a repetition ends every game.

    Raises:
        InvalidRules: if games by these rules may not end.
    """
    chance = rules.order is Order.RANDOM or rules.pile is Pile.RESHUFFLE
    limited = rules.round_limit is not None or rules.time_limit is not None
    if not (chance or limited or rules.may_repeat):
        raise InvalidRules("Games by these rules may never end.")


def simulate(rules: Rules, players: int, games: int, seed: int) -> list[Result]:
    """Play so many games by some rules, on all cores."""
    return play_many(partial(play_game, rules, players, seed), games)


def play_many(play: Callable[[int], Result], games: int) -> list[Result]:
    """Play so many games, each by its number, on all cores; in their order."""
    starts = range(0, games, CHUNK)
    chunks = [range(start, min(start + CHUNK, games)) for start in starts]
    play_chunk = partial(_play_chunk, play)
    cores = min(_cores(), len(chunks))
    if cores == 1:
        return _gathered(map(play_chunk, chunks), games)
    with ProcessPoolExecutor(cores) as pool:
        return _gathered(pool.map(play_chunk, chunks), games)


def _play_chunk(play: Callable[[int], Result], numbers: Sequence[int]) -> list[Result]:
    return [play(number) for number in numbers]


def _gathered(parts: Iterable[list[Result]], games: int) -> list[Result]:
    """All results, with a bar on the terminal while they come in."""
    results: list[Result] = []
    seen, began = sys.stderr.isatty(), time.monotonic()
    for part in parts:
        results += part
        if seen:
            print(
                end=_bar(len(results), games, time.monotonic() - began), file=sys.stderr
            )
            sys.stderr.flush()
    if seen:
        print(end="\r\x1b[K", file=sys.stderr)
    return results


def _bar(done: int, games: int, seconds: float) -> str:
    """How far it is, and how many seconds are left at this pace."""
    full = 40 * done // games
    left = seconds * (games - done) / done
    bar = "#" * full + "." * (40 - full)
    return f"\r\x1b[K[{bar}] {done} of {games} games, {left:.0f} s left"


def game_seed(seed: int, number: int) -> int:
    """The seed, of 60 bits, of one game among many."""
    stream = Stream(seed, f"simulate/{number}")
    return (stream.word() << 32 | stream.word()) >> 4


def play_game(rules: Rules, players: int, seed: int, number: int) -> Result:
    """Deal and play one game among many."""
    timed = rules.time_limit is not None
    if rules.time_limit is not None:
        rounds = rules.time_limit * 60 // SECONDS_A_ROUND
        rules = replace(rules, time_limit=None, round_limit=rounds)
    shuffle = shuffler(game_seed(seed, number))
    deck = shuffle(deal_label(rules.deck), rules.deck.cards)
    result = result_of(play_out(new_game(rules, players, deck), shuffle, PATIENCE))
    if timed and result.ending is Ending.ROUND_LIMIT:
        return result._replace(ending=Ending.TIME_LIMIT)
    return result


def result_of(game: Game) -> Result:
    """What is kept of a game that was played out."""
    outcome = game.outcome
    if outcome is None:
        return Result(game.rounds, game.wars, None, (), False)
    return Result(
        game.rounds, game.wars, outcome.ending, outcome.winners, outcome.by_shortage
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _limit(text: str) -> int | None:
    return None if text == "none" else int(text)


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
