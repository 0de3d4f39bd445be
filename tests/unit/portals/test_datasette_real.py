"""The Datasette adapter against the real Datasette, on loopback."""

import asyncio
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from filon.core import Request, Response
from filon.portals import ADAPTERS, Dataset, Walk, gathered
from filon.portals.fingerprint import guess, places
from filon.web import Live, Options
from patience import wait_until

pytest.importorskip("datasette")
# Datasette leaves databases open, of which Python 3.13 and later tell.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")

TABLES = {"shop": 230, "town hall": 23}
DATASETTE = ADAPTERS["datasette"]


@pytest.fixture(scope="module", params=["/", "/data/"])
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Datasette with two databases, at the root of its host or below it."""
    import uvicorn
    from datasette.app import Datasette

    folder = tmp_path_factory.mktemp("datasette")
    paths = []
    for name, count in TABLES.items():
        paths.append(str(folder / f"{name}.db"))
        with closing(sqlite3.connect(paths[-1])) as db, db:
            for number in range(count):
                db.execute(f'CREATE TABLE "table {number}" AS SELECT {number} AS n, "x" AS word')
            db.execute('CREATE VIRTUAL TABLE search USING fts5(word, content="table 1")')
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        app = Datasette(paths, settings={"base_url": request.param}).app()
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{port}{request.param}".rstrip("/")
        server.should_exit = True
        thread.join()


def fetch(*requests: Request) -> list[Response]:
    async def run() -> list[Response]:
        live = Live(Options(allow_hosts=("127.0.0.1",)))
        try:
            return [await live.fetch(request) for request in requests]
        finally:
            await live.close()

    return asyncio.run(run())


def test_every_table_is_listed_with_a_call_a_database_and_can_be_downloaded(root: str) -> None:
    (said,) = fetch(DATASETTE.confirm(root))
    assert DATASETTE.confirmed(said) == root
    walk = Walk(DATASETTE, root)
    found: list[Dataset] = []
    while request := walk.next():
        page = walk.take(*fetch(request))
        assert page.problem == "", page.detail
        found += page.datasets
    wanted = {f"{name}/table {n}" for name, count in TABLES.items() for n in range(count)}
    assert wanted <= {dataset.id for dataset in gathered(found)}
    assert not any("search_" in dataset.id for dataset in found), "hidden tables are no datasets"
    assert walk.calls == 1 + len(TABLES)
    file = next(each.files[0] for each in found if each.id == "town hall/table 7")
    (answer,) = fetch(Request(url=file.url))
    assert (answer.status, answer.mime) == (200, "text/csv")
    assert answer.body.split() == [b"rowid,n,word", b"1,7,x"]


def test_its_page_gives_it_away(root: str) -> None:
    (page,) = fetch(Request(url=f"{root}/"))
    (first, *_) = guess(page)
    assert (first.software, first.strong) == ("datasette", True)
    assert places([first])[0] == ("datasette", root)
