"""Formats that say themselves what their columns are: Parquet, SPSS, Stata, SAS."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filon.core.extras import extra
from filon.profile.cells import shown
from filon.profile.shape import Kind
from filon.profile.source import MOST_CELLS, Opened, Sheet, UnreadableError

_BATCH = 10_000
_STATISTICS = {"sav": "sav", "zsav": "sav", "por": "por", "dta": "dta", "sas7bdat": "sas7bdat"}
STATISTICS = frozenset({*_STATISTICS, "xpt"})


def open_parquet(path: Path) -> Opened:
    """Open Parquet."""
    parquet = extra("parquet", "Parquet needs pyarrow", "pyarrow.parquet", "pyarrow")
    pyarrow = extra("parquet", "Parquet needs pyarrow", "pyarrow")
    try:
        file = parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableError("damaged", f"It is no whole Parquet: {error}.", "parquet") from error
    schema = file.schema_arrow
    names = tuple(schema.names)
    kinds = tuple(_arrow_kind(str(field.type)) for field in schema)
    rows = _batches(file, max(1, MOST_CELLS // max(1, len(names))))
    return Opened(
        format="parquet",
        sheets=[Sheet(rows=rows, names=names, kinds=kinds, total=file.metadata.num_rows)],
    )


def _batches(file: Any, most: int) -> Iterator[list[str]]:
    left = most
    for batch in file.iter_batches(batch_size=min(_BATCH, most)):
        columns = [[shown(cell) for cell in column.to_pylist()] for column in batch.columns]
        for row in zip(*columns, strict=True):
            if left <= 0:
                return
            left -= 1
            yield list(row)


def _arrow_kind(name: str) -> Kind:
    """Return the kind of a type by Arrow's name for it.

    >>> _arrow_kind("int64"), _arrow_kind("timestamp[us]"), _arrow_kind("list<item: string>")
    ('integer', 'datetime', 'text')
    """
    starts: tuple[tuple[tuple[str, ...], Kind], ...] = (
        (("int", "uint"), "integer"),
        (("float", "double", "halffloat", "decimal"), "number"),
        (("bool",), "boolean"),
        (("date",), "date"),
        (("timestamp",), "datetime"),
        (("time",), "time"),
    )
    return next((kind for prefixes, kind in starts if name.startswith(prefixes)), "text")


def open_statistics(path: Path, format: str) -> Opened:
    """Open a file of SPSS, Stata or SAS."""
    pyreadstat = extra("tables", "Files of SPSS, Stata and SAS need pyreadstat", "pyreadstat")
    read = getattr(pyreadstat, f"read_{_STATISTICS.get(format, 'xport')}")
    try:
        _, head = read(str(path), metadataonly=True)
        most = max(1, MOST_CELLS // max(1, len(head.column_names)))
        columns, meta = read(str(path), output_format="dict", row_limit=most)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError) as error:
        raise UnreadableError("damaged", f"It is no whole {format}: {error}.", format) from error
    names = tuple(meta.column_names)
    cells = [[shown(cell) for cell in columns[name]] for name in names]
    rows = [list(row) for row in zip(*cells, strict=True)] if cells else []
    labels = meta.column_names_to_labels
    sheet = Sheet(
        rows=rows,
        names=names,
        labels=tuple(labels.get(name) or "" for name in names),
        total=head.number_rows or len(rows),
    )
    return Opened(format=format, sheets=[sheet])
