"""`krig verify` says in one line whether a downloaded record holds."""

import json
from pathlib import Path

import pytest

from krig.app.cli import main
from krig.room.record import record
from tests.room.scene import Scene


@pytest.fixture
def downloaded(tmp_path: Path) -> Path:
    """A record as it was downloaded."""
    scene = Scene()
    scene.begin("Kari", "Ola")
    scene.play_out()
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record(scene.entries)))
    return file


def test_a_true_record_holds(
    downloaded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(downloaded)]) == 0
    assert "holds: 40 rounds between 2, the deal fair" in capsys.readouterr().out


def test_a_changed_card_is_named_by_where_it_stands(
    downloaded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(downloaded.read_text())
    card = told["rounds"][7]["battles"][0]["up"][1]
    card[1] = "As" if card[1] != "As" else "Ks"
    downloaded.write_text(json.dumps(told))
    assert main(["verify", str(downloaded)]) == 1
    assert "rounds[7].battles[0].up[1][1]" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"schema":1}'], ids=["empty", "no-field", "row", "few"]
)
def test_what_is_no_record_is_refused_in_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "no.json"
    file.write_text(text)
    assert main(["verify", str(file), str(tmp_path / "none.json")]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_schema_of_a_record_names_its_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["schema", "record"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert "schema" in form["required"]
    assert "statistics" in form["properties"]
