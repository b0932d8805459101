"""`krig serve` as a process: it says where it is, or in one line why it is not."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from krig.app.cli import main

SERVER = Path(__file__).parents[2] / "server"


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("KRIG_")}
    return {**kept, "PYTHONPATH": str(SERVER), "PYTHONIOENCODING": "utf-8"}


@contextmanager
def krig(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A krig of its own, until the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "krig", *arguments],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until(process: subprocess.Popen[str], words: str) -> str:
    """Read what it prints up to a line with these words."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if words in line:
            return "".join(lines)
    assert process.stderr is not None
    raise AssertionError("".join(lines) + process.stderr.read())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_stops_in_order(
    number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "new" / "krig.sqlite"
    given = ["serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data)]
    with krig(*given) as process:
        said = until(process, "Ctrl+C")
        assert re.search(r"http://\S+:\d+", said)
        assert "█" in said
        assert str(data) in said

        assert main(given) == 1, "another server has the file"
        assert str(data) in the_one_line(capsys)

        process.send_signal(number)
        _, err = process.communicate(timeout=10)
        assert process.returncode == 0
        written = [json.loads(line) for line in err.splitlines()]
        assert [line["event"] for line in written] == [
            "server_started",
            "server_stopped",
        ]


def the_one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said about why it cannot start."""
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1, said.err
    assert said.err.startswith("krig: ")
    return said.err


def test_a_taken_port_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        given = ["--host", "127.0.0.1", "--port", str(port), "--log", "memory:"]
        assert main(["serve", *given]) == 1
    assert f"port {port} is taken" in the_one_line(capsys)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--data", "/proc/no/krig.sqlite"], "/proc/no", id="no-folder"),
        pytest.param(["--data", "/dev/null/krig"], "/dev/null", id="no-such-folder"),
        pytest.param(["--log", "cups://tea"], "cups://tea", id="no-log"),
        pytest.param(["--port", "70000"], "KRIG_PORT", id="no-port"),
        pytest.param(["--public-url", "krig"], "KRIG_PUBLIC_URL", id="no-url"),
        pytest.param(["--host", "192.0.2.77"], "192.0.2.77", id="no-such-address"),
    ],
)
def test_what_cannot_start_says_why_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--host", "127.0.0.1", "--port", "0", "--log", ""]
    assert main(["serve", *given, *arguments]) == 1
    assert words in the_one_line(capsys)
