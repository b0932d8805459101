"""The README's example is played, and what it names is there, and is all there is."""

import doctest
import re
from dataclasses import fields
from pathlib import Path

from krig.app.cli import parser
from krig.app.metrics import Numbers
from krig.app.settings import Settings
from krig.engine.rules import PRESETS
from krig.protocol.limits import Limits
from krig.transport.crowd import Crowd

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_example_in_the_readme_plays_as_it_says() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert not failed


def test_every_setting_is_in_the_readme_and_no_other_is() -> None:
    told = set(re.findall(r"KRIG_[A-Z]+(?:_[A-Z]+)*", README.read_text()))
    settings = {f"KRIG_{name.upper()}" for name in Settings.model_fields}
    assert told == settings
    limits = re.findall(r"KRIG_LIMITS__([A-Z_]+)", README.read_text())
    assert {name.lower() for name in limits} <= {f.name for f in fields(Limits)}


async def test_every_number_is_in_the_readme_and_no_other_is() -> None:
    told = set(re.findall(r"`(krig_\w+)`", README.read_text())) - PRESETS.keys()
    numbers = Numbers(Crowd(1, 1)).registry.collect()
    assert told == {
        f"{number.name}_total" if number.type == "counter" else number.name
        for number in numbers
        if number.name.startswith("krig_")
    }


def test_every_command_in_the_readme_is_one() -> None:
    [commands] = (a.choices for a in parser()._actions if a.dest == "==SUPPRESS==")
    told = re.findall(r"\.venv/bin/krig ([a-z]+)", README.read_text())
    assert len(told) >= 6
    assert set(told) <= set(commands or ())


def test_every_file_that_the_readme_points_at_is_there() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README.read_text())
    assert len(targets) >= 3
    assert not [t for t in targets if not (ROOT / t).exists()]
