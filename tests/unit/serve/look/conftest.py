"""A folder of runs with a catalog, and tables as Parquet to look at."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from filon.catalog.store import CatalogStore
from filon.run.folder import RunFolder
from unit.catalog.conftest import RUNS, record, write


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes columns as Parquet, in groups of rows."""

    def store(columns: dict[str, Any], rows_at_once: int = 10_000) -> Path:
        path = tmp_path / "table.parquet"
        parquet.write_table(pa.table(columns), path, row_group_size=rows_at_once)
        return path

    return store


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
