"""The figures of many games, and how sure they are.

Rule 1: the keys that RULES section 4 is compared by keep their names and meaning; what
is told besides, of the same names, stands under `intervals` and `quantiles`.
Rule 2: every interval is one of 95 %: Wilson's for a share, 1.96 standard errors for a
mean, order statistics for the median.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil, floor, sqrt
from statistics import fmean, median, stdev
from typing import Any, Final, NamedTuple

from krig.app.case_play import REASONS
from krig.engine.outcome import Ending
from krig.engine.seats import Seat

Z: Final = 1.96
"""Standard errors to each side of an interval of 95 %."""

QUANTILES: Final = {"p5": 0.05, "p25": 0.25, "p75": 0.75, "p95": 0.95, "p99": 0.99}

ENDLESS: Final = (None, Ending.REPETITION)
"""How a game is told that came to no end."""

UNDECIDED: Final = "undecided"

Interval = tuple[float, float]


class Result(NamedTuple):
    """What is kept of one game."""

    rounds: int
    wars: int
    ending: Ending | None
    """None: undecided, when patience was at its end."""
    winners: tuple[Seat, ...]
    by_shortage: bool


def figures_of(results: Sequence[Result], players: int) -> dict[str, Any]:
    """The figures of some games, in the words of the case files.

    Rounds are those of games that came to an end: one that repeats itself never does,
    and one that is undecided has not; these are told only if there are any. With teams
    a win counts for both partners. Intervals of counts are shares of all games.
    """
    games = len(results)
    lengths = sorted(r.rounds for r in results if r.ending not in ENDLESS)
    wars = [result.wars for result in results]
    ended = Counter(r.ending for r in results)
    endings = {
        reason: ended[ending]
        for ending, reason in REASONS.items()
        if ending is not Ending.ABANDONED
    }
    if ended[None]:
        endings[UNDECIDED] = ended[None]
    won = Counter(seat for result in results for seat in result.winners)
    wins = {str(seat): won[Seat(seat)] for seat in range(players)}
    wins["draw"] = sum(not r.winners for r in results if r.ending is not None)
    shortage = sum(result.by_shortage for result in results)
    spread = {name: quantile(lengths, share) for name, share in QUANTILES.items()}
    return {
        "games": games,
        "rounds": {
            "mean": round(fmean(lengths), 2) if lengths else None,
            "median": median(lengths) if lengths else None,
            "p5": spread["p5"],
            "p95": spread["p95"],
        },
        "wars_per_game": round(fmean(wars), 3),
        "endings": endings,
        "wins": wins,
        "by_shortage": shortage,
        "intervals": {
            "rounds": {
                "mean": mean_interval(lengths),
                "median": median_interval(lengths),
            },
            "wars_per_game": mean_interval(wars),
            "endings": {name: wilson(n, games) for name, n in endings.items()},
            "wins": {name: wilson(n, games) for name, n in wins.items()},
            "by_shortage": wilson(shortage, games),
        },
        "quantiles": {
            "min": lengths[0] if lengths else None,
            **spread,
            "max": lengths[-1] if lengths else None,
        },
    }


def wilson(count: int, of: int) -> Interval:
    """The interval of a share (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927).

    >>> wilson(0, 1000)
    (0.0, 0.00383)
    """
    share, spread = count / of, Z**2 / of
    middle = share + spread / 2
    half = Z * sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return round(max(0.0, low), 5), round(min(1.0, high), 5)


def mean_interval(values: Sequence[int]) -> Interval | None:
    """The interval of a mean; None where a spread cannot be told."""
    if len(values) < 2:
        return None
    mean, half = fmean(values), Z * stdev(values) / sqrt(len(values))
    return round(mean - half, 3), round(mean + half, 3)


def median_interval(ordered: Sequence[int]) -> Interval | None:
    """The interval of the median: the values so many ranks below and above it."""
    n = len(ordered)
    if n < 2:
        return None
    low, high = floor((n - Z * sqrt(n)) / 2), ceil((n + Z * sqrt(n)) / 2)
    return ordered[max(0, low - 1)], ordered[min(n - 1, high)]


def quantile(ordered: Sequence[int], share: float) -> int | None:
    """The smallest value that at least this share of the values does not exceed."""
    if not ordered:
        return None
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def told(figures: dict[str, Any]) -> Iterator[str]:
    """The figures as lines to read; what did not happen is left out."""
    sure, games = figures["intervals"], figures["games"]
    yield f"games        {games}"
    if figures["rounds"]["mean"] is not None:
        for name in ("mean", "median"):
            value = figures["rounds"][name]
            yield _line("rounds", f"{name} {value:g}", sure["rounds"][name])
        spread = figures["quantiles"].items()
        yield "             " + ", ".join(f"{name} {value}" for name, value in spread)
    wars = figures["wars_per_game"]
    yield _line("wars", f"{wars:g} a game", sure["wars_per_game"])
    for group in ("endings", "wins"):
        for name, count in figures[group].items():
            if count:
                yield _share(group, name, count, games, sure[group][name])
    count = figures["by_shortage"]
    yield _share("by shortage", "", count, games, sure["by_shortage"])


def _line(what: str, value: str, interval: Interval | None) -> str:
    around = f" [{interval[0]:g}, {interval[1]:g}]" if interval else ""
    return f"{what:<12} {value}{around}"


def _share(what: str, name: str, count: int, of: int, interval: Interval) -> str:
    low, high = interval
    sure = f"{count / of:.2%} [{low:.2%}, {high:.2%}]"
    return f"{what:<12} {f'{name} {count}'.strip()}: {sure}"
