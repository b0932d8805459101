"""Who leads when cards are counted."""

import pytest

from krig.engine.game import sides_of
from krig.engine.outcome import leaders


@pytest.mark.parametrize(
    ("counts", "teams", "winners"),
    [
        ((27, 25), False, (0,)),
        ((26, 26), False, ()),
        ((5, 1, 9), False, (2,)),
        ((4, 4, 1), False, ()),
        ((8, 7, 1, 2), True, ()),
        ((8, 7, 0, 2), True, (1, 3)),
    ],
    ids=[
        "most-cards",
        "equal-is-draw",
        "of-three",
        "shared-lead-is-draw",
        "equal-teams-are-draw",
        "partners-are-added",
    ],
)
def test_the_side_with_the_most_cards_leads(
    counts: tuple[int, ...], teams: bool, winners: tuple[int, ...]
) -> None:
    assert leaders(counts, sides_of(len(counts), teams)) == winners
