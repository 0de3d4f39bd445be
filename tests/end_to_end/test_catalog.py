"""The catalog from the shell: tables that did not exist, and what a kill or nonsense leaves."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from command import FILON, environment, filon
from enriching import HIDDEN, QUICK, WISH
from filon.catalog.store import CatalogStore
from filon.core import Find, Request, Response, Step
from filon.run.folder import RunFolder
from searchbox import serving
from unit.catalog.conftest import archive


def write_run(folder: Path, files: dict[str, bytes]) -> None:
    with RunFolder.create(folder, {}) as store:
        for name, body in files.items():
            url = f"http://books.test/{name}"
            step = Step(request=Request(url=url))
            find = Find(kind="file", url=url, name=name, mime="text/csv", link_text=f"Books {name}")
            answer = Response(url=url, status=200, body=body, size_bytes=len(body))
            store.record(store.begin(step), step, answer, [find], idle=False)


def books(begin: int, end: int) -> bytes:
    rows = [f"{row['title']},{row['author']}" for row in HIDDEN[begin:end]]
    return "\n".join(["title,author", *rows, ""]).encode()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_union_that_did_not_exist_is_enriched(tmp_path: Path, ending: str) -> None:
    write_run(tmp_path / "runs/one", {"a.csv": books(0, 10), "b.csv": books(10, 25)})
    found = filon(tmp_path, "catalog", "search", "books", "--in", "runs", "--json").json
    ids = [hit["id"][:10] for hit in found["hits"]]
    out = f"all.{ending}"
    made = filon(tmp_path, "catalog", "union", *ids, "--in", "runs", "--out", out, "--json")
    assert (made.code, made.json["rows"]) == (0, 25), made.err
    with serving(HIDDEN) as box:
        box.source(tmp_path)
        ended = filon(
            tmp_path, "enrich", out, "--from", "box.toml", *WISH, *QUICK, "--out", "run", "--json"
        )
    assert ended.code == 0, ended.err
    assert ended.json["rows"] == {"filled": 25}


def test_files_are_handed_on_and_a_place_that_is_taken_is_told(tmp_path: Path) -> None:
    write_run(tmp_path / "runs/one", {"a.csv": books(0, 10)})
    write_run(tmp_path / "runs/two", {"b.csv": books(10, 25), "c.csv": b"code,n\nx,1\ny,2\n"})
    export = ("catalog", "export", "--in", "runs")
    made = filon(tmp_path, *export, "--to", "frictionless", "--json")
    assert made.json == {"to": "frictionless", "written": str(tmp_path / "runs-frictionless")}
    tables = ("--to", "duckdb", "--search", "author", "--out", "books.duckdb")
    assert filon(tmp_path, *export, *tables).code == 0
    with duckdb.connect(str(tmp_path / "books.duckdb"), read_only=True) as database:
        assert database.execute("SELECT count(*), sum(rows) FROM contents").fetchone() == (2, 25)
    again = filon(tmp_path, *export, *tables)
    assert (again.code, again.sentence.endswith("name another place or move it away.")) == (2, True)
    nothing = filon(tmp_path, *export, "--to", "dcat", "--search", "whales")
    assert (nothing.code, "nothing is handed on" in nothing.sentence) == (2, True)
    unknown = filon(tmp_path, *export, "--to", "croisant")
    assert (unknown.code, "croissant" in unknown.sentence) == (2, True)


def test_columns_of_one_name_are_shown_and_a_file_that_is_there_stays(tmp_path: Path) -> None:
    write_run(tmp_path / "runs/one", {"a.csv": books(0, 10)})
    ask = ("catalog", "sql", "SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS n", "--in", "runs")
    shown = filon(tmp_path, *ask)
    assert (shown.code, shown.out.splitlines()[1].split()) == (0, ["1", "2", "nan"]), shown.err
    assert shown.err == ""
    assert filon(tmp_path, *ask, "--json").json == {"rows": [{"a": 1, "a_2": 2, "n": None}]}
    assert filon(tmp_path, *ask, "--out", "v.csv").code == 0
    again = filon(tmp_path, *ask, "--out", "v.csv")
    assert (again.code, again.sentence.endswith("name another place or move it away.")) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="no signal that cannot be caught")
def test_a_folder_without_runs_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    told = filon(tmp_path, "catalog", "search", "books", "--in", "photos")
    assert (told.code, "photos holds no run" in told.sentence) == (2, True)
    assert list((tmp_path / "photos").iterdir()) == []


def test_it_is_told_why_a_search_finds_nothing(tmp_path: Path) -> None:
    write_run(tmp_path / "runs/one", {"a.csv": b"year,n\n2020,1\n", "b.csv": b"year,n\n2021,3\n"})
    narrow = ("--year", "1999", "--site", "books.test")
    told = filon(tmp_path, "catalog", "search", "books", *narrow, "--in", "runs").out
    assert told.splitlines()[-1] == "Without --site books.test --year 1999 there are 2."
    write_run(tmp_path / "none/one", {})
    told = filon(tmp_path, "catalog", "search", "books", "--in", "none").out
    assert told.splitlines()[-1] == f"The runs in {tmp_path / 'none'} have no files."


def test_what_is_cut_or_one_is_shown_as_such(tmp_path: Path) -> None:
    write_run(tmp_path / "runs/one", {"a.csv": b"year,n\n2020,1\n2020,2\n"})
    asked = "SELECT repeat('x', 60) AS long, repeat('y', 40) AS short FROM files"
    grid = filon(tmp_path, "catalog", "sql", asked, "--in", "runs").out.splitlines()
    assert grid[1] == f"{'x' * 39}…  {'y' * 40}"
    found = filon(tmp_path, "catalog", "search", "books", "--in", "runs").out
    assert "csv, 2 rows, 2020;" in found
    assert "\n1 file\n" in found
    told = filon(tmp_path, "profile", "runs/one", "a.csv").out
    assert "2 rows, 2 columns, header in row 1, 2020\n" in told
    assert "year: integer, 1 distinct, 2020\n" in told


def test_a_catalog_whose_maker_is_killed_is_whole_all_the_same(tmp_path: Path) -> None:
    bodies = {f"{n}.csv": f"name,n\nrow {n},{n}\nrow,{n + 1}\n".encode() for n in range(60)}
    for run in range(4):
        write_run(tmp_path / f"runs/{run}", bodies)
    command = [*FILON, "catalog", "search", "books", "--in", "runs", "--json"]
    for wait_s in (0.2, 0.5, 0.9, 1.4, 2.0):
        maker = subprocess.Popen(
            command, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL
        )
        time.sleep(wait_s)
        maker.send_signal(signal.SIGKILL)
        maker.communicate()
    ended = filon(tmp_path, "catalog", "search", "books", "--in", "runs", "--json")
    assert (ended.code, ended.json["total"]) == (0, 60), ended.err
    with CatalogStore(tmp_path / "runs") as catalog:
        assert catalog.db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert catalog.db.execute("SELECT COUNT(*) FROM sightings").fetchone()[0] == 240
        assert len(catalog.index) == 240


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (["search", ""], "A search needs words"),
        (["search", "?", "!"], "A search needs words"),
        (["search", "books", "--year", "soon"], "is no year"),
        (["search", "books", "--format", "xyz"], "No file has the format 'xyz'"),
        (["show", "zz"], "is no id"),
        (["show", "ffffffff"], "No file"),
        (["similar", "--", "-1"], "is no id"),
        (["sql", "DROP TABLE files"], "refused"),
        (["sql", ""], "The query has no result"),
        (["sql", "SELECT 1", "--out", "x.xlsx"], "neither .csv nor .parquet"),
        (["sql", "SELECT 1", "--out", "filon-runs"], "neither .csv nor .parquet"),
        (["union", "ffffffff", "--out", "x.xlsx"], "neither .csv nor .parquet"),
        (["union", "ffffffff", "--out", "x.csv"], "No file"),
        (["dedupe", "--apply", "--undo"], "contradict"),
        (["forget", "ffffffff", "--yes"], "No file"),
        (["gc", "--in", "nowhere"], "There is no folder"),
    ],
)
def test_nonsense_is_one_sentence(tmp_path: Path, wanted: list[str], sentence: str) -> None:
    write_run(tmp_path / "filon-runs/one", {"a.csv": books(0, 3)})
    ended = filon(tmp_path, "catalog", *wanted)
    assert ended.code == 2
    assert sentence in ended.err
    assert len(ended.err.strip().splitlines()) == 1
    assert "Traceback" not in ended.err


def test_what_goes_with_a_table_of_several_is_named_by_its_number(tmp_path: Path) -> None:
    authors = b"author,born\n" + b"".join(b"author %d,19%d\n" % (n, n) for n in range(10, 40))
    packed = archive(books(0, 20), authors)
    write_run(tmp_path / "runs/one", {"both.zip": packed, "a.csv": authors.replace(b"19", b"18")})
    found = filon(tmp_path, "catalog", "search", "books", "--in", "runs", "--json").json
    ids = {hit["format"]: hit["id"][:12] for hit in found["hits"]}
    told = [
        filon(tmp_path, "catalog", "similar", id, "--in", "runs").out.splitlines()
        for id in (ids["csv"], f"{ids['zip']}#2", f"{ids['zip']}#1", ids["zip"])
    ]
    assert told[0][1].split()[0] == f"{ids['zip']}#2"
    assert (told[1][1].split()[0], "with" in told[1][1].split()) == (ids["csv"], False)
    assert told[2] == ["No other table goes with it."]
    assert told[3][1].startswith(f"  {ids['csv']} with #2  ")
    refused = filon(tmp_path, "catalog", "forget", f"{ids['zip']}#2", "--yes", "--in", "runs")
    assert (refused.code, "a whole file" in refused.sentence) == (2, True)
