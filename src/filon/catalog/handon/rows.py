"""Files of a catalog as rows of an export: of a folder of runs, or of one run."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from filon.catalog.handon.dataset import Collection
from filon.catalog.store import CatalogStore
from filon.run.export.format import Export, Rows
from filon.run.frame import Frame

#: A file as a table of all has it.
COLUMNS: dict[str, type] = {
    **dict.fromkeys(("id", "title", "site", "format", "url", "page"), str),
    **dict.fromkeys(("size_bytes", "tables", "rows"), int),
    **dict.fromkeys(("since", "until", "licence", "modified"), str),
    "found_at": datetime,
    **dict.fromkeys(("run", "name", "problem"), str),
}


@dataclass(frozen=True, kw_only=True)
class Datasets(Rows):
    """Rows that are files with all that is known of them. open: gives them, as datasets."""

    open: Callable[[], Any]


def exporting(write: Callable[[Collection, Path], None], ending: str) -> Export:
    """Return a format of datasets by what writes a collection of them."""

    def opened(rows: Rows, out: Path) -> None:
        if not isinstance(rows, Datasets):
            raise TypeError("these are no datasets")
        with rows.open() as collection:
            write(collection, out)

    opened.__doc__ = write.__doc__
    return Export(opened, ending, kind="datasets")


def of_run(run_path: Path) -> Datasets:
    """Return the files of one run, and of the runs within it."""

    @contextmanager
    def opened() -> Iterator[Collection]:
        with CatalogStore(run_path, passing=True) as catalog:
            catalog.update()
            yield Collection(catalog, run_path.name)

    return _rows(run_path, opened)


def of_folder(folder: Path, files: Sequence[int] | None = None) -> Datasets:
    """Return files of the catalog of a folder, by their numbers there; None: all."""

    @contextmanager
    def opened() -> Iterator[Collection]:
        with CatalogStore(folder) as catalog:
            yield Collection(catalog, folder.name, files)

    return _rows(folder, opened)


def _rows(folder: Path, opened: Callable[[], Any]) -> Datasets:
    def read() -> Iterator[tuple[Any, ...]]:
        with opened() as collection:
            for dataset, file in collection.files():
                since, until = dataset.covers
                yield (
                    *(file.id, file.title, dataset.site, file.format, file.url, file.page),
                    *(file.size_bytes, len(file.tables), sum(table.rows for table in file.tables)),
                    *(since, until, file.licence, file.modified, file.found_at),
                    *(file.run, file.name, file.problem),
                )

    return Datasets(run_path=folder, name="files", frame=Frame(COLUMNS, read), open=opened)
