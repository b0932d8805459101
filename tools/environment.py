"""Fill .venv with exactly what a lock names, or say what is missing.

    python3 tools/environment.py requirements.lock
    python3 tools/environment.py --wheels requirements.lock

Rule 1: it needs a Python of 3.11 or newer that has pip, and nothing else. Debian
        packs `ensurepip` apart (python3-venv), so the environment is made without
        pip and filled by the pip outside it.
Rule 2: what cannot be helped is one line that says what to type, and a stop.
Rule 3: a .venv that is in order is left alone, and finding that out is quick.

Written so that an old Python can still read it, to be told that it is too old.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
WHEELS = ROOT / "wheels"

LAUNCHER = '#!/bin/sh\nexec "$(dirname "$0")/python" -m krig "$@"\n'
"""`.venv/bin/krig`, since no pip installs the package. No path in it, so that the
folder can be moved."""

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-e2e.lock")
"""Each holds all of the one before it, at the same versions."""

OLDEST_PYTHON = (3, 11)
OLDEST_PIP = (22, 3)
"""The first pip with `--python`."""


def stop(why: str) -> NoReturn:
    """End here, with one line that says why."""
    sys.exit("krig: " + why)


def apt(packages: str) -> str:
    """Return the line that installs Debian packages."""
    sudo = "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "sudo "
    return sudo + "apt install " + packages


def what_is_missing() -> str:
    """Return the one line that tells how to go on, or an empty string."""
    if sys.version_info < OLDEST_PYTHON:
        version = ".".join(map(str, sys.version_info[:3]))
        return (
            "Python 3.11 or newer is needed, and this is " + version + ": name "
            "another, as in  make run PYTHON=python3.12"
        )
    from importlib import metadata, util

    try:
        pip_version = metadata.version("pip")
    except metadata.PackageNotFoundError:
        return "Python has no pip here. This installs it:  " + apt("python3-pip")
    if tuple(int(part) for part in pip_version.split(".")[:2]) < OLDEST_PIP:
        upgrade = "  " + sys.executable + " -m pip install --upgrade pip"
        return "pip 22.3 or newer is needed. This installs it:" + upgrade
    if util.find_spec("venv") is None:
        return "Python is not whole. This installs the rest:  " + apt("python3")
    return ""


def stamp(lock: str) -> Path:
    """Return where the text of an installed lock is kept."""
    return VENV / lock


def works(*, for_this_python: bool) -> bool:
    """Tell whether .venv is an environment, and finds the package in server/."""
    ask = "from importlib.util import find_spec; exit(find_spec('krig') is None)"
    try:
        if for_this_python and stamp("python").read_text() != this_python():
            return False
        return subprocess.run([str(PYTHON), "-c", ask]).returncode == 0
    except OSError:
        return False


def holds(lock: str) -> bool:
    """Tell whether what a lock names is what was installed last."""
    try:
        return stamp(lock).read_bytes() == (ROOT / lock).read_bytes()
    except OSError:
        return False


def this_python() -> str:
    """Return what tells one installed Python from another."""
    return sys.base_prefix + " " + sys.version


def make_environment() -> None:
    """Make an empty .venv that finds the package in server/."""
    import venv

    venv.EnvBuilder(clear=True, symlinks=os.name != "nt").create(VENV)
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    answer = subprocess.run(
        [str(PYTHON), "-c", ask], stdout=subprocess.PIPE, check=True
    )
    packages = Path(os.fsdecode(answer.stdout).strip())
    # Relative, so that the folder can be moved.
    server = os.path.relpath(ROOT / "server", packages)
    (packages / "krig.pth").write_text(server + "\n")
    stamp("python").write_text(this_python())
    write_launcher()


def write_launcher() -> None:
    """Make `krig` a command of .venv, where it is none yet."""
    krig = PYTHON.with_name("krig")
    if not krig.exists():
        krig.write_text(LAUNCHER)
        krig.chmod(0o755)


def pip(*arguments: str) -> bool:
    """Run this Python's pip with the flags every call here has in common."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    ours = {"PIP_USER": "0", "PIP_NO_INPUT": "1", "PYTHONWARNINGS": "ignore"}
    return subprocess.run(command, env={**os.environ, **ours}).returncode == 0


def fill(lock: str, *, offline: bool) -> None:
    """Install a lock into .venv, which may hold an older one."""
    for each in LOCKS:
        stamp(each).unlink(missing_ok=True)
    source = ["--no-index", "--find-links", str(WHEELS)] if offline else []
    if not pip(
        *("--python", str(PYTHON), "install", "--quiet", *source),
        *("--require-hashes", "--no-deps", "-r", str(ROOT / lock)),
    ):
        advice = (
            "wheels/ does not hold what this Python needs: run  make wheels  "
            "with the same Python on a machine that has a network"
            if offline
            else "the packages did not install. With no network, bring a folder "
            "made by  make wheels  and run  make run OFFLINE=1"
        )
        stop(advice)
    for each in LOCKS[: LOCKS.index(lock) + 1]:
        stamp(each).write_bytes((ROOT / each).read_bytes())


def fetch_wheels(lock: str) -> None:
    """Fill wheels/ with what a lock needs on this machine and this Python."""
    WHEELS.mkdir(exist_ok=True)
    for old in WHEELS.glob("*.whl"):
        old.unlink()
    if not pip(
        *("download", "--quiet", "--only-binary", ":all:", "--dest", str(WHEELS)),
        *("--require-hashes", "--no-deps", "-r", str(ROOT / lock)),
    ):
        stop("the wheels could not be fetched; above, pip says why")
    count = len(list(WHEELS.glob("*.whl")))
    print("krig:", count, "wheels in wheels/:  make run OFFLINE=1  needs no network")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lock", choices=LOCKS)
    parser.add_argument("--offline", action="store_true", help="install from wheels/")
    parser.add_argument("--wheels", action="store_true", help="fill wheels/, no more")
    parser.add_argument(
        "--for-this-python",
        action="store_true",
        help="make .venv anew if it belongs to another Python",
    )
    asked = parser.parse_args()
    if sys.version_info < OLDEST_PYTHON:
        stop(what_is_missing())
    sound = works(for_this_python=asked.for_this_python)
    if sound:
        write_launcher()
    if sound and holds(asked.lock) and not asked.wheels:
        return
    if what_is_missing():
        stop(what_is_missing())
    if asked.wheels:
        fetch_wheels(asked.lock)
        return
    print("krig: preparing .venv", file=sys.stderr)
    if not sound:
        make_environment()
    fill(asked.lock, offline=asked.offline)


if __name__ == "__main__":
    main()
