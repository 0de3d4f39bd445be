"""Formats that say themselves what their columns are: Parquet, SPSS, Stata, SAS."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from filon.core.extras import extra
from filon.page.cells import shown
from filon.profile.shape import Kind
from filon.profile.source import Opened, Sheet, UnreadableError, most_rows

_BATCH = 10_000
#: How the formats of values begin that say which day or which time it is, in the three packages.
_DAYS: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (("DATETIME", "TOD", "%tc", "%tC", "YMDHMS", "E8601DT", "B8601DT"), "datetime"),
    (
        ("DATE", "ADATE", "EDATE", "SDATE", "JDATE", "%td", "%d", "MMDDYY", "DDMMYY", "YYMMDD"),
        "date",
    ),
    (("E8601DA", "B8601DA", "MINGUO", "WORDDATE", "WEEKDATE"), "date"),
    (("TIME", "HHMM"), "time"),
)
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
    names = _named(schema.names)
    kinds = tuple(_arrow_kind(str(field.type)) for field in schema)
    most = most_rows(len(names))
    batches = file.iter_batches(batch_size=min(_BATCH, most))
    rows = _whole(_rows(batches, most), pyarrow, "parquet")
    return Opened(
        format="parquet",
        sheets=[Sheet(rows=rows, names=names, kinds=kinds, total=file.metadata.num_rows)],
    )


def open_arrow(path: Path) -> Opened:
    """Open Arrow, which is Feather, too."""
    pyarrow = extra("parquet", "Arrow needs pyarrow", "pyarrow")
    ipc = extra("parquet", "Arrow needs pyarrow", "pyarrow.ipc", "pyarrow")
    try:
        file = ipc.open_file(pyarrow.memory_map(str(path)))
        schema = file.schema
        batches = [file.get_batch(number) for number in range(file.num_record_batches)]
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableError("damaged", f"It is no whole Arrow file: {error}.", "arrow") from error
    names = _named(schema.names)
    rows = _whole(_rows(batches, most_rows(len(names))), pyarrow, "arrow")
    kinds = tuple(_arrow_kind(str(field.type)) for field in schema)
    total = sum(batch.num_rows for batch in batches)
    sheet = Sheet(rows=rows, names=names, kinds=kinds, total=total)
    return Opened(format="arrow", sheets=[sheet])


def _named(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name or f"column {n}" for n, name in enumerate(names, 1))


def _whole(rows: Iterator[list[str]], pyarrow: Any, format: str) -> Iterator[list[str]]:
    """Yield rows of a file whose pages are read only now."""
    try:
        yield from rows
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableError("damaged", f"It is no whole {format}: {error}.", format) from error


def _rows(batches: Iterable[Any], most: int) -> Iterator[list[str]]:
    left = most
    for batch in batches:
        batch = batch.slice(0, left)
        columns = [[shown(cell) for cell in cells(column)] for column in batch.columns]
        for row in zip(*columns, strict=True):
            if left <= 0:
                return
            left -= 1
            yield list(row)


def cells(column: Any) -> list[Any]:
    """Return the cells of a column of Arrow; times as text where Python has none so far away."""
    try:
        return list(column.to_pylist())
    except OverflowError:  # years beyond 1 to 9999, and infinity, which DuckDB has
        return list(column.cast(_without_times(column.type)).to_pylist())


def _without_times(kind: Any) -> Any:
    """Return a type of Arrow with text in place of times, also of those within it."""
    import pyarrow
    from pyarrow import types

    if types.is_temporal(kind):
        return pyarrow.string()
    if types.is_struct(kind):
        return pyarrow.struct([field.with_type(_without_times(field.type)) for field in kind])
    if types.is_map(kind):
        return pyarrow.map_(_without_times(kind.key_type), _without_times(kind.item_type))
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(_without_times(kind.value_type), kind.list_size)
    if types.is_list(kind) or types.is_large_list(kind):
        return pyarrow.large_list(_without_times(kind.value_type))
    return _without_times(kind.value_type) if types.is_dictionary(kind) else kind


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
        most = most_rows(len(head.column_names))
        # The calendar of Taiwan, which pyreadstat takes for numbers.
        more = {"extra_date_formats": ["MINGUO"]} if format == "sas7bdat" else {}
        columns, meta = read(str(path), output_format="dict", row_limit=most, **more)
    except (
        *(pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError),
        *(OverflowError, TypeError),  # of a day beyond all calendars, of a name that is not there
    ) as error:
        raise UnreadableError("damaged", f"It is no whole {format}: {error}.", format) from error
    names = tuple(meta.column_names)
    cells = [[shown(cell) for cell in columns[name]] for name in names]
    rows = [list(row) for row in zip(*cells, strict=True)] if cells else []
    labels = meta.column_names_to_labels
    sheet = Sheet(
        rows=rows,
        names=_named(names),
        labels=tuple(labels.get(name) or "" for name in names),
        kinds=tuple(_day_kind(meta, name) for name in names),
        total=head.number_rows or len(rows),
    )
    return Opened(format=format, sheets=[sheet])


def _day_kind(meta: Any, name: str) -> Kind | None:
    """Return the kind of a column whose format says that it holds days or times."""
    said = str(meta.original_variable_types.get(name) or "")
    return next((kind for starts, kind in _DAYS if said.startswith(starts)), None)
