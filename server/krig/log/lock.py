"""One server a file: a lock beside it, which the kernel drops when its holder dies.

Where there is no `flock` (Windows) nothing keeps a second server off.
"""

import os
import sys
from pathlib import Path

from krig.errors import StorageUnavailable

if sys.platform != "win32":
    import fcntl


def lock(path: Path) -> int:
    """Hold `path` for this process, and make its folder; return what unlocks it.

    Raises:
        StorageUnavailable: another server holds it, or there is no way to it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StorageUnavailable(
            f"{path} cannot be opened: {error.strerror}."
        ) from error
    try:
        if sys.platform != "win32":
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(held)
        if isinstance(error, BlockingIOError):
            raise StorageUnavailable(f"Another server has {path} open.") from error
        raise StorageUnavailable(
            f"{path} cannot be locked: {error.strerror}."
        ) from error
    return held


def unlock(held: int) -> None:
    """Let others have it. The file stays: to delete it could free it for two."""
    os.close(held)
