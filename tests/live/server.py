"""A real `krig serve` in a process of its own, which can be killed at any moment."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol

import httpx

ROOT = Path(__file__).parents[2]
STARTS_WITHIN = 60.0

HTTP = httpx.Client(
    trust_env=False,
    verify=False,
    timeout=30,
    limits=httpx.Limits(max_keepalive_connections=0),
)
"""Asks a server; one for all, since making one reads every certificate there is. How
fast an answer comes is measured, and not tested."""


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class Process(Protocol):
    """What a server runs in, as `subprocess.Popen` has it."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def kill(self) -> None: ...
    def terminate(self) -> None: ...
    def wait(self, timeout: float | None = None) -> int: ...


class Server:
    """One server: its data outlives its process."""

    def __init__(
        self, folder: Path, commands_per_second: float = 5.0, **settings: object
    ) -> None:
        self.settings = {f"KRIG_{n.upper()}": str(v) for n, v in settings.items()}
        self.commands_per_second = commands_per_second
        self.port = free_port()
        self.data = folder / "krig.db"
        self.output = folder / "output.txt"
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: Process | None = None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it; return when it answers."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "server"),
            "KRIG_DATA": str(self.data),
            "KRIG_PORT": str(self.port),
            "KRIG_HOST": "127.0.0.1",
            # Pages that never look at a card play faster than people do.
            "KRIG_LIMITS__COMMANDS_PER_SECOND": str(self.commands_per_second),
            **self.settings,
        }
        self._process = self.launch(environment)
        end = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < end:
            ended = self._process.poll()
            assert ended is None, f"it ended with {ended}: {self._said()}"
            try:
                if HTTP.get(f"{self.url}/readyz").is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.02)  # another process: there is no clock of ours to move
        raise AssertionError(f"no answer: {self._said()}")

    def launch(self, environment: dict[str, str]) -> "Process":
        """Run `krig serve`."""
        with self.output.open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", "krig", "serve"],
                env=environment,
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
            )

    def _said(self) -> str:
        """The last of what it wrote."""
        return self.output.read_text()[-2000:]

    def kill(self) -> None:
        """Kill it as a power cut would: no handler of its own runs."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Ask it to stop, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=15)

    def make_room(self, preset: str = "krieg_40", **rules: object) -> str:
        """Make a room; return its code."""
        asked = {"preset": preset, **({"rules": rules} if rules else {})}
        answer = HTTP.post(f"{self.url}/api/rooms", json=asked).raise_for_status()
        code: str = answer.json()["code"]
        return code

    def deal_again(self, game_code: str) -> str:
        """Make a room in which the game of that code is dealt; return the room's."""
        asked = {"code": game_code}
        answer = HTTP.post(f"{self.url}/api/rooms", json=asked).raise_for_status()
        code: str = answer.json()["code"]
        return code

    def record(self, code: str, game: int) -> httpx.Response:
        """Ask for a game's record."""
        return HTTP.get(f"{self.url}/api/rooms/{code}/games/{game}")
