import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dlt
import duckdb
import pytest

import filon
from filon.contrib.dlt import catalog, run
from filon.core import UserError
from loopback import Page, html, serving

WATER = "station,nitrate\n" + "".join(f"S{n},{n / 10}\n" for n in range(20))
RAIN = "station,mm\n" + "".join(f"S{n},{n}\n" for n in range(30))


def csv(text: str) -> Page:
    return Page(body=text.encode(), headers={"Content-Type": "text/csv"})


SITE = {
    "/": html("/a/Water quality.csv".replace(" ", "%20"), "/b/rain.csv", "/c/rain.csv"),
    "/a/Water%20quality.csv": csv(WATER),
    "/b/rain.csv": csv(RAIN),
    "/c/rain.csv": csv(RAIN + "S99,1\n"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run."""
    folder = tmp_path_factory.mktemp("runs")
    with serving(SITE) as site:
        filon.harvest(site.url, delay=0, out=folder / "site")
    return folder


@pytest.fixture
def pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A pipeline into a database of its own; nobody is told of it."""
    monkeypatch.setenv("RUNTIME__DLTHUB_TELEMETRY", "false")
    monkeypatch.setenv("DLT_DATA_DIR", str(tmp_path / "dlt"))
    monkeypatch.chdir(tmp_path)
    yield dlt.pipeline(
        "test",
        pipelines_dir=str(tmp_path / "pipelines"),
        destination=dlt.destinations.duckdb(str(tmp_path / "test.duckdb")),
        dataset_name="found",
    )
    dlt.pipeline("test").deactivate()


def asked(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "test.duckdb")) as db:
        return db.execute(query).fetchall()


def test_a_run_is_loaded_into_a_database_and_again_without_repeats(
    runs: Path, pipeline: Any, tmp_path: Path
) -> None:
    for _ in range(2):
        pipeline.run(run(runs / "site"))
    found = asked(tmp_path, "SELECT run, name, mime, size_bytes FROM found.finds ORDER BY name, 4")
    assert [row[:2] for row in found] == [
        ("site", "Water quality.csv"),
        ("site", "rain.csv"),
        ("site", "rain.csv"),
    ]
    assert found[0][3] == len(WATER)
    counted = asked(tmp_path, "SELECT count(*), count(DISTINCT step) FROM found.requests")
    assert counted == [(len(filon.open_run(runs / "site").requests),) * 2]
    (moment,) = asked(tmp_path, "SELECT typeof(found_at) FROM found.finds LIMIT 1")[0]
    assert moment == "TIMESTAMP WITH TIME ZONE"


def test_a_catalog_is_loaded_with_the_tables_of_its_files(
    runs: Path, pipeline: Any, tmp_path: Path
) -> None:
    pipeline.run(catalog(runs))
    assert asked(tmp_path, "SELECT count(*) FROM found.files") == [(3,)]
    sums = asked(tmp_path, "SELECT count(*), round(sum(nitrate), 1) FROM found.water_quality")
    assert sums == [(20, 19.0)]
    names = [name for (name,) in asked(tmp_path, "SELECT table_name FROM duckdb_tables()")]
    rain = sorted(name for name in names if name.startswith("rain"))
    assert len(rain) == 2
    counts = [asked(tmp_path, f"SELECT count(*) FROM found.{name}")[0][0] for name in rain]
    assert sorted(counts) == [30, 31]


def test_what_is_loaded_is_chosen_by_words_or_by_ids(runs: Path) -> None:
    source = catalog(runs, search="nitrate")
    assert set(source.resources) == {"files", "water_quality"}
    (id,) = (row["id"] for row in filon.Catalog(runs).files() if row["rows"] == 31)
    assert set(catalog(runs, ids=[id]).resources) == {"files", "rain"}
    with pytest.raises(UserError, match="No file of the catalog is so"):
        catalog(runs, search="volcano")
    with pytest.raises(UserError, match="There is no facet colour"):
        catalog(runs, facets={"colour": "red"})
    with pytest.raises(UserError, match="No file of the catalog is so"):
        catalog(runs, facets={"year": 1066})


def test_a_table_that_cannot_be_read_is_left_out_and_the_others_come(
    runs: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: object, table: int = 0) -> None:
        raise UserError("it is gone")

    source = catalog(runs, search="nitrate")
    monkeypatch.setattr("filon.catalog.handle.CatalogFile.to_arrow", refuse)
    with caplog.at_level(logging.WARNING):
        assert list(source.resources["water_quality"]) == []
    assert "water_quality is left out: it is gone" in caplog.text


def test_a_folder_that_is_no_run_is_told() -> None:
    with pytest.raises(UserError, match="nowhere"):
        run("nowhere")
