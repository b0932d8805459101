"""The command line: `krig serve`, `cases`, `simulate`, `verify`, `schema`."""

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
  KRIG_TRUSTED_PROXIES  networks of the proxies in front, like 172.17.0.0/16
  KRIG_REQUIRE_ORIGIN   1: refuse clients that name no Origin
  KRIG_LIMITS__NAME     a limit, as krig/protocol/limits.py names them
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
    _add_verify(commands)
    _add_schema(commands)
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


def _add_verify(commands: Commands) -> None:
    verify = commands.add_parser(
        "verify", help="recompute the record of a game, and name what does not hold"
    )
    verify.add_argument("files", nargs="+", metavar="FILE", help="- reads from a pipe")
    verify.set_defaults(run=_verify)


def _verify(wanted: argparse.Namespace) -> int:
    from krig.app import verify

    return verify.run(wanted.files)


def _add_schema(commands: Commands) -> None:
    schema = commands.add_parser("schema", help="print a JSON Schema")
    schema.add_argument(
        "of",
        nargs="?",
        choices=("wire", "record"),
        default="wire",
        help="every message of the wire, or the record of a finished game",
    )
    schema.set_defaults(run=_schema)


def _schema(wanted: argparse.Namespace) -> int:
    from krig.app.verify import RECORD
    from krig.protocol.schema import schema

    form = schema() if wanted.of == "wire" else RECORD.json_schema()
    print(json.dumps(form, indent=2))
    return 0
