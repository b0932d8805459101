"""The command line: `krig serve`, what looks after a server, and what needs none."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
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
  KRIG_METRICS_PORT     where /metrics is then, with /healthz and /readyz
  KRIG_LOG_FORMAT       json or console (as it is: console on a terminal)
  KRIG_LOG_LEVEL        debug, info, warning or error
  KRIG_CONTROL          the socket of rooms, close and say (else beside the file)
  KRIG_IMPRINT_URL, KRIG_PRIVACY_URL
                        what the page links to
  KRIG_EMPTY_LOBBY_MINUTES, KRIG_ABANDONED_GAME_HOURS, KRIG_FINISHED_GAME_HOURS
                        how long rooms are kept
  KRIG_IDLE_SECONDS     after so long a room that nobody is in leaves memory
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
    _add_backup(commands)
    _add_rooms(commands)
    _add_close(commands)
    _add_say(commands)
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
    add(
        "--check",
        action="store_true",
        help="only say whether it could start, and read every room; changes nothing",
    )
    serve.set_defaults(run=_serve)


def _serve(wanted: argparse.Namespace) -> int:
    names = ("host", "port", "data", "log", "public_url")
    settings = _settings(**{n: getattr(wanted, n) for n in names})
    if settings is None:
        return 1
    if wanted.check:
        from krig.app.check import check

        return check(settings)
    from krig.app.serve import serve

    return serve(settings)


def _settings(**given: object) -> Settings | None:
    """The settings; None: what is wrong with them has been said."""
    try:
        return Settings(**{n: each for n, each in given.items() if each is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        _complain(error)
        return None


def _complain(error: ValidationError) -> None:
    for wrong in error.errors():
        name = "_".join(str(part) for part in wrong["loc"])
        message = wrong["msg"].removeprefix("Value error, ")
        print(f"krig: KRIG_{name.upper()}: {message}", file=sys.stderr)


def _add_backup(commands: Commands) -> None:
    backup = commands.add_parser(
        "backup",
        help="copy the rooms to a new file, while the server runs or not",
        description="Copy the rooms to a new file and look through it.",
    )
    backup.add_argument("file", type=Path, metavar="FILE")
    _add_where(backup)
    backup.set_defaults(run=_backup)
    restore = commands.add_parser(
        "restore",
        help="put a copy of the rooms in place, while no server runs",
        description="Put a copy that `krig backup` made where KRIG_DATA is. What was "
        "there is kept beside it, as a file that ends in .before.",
    )
    restore.add_argument("file", type=Path, metavar="FILE")
    _add_where(restore)
    restore.set_defaults(run=_restore)


def _backup(wanted: argparse.Namespace) -> int:
    from krig.app import backup

    settings = _settings(data=wanted.data)
    return 1 if settings is None else backup.run(settings, wanted.file)


def _restore(wanted: argparse.Namespace) -> int:
    from krig.app import backup

    settings = _settings(data=wanted.data)
    return 1 if settings is None else backup.run_back(settings, wanted.file)


def _add_rooms(commands: Commands) -> None:
    rooms = commands.add_parser("rooms", help="list the rooms of the running server")
    rooms.add_argument("--json", action="store_true", help="for a programme to read")
    _add_where(rooms)
    rooms.set_defaults(
        run=lambda wanted: _take_care(
            wanted, lambda care, known: care.rooms(known, as_json=wanted.json)
        )
    )


def _add_close(commands: Commands) -> None:
    close = commands.add_parser(
        "close", help="end a room for good: send everybody away and forget it"
    )
    close.add_argument("code", metavar="CODE")
    _add_where(close)
    close.set_defaults(
        run=lambda wanted: _take_care(
            wanted, lambda care, known: care.close(known, wanted.code)
        )
    )


def _add_say(commands: Commands) -> None:
    say = commands.add_parser("say", help="show a text to everybody who plays")
    say.add_argument("text", metavar="TEXT")
    _add_where(say)
    say.set_defaults(
        run=lambda wanted: _take_care(
            wanted, lambda care, known: care.say(known, wanted.text)
        )
    )


def _add_where(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data", type=Path, metavar="FILE", help="the server's file (KRIG_DATA)"
    )


def _take_care(
    wanted: argparse.Namespace, ask: Callable[[ModuleType, Settings], int]
) -> int:
    from krig.app import caretaker

    settings = _settings(data=wanted.data)
    return 1 if settings is None else ask(caretaker, settings)


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
