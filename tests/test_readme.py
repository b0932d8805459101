"""The README's example is played, and what it points at is there."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_example_in_the_readme_plays_as_it_says() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert not failed


def test_every_file_that_the_readme_points_at_is_there() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README.read_text())
    assert len(targets) >= 3
    assert not [t for t in targets if not (ROOT / t).exists()]
