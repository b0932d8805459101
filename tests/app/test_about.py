"""Whose server it is."""

import pytest
from pydantic import ValidationError

from krig import __version__
from krig.app.settings import Settings
from tests.app.asking import asking


async def test_it_says_its_version_and_links_to_nothing_that_is_not_set() -> None:
    async with asking() as http:
        about = (await http.get("/api/about")).json()
    assert about == {"version": __version__, "imprint": None, "privacy": None}


async def test_it_links_to_whoever_runs_it() -> None:
    links = {
        "imprint_url": "https://example.org/imprint",
        "privacy_url": "https://example.org/privacy",
    }
    async with asking(**links) as http:
        about = (await http.get("/api/about")).json()
    assert (about["imprint"], about["privacy"]) == tuple(links.values())


def test_no_link_is_a_script() -> None:
    with pytest.raises(ValidationError, match="written like"):
        Settings(imprint_url="javascript:alert(1)")
