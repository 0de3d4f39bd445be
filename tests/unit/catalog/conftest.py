"""A folder with two runs, whose files have titles, headings and values to be found by."""

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from filon.catalog.store import CatalogStore
from filon.core import Find, Request, Response, Step
from filon.run.folder import RunFolder

REGIONS = ("North", "South", "East", "West", "Centre")


def table(*columns: str, values: int = 1) -> bytes:
    rows = [",".join(["Region", "Year", *columns])]
    for number, region in enumerate(REGIONS):
        cells = [str(values + number) for _ in columns]
        rows.append(",".join([region, str(2018 + number), *cells]))
    return "\n".join(rows).encode()


#: By run: by path, the body and what the page says of it.
RUNS: Mapping[str, Mapping[str, tuple[bytes, dict[str, str]]]] = {
    "one": {
        "a.csv": (
            table("Unemployment rate (%)"),
            {"link_text": "Unemployment by region", "licence": "CC BY 4.0"},
        ),
        "b.csv": (
            table("Households"),
            {"link_text": "Download", "headings": "Housing > Households in the regions"},
        ),
        "c.csv": (table("Cattle", values=7), {"link_text": "Download", "headings": "Farming"}),
        "d.csv": (b"code;name\n1;x\n2;y\n", {"link_text": "Download", "headings": "Codes"}),
        "e.pdf": (b"%PDF-1.7", {"link_text": "Unemployment: a report"}),
    },
    "two": {
        "z.csv": (table("Unemployment rate (%)", values=50), {"link_text": "Jobless, older years"}),
        "same.csv": (table("Households"), {"link_text": "Homes"}),
    },
}


def write(folder: Path, run: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with RunFolder.create(folder / run, {}) as store:
        for name, (body, context) in RUNS[run].items():
            record(store, f"http://{run}.test/{name}", body, context)


def record(store: RunFolder, url: str, body: bytes, context: dict[str, str]) -> None:
    step = Step(request=Request(url=url))
    find = Find(kind="file", url=url, name=url.rpartition("/")[2], mime="", **context)
    answer = Response(url=url, status=200, body=body, size_bytes=len(body))
    store.record(store.begin(step), step, answer, [find], idle=False)


@contextmanager
def filled(folder: Path, bodies: Mapping[str, bytes]) -> Iterator[CatalogStore]:
    """Open the catalog of one run that found files, by their names."""
    with RunFolder.create(folder / "run", {}) as store:
        for name, body in bodies.items():
            record(store, f"http://one.test/{name}", body, {})
    with CatalogStore(folder) as catalog:
        catalog.update()
        yield catalog


def id_of(catalog: CatalogStore, name: str) -> str:
    row = catalog.db.execute(
        "SELECT id FROM sightings JOIN files USING (file) WHERE name = ?", (name,)
    ).fetchone()
    return str(row["id"])


def archive(*tables: bytes) -> bytes:
    """Return a zip file with tables: t1.csv, t2.csv."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for number, body in enumerate(tables, 1):
            file.writestr(zipfile.ZipInfo(f"t{number}.csv"), body)
    return packed.getvalue()


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for run in RUNS:
        write(folder, run)
    return folder


@pytest.fixture
def catalog(folder: Path) -> Iterator[CatalogStore]:
    with CatalogStore(folder) as catalog:
        assert catalog.update() == []
        yield catalog


@pytest.fixture(scope="package")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs, taken in."""
    folder = tmp_path_factory.mktemp("served")
    for run in RUNS:
        write(folder, run)
    with CatalogStore(folder) as store:
        assert store.update() == []
    return folder


@pytest.fixture
def store(runs: Path) -> Iterator[CatalogStore]:
    with CatalogStore(runs) as store:
        yield store


@pytest.fixture
def serve() -> Callable[..., str]:
    """Return what puts files into a run of a folder, and returns the id of the first."""

    def fill(
        folder: Path,
        bodies: dict[str, bytes],
        run: str = "run",
        context: dict[str, str] | None = None,
        *,
        take_in: bool = True,
    ) -> str:
        with RunFolder.create(folder / run, {}) as writing:
            for name, body in bodies.items():
                record(writing, f"http://site.test/{name}", body, context or {})
        if take_in:
            with CatalogStore(folder) as store:
                assert store.update() == []
        return sha256(next(iter(bodies.values()))).hexdigest()

    return fill


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes columns as Parquet, in groups of rows."""

    def store(columns: dict[str, Any], rows_at_once: int = 10_000) -> Path:
        path = tmp_path / "table.parquet"
        parquet.write_table(pa.table(columns), path, row_group_size=rows_at_once)
        return path

    return store
