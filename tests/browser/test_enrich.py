"""Journey: a table is dropped, a source and columns are chosen, and it comes back with more."""

import csv
import re
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Served
from browser.looks import check, focused, fold, see_through, tab_to
from patience import wait_until
from searchbox import books

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Datasette leaves databases open, of which Python 3.13 and later tell.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")
HIDDEN = books(200)


@pytest.fixture
def datasette(tmp_path: Path) -> Iterator[str]:
    """A real Datasette with a table that can be searched."""
    import uvicorn
    from datasette.app import Datasette

    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE books (id TEXT PRIMARY KEY, title, author, year, isbn)")
        rows = [
            tuple(row[name] for name in ("id", "title", "author", "year", "isbn")) for row in HIDDEN
        ]
        db.executemany("INSERT INTO books VALUES (?, ?, ?, ?, ?)", rows)
        db.execute('CREATE VIRTUAL TABLE books_fts USING fts5(title, author, content="books")')
        db.execute("INSERT INTO books_fts(books_fts) VALUES ('rebuild')")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        app = Datasette([str(path)]).app()
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/shop/books"
        server.should_exit = True
        thread.join()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "reading.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["title", "author"])
        writer.writerows([row["title"], row["author"]] for row in HIDDEN[:12])
    return path


def test_from_a_dropped_table_to_a_fuller_one(
    page: "Page", served: Served, datasette: str, table: Path
) -> None:
    # Chromium is told to hand over the dialog on another way than keys take, and what the key opens
    # before is closed at once: looking for the field in between waits until it knows.
    with page.expect_file_chooser() as chooser:
        tab_to(page, "or a file")
        page.keyboard.press("Space")
    chooser.value.set_files(table)
    tab_to(page, "Go on")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/start\?"))
    check(page)
    assert HIDDEN[0]["title"] in page.inner_text("main")
    for column in ("title", "author"):
        tab_to(page, column, exact=True)
        if not page.get_by_role("checkbox", name=column, exact=True).is_checked():
            page.keyboard.press("Space")
    while not page.evaluate("document.activeElement.type === 'radio'"):
        page.keyboard.press("Tab")
    for _ in range(60):
        if focused(page).startswith("datasette"):
            break
        page.keyboard.press("ArrowDown")
    page.get_by_label("url", exact=True).wait_for()
    tab_to(page, "url")
    page.keyboard.type(datasette)
    tab_to(page, "Fields of the service")
    page.keyboard.type("year,isbn")
    fold(page, "Advanced settings")
    tab_to(page, "--delay")
    page.keyboard.type("0")
    page.locator("#told").get_by_text("--delay 0").wait_for()
    see_through(page)
    tab_to(page, "enriched.csv")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    with Path(download.value.path()).open(newline="", encoding="utf-8") as file:
        found = {row["title"]: row["isbn"] for row in csv.DictReader(file)}
    assert found == {row["title"]: row["isbn"] for row in HIDDEN[:12]}
