"""Journey: a run is looked at again, and the page tells rows that changed."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import filon
from browser.conftest import Served
from browser.looks import check, picture, tab_to
from browser.site import csv, ministry, table
from browser.site import page as made
from loopback import Loopback, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Loopback]:
    """The ministry, harvested; then a table changes and another is new."""
    pages = ministry()
    with serving(pages) as site:
        filon.harvest(site.url, out=tmp_path / "labour", delay=0).close()
        pages["/data/2021.csv"] = csv(table(2021) + b"Efeu,51.0,7.0,2021,4.4\n")
        files = [(f"/data/{year}.csv", f"Unemployment {year}") for year in range(2019, 2025)]
        pages |= {
            "/data/": made("Unemployment by town", *files),
            "/data/2024.csv": csv(table(2024)),
        }
        yield site


@pytest.fixture
def home(tmp_path: Path, site: Loopback) -> Path:
    return tmp_path


def test_what_changed_is_told_by_rows(page: "Page", served: Served) -> None:
    page.goto(f"{served.root}/runs/labour")
    tab_to(page, "Look again for changes")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="What has changed").wait_for()
    page.get_by_text("Ended", exact=True).wait_for()  # the link is there as soon as the round is
    page.goto(f"{served.root}/runs/labour/changes")
    page.get_by_role("heading", name="Changed: 1 file").wait_for()
    check(page)
    picture(page, "changes")
    assert page.get_by_role("heading", name="New: 1 file").count() == 1
    assert "1 row added" in page.inner_text("main")
    with page.expect_download() as download:
        page.get_by_role("link", name="As JSON").click()
    assert b"2024.csv" in Path(download.value.path()).read_bytes()


def test_it_is_looked_at_again_by_itself(page: "Page", served: Served) -> None:
    page.goto(f"{served.root}/schedules?run=labour")
    check(page)
    tab_to(page, "Every")
    page.keyboard.press("Control+A")
    page.keyboard.type("1w")
    tab_to(page, "Look at it again by itself")
    page.keyboard.press("Enter")
    page.get_by_text("Watching.").wait_for()
    check(page)
    tab_to(page, "Look at labour no more")
    page.keyboard.press("Enter")
    page.get_by_text("Nothing is looked at again by itself yet.").wait_for()
