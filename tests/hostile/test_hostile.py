"""Hostile peers harm nobody but themselves; `make hostile SIZE=20` is more of it."""

from pathlib import Path

import pytest

from tests.hostile.measure import WORSE, ratios, report, run
from tests.hostile.peers import ROWS

SECONDS = 6.0
GROWN = 24.0
"""MiB that a server may have grown by, when they are gone."""


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_every_hostile_peer_ends_by_name_and_the_tables_play_on(
    tmp_path: Path,
) -> None:
    notes = await run(1, SECONDS, tmp_path)
    print(report(notes))
    kinds = {end.rpartition(" → ")[0] for end in notes.ends}
    assert kinds == set(ROWS)
    assert len(notes.beset) > 10, "the tables beside them played on"
    assert ratios(notes)[0] < WORSE, "and hardly noticed"
    assert notes.memory["after"] - notes.memory["before"] < GROWN
