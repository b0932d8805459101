"""Everybody is told another moment to come back, and nobody a late one."""

from itertools import islice

import pytest

from krig.transport.turns import LONGEST_MS, RESTART_MS, turns


@pytest.mark.parametrize("clients", [1, 4, 2_000, 10_000])
def test_no_moment_is_told_to_many_and_the_last_is_not_late(clients: int) -> None:
    told = list(islice(turns(clients), clients))
    assert told[0] == RESTART_MS
    assert told == sorted(told)
    assert max(told) <= RESTART_MS + LONGEST_MS
    assert len(set(told)) == clients


def test_two_thousand_have_seconds_to_come_back_in() -> None:
    told = list(islice(turns(2_000), 2_000))
    assert told[-1] - told[0] > 3_000
