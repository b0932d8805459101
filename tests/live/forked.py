"""A server that is there in a tenth of the time: what it imports has been read before.

Its process is forked from one that has read Krig and run none of it. It is a process
of its own all the same, with its file and its sockets, and dies of the same signals.
"""

import multiprocessing
import os
import sys

from krig.app.cli import main
from tests.live.server import Server

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__, "krig.app.main", "krig.app.serve"])


class ForkedServer(Server):
    """One server, forked at each start."""

    def launch(self, environment: dict[str, str]) -> "Forked":
        """Run `krig serve`."""
        return Forked(environment, str(self.output))


class Forked:
    """A forked process, as `subprocess.Popen` has it."""

    def __init__(self, environment: dict[str, str], output: str) -> None:
        self._process = FORKS.Process(
            target=_serve, args=(environment, output), daemon=True
        )
        self._process.start()
        self.kill = self._process.kill
        self.terminate = self._process.terminate
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        """How it ended; None: it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return how it was."""
        self._process.join(timeout)
        ended = self._process.exitcode
        assert ended is not None, "it still runs"
        return ended


def _serve(environment: dict[str, str], output: str) -> None:
    os.environ.clear()
    os.environ.update(environment)
    file = os.open(output, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(file, sys.stdout.fileno())
    os.dup2(file, sys.stderr.fileno())
    sys.exit(main(["serve"]))
