"""Folders and documents that are handed on, with names and paths of our own.

No name of the web is part of a path: files are called by their hash and by what their bytes are.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from filon.catalog.handon.dataset import Collection, File, Table
from filon.core import UserError
from filon.core.extras import extra
from filon.core.version import __version__
from filon.profile.shape import Column
from filon.profile.typed import cells

#: Who made what is handed on.
AGENT = f"Filon {__version__}"
#: Rows that are taken out of a table at once.
_BATCH = 10_000


def keep(file: File, folder: Path) -> str:
    """Copy the bytes of a file into a package; return its path there, "" where they are gone."""
    if file.path is None:
        return ""
    path = f"files/{file.short[:2]}/{file.short}.{file.ending}"
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file.path, target)
    return path


def table_name(file: File, table: Table) -> str:
    """Return what a table is called where all have names: as in `filon catalog sql`."""
    return f"f_{file.short}" + (f"_{table.number}" if table.number > 1 else "")


def read(collection: Collection, file: File) -> Iterator[tuple[Table, Any]]:
    """Yield the tables of a file that a profile has told, each as Arrow.

    A file that can no longer be read has none, and one that is too long to be read as a whole is
    handed on as bytes alone: some of its rows would be taken for all.
    """
    if file.path is None or not file.tables:
        return
    parquet = extra("tables", "Tables that are handed on need pyarrow", "pyarrow.parquet")
    try:
        found = collection.catalog.cache.tables(file.id, file.path, file.name)
    except UserError:
        return
    for table, made in zip(file.tables, found, strict=False):
        if made.is_whole:
            path = collection.catalog.cache.table(file.id, file.path, file.name, table.number)
            yield table, parquet.read_table(path, partitioning=None)
    collection.catalog.cache.trim()


def told(table: Table, made: Any) -> list[Column]:
    """Return what a profile tells of columns; of those that it does not know, their names."""
    if len(table.columns) == made.num_columns:
        return list(table.columns)
    return [Column(name=name) for name in made.column_names]


def rows(made: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table of Arrow, as values of Python."""
    for batch in made.to_batches(max_chunksize=_BATCH):
        yield from zip(*map(cells, batch.columns), strict=True)


class Written(NamedTuple):
    """A file of a package."""

    size_bytes: int
    sha256: str


def write_parquet(file: File, table: Table, made: Any, out: Path) -> Written:
    """Write a table as Parquet, with where it is from, and labels and units of its columns."""
    parquet = extra("parquet", "Tables as Parquet need pyarrow", "pyarrow.parquet")
    pyarrow = extra("parquet", "Tables as Parquet need pyarrow", "pyarrow")
    # All fields at once: a schema is copied as a whole where one is set.
    fields = [
        field.with_metadata(filled({"label": column.label, "unit": column.unit}))
        for field, column in zip(made.schema, told(table, made), strict=True)
    ]
    source = {"filon_file": file.id, "filon_table": table.name, "filon_source": file.url}
    schema = pyarrow.schema(fields, filled(source))
    parquet.write_table(made.cast(schema), out, compression="zstd")
    with out.open("rb") as written:
        return Written(out.stat().st_size, file_digest(written, "sha256").hexdigest())


def write_json(document: Mapping[str, Any], out: Path) -> None:
    """Write an object, with iterators as arrays of their own length, one element at a time.

    A catalog may hold more than memory does. The signs of HTML are written as escapes, so that
    the whole can stand in a page.
    """
    with out.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write("{")
        for number, (name, value) in enumerate(document.items()):
            file.write(f"{',' if number else ''}\n {_json(name)}: ")
            if isinstance(value, Iterator):
                _write_array(value, file)
            else:
                file.write(_json(value).replace("\n", "\n "))
        file.write("\n}\n")


def _write_array(values: Iterator[Any], file: TextIO) -> None:
    before = "\n"
    file.write("[")
    for value in values:
        file.write(f"{before}  " + _json(value).replace("\n", "\n  "))
        before = ",\n"
    file.write("]" if before == "\n" else "\n ]")


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def filled(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without what is empty.

    >>> filled({"title": "a", "licence": "", "rows": 0, "places": []})
    {'title': 'a', 'rows': 0}
    """
    return {name: one for name, one in value.items() if one not in (None, "", [], {}, ())}
