"""What a clone is made of: locks, verbs, one version, nobody's addresses."""

import json
import os
import re
import runpy
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import krig

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-e2e.lock")

PINNED = re.compile(r"(?m)^([a-z0-9][a-z0-9._-]*)==([^\s;]+)")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")

# Put together here, since this file is searched as well.
REGISTRIES = tuple(
    ".".join(labels)
    for labels in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
    )
)


def pins(lock: str) -> dict[str, str]:
    return dict(PINNED.findall((ROOT / lock).read_text()))


def tracked_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
    )
    if listing.returncode:
        pytest.skip("this is no git clone")
    names = listing.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_and_hashes_every_requirement_and_names_no_place(lock: str) -> None:
    text = (ROOT / lock).read_text()
    requirements = re.split(r"(?m)^(?=[^\s#])", text)[1:]
    assert len(requirements) == len(pins(lock)) > 15
    for requirement in requirements:
        assert HASH.search(requirement), requirement
    assert "://" not in text
    assert not re.search(r"(?m)^\s*-(?!-hash=)", text), "an option of pip"


def test_each_lock_holds_the_one_before_it_at_the_same_versions() -> None:
    runtime, dev, e2e = map(pins, LOCKS)
    assert runtime.items() < dev.items() < e2e.items()


def test_the_locks_keep_what_pyproject_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["dev"], *extras["e2e"]]
    names = {re.split(r"[<>=;! ]", line, maxsplit=1)[0] for line in asked}
    assert names <= pins(LOCKS[-1]).keys()
    assert not any("[" in line for line in asked), "bare packages only"


def test_no_file_names_a_package_registry() -> None:
    for path in tracked_files():
        content = path.read_bytes()
        for registry in REGISTRIES:
            assert registry.encode() not in content, path


def test_the_clients_tools_are_locked_without_addresses() -> None:
    lock = json.loads((ROOT / "tests/client/package-lock.json").read_text())
    packages = {name: it for name, it in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert "integrity" in package, name


def test_the_version_is_written_in_one_place() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert pyproject["project"]["dynamic"] == ["version"]
    assert pyproject["tool"]["hatch"]["version"]["path"] == "server/krig/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", krig.__version__)


def test_a_source_distribution_has_every_folder_that_the_verbs_call() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packed = pyproject["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    inside = [path.relative_to(ROOT).parts for path in tracked_files()]
    folders = {first for first, *rest in inside if rest and first[0] != "."}
    assert folders <= set(packed)


def test_the_environment_has_a_command_that_may_be_moved_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = runpy.run_path(str(ROOT / "tools/environment.py"))
    made, moved = tmp_path / "a clone", tmp_path / "elsewhere"
    made.mkdir()
    python = made / "python"
    python.write_text('#!/bin/sh\nprintf "%s," "$@"\n')
    python.chmod(0o755)
    write_launcher = environment["write_launcher"]
    monkeypatch.setitem(write_launcher.__globals__, "PYTHON", python)
    write_launcher()
    made.rename(moved)
    asked = [str(moved / "krig"), "say", "Back in two minutes"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert told == "-m,krig,say,Back in two minutes,"


def test_make_help_lists_the_verbs() -> None:
    told = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for verb in ("run", "test", "check", "format", "venv", "wheels", "lock"):
        assert re.search(rf"(?m)^  {verb} +\w", told), verb


@pytest.mark.parametrize(
    ("verb", "size"),
    [("model", "--steps 1000000"), ("hostile", "--size 2"), ("fuzz", "--size 100000")],
)
def test_each_verb_has_a_size_of_its_own(verb: str, size: str) -> None:
    """One that was meant for the model was once every other's."""
    plain = {k: v for k, v in os.environ.items() if k not in ("SIZE", "MAKEFLAGS")}
    told = {
        wanted: subprocess.run(
            ["make", "-n", verb, *wanted],
            cwd=ROOT,
            env=plain,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for wanted in [(), ("SIZE=7",)]
    }
    assert f"{size} " in told[()]
    assert re.search(r"--(size|steps) 7 ", told[("SIZE=7",)])


def test_compose_starts_one_server_that_keeps_its_rooms() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    (server,) = compose["services"].values()
    assert (ROOT / server["build"]["dockerfile"]).is_file()
    assert server["stop_grace_period"] == "15s"
    folder = server["environment"]["KRIG_DATA"].rpartition("/")[0]
    (volume,) = compose["volumes"]
    assert server["volumes"] == [f"{volume}:{folder}"]
