"""Finds as Parquet, for data frames and DuckDB. Needs the extra `parquet`."""

from itertools import islice
from pathlib import Path

from filon.core import UserError
from filon.run.export.rows import Row, rows

#: Rows a group: large enough to compress, small enough for memory.
_GROUP = 20_000


def write_parquet(run_path: Path, out: Path) -> None:
    """Write a Parquet table, a row a find."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise UserError(
            "The export to parquet needs the extra 'parquet': pip install 'filon[parquet]'."
        ) from None
    types = {"size_bytes": "int64", "step": "int64"}
    columns = [(name, pyarrow.type_for_alias(types.get(name, "string"))) for name in Row._fields]
    columns[Row._fields.index("found_at")] = ("found_at", pyarrow.timestamp("us", tz="UTC"))
    schema = pyarrow.schema(columns)
    table = rows(run_path)
    with ParquetWriter(out, schema, compression="zstd") as writer:
        while group := list(islice(table, _GROUP)):
            arrays = dict(zip(Row._fields, zip(*group, strict=True), strict=True))
            writer.write_table(pyarrow.table(arrays, schema=schema))
