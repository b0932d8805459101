"""HTTP is as its OpenAPI says: asked whatever that allows, and what it forbids.

A failure would be: a 5xx, an answer of a kind or a shape that is not written there, a
request that breaks the schema and is taken.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import settings
from schemathesis.checks import CheckFunction
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)

from krig.app.compose import create_app
from krig.app.settings import Settings
from tests.live.server import Server

Case = schemathesis.Case[Any]

ASKED = settings(max_examples=100)

NOT_SAID: list[CheckFunction] = [positive_data_acceptance]
"""No schema says which words are room codes, presets and rules that go together."""

schema = schemathesis.openapi.from_dict(create_app(Settings(log="memory:")).openapi())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real one."""
    server = Server(tmp_path_factory.mktemp("openapi"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def room(server: Server) -> str:
    """One that is there."""
    return server.make_room()


def holds(case: Case, server: Server) -> None:
    """Ask, and hold the answer against what is said."""
    answer = case.call(base_url=server.url)
    # What is too long is refused before anybody looks what else is wrong with it.
    too_long = [negative_data_rejection] if answer.status_code == 413 else []
    case.validate_response(answer, excluded_checks=[*NOT_SAID, *too_long])


@schema.parametrize()
@ASKED
def test_every_answer_is_as_the_openapi_says(case: Case, server: Server) -> None:
    holds(case, server)


@schema.include(path_regex=r"\{code\}").parametrize()
@ASKED
def test_so_is_every_answer_about_a_room_that_is_there(
    case: Case, server: Server, room: str
) -> None:
    case.path_parameters["code"] = room
    holds(case, server)
