"""The catalog in the API, with the sandbox of SQL as an attacker tries it."""

import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from fake_run import FakeRun
from filon.catalog.store import CatalogStore
from filon.core import UserError
from unit.catalog.conftest import archive, id_of
from unit.serve.visitor import Browser, visiting

TABLE = b"Region,Year,Households\n" + b"".join(
    f"{region},{year},{year * number}\n".encode()
    for number, region in enumerate(("North", "South", "East"), 1)
    for year in range(2018, 2023)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("catalog")
    with FakeRun(made / "run") as run:
        run.find("http://example.org/households.csv", TABLE, name="households.csv")
        more = TABLE.replace(b"Households", b"Cattle")
        run.find("http://example.org/cattle.csv", more, name="cattle.csv")
    with CatalogStore(made) as store:
        store.update()
    return made


def called(folder: Path, calls: Callable[[Callable[..., Awaitable[Any]]], Awaitable[Any]]) -> Any:
    """Let a function call the API: `await call(path, query=…)` gives what comes back."""

    async def visit(browser: Browser) -> Any:
        token = {"Authorization": f"Bearer {browser.access.token}"}

        async def call(path: str, **body: Any) -> Any:
            if body:
                answer = await browser.client.post(path, json=body, headers=token)
            else:
                answer = await browser.client.get(path, headers=token)
            if answer.content_type == "application/json":
                return await answer.json()
            return answer.content_type, await answer.read()

        return await calls(call)

    return visiting(visit, folder, enter=False)


def test_a_file_is_found_shown_read_and_taken_home(folder: Path) -> None:
    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        found = await call("/api/catalog/files?words=households")
        assert found["total"] == 1
        id = found["files"][0]["id"]
        assert found["files"][0]["why"]
        everything = await call("/api/catalog/files?limit=1&offset=1")
        assert (everything["total"], len(everything["files"])) == (2, 1)
        assert everything["facets"]["format"] == {"csv": 2}
        shown = await call(f"/api/catalog/files/{id[:12]}")
        assert [column["name"] for column in shown["columns"]] == ["Region", "Year", "Households"]
        assert shown["places"][0]["url"] == "http://example.org/households.csv"
        rows = await call(f"/api/catalog/files/{id}/rows?offset=14&limit=5")
        assert (rows["total"], rows["rows"]) == (15, [["East", "2022", "6066"]])
        kind, body = await call(f"/api/catalog/files/{id}/download")
        assert kind == "text/csv"
        assert body.splitlines()[1] == b'"North",2018,2018'
        similar = await call(f"/api/catalog/files/{id}/similar")
        assert similar["joins"] or similar["unions"]
        kind, body = await call(f"/api/catalog/files/{id}/download?as=parquet")
        assert body.startswith(b"PAR1")

    called(folder, calls)


def test_a_query_is_answered_and_its_answer_taken_home(folder: Path) -> None:
    from pyarrow import parquet

    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        query = "SELECT format, count(*) AS files FROM files GROUP BY 1"
        answer = await call("/api/catalog/sql", query=query)
        assert (answer["columns"], answer["rows"]) == (["format", "files"], [["csv", "2"]])
        _, body = await call(f"{answer['answer']}?as=parquet")
        assert parquet.read_table(io.BytesIO(body)).to_pylist() == [{"format": "csv", "files": 2}]
        assert "error" in await call("/api/catalog/answers/nothing")

    called(folder, calls)


def test_no_query_reaches_anything_but_the_catalog(folder: Path, tmp_path: Path) -> None:
    """Neither files nor the network nor settings, and nothing is written."""
    secret = tmp_path / "secret.csv"
    secret.write_text("word\nopen sesame\n")
    out = tmp_path / "out.csv"
    ledger = folder / "run" / "ledger.sqlite"
    queries = [
        f"SELECT * FROM read_csv('{secret}')",
        f"SELECT * FROM '{secret}'",
        f"SELECT * FROM read_text('{secret}')",
        f"SELECT * FROM read_blob('{secret}')",
        f"SELECT * FROM glob('{tmp_path}/*')",
        f"COPY (SELECT 1) TO '{out}'",
        f"EXPORT DATABASE '{tmp_path / 'export'}'",
        f"ATTACH '{ledger}' AS stolen (TYPE sqlite)",
        f"ATTACH '{tmp_path / 'new.db'}'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
        "SELECT * FROM read_parquet('s3://bucket/x')",
        "SET enable_external_access = true",
        "PRAGMA enable_external_access=true",
        "RESET lock_configuration",
        "CREATE TABLE x AS SELECT 1",
        "DROP VIEW files",
        "DELETE FROM files",
        "SELECT 1; SELECT 2",
        f"SELECT 1; COPY (SELECT 1) TO '{out}'",
        "SELECT getenv('HOME')",
        f"WITH x AS (SELECT * FROM read_csv('{secret}')) SELECT * FROM x",
        f"SELECT * FROM query('SELECT * FROM read_csv(''{secret}'')')",
        f"EXPLAIN ANALYZE COPY (SELECT 1) TO '{out}'",
        f"SELECT * FROM sniff_csv('{secret}')",
        f"FROM read_json('{secret}')",
        "SELECT * FROM duckdb_secrets()",
        "CALL pragma_version()",
    ]

    async def calls(call: Callable[..., Awaitable[Any]]) -> dict[str, Any]:
        return {query: await call("/api/catalog/sql", query=query) for query in queries}

    answers = called(folder, calls)
    assert not out.exists()
    assert not (tmp_path / "new.db").exists()
    assert not (tmp_path / "export").exists()
    assert all("sesame" not in str(answer.get("rows", "")) for answer in answers.values())
    harmless = {"SELECT * FROM duckdb_secrets()"}  # there are none
    answered = {query: told for query, told in answers.items() if "error" not in told}
    assert set(answered) <= harmless
    assert all(told["rows"] == [] for told in answered.values())


def test_without_its_sandbox_a_query_would_read_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings of DuckDB are what keeps it from files: each attack works without them."""
    import duckdb

    from filon.catalog.query import sql

    secret = tmp_path / "secret.csv"
    secret.write_text("word\nopen sesame\n")
    queries = [f"SELECT * FROM read_csv('{secret}')", f"SELECT * FROM '{secret}'"]
    connect = duckdb.connect

    class Open:
        """A connection on which the doors are left open."""

        def __init__(self, *arguments: Any, **more: Any) -> None:
            self._inner = connect(*arguments, **more)

        def execute(self, query: str) -> Any:
            return None if query.startswith("SET ") else self._inner.execute(query)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._inner, name)

        def __enter__(self) -> "Open":
            return self

        def __exit__(self, *_: object) -> None:
            self._inner.close()

    with CatalogStore(folder) as store:
        for query in queries:
            with pytest.raises(UserError, match="refused"):
                sql(store, query)
        monkeypatch.setattr(duckdb, "connect", Open)
        for query in queries:
            assert sql(store, query).to_pylist() == [{"word": "open sesame"}]


def test_an_endless_query_is_stopped_and_the_next_is_answered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from filon.catalog import sandbox
    from filon.serve.look import area

    monkeypatch.setattr(area, "Sandbox", lambda folder: sandbox.Sandbox(folder, seconds=3.0))

    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        endless = "SELECT count(*) FROM range(10000000000) a, range(10000000000) b"
        assert "stopped" in (await call("/api/catalog/sql", query=endless))["error"]
        assert (await call("/api/catalog/sql", query="SELECT 1 AS one"))["rows"] == [["1"]]

    called(folder, calls)


def test_a_folder_without_runs_has_no_catalog(tmp_path: Path) -> None:
    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        assert (await call("/api/catalog/files"))["total"] == 0
        assert "no run" in (await call("/api/catalog/sql", query="SELECT 1"))["error"]

    called(tmp_path, calls)


def test_tables_are_put_together_and_files_handed_on(folder: Path) -> None:
    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        ids = [one["id"] for one in (await call("/api/catalog/files"))["files"]]
        joined = await call("/api/catalog/combine", how="join", ids=ids, on=["Region", "Year"])
        assert {"Households", "Cattle"} <= {*joined["columns"]}
        assert joined["total"] == 15
        _, csv = await call(f"{joined['answer']}?as=csv")
        assert csv.count(b"\n") == 16
        assert "error" in await call("/api/catalog/combine", how="union", ids=ids[:1])
        _, package = await call(f"/api/catalog/export/frictionless?id={ids[0][:12]}")
        assert package.startswith(b"PK")
        assert "error" in await call("/api/catalog/export/nothing")

    called(folder, calls)


def test_a_run_is_taken_home(folder: Path) -> None:
    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        _, rows = await call("/api/runs/run/export/csv")
        assert b"http://example.org/cattle.csv" in rows
        assert "error" in await call("/api/runs/run/export/nothing")
        assert "error" in await call("/api/runs/nowhere/export/csv")

    called(folder, calls)


def test_a_table_of_several_is_meant_by_its_number(tmp_path: Path) -> None:
    with FakeRun(tmp_path / "run") as run:
        other = b"Code,Colour\n" + b"".join(b"c%d,shade %d\n" % (n, n) for n in range(30))
        run.find("http://example.org/both.zip", archive(other, TABLE), name="both.zip")
        less = TABLE.replace(b"Households", b"Cattle")
        run.find("http://example.org/cattle.csv", less, name="cattle.csv")
    with CatalogStore(tmp_path) as store:
        store.update()
        id = id_of(store, "both.zip")[:12]

    async def calls(call: Callable[..., Awaitable[Any]]) -> None:
        named, numbered = f"/api/catalog/files/{id}%232", f"/api/catalog/files/{id}"
        for path, query in ((named, "?"), (numbered, "?table=2&")):
            shown = await call(f"{path}{query}")
            names = [column["name"] for column in shown["columns"]]
            assert names == ["Region", "Year", "Households"]
            rows = await call(f"{path}/rows{query}")
            assert rows["columns"] == names
            found = await call(f"{path}/similar{query}")
            assert {one["of"] for one in found["joins"]} == {2}
        assert await call(f"{numbered}/similar") == found
        first = await call(f"{numbered}/similar?table=1")
        assert first == {"unions": [], "joins": []}
        assert "no #3" in str(await call(f"{numbered}%233"))

    called(tmp_path, calls)
