"""The answer to a query, or a table that was put together, as rows for programs or as a file."""

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from filon.catalog.data import ALONE
from filon.core import UserError
from filon.core.extras import extra
from filon.profile.typed import cells
from filon.run.disk import replacing

_ENDINGS = (".csv", ".parquet")


def checked_out(out: Path) -> Path:
    """Return where a table is to be written; an error where it cannot be, before the work."""
    if out.suffix not in _ENDINGS:
        raise UserError(f"{out} is neither .csv nor .parquet.")
    if os.path.lexists(out):
        raise UserError(f"{out} is there already: name another place or move it away.")
    if not out.parent.is_dir():
        raise UserError(f"There is no folder {out.parent}.")
    return out


def write(answer: Any, out: Path) -> None:
    """Write a table of Arrow as its ending says, whole or not at all.

    What the format has no type for is written as text: intervals, and in CSV lists and bytes.
    """
    from pyarrow import csv, parquet

    with replacing(out) as part:
        if out.suffix == ".csv":
            csv.write_csv(as_cells(answer), part)
        else:
            parquet.write_table(_as_text(answer, _is_interval), part)


def as_cells(answer: Any) -> Any:
    """Return a table whose columns have each a name of its own, with a cell for every value."""
    return _as_text(answer, _is_no_cell)


def records(answer: Any) -> list[dict[str, Any]]:
    """Return the rows of a table of Arrow for JSON: each column by its own name, NaN as None."""
    table = _as_text(answer, _is_interval)
    columns = [[_sound(cell) for cell in cells(column)] for column in table.columns]
    names = table.schema.names
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def once(names: Sequence[str]) -> list[str]:
    """Return names, with a number behind those that come again.

    >>> once(["a", "a", "a_2", "a"])
    ['a', 'a_3', 'a_2', 'a_4']
    """
    taken, found = set(names), list[str]()
    for name in names:
        number, new = 2, name
        while new in found or (new != name and new in taken):
            new, number = f"{name}_{number}", number + 1
        found.append(new)
    return found


def _as_text(answer: Any, is_so: Callable[[Any], bool]) -> Any:
    """Return a table whose columns have each a name of its own; those of some types are text."""
    table = answer.rename_columns(once(answer.schema.names))
    places = [place for place, kind in enumerate(table.schema.types) if is_so(kind)]
    if not places:
        return table
    duckdb = extra("tables", "SQL over the catalog needs DuckDB", "duckdb", "pyarrow")
    connection = duckdb.connect(":memory:", config=ALONE)
    for place in places:
        name = table.schema.names[place]
        connection.register("cells", table.select([place]).rename_columns(["cell"]))
        text = connection.sql("SELECT CAST(cell AS VARCHAR) AS cell FROM cells").to_arrow_table()
        table = table.set_column(place, name, text["cell"])
    return table


def _is_interval(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_interval(kind))


def _is_no_cell(kind: Any) -> bool:
    from pyarrow import BaseExtensionType, types

    if isinstance(kind, BaseExtensionType):  # such as integers of any length
        return True
    holds = (types.is_interval, types.is_nested, types.is_binary, types.is_large_binary)
    return any(is_so(kind) for is_so in holds)


def _sound(cell: Any) -> Any:
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    if isinstance(cell, dict):
        return {key: _sound(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [_sound(value) for value in cell]
    return cell
