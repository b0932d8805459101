"""What the server writes about itself: one line an event, and never a secret."""

import json
import logging
import warnings

import pytest
import structlog

from krig.app import logs


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_ours_and_a_librarys_lines_have_one_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("json")
    structlog.get_logger().info("room_opened", room="7KQ4M")
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.captureWarnings(False)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logs.configure("json")
        warnings.warn("old", stacklevel=1)
    ours, theirs, warned = lines(capsys)
    assert ours["event"] == "room_opened"
    assert theirs["event"] == "Invalid HTTP request received."
    assert theirs["logger"] == "uvicorn.error"
    assert warned["logger"] == "py.warnings"
    for line in (ours, theirs, warned):
        assert {"timestamp", "level", "event"} <= set(line)


def test_an_error_is_one_line_with_its_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("json")
    try:
        raise ValueError("no")
    except ValueError:
        structlog.get_logger().exception("judging_failed", room="7KQ4M")
        logging.getLogger("asyncio").exception("Task exception was never retrieved")
    ours, theirs = lines(capsys)
    assert "ValueError: no" in str(ours["exception"])
    assert "ValueError: no" in str(theirs["exception"])


@pytest.mark.parametrize("form", ["json", "console"])
def test_what_could_be_a_secret_is_blotted_out_wherever_it_stands(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    token = "0f" * 32
    logs.configure(form)
    try:
        raise ValueError(f"{token!r} is no token")
    except ValueError:
        structlog.get_logger().exception(token, why=f"<{token}>")
        logging.getLogger("uvicorn.error").exception("bad %s", token)
    said = capsys.readouterr().err
    assert said.count(logs.HIDDEN) >= 5
    assert token not in said


def test_a_terminal_gets_lines_for_people(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure()
    structlog.get_logger().info("one")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    logs.configure()
    structlog.get_logger().info("two")
    one, two = capsys.readouterr().err.splitlines()
    assert one.startswith("{")
    assert not two.startswith("{")


def test_the_level_is_a_setting(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("json", "error")
    structlog.get_logger().warning("storage_unavailable")
    logging.getLogger("uvicorn.error").warning("nothing much")
    assert lines(capsys) == []
    logs.configure("json", "debug")
    structlog.get_logger().debug("viewer_came")
    assert len(lines(capsys)) == 1
