"""The Datasette source against the real Datasette, on loopback."""

import asyncio
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from filon.core import Answer
from filon.services.source import Source
from filon.web import Live, Options
from patience import wait_until
from unit.services.table import ROWS, search

pytest.importorskip("datasette")
# Datasette leaves databases open, of which Python 3.13 and later tell.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")


def fill(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE books (id INTEGER PRIMARY KEY, title, author, year)")
        db.executemany(
            "INSERT INTO books VALUES (?, ?, ?, ?)",
            [(row.number, row.title, row.author, row.year) for row in ROWS],
        )
        db.execute('CREATE VIRTUAL TABLE books_fts USING fts5(title, content="books")')
        db.execute("INSERT INTO books_fts(rowid, title) SELECT id, title FROM books")
        db.execute("CREATE TABLE notes AS SELECT title FROM books")
        db.execute('CREATE VIRTUAL TABLE notes_fts USING fts5(title, content="notes")')
        db.execute("INSERT INTO notes_fts(notes_fts) VALUES ('rebuild')")
        db.execute("CREATE TABLE plain AS SELECT title, author FROM books")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Datasette in a thread of its own, on a free port."""
    import uvicorn
    from datasette.app import Datasette

    path = tmp_path_factory.mktemp("datasette") / "shop.db"
    fill(path)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        app = Datasette([str(path)], settings={"base_url": "/"}).app()
        config = uvicorn.Config(app, log_level="critical", ws="none", lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{port}/shop"
        server.should_exit = True
        thread.join()


def ask(source: Source, *queries: tuple[str, str]) -> list[Answer]:
    async def run() -> list[Answer]:
        web = Live(Options(allow_hosts=(source.host,)))
        try:
            return [source.parse(await web.fetch(source.request(*each))) for each in queries]
        finally:
            await web.close()

    return asyncio.run(run())


def test_all_matches_of_a_table_are_reached(url: str) -> None:
    source = Source.load("datasette", {"url": f"{url}/books"})
    expected = search("river")
    (first,) = ask(source, ("river", ""))
    assert (first.problem, first.total, len(first.records)) == ("", len(expected), 100)
    (second,) = ask(source, ("river", first.more))
    assert second.more == ""
    found = [*first.records, *second.records]
    assert [record.id for record in found] == [str(row.number) for row in expected]
    assert found[0].fields == {
        "id": "1",
        "title": expected[0].title,
        "author": expected[0].author,
        "year": str(expected[0].year),
    }


def test_words_are_joined_by_and_and_a_miss_is_no_problem(url: str) -> None:
    source = Source.load("datasette", {"url": f"{url}/books"})
    both, absurd = ask(source, ("river lantern", ""), ("river zebra", ""))
    assert both.total == len(search("river lantern"))
    assert (absurd.records, absurd.total, absurd.problem) == ((), 0, "")


def test_quotes_and_operators_do_no_harm(url: str) -> None:
    source = Source.load("datasette", {"url": f"{url}/books"})
    for answer in ask(source, ('"river', ""), ("river AND (", ""), ("*", "")):
        assert answer.problem in ("", "query")


def test_a_table_without_an_id_goes_by_its_rowid(url: str) -> None:
    source = Source.load("datasette", {"url": f"{url}/notes", "page_size": "5"})
    (answer,) = ask(source, ("river", ""))
    assert [record.id for record in answer.records] == ["1", "2", "3", "4", "5"]


def test_a_table_that_ignores_keywords_is_told(url: str) -> None:
    (answer,) = ask(Source.load("datasette", {"url": f"{url}/plain"}), ("river", ""))
    assert (answer.problem, answer.records) == ("schema", ())
    assert "no full-text index" in answer.detail


def test_a_table_that_is_not_there_is_told(url: str) -> None:
    (answer,) = ask(Source.load("datasette", {"url": f"{url}/nothing"}), ("river", ""))
    assert answer.problem == "schema"
    assert "404" in answer.detail
