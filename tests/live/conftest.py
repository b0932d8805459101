"""A real server for the tests that need one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server with an empty store."""
    server = Server(tmp_path, commands_per_second=200)
    server.start()
    yield server
    server.stop()
