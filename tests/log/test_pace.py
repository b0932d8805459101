"""How commits are paced, with a clock that the test moves."""

import pytest

from krig.log.pace import LONGEST, SHORTEST, Pace


def gap_under(rate: float, seconds: float = 1.0) -> float:
    """The gap between commits when so many entries come a second."""
    pace, now, waiting = Pace(), 0.0, 0.0
    while now < seconds:
        wait = max(pace.wait(now), 1 / rate)
        now += wait
        waiting += wait * rate
        pace.began(now, int(waiting))
        waiting -= int(waiting)
    return pace.wait(now)


def test_an_idle_log_commits_at_once() -> None:
    pace = Pace()
    assert pace.wait(100.0) == 0
    pace.began(100.0, 1)
    assert pace.wait(100.5) == 0


def test_the_next_commit_begins_no_sooner_than_a_millisecond_later() -> None:
    pace = Pace()
    pace.began(100.0, 1)
    assert pace.wait(100.0) == pytest.approx(SHORTEST)
    assert pace.wait(100.0009) == pytest.approx(0.0001)
    assert pace.wait(100.001) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("rate", "gap"),
    [(100, SHORTEST), (900, SHORTEST), (2000, 0.002), (4500, LONGEST), (1e5, LONGEST)],
)
def test_the_more_entries_the_longer_they_gather(rate: float, gap: float) -> None:
    assert gap_under(rate) == pytest.approx(gap, rel=0.15)


def test_after_a_burst_a_quiet_log_is_quick_again() -> None:
    pace = Pace()
    for turn in range(100):
        pace.began(turn * LONGEST, 100)
    assert pace.wait(100 * LONGEST - LONGEST) == pytest.approx(LONGEST)
    pace.began(10.0, 1)
    assert pace.wait(10.0) == pytest.approx(SHORTEST)


def test_a_burst_of_one_commit_does_not_slow_the_next() -> None:
    pace = Pace()
    pace.began(1.0, 1)
    pace.began(1.001, 8)
    assert pace.wait(1.001) == pytest.approx(SHORTEST)
