"""`krig backup FILE`: a copy of the rooms, made while the server runs."""

import sys
from pathlib import Path

from krig.app.settings import Settings
from krig.errors import KrigError, StorageUnavailable
from krig.log.backup import Found, back_up
from krig.log.open import path_of
from krig.protocol.codec import sentence


def run(settings: Settings, to: Path) -> int:
    """Make the copy and say what is in it; return 1 if there is none, or a bad one."""
    try:
        path = path_of(settings.where)
        if path is None:
            raise StorageUnavailable(f"{settings.where} is kept in no file.")
        found = back_up(path, to)
    except KrigError as error:
        print(f"krig: {sentence(error)}", file=sys.stderr)
        return 1
    print(f"{to}: {told(found)}, {to.stat().st_size / 1e6:.1f} MB")
    return report(found)


def told(found: Found) -> str:
    """How much there is."""
    return f"{found.rooms} rooms, {found.entries} entries"


def report(found: Found) -> int:
    """Say what cannot be read; return 1 if that is anything."""
    for fault in found.faults:
        print(f"krig: {fault}", file=sys.stderr)
    return 1 if found.faults else 0
