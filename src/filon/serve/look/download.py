"""A table to take home: as CSV, as a workbook for Excel, as Parquet, piece by piece.

A cell of a stranger may begin like a formula, and a spreadsheet would compute it. In a workbook a
text is a text. CSV has no types: there such a text gets an apostrophe before it, unless it is only
digits and signs, such as a telephone number.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.core.extras import extra
from filon.page.values import one_line
from filon.profile.typed import cells
from filon.run.text import cell
from filon.serve.look import xlsx
from filon.serve.words import t

#: By ending: what a browser is told that it is.
TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
_AT_ONCE = 10_000
_FORMULA = "^[=+\\-@\\t\\r\\n＝＋－＠]"
_HARMLESS = r"^[+\-]?[\d\s.,()%/\-]*$"
_LONGEST_NAME = 80
_ENDING = re.compile(r"(?<=\w)\.(csv|tsv|json|geojson|xlsx?|ods|parquet|zip)\s*$", re.I)


def pieces(path: Path, ending: str, title: str = "") -> Iterator[bytes]:
    """Yield the bytes of a table in one of TYPES. path: of Parquet that Filon wrote."""
    parquet = extra("parquet", "Downloads need pyarrow", "pyarrow.parquet", "pyarrow")
    if ending == "parquet":
        yield from read(path)
        return
    with parquet.ParquetFile(path) as file:
        if ending == "csv":
            yield from _csv(file)
        else:
            yield from xlsx.workbook(title, file.schema_arrow.names, _rows(file))


def check(path: Path, ending: str) -> None:
    """Raise a UserError where a table does not go into a format, before the first piece."""
    if ending not in TYPES:
        raise UserError(t("download.unknown", format=ending, known=", ".join(TYPES)))
    if ending == "xlsx":
        parquet = extra("parquet", "Downloads need pyarrow", "pyarrow.parquet", "pyarrow")
        about = parquet.read_metadata(path)
        if about.num_rows >= xlsx.MOST_ROWS or about.num_columns > xlsx.MOST_COLUMNS:
            most = {"most_rows": xlsx.MOST_ROWS - 1, "most_columns": xlsx.MOST_COLUMNS}
            size = {"rows": about.num_rows, "columns": about.num_columns}
            raise UserError(t("download.large", **most, **size))


def file_name(title: str, ending: str) -> str:
    """Return a name for a file from a title: no way out of a folder, on any system.

    >>> file_name("../Prices: 2020/21?", "csv")
    'Prices 2020 21.csv'
    >>> file_name("Prices · prices-2020.csv", "xlsx")
    'Prices prices-2020.xlsx'
    """
    if ending and (named := _ENDING.search(title)):
        title = title[: named.start()]  # of the file as it came, which this one is not
    kept = "".join(c if c.isalnum() or c in " ._-" else " " for c in one_line(title, _LONGEST_NAME))
    name = " ".join(kept.split()).strip(" .-") or "table"
    return f"{name}.{ending}" if ending else name


def read(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file."""
    with path.open("rb") as file:
        while piece := file.read(1 << 18):
            yield piece


def _csv(file: Any) -> Iterator[bytes]:
    from pyarrow import Table, csv

    names = [cell(name) for name in file.schema_arrow.names]
    head = True
    for batch in _batches(file):
        out = io.BytesIO()
        table = _safe(Table.from_batches([batch])).rename_columns(names)
        csv.write_csv(table, out, csv.WriteOptions(include_header=head))
        head = False
        yield out.getvalue()


def _batches(file: Any) -> Iterator[Any]:
    """Yield all rows, and one batch without any where there are none: it has the names."""
    none = True
    for batch in file.iter_batches(_AT_ONCE):
        none = False
        yield batch
    if none:
        from pyarrow import RecordBatch

        yield RecordBatch.from_pylist([], schema=file.schema_arrow)


def _safe(table: Any) -> Any:
    """Return a table whose texts no spreadsheet takes for formulas."""
    from pyarrow import compute, types

    for place, kind in enumerate(table.schema.types):
        if not types.is_string(kind):
            continue
        column = table.column(place)
        risky = compute.match_substring_regex(column, _FORMULA)
        if not compute.any(risky).as_py():
            continue
        harmless = compute.match_substring_regex(column, _HARMLESS)
        quoted = compute.binary_join_element_wise("'", column, "")
        changed = compute.if_else(compute.and_not(risky, harmless), quoted, column)
        table = table.set_column(place, table.schema.field(place), changed)
    return table


def _rows(file: Any) -> Iterator[tuple[Any, ...]]:
    for batch in file.iter_batches(_AT_ONCE):
        yield from zip(*map(cells, batch.columns), strict=True)
