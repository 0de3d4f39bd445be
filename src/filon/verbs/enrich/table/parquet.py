"""Tables as Parquet: row group by row group, types kept. Needs the extra `tables`."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.verbs.enrich.table import New, distinct, library, text


class Parquet:
    """A Parquet file."""

    ending = ".parquet"

    def __init__(self, path: Path, name: str = "", header: bool = True) -> None:
        self._arrow = library(path, "pyarrow")
        self._parquet = library(path, "pyarrow.parquet")
        self.path, self.notes = path, list[str]()
        try:
            self._file = self._parquet.ParquetFile(path)
        except (self._arrow.ArrowException, OSError) as error:
            raise UserError(f"{path} is not whole: {error}.") from error
        self._header = list(self._file.schema_arrow.names)
        self.names = distinct(self._header)
        self.size = int(self._file.metadata.num_rows)
        if name:
            raise UserError(f"{path} is one table: it has no part {name!r}.")
        if not self.size or not self.names:
            raise UserError(f"The table {path} has no rows.")

    def read(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Return columns as text."""
        places = {name: self.names.index(name) for name in names}
        columns: dict[str, list[str]] = {name: [] for name in places}
        wanted = [self._header[place] for place in places.values()]
        for batch in self._file.iter_batches(columns=wanted):
            for name, place in places.items():
                columns[name] += self._texts(batch.column(self._header[place]))
        return columns

    def _texts(self, column: Any) -> list[str]:
        kind = column.type
        if self._arrow.types.is_string(kind) or self._arrow.types.is_large_string(kind):
            return [value or "" for value in column.to_pylist()]
        return [_written(value) for value in column.to_pylist()]

    def save(self, out: Path) -> None:
        """Copy the file as it is."""
        shutil.copyfile(self.path, out)

    def write(self, out: Path, new: New) -> list[str]:
        """Write the table with what is new, a row group at a time."""
        pa = self._arrow
        schema = self._typed(self._file.schema_arrow, new)
        for name in new.added:
            schema = schema.append(pa.field(name, pa.string()))
        first, lost = 0, 0
        with self._parquet.ParquetWriter(out, schema, compression="zstd") as writer:
            for number in range(self._file.num_row_groups):
                group = self._file.read_row_group(number)
                arrays = list(group.cast(pa.schema(list(schema)[: group.num_columns])).columns)
                for name, cells in new.filled.items():
                    place = self.names.index(name)
                    arrays[place], bad = self._fill(arrays[place], cells, first)
                    lost += bad
                last = first + group.num_rows
                # An empty text is no value: null, as in the columns of its own.
                arrays += [
                    pa.array([cell or None for cell in column[first:last]], pa.string())
                    for column in new.added.values()
                ]
                writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
                first = last
        return [f"{lost:,} values do not fit the type of their column."] if lost else []

    def _typed(self, schema: Any, new: New) -> Any:
        """Return the types of the columns: one without any value so far takes text."""
        pa = self._arrow
        for place in (self.names.index(name) for name in new.filled):
            if pa.types.is_null(schema.field(place).type):
                schema = schema.set(place, schema.field(place).with_type(pa.string()))
        return schema

    def _fill(self, column: Any, cells: Any, first: int) -> tuple[Any, int]:
        here = {row - first: cell for row, cell in cells.items() if 0 <= row - first < len(column)}
        if not here:
            return column, 0
        values, lost = column.to_pylist(), 0
        for row, cell in here.items():
            try:
                values[row] = self._arrow.scalar(cell).cast(column.type).as_py()
            except (self._arrow.ArrowException, ValueError):
                lost += 1
        return self._arrow.chunked_array([self._arrow.array(values, column.type)]), lost


def _written(value: object) -> str:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=text)
    return text(value)
