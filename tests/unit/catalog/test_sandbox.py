"""Queries of people: what they may, and what becomes of those that take too much."""

import asyncio
import multiprocessing
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from pyarrow import parquet

from filon.catalog.sandbox import LONGEST, Sandbox, needed
from filon.catalog.store import CatalogStore
from filon.catalog.views import View, Views
from filon.core import UserError
from filon.profile.process import Process
from patience import PATIENCE_S
from unit.catalog.conftest import id_of

ENDLESS = "SELECT count(*) FROM range(10000000000) a, range(1000) b"


@pytest.fixture(scope="module")
def sandbox(runs: Path) -> Iterator[Sandbox]:
    made = Sandbox(runs, seconds=30)
    yield made
    made.close()


def ready(store: CatalogStore, *names: str) -> list[str]:
    """Read files, as pages do before; return their ids."""
    ids = [id_of(store, name) for name in names]
    for id, name in zip(ids, names, strict=True):
        store.cache.tables(id, store.path(store.find(id)["file"]), name)
    return ids


def test_a_query_is_answered_and_kept_until_the_catalog_changes(
    sandbox: Sandbox, store: CatalogStore
) -> None:
    (id,) = ready(store, "a.csv")
    query = f"SELECT Region, Year FROM f_{id[:8]} ORDER BY Year"
    made = sandbox.sql(query, (1,))
    assert (made.rows, made.is_whole) == (5, True)
    assert parquet.read_table(made.path).to_pylist()[0] == {"Region": "North", "Year": 2018}
    assert sandbox.sql(query, (1,)) is made
    assert sandbox.made(made.key) is made
    assert sandbox.sql(query, (2,)).key != made.key


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('http://127.0.0.1/x.csv')",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "ATTACH '/tmp/x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET memory_limit = '100GB'",
        "CREATE TABLE x (a INT)",
        "SELEC",
        "SELECT * FROM nowhere",
    ],
)
def test_what_is_refused_is_told_in_a_sentence(sandbox: Sandbox, query: str) -> None:
    with pytest.raises(UserError) as error:
        sandbox.sql(query, ())
    assert "\n" not in str(error.value)
    assert "Traceback" not in str(error.value)


def test_a_query_that_takes_too_long_is_stopped_and_the_next_is_answered(runs: Path) -> None:
    sandbox = Sandbox(runs, seconds=30)
    try:
        assert sandbox.sql("SELECT 1 AS n", ()).rows == 1
        sandbox._seconds = 0.5
        with pytest.raises(UserError, match="it took longer than"):
            sandbox.sql(ENDLESS, ())
        sandbox._seconds = 30
        assert sandbox.sql("SELECT 2 AS n", ()).rows == 1
        # Without the bound it would go on and on.
        asking = threading.Thread(target=lambda: suppressed(sandbox, ENDLESS))
        asking.start()
        asking.join(2.0)
        assert asking.is_alive()
        sandbox._process.cut_short()
        asking.join(PATIENCE_S)
        assert not asking.is_alive()
    finally:
        sandbox.close()


def suppressed(sandbox: Sandbox, query: str) -> None:
    with suppress(UserError):
        sandbox.sql(query, ())


def test_where_a_query_lays_things_aside_is_its_own(sandbox: Sandbox) -> None:
    """DuckDB lets a query into that folder, and in no other of temporary files."""
    with tempfile.NamedTemporaryFile(prefix="filon-of-others-") as other:
        folder = Path(other.name).parent
        with pytest.raises(UserError):
            sandbox.sql(f"SELECT * FROM glob('{folder}/*')", ())


def test_memory_is_bounded(sandbox: Sandbox) -> None:
    with pytest.raises(UserError):
        sandbox.sql("SELECT list(i) FROM range(2000000000) t(i)", ())
    assert sandbox.sql("SELECT 3 AS n", ()).rows == 1


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="a file of Linux is looked at")
def test_its_process_does_without_pandas(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is here, and takes a quarter of the memory of a process that never uses it."""
    assert find_spec("pandas")
    # As users have it: other tests take a fork of one that has loaded all that any of them needs.
    monkeypatch.setattr(Process, "context", multiprocessing.get_context("spawn"))
    sandbox = Sandbox(runs)
    sandbox.sql("SELECT count(*) AS n FROM files", ())
    mapped = Path(f"/proc/{sandbox._process.pid}/maps").read_text()
    sandbox.close()
    assert "/pyarrow/" in mapped
    assert "/pandas/" not in mapped


def test_tables_are_put_together(sandbox: Sandbox, store: CatalogStore) -> None:
    ids = tuple(ready(store, "a.csv", "z.csv"))
    union = sandbox.combine(View("union", ids), ())
    assert union.rows == 10
    assert "filon_file" in parquet.read_schema(union.path).names
    join = sandbox.combine(View("join", ids, ("Region",)), ())
    assert join.rows == 5
    with pytest.raises(UserError, match="No file of"):
        sandbox.combine(View("union", (ids[0], "f" * 64)), ())


def test_a_query_needs_the_files_that_it_names_also_through_views(
    runs: Path, store: CatalogStore
) -> None:
    one, other = (id_of(store, name) for name in ("a.csv", "z.csv"))
    Views(runs).keep("both", View("union", (one, other)))
    assert set(needed(store, "SELECT * FROM both")) == {one, other}
    assert needed(store, f"SELECT * FROM f_{one[:8]}, files") == [one]
    assert needed(store, "SELECT * FROM f_ffffffff") == []
    Views(runs).drop("both")


def test_a_long_query_and_an_old_answer_are_told(sandbox: Sandbox) -> None:
    with pytest.raises(UserError, match="too long"):
        sandbox.sql("SELECT " + "1" * LONGEST, ())
    with pytest.raises(UserError, match="ask again"):
        sandbox.made("0" * 32)


def test_questions_wait_for_each_other_and_not_too_many(sandbox: Sandbox) -> None:
    gate = threading.Event()

    async def ask() -> list[object]:
        asked = [asyncio.ensure_future(sandbox.beside(lambda: gate.wait(60))) for _ in range(9)]
        await asyncio.sleep(0)
        gate.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    *answers, last = asyncio.run(ask())
    assert answers == [True] * 8
    assert isinstance(last, UserError)
    assert asyncio.run(sandbox.beside(lambda: sandbox.sql("SELECT 7 AS n", ()))).rows == 1
