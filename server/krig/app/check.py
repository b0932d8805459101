"""`krig serve --check`: whether a server would start on this, and read every room.

It changes nothing and takes nothing from a server that runs, but asks it what it has
seen: the way to try a new version on the file of the old one.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from krig.app.backup import told
from krig.app.caretaker import ask
from krig.app.serve import warnings
from krig.app.settings import Settings
from krig.errors import KrigError, StorageUnavailable
from krig.log.backup import look_through
from krig.log.open import path_of
from krig.protocol.codec import sentence
from krig.transport.door import BEHIND_A_PROXY


def check(settings: Settings) -> int:
    """Say in a line each what holds and what does not; return 0 if all does."""
    print(f"configuration: ok, port {settings.port} on {settings.host}")
    for line in (*warnings(settings), *_seen_by_who_runs(settings)):
        print(f"configuration: {line}", file=sys.stderr)
    try:
        path = path_of(settings.where)
        if path is None:
            print("store: ok, but it is forgotten when the server stops")
        elif path.exists():
            found = look_through(path)
            for fault in found.faults:
                print(f"store: {fault}", file=sys.stderr)
            if found.faults:
                return 1
            _see_if_writable(path)
            print(f"store: ok, {path}: {told(found)}, all can be read")
        else:
            _see_if_writable(_nearest(path.absolute().parent))
            print(f"store: ok, {path} will be made")
    except KrigError as error:
        print(f"store: {sentence(error)}", file=sys.stderr)
        return 1
    return 0


def _seen_by_who_runs(settings: Settings) -> list[str]:
    """What a server that runs on these settings has noticed, a line each."""
    with suppress(KrigError):
        proxy = ask(settings, {"do": "rooms"}).get("proxy")
        return [f"every player comes from {proxy}. {BEHIND_A_PROXY}"] if proxy else []
    return []


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    return next(each for each in (folder, *folder.parents) if each.exists())


def _see_if_writable(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise StorageUnavailable(f"{path} may not be written.")
