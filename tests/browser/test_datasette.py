"""The pages in Datasette as a browser shows them, in an environment with the wheel."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from browser import looks
from filon.contrib.datasette import NAME
from project.conftest import clean as clean
from project.conftest import sdist as sdist
from project.conftest import wheel as wheel
from project.test_datasette import HIDDEN, datasette
from searchbox import serving
from unit.catalog.conftest import write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def taken(page: "Page", name: str) -> None:
    if os.environ.get("FILON_PICTURES"):
        page.screenshot(path=looks.PICTURES / f"{name}.png")


def test_a_wide_window_shows_the_catalog_and_the_plan(
    chromium: "Browser", clean: Path, tmp_path: Path
) -> None:
    for run in ("one", "two"):
        write(tmp_path / "filon-runs", run)
    with closing(sqlite3.connect(tmp_path / "library.db")) as db:
        db.execute("CREATE TABLE books (title, author)")
        rows = [(book["title"], book["author"]) for book in HIDDEN[:4]]
        db.executemany("INSERT INTO books VALUES (?, ?)", rows)
        db.commit()
    with serving(HIDDEN) as box:
        settings = {"sources": [str(box.source(tmp_path))]}
        (tmp_path / "metadata.json").write_text(json.dumps({"plugins": {NAME: settings}}))
        with datasette(clean, tmp_path) as (url, browser):
            context = chromium.new_context(viewport={"width": 1200, "height": 900})
            page = context.new_page()
            (cookie,) = (
                one
                for handler in vars(browser)["handlers"]
                for one in getattr(handler, "cookiejar", ())
                if one.name == "ds_actor"
            )
            context.add_cookies([{"name": "ds_actor", "value": cookie.value or "", "url": url}])
            page.goto(f"{url}/-/filon")
            while not page.get_by_role("heading", name="6 files").is_visible():
                page.wait_for_timeout(200)
                page.reload()
            page.reload()
            assert page.get_by_role("link", name="Unemployment by region").is_visible()
            taken(page, "datasette")
            page.goto(f"{url}/-/enrich/library/books/filon")
            page.get_by_label("Columns to fill").fill("year,isbn")
            page.get_by_label("Columns that tell what a row is").fill("title,author")
            page.get_by_role("button", name="Enrich data").click()
            page.get_by_text("box is asked at most 100 times").scroll_into_view_if_needed()
            taken(page, "datasette-plan")
            assert box.calls == 0
            context.close()
