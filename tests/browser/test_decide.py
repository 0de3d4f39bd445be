"""Sites are decided on by single keys, and what was said outlives the page."""

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Served, begin
from browser.looks import check
from filon.verbs.discover.found.verdicts import read_verdicts
from golden.folders import unpack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.fixture
def served(tmp_path: "Path") -> "Iterator[Served]":
    home = tmp_path / "runs"
    home.mkdir()
    unpack("discover", home)
    server = begin(home)
    yield server
    server.stop()


def test_by_keys_alone(page: "Page", served: Served) -> None:
    page.goto(f"{served.root}/decide/discover")
    check(page)
    asked = page.locator("input[name=key]")
    first = asked.get_attribute("value")
    page.keyboard.press("n")
    page.wait_for_function(f"document.querySelector('input[name=key]').value !== {first!r}")
    assert page.evaluate("document.activeElement.id") == "asked"
    page.keyboard.press("y")
    page.wait_for_function("document.querySelectorAll('tbody td:last-child').length > 1")
    page.keyboard.press("u")
    page.get_by_role("button", name="Use the answers now").click()
    page.get_by_text("The result is written anew.").wait_for()
    check(page)
    said = read_verdicts(served.home / "discover")
    assert said[str(first)]["said"] == "rejected"
    page.reload()
    assert asked.get_attribute("value") != first
