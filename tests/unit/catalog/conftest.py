"""A folder with two runs, whose files have titles, headings and values to be found by."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

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
