"""The command line: `krig serve`, `cases`, `simulate`, `schema`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError

from krig import __version__
from krig.app.settings import Settings

ENVIRONMENT = """\
environment:
  KRIG_HOST, KRIG_PORT, KRIG_DATA, KRIG_LOG, KRIG_PUBLIC_URL
                        what the options of `krig serve` say
  KRIG_ALLOWED_HOSTS    more names that the server answers to, a comma between
  KRIG_PUBLIC           1: out on the internet, abandoned games are kept for 24 h
  KRIG_REQUIRE_ORIGIN   1: refuse clients that name no Origin
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    wanted = parser().parse_args(arguments)
    code = wanted.run(wanted)
    assert isinstance(code, int), "every command returns its exit code"
    return code


def parser() -> argparse.ArgumentParser:
    """Every command and option, with its help."""
    top = argparse.ArgumentParser(
        prog="krig",
        description="War, the card game, played together on phones around a table.",
        epilog=ENVIRONMENT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"krig {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    _add_serve(commands)
    _add_cases(commands)
    _add_simulate(commands)
    schema = commands.add_parser(
        "schema", help="print the JSON Schema of every message of the wire"
    )
    schema.set_defaults(run=_schema)
    return top


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _add_serve(commands: Commands) -> None:
    serve = commands.add_parser(
        "serve",
        help="run the server",
        description="Run the server until Ctrl+C, and say where players find it.",
        epilog=ENVIRONMENT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = serve.add_argument
    add("--host", help="address to listen on (KRIG_HOST; else all of this machine)")
    add("--port", type=int, help="port to listen on (KRIG_PORT; else 8000)")
    add(
        "--data",
        type=Path,
        metavar="FILE",
        help="SQLite file that holds the rooms (KRIG_DATA; else data/krig.sqlite)",
    )
    add(
        "--log",
        metavar="URL",
        help="a log instead of --data: sqlite:///path or memory: (KRIG_LOG)",
    )
    add(
        "--public-url",
        metavar="URL",
        help="how players reach this server, for links and QR (KRIG_PUBLIC_URL; "
        "else its address in the local network)",
    )
    serve.set_defaults(run=_serve)


def _serve(wanted: argparse.Namespace) -> int:
    from krig.app.serve import serve

    names = ("host", "port", "data", "log", "public_url")
    given = {n: getattr(wanted, n) for n in names if getattr(wanted, n) is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        return _complain(error)
    return serve(settings)


def _complain(error: ValidationError) -> int:
    for wrong in error.errors():
        name = "_".join(str(part) for part in wrong["loc"])
        message = wrong["msg"].removeprefix("Value error, ")
        print(f"krig: KRIG_{name.upper()}: {message}", file=sys.stderr)
    return 1


def _add_cases(commands: Commands) -> None:
    cases = commands.add_parser(
        "cases", help="play the worked examples of the rules and print each difference"
    )
    cases.add_argument("files", nargs="+", type=Path, metavar="FILE")
    cases.set_defaults(run=_cases)


def _cases(wanted: argparse.Namespace) -> int:
    from krig.app import cases

    return cases.run(wanted.files)


def _add_simulate(commands: Commands) -> None:
    from krig.app import simulate

    simulation = commands.add_parser(
        "simulate", help="play many games by themselves and print their figures"
    )
    simulate.add_arguments(simulation)
    simulation.set_defaults(run=simulate.run)


def _schema(_: argparse.Namespace) -> int:
    from krig.protocol.schema import schema

    print(json.dumps(schema(), indent=2))
    return 0
