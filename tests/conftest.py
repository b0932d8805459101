"""Decides whether there are a browser and the client's tools to test with, and says so.

The tests in tests/e2e need Playwright and a Chromium of the system: `chromium` on the
path, or the one that CHROMIUM names. Without them they are left out aloud, but never
in CI, where that is a failure. KRIG_BROWSER=no leaves them out anywhere. What is marked
`client_tools` needs node and what `npm ci` brings to tests/client, likewise.
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
NODE_MODULES = Path(__file__).parent / "client" / "node_modules"
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


def why_no_client_tools() -> str:
    """Return what is missing for the tests that read JavaScript, or an empty string."""
    if shutil.which("node") is None:
        return "there is no node: apt install nodejs npm"
    if not NODE_MODULES.is_dir():
        return "the client's tools are missing: npm ci in tests/client, or make node"
    return ""


def pytest_configure() -> None:
    if not os.environ.get("CI"):
        return
    why = why_no_browser()
    if why and os.environ.get("KRIG_BROWSER") != "no":
        raise pytest.UsageError(f"CI must run the browser tests, but {why}")
    if why := why_no_client_tools():
        raise pytest.UsageError(f"CI must run the client's tests, but {why}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if why := why_no_client_tools():
        for item in items:
            if item.get_closest_marker("client_tools"):
                item.add_marker(pytest.mark.skip(reason=why))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if collection_path.is_relative_to(E2E) and why_no_browser():
        return True
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if E2E.is_dir() and (why := why_no_browser()):
        terminalreporter.section("THE BROWSER TESTS WERE LEFT OUT", yellow=True)
        terminalreporter.line(why, yellow=True)
    if why := why_no_client_tools():
        terminalreporter.section("TESTS OF THE CLIENT WERE LEFT OUT", yellow=True)
        terminalreporter.line(why, yellow=True)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the Chromium to drive: Playwright's `executable_path`."""
    found = maybe_find_chromium()
    if found is None:
        pytest.skip("there is no Chromium")
    return found
