"""Journey: an address is typed, the run is watched, paused and gone on with, and taken home."""

import csv
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Served, begin
from browser.looks import check, focused, fold, picture, tab_to
from browser.site import FILES, SCRIPT, ministry
from filon.dispatch.dispatcher import OWN_FOLDER
from filon.dispatch.queue import Queue
from loopback import Loopback, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page


#: Draws the part of the page anew that the focus is in, as an event of the server does.
_PLACE = "document.activeElement.closest('[data-live]')"
_ANEW = f"show({_PLACE}"


@pytest.fixture
def site() -> Iterator[Loopback]:
    with serving(ministry(), wait_s=0.05) as site:
        yield site


def start(page: "Page", site: Loopback) -> None:
    """Start a harvest of the site by keys alone: the cursor stands in the box already."""
    page.keyboard.type(site.url)
    tab_to(page, "Go on")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/start\?"))
    page.get_by_text("Ministry of Labour").first.wait_for()  # the look at the first page
    check(page)
    picture(page, "start")
    fold(page, "Advanced settings")
    tab_to(page, "--delay")
    page.keyboard.type("0")
    page.locator("#told").get_by_text("--delay 0").wait_for()
    check(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/*")


def test_the_cost_is_read_out_only_when_it_is_another(page: "Page", site: Loopback) -> None:
    page.keyboard.type(site.url)
    tab_to(page, "Go on")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/start\?"))
    page.evaluate("document.querySelector('#cost p').id = 'before'")
    fold(page, "Advanced settings")
    page.get_by_label("--include").fill("/data/*")
    page.locator("#told").get_by_text("--include").wait_for()
    assert page.locator("#cost[aria-live] #before").count() == 1
    page.get_by_label("budget", exact=False).first.fill("7")
    page.locator("#cost[aria-live]").get_by_text("At most 7 requests").wait_for()
    assert page.locator("#before").count() == 0


def test_from_an_address_to_files_by_keys_alone(
    page: "Page", served: Served, site: Loopback
) -> None:
    start(page, site)
    page.get_by_text("Ended", exact=True).wait_for()
    check(page)
    picture(page, "run")
    assert SCRIPT not in page.inner_html("main")
    assert "caught" not in page.title()
    fold(page, "Download as")
    tab_to(page, "csv")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    with Path(download.value.path()).open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == FILES
    page.goto(f"{served.root}/runs")
    check(page)
    tab_to(page, "127.0.0.1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/127*")
    assert max(site.counts().values()) <= 2  # each page once, and the look at the first


def test_a_run_goes_on_after_its_server_was_killed(
    page: "Page", served: Served, site: Loopback
) -> None:
    start(page, site)
    site.wait_for(3)
    served.stop(9)
    again = begin(served.home)
    try:
        page.goto(again.first)
        page.goto(f"{again.root}/runs")
        page.get_by_text("Ended", exact=True).wait_for()
        assert {f"/data/{year}.csv" for year in range(2019, 2024)} <= set(site.targets)
    finally:
        again.stop()


def test_what_is_drawn_anew_keeps_the_focus(page: "Page", served: Served, site: Loopback) -> None:
    start(page, site)
    page.get_by_text("Ended", exact=True).wait_for()
    tab_to(page, "Report")
    page.evaluate(f"{_ANEW}, {_PLACE}.innerHTML)")
    assert focused(page) == "Report"
    page.evaluate(f"{_ANEW}, '<p>gone</p>')")
    assert page.evaluate("document.activeElement.dataset.live") == "controls"


def test_two_tabs_show_the_same(page: "Page", served: Served, site: Loopback) -> None:
    start(page, site)
    other = page.context.new_page()
    other.goto(page.url)
    for tab in (page, other):
        tab.get_by_text("Ended", exact=True).wait_for()


def test_a_run_that_is_killed_under_the_page_goes_on_when_asked(
    page: "Page", served: Served, site: Loopback
) -> None:
    start(page, site)
    site.wait_for(4)
    work = Queue(served.home / OWN_FOLDER / "queue.sqlite").all()
    os.kill(next(iter(work.values())).pid, signal.SIGKILL)
    page.get_by_role("button", name="Go on").wait_for()
    check(page)
    tab_to(page, "Go on")
    page.keyboard.press("Enter")
    page.get_by_text("Ended", exact=True).wait_for()
    assert {f"/data/{year}.csv" for year in range(2019, 2024)} <= set(site.targets)
