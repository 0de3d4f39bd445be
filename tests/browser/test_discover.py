"""Journey: a topic is typed, sites are found and decided on, and the list follows."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Served
from browser.looks import check, fold, see_through, tab_to
from filon.demo.country import SEARCH
from filon.demo.server import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def small_web() -> Iterator[Server]:
    """The web of the demo, which has a search service."""
    with serving() as server:
        yield server


def test_from_a_topic_to_a_list_that_was_decided_on(
    page: "Page", served: Served, small_web: Server
) -> None:
    page.keyboard.type("water quality")
    tab_to(page, "Go on")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/start\?"))
    check(page)
    tab_to(page, "Budget")
    page.keyboard.press("Control+A")
    page.keyboard.type("60")
    fold(page, "Advanced settings")
    for flag, words in (
        ("--search", f"searxng:url={SEARCH},rate=500/s"),
        ("--delay", "0"),
        ("--connect-to", small_web.connect_to),
    ):
        tab_to(page, flag)
        page.keyboard.type(words)
    page.locator("#told").get_by_text("--connect-to").wait_for()
    see_through(page)
    tab_to(page, "Decide what is doubtful")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decide/*")
    check(page)
    rejected = page.locator("input[name=key]").input_value()
    page.keyboard.press("n")
    page.get_by_role("cell", name="no", exact=True).first.wait_for()
    tab_to(page, "Use the answers now")
    page.keyboard.press("Enter")
    page.get_by_text("The result is written anew.").wait_for()
    run = next(path for path in served.home.iterdir() if (path / "harvest.txt").is_file())
    assert rejected not in (run / "harvest.txt").read_text()
    assert (run / "harvest.txt").read_text().strip()
