"""`krig backup FILE`, a copy of the rooms; `krig restore FILE`, its way back."""

import sys
from collections.abc import Callable
from pathlib import Path

from krig.app.settings import Settings
from krig.errors import KrigError, StorageUnavailable
from krig.log.backup import Found, back_up, restore
from krig.log.open import path_of
from krig.protocol.codec import sentence


def run(settings: Settings, to: Path) -> int:
    """Make the copy and say what is in it; return 1 if there is none, or a bad one."""
    return _made(settings, to, back_up)


def run_back(settings: Settings, copy: Path) -> int:
    """Put a copy in place and say what is in it; return 1 as `run` does."""
    return _made(settings, copy, lambda path, of: restore(of, path))


def _made(settings: Settings, file: Path, make: Callable[[Path, Path], Found]) -> int:
    try:
        path = path_of(settings.where)
        if path is None:
            raise StorageUnavailable(f"{settings.where} is kept in no file.")
        found = make(path, file)
    except KrigError as error:
        print(f"krig: {sentence(error)}", file=sys.stderr)
        return 1
    print(f"{file}: {told(found)}, {file.stat().st_size / 1e6:.1f} MB")
    return report(found)


def told(found: Found) -> str:
    """How much there is."""
    return f"{found.rooms} rooms, {found.entries} entries"


def report(found: Found) -> int:
    """Say what cannot be read; return 1 if that is anything."""
    for fault in found.faults:
        print(f"krig: {fault}", file=sys.stderr)
    return 1 if found.faults else 0
