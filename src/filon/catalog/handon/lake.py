"""A lake of Parquet files: a folder a file, a folder a table, and a manifest.

    manifest.json                                   each table with its source, size, hash, columns
    files.parquet, tables.parquet, …                what is known, as `relations` has it
    tables/filon_file=f_3fa2b8…/filon_table=1/data.parquet

The folders are partitions as Hive has them: whoever reads all tables at once has the file and the
table of each row in columns of these names.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filon.catalog.handon.dataset import Collection, Dataset, File, Table
from filon.catalog.handon.package import (
    AGENT,
    filled,
    read,
    table_name,
    told,
    write_json,
    write_parquet,
)
from filon.catalog.handon.relations import relations
from filon.profile.parquet import kinds
from filon.profile.shape import Column
from filon.run.export.database import write_parquet as write_rows
from filon.run.export.format import Rows

_VERSION = 1


def write_lake(collection: Collection, out: Path) -> None:
    """Write a lake: the tables as Parquet in partitions, what is known of them, a manifest."""
    out.mkdir()
    there: set[str] = set()
    document = {
        "format": "filon-lake",
        "version": _VERSION,
        "name": collection.name,
        "created": f"{collection.at:%Y-%m-%dT%H:%M:%SZ}",
        "agent": AGENT,
        "files": len(collection),
        "tables": _tables(collection, out, there),
    }
    write_json(document, out / "manifest.json")
    for name, frame in relations(collection, there).items():
        write_rows(Rows(run_path=out, name=name, frame=frame), out / f"{name}.parquet")


def _tables(collection: Collection, out: Path, there: set[str]) -> Iterator[dict[str, Any]]:
    for dataset, file in collection.files():
        for table, made in read(collection, file):
            there.add(table_name(file, table))
            yield _table(dataset, file, table, made, out)


def _table(dataset: Dataset, file: File, table: Table, made: Any, out: Path) -> dict[str, Any]:
    path = f"tables/filon_file=f_{file.short}/filon_table={table.number}/data.parquet"
    (out / path).parent.mkdir(parents=True)
    written = write_parquet(file, table, made, out / path)
    columns = zip(made.column_names, kinds(made.schema), told(table, made), strict=True)
    return filled(
        {
            "path": path,
            "table": table_name(file, table),
            "file": file.id,
            "title": dataset.title,
            "name": table.name,
            "source": file.url,
            "licence": file.licence,
            "found_at": f"{file.found_at:%Y-%m-%dT%H:%M:%SZ}",
            "rows": made.num_rows,
            "size_bytes": written.size_bytes,
            "sha256": written.sha256,
            "columns": [_column(*each) for each in columns],
        }
    )


def _column(name: str, kind: str, column: Column) -> dict[str, Any]:
    return filled({"name": name, "kind": kind, "label": column.label, "unit": column.unit})
