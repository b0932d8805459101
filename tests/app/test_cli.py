"""The command line: help for everything, and the small commands."""

import json

import pytest

from krig import __version__
from krig.app.cli import main
from krig.protocol.schema import schema


@pytest.mark.parametrize(
    "command", ["", "serve", "backup", "restore", "rooms", "close", "say", "cases"]
)
def test_every_command_has_its_help(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command.split(), "--help"])
    assert end.value.code == 0
    assert "usage: krig" in capsys.readouterr().out


def test_the_help_of_serve_names_every_setting(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    said = capsys.readouterr().out
    for name in ("HOST", "PORT", "DATA", "LOG", "PUBLIC_URL", "ALLOWED_HOSTS"):
        assert f"KRIG_{name}" in said


def test_no_command_is_an_error_with_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 2
    assert "usage: krig" in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"krig {__version__}\n"


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(json.dumps(schema()))
