"""Decides whether there is a browser to test with, and says so.

The tests in tests/e2e need Playwright and a Chromium of the system: `chromium` on the
path, or the one that CHROMIUM names. Without them they are left out aloud, but never
in CI, where that is a failure. KRIG_BROWSER=no leaves them out anywhere.
"""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    # That the machine is busy is no bug of what is tested.
    "krig",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("krig")

E2E = Path(__file__).parent / "e2e"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")


def maybe_find_chromium() -> str | None:
    """Return the path of a Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, CHROMIUMS)), None)


def why_no_browser() -> str:
    """Return what is missing for the browser tests, or an empty string."""
    if os.environ.get("KRIG_BROWSER") == "no":
        return "KRIG_BROWSER=no"
    if find_spec("playwright") is None:
        return "Playwright is missing: pip install -e '.[dev,e2e]'"
    if maybe_find_chromium() is None:
        return "there is no Chromium: apt install chromium, or CHROMIUM=/its/path"
    return ""


def pytest_configure() -> None:
    why = why_no_browser()
    if why and os.environ.get("CI") and os.environ.get("KRIG_BROWSER") != "no":
        raise pytest.UsageError(f"CI must run the browser tests, but {why}")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if collection_path.is_relative_to(E2E) and why_no_browser():
        return True
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if E2E.is_dir() and (why := why_no_browser()):
        terminalreporter.section("THE BROWSER TESTS WERE LEFT OUT", yellow=True)
        terminalreporter.line(why, yellow=True)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the Chromium to drive: Playwright's `executable_path`."""
    found = maybe_find_chromium()
    if found is None:
        pytest.skip("there is no Chromium")
    return found
