"""`krig rooms`, `krig close CODE`, `krig say TEXT`: words with a server that runs."""

import json
import socket
import sys
from typing import Any, Final

from krig.app.control import control_path
from krig.app.settings import Settings
from krig.errors import KrigError, NobodyAnswers
from krig.protocol.codec import sentence

PATIENCE: Final = 30.0


def rooms(settings: Settings, *, as_json: bool) -> int:
    """Print every room at hand, and how many are stored besides."""
    told = _asked(settings, {"do": "rooms"})
    if told is None:
        return 1
    if as_json:
        print(json.dumps(told))
        return 0
    for room in told["rooms"]:
        where = room["phase"]
        if room["round"] is not None:
            where += f", round {room['round']}"
        seats = " ".join(room["seats"]) or "nobody"
        print(
            f"{room['code']}  game {room['game']} {where}  [{seats}]  "
            f"{room['viewers']} here, {room['watchers']} of them watch"
        )
    print(f"{len(told['rooms'])} rooms at hand, {told['stored']} stored")
    return 0


def close(settings: Settings, code: str) -> int:
    """End a room for good: everybody is sent away, and its log is forgotten."""
    told = _asked(settings, {"do": "close", "room": code})
    if told is not None:
        print(f"{told['closed']} is closed and forgotten")
    return 1 if told is None else 0


def say(settings: Settings, text: str) -> int:
    """Show everybody a text."""
    told = _asked(settings, {"do": "say", "text": text})
    if told is not None:
        print(f"said to {told['viewers']} viewers")
    return 1 if told is None else 0


def _asked(settings: Settings, what: dict[str, str]) -> dict[str, Any] | None:
    """What the server answers; None: what went wrong has been printed."""
    try:
        told = ask(settings, what)
        if "error" not in told:
            return told
        print(f"krig: {told['error']}", file=sys.stderr)
    except KrigError as error:
        print(f"krig: {sentence(error)}", file=sys.stderr)
    return None


def ask(settings: Settings, what: dict[str, str]) -> dict[str, Any]:
    """Ask the server that runs on these settings.

    Raises:
        NobodyAnswers: there is none.
        StorageUnavailable: the settings name no log.
    """
    path = control_path(settings)
    if path is None or not hasattr(socket, "AF_UNIX"):
        raise NobodyAnswers("Such a server has no socket to ask at.")
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(PATIENCE)
            asking.connect(str(path))
            asking.sendall(json.dumps(what).encode() + b"\n")
            told: dict[str, Any] = json.load(asking.makefile())
    except (OSError, ValueError) as error:  # it is not there, or will not say
        why = getattr(error, "strerror", None) or "nothing was said"
        raise NobodyAnswers(f"No server answers at {path}: {why}.") from error
    return told
