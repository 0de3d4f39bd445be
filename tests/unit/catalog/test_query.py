"""SQL over the catalog and over its files, and nothing else."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from filon.catalog.query import Bounds, sql, write_answer
from filon.catalog.store import CatalogStore
from filon.catalog.views import View, Views
from filon.core import UserError
from patience import PATIENCE_S
from unit.catalog.conftest import filled, id_of, table, write


def test_the_catalog_is_asked(catalog: CatalogStore) -> None:
    answer = sql(catalog, "SELECT format, COUNT(*) AS n FROM files GROUP BY 1 ORDER BY 1")
    assert answer.to_pylist() == [{"format": "csv", "n": 5}, {"format": "pdf", "n": 1}]


def test_the_number_of_a_table_is_that_of_its_address(catalog: CatalogStore) -> None:
    numbers = sql(catalog, "SELECT id, number FROM tables JOIN files USING (file)").to_pylist()
    assert numbers
    for one in numbers:
        assert sql(catalog, f'SELECT * FROM "{one["id"]}#{one["number"]}"').num_rows


def test_a_file_is_asked_by_its_id_and_joined_with_another(catalog: CatalogStore) -> None:
    one, other = (f"f_{id_of(catalog, name)[:8]}" for name in ("a.csv", "c.csv"))
    query = (
        f"SELECT SUM(a.Year) AS y, SUM(b.Cattle) AS c FROM {one} a JOIN {other} b USING (Region)"
    )
    assert sql(catalog, query).to_pylist() == [{"y": 2018 * 5 + 10, "c": 7 * 5 + 10}]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY (SELECT 1) TO '/tmp/x.csv'",
        "INSTALL httpfs",
        "ATTACH '/tmp/x.db'",
        "SET enable_external_access = true",
        "SELEC",
        "SELECT * FROM f_ffffffffffff",
    ],
)
def test_what_is_not_the_catalogs_is_refused(catalog: CatalogStore, query: str) -> None:
    with pytest.raises(UserError):
        sql(catalog, query)


def test_a_view_is_asked_by_its_name_and_is_made_anew_each_time(catalog: CatalogStore) -> None:
    ids = tuple(id_of(catalog, name) for name in ("a.csv", "z.csv"))
    Views(catalog.folder).keep("jobless", View("union", ids))
    Views(catalog.folder).keep("beside", View("join", ids, ("Region",)))
    count = sql(catalog, "SELECT COUNT(*) AS n, COUNT(DISTINCT filon_file) AS f FROM Jobless")
    assert count.to_pylist() == [{"n": 10, "f": 2}]
    assert sql(catalog, "SELECT COUNT(*) AS n FROM beside").to_pylist() == [{"n": 5}]
    names = sql(catalog, "SELECT name, how, len(ids) AS files FROM views ORDER BY 1").to_pylist()
    assert names == [
        {"name": "beside", "how": "join", "files": 2},
        {"name": "jobless", "how": "union", "files": 2},
    ]


def test_a_view_that_cannot_be_made_fails_only_where_it_is_asked(tmp_path: Path) -> None:
    write(tmp_path, "one")
    with CatalogStore(tmp_path) as catalog:
        catalog.update()
        here = id_of(catalog, "a.csv")
        for name in ("region", "select"):  # the second was no mistake before
            Views(tmp_path).keep(name, View("union", (here, "f" * 64)))
        one = f"f_{here[:8]}"
        answer = sql(catalog, f"SELECT COUNT(region) AS n, 'region' AS r, 'f_ffffffff' FROM {one}")
        assert answer.to_pylist()[0]["n"] == 5
        joined = f"SELECT COUNT(region) AS n FROM {one} AS a JOIN {one} AS b USING (region)"
        assert sql(catalog, joined).to_pylist() == [{"n": 5}]
        for query in ("SELECT * FROM Region", f"SELECT * FROM {one} JOIN region USING (Year)"):
            with pytest.raises(UserError, match="The view region cannot be made: No file"):
                sql(catalog, query)
        with pytest.raises(UserError, match=r"^No file"):
            sql(catalog, "SELECT * FROM f_ffffffff")


def test_no_extension_comes_from_the_network(catalog: CatalogStore) -> None:
    names = ("autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access")
    query = ", ".join(f"current_setting('{name}') AS {name}" for name in names)
    assert sql(catalog, f"SELECT {query}").to_pylist() == [dict.fromkeys(names, False)]


def test_only_what_a_query_asks_for_is_read(catalog: CatalogStore) -> None:
    read: list[str] = []
    catalog.db.set_trace_callback(read.append)
    assert sql(catalog, "SELECT count(*) AS n FROM Files").to_pylist() == [{"n": 6}]
    assert not any('FROM "columns"' in one for one in read)
    names = {row["name"] for row in sql(catalog, "SHOW TABLES").to_pylist()}
    assert names >= {"files", "sightings", "tables", "columns", "views"}
    described = sql(catalog, "DESCRIBE columns").to_pylist()
    kinds = {row["column_name"]: row["column_type"] for row in described}
    assert (kinds["distinct"], kinds["kind"]) == ("BIGINT", "VARCHAR")
    assert "sketch" not in kinds
    assert sql(catalog, "SELECT 1; SELECT count(*) AS n FROM columns").to_pylist()[0]["n"] > 9


@pytest.fixture
def bounds(tmp_path: Path) -> Bounds:
    return Bounds(most_rows=100, memory_bytes=100 << 20, folder=tmp_path)


def test_an_answer_is_written_up_to_a_number_of_rows(
    catalog: CatalogStore, bounds: Bounds, tmp_path: Path
) -> None:
    out = tmp_path / "answer.parquet"
    query = "SELECT i, [i] AS l, INTERVAL 1 DAY AS d, i FROM range({}) t(i)"
    assert write_answer(catalog, query.format(100), out, bounds).is_whole
    cut = write_answer(catalog, query.format(1_000_000), out, bounds)
    assert (cut.rows, cut.is_whole) == (100, False)
    table = parquet.read_table(out)
    assert table.num_rows == 100
    assert table.to_pylist()[7] == {"i": 7, "l": "[7]", "d": "1 day", "i_2": 7}


def test_an_answer_without_rows_has_its_columns(
    catalog: CatalogStore, bounds: Bounds, tmp_path: Path
) -> None:
    out = tmp_path / "answer.parquet"
    assert write_answer(catalog, "SELECT 1 AS one WHERE false", out, bounds).rows == 0
    assert parquet.read_table(out).schema.names == ["one"]


@pytest.mark.parametrize(
    "query",
    [
        "CREATE TABLE x (a INT)",
        "ATTACH ':memory:' AS x",
        "SET threads = 9",
        "SELECT 1; SELECT 2",
        "",
        "-- nothing",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM catalog",  # a name of Python's
        "COPY files TO '/tmp/x.csv'",
        "PRAGMA database_list",
        "EXPLAIN (ANALYZE) CREATE TABLE x (a INT)",
        "/* /* */ EXPLAIN SELECT 1 -- */ CREATE TABLE x (a INT)",
    ],
)
def test_a_bounded_query_only_reads_and_only_what_is_the_catalogs(
    catalog: CatalogStore, bounds: Bounds, tmp_path: Path, query: str
) -> None:
    with pytest.raises(UserError):
        write_answer(catalog, query, tmp_path / "answer.parquet", bounds)


@pytest.mark.parametrize("folder", ["it's [1] or [2]", "year=2020"])
def test_a_bounded_query_reads_a_file_in_a_folder_of_any_name(
    bounds: Bounds, tmp_path: Path, folder: str
) -> None:
    (home := tmp_path / folder).mkdir()
    write(home, "one")
    with CatalogStore(home) as catalog:
        catalog.update()
        out = tmp_path / "answer.parquet"
        kept = replace(bounds, kept=tmp_path / "kept [1]")
        query = f"SELECT a.*, f.format FROM f_{id_of(catalog, 'a.csv')[:8]} a, files f LIMIT 1"
        write_answer(catalog, query, out, kept)
    assert parquet.read_schema(out).names == ["Region", "Year", "Unemployment rate (%)", "format"]


@pytest.mark.parametrize("begin", ["EXPLAIN", "  explain analyze"])
def test_a_bounded_query_may_be_explained(
    catalog: CatalogStore, bounds: Bounds, tmp_path: Path, begin: str
) -> None:
    out = tmp_path / "answer.parquet"
    assert write_answer(catalog, f"{begin} SELECT count(*) FROM files", out, bounds).rows
    with pytest.raises(UserError):
        write_answer(catalog, f"{begin} CREATE TABLE x (a INT)", out, bounds)


def test_a_query_that_takes_too_much_memory_is_refused(
    catalog: CatalogStore, bounds: Bounds, tmp_path: Path
) -> None:
    query = "SELECT list(i) FROM range(200000000) t(i)"
    with pytest.raises(UserError, match=r"^The query is refused: Out of Memory"):
        write_answer(catalog, query, tmp_path / "answer.parquet", bounds)


_ASKED = """
import sys
from dataclasses import replace
from pathlib import Path
from filon.catalog.query import sql
from filon.catalog.store import CatalogStore
with CatalogStore(Path(sys.argv[1])) as store:
    print(sql(store, "SELECT current_setting('enable_progress_bar') AS drawn").to_pylist())
