"""Journey: search the catalog, look at a table, ask it in SQL, take the answer home."""

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import filon
from browser.conftest import Served
from browser.looks import check, picture, tab_to
from browser.site import TOWNS, ministry
from loopback import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A harvest of the ministry."""
    with serving(ministry()) as site:
        filon.harvest(site.url, out=tmp_path / "labour", delay=0).close()
    return tmp_path


def found(page: "Page", served: Served, words: str) -> None:
    """Search when all files are taken in."""
    page.goto(f"{served.root}/catalog")
    page.locator(".state.running").wait_for(state="detached")
    page.goto(f"{served.root}/catalog?q={words}")


def test_from_a_word_to_a_table_and_a_query(page: "Page", served: Served) -> None:
    tab_to(page, "Catalog")
    page.keyboard.press("Enter")
    page.wait_for_url("**/catalog*")
    page.locator(".state.running").wait_for(state="detached")
    check(page)
    tab_to(page, "What should the files be about?")
    page.keyboard.type("unemployment 2021")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="files").first.wait_for()
    check(page)
    picture(page, "catalog")
    tab_to(page, "Unemployment rate by town 2021")
    page.keyboard.press("Enter")
    page.get_by_role("cell", name="Calla").first.wait_for()
    check(page)
    page.locator("main svg").first.wait_for()
    check(page)
    picture(page, "file")
    tab_to(page, "Ask this table in SQL")
    named = re.search(r"f_\w+", page.locator("textarea").input_value())
    assert named
    page.keyboard.press("Control+A")
    page.keyboard.type(f"SELECT count(*) AS towns, 'so' || 'many' AS word FROM {named[0]}")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/catalog/sql*")
    page.get_by_role("cell", name="somany").wait_for()
    check(page)
    picture(page, "sql")


def test_an_answer_is_taken_home(page: "Page", served: Served) -> None:
    found(page, served, "unemployment")
    page.get_by_role("link", name="Unemployment rate by town 2020").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Excel", exact=True).click()
    assert Path(download.value.path()).read_bytes()[:2] == b"PK"
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    with Path(download.value.path()).open(newline="") as file:
        assert [row["town"] for row in csv.DictReader(file)] == [town for town, *_ in TOWNS]


def test_titles_that_are_scripts_are_text(page: "Page", served: Served) -> None:
    found(page, served, "wages")
    page.get_by_role("link", name="wages").first.click()
    page.get_by_role("cell", name="plain").first.wait_for()
    assert "caught" not in page.title()
    assert page.locator("main img").count() == 0
    check(page)