"""


def test_a_query_draws_no_bar_where_duckdb_takes_a_process_for_a_prompt(tmp_path: Path) -> None:
    # It does so of one without a file of its own, as that of the pages has none.
    command = [sys.executable, "-c", _ASKED, str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert told.stdout.strip() == "[{'drawn': False}]"


def test_tables_of_the_catalog_are_kept_until_it_changes(bounds: Bounds, tmp_path: Path) -> None:
    kept, out = replace(bounds, kept=tmp_path / "kept"), tmp_path / "answer.parquet"
    query = "SELECT count(*) AS n FROM files"
    # A catalog of its own: that of the other tests stays as it is.
    with filled(tmp_path / "runs", {"a.csv": table("Jobs"), "b.csv": table("Homes")}) as store:
        first = write_answer(store, query, out, kept)
        read: list[str] = []
        store.db.set_trace_callback(read.append)
        assert write_answer(store, query, out, kept) == first
        assert not any('FROM "files"' in one for one in read)
        (files,) = parquet.read_table(out)["n"].to_pylist()
        with store.transaction():
            store.db.execute("DELETE FROM files WHERE file = (SELECT min(file) FROM files)")
        write_answer(store, query, out, kept)
    assert parquet.read_table(out)["n"].to_pylist() == [files - 1]
    assert len(list((tmp_path / "kept").iterdir())) == 1
