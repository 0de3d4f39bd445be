"""Tables that did not exist: those of several files below each other, or side by side."""

from collections.abc import Sequence
from typing import Any

from filon.catalog.data import ALONE, table_of
from filon.catalog.overlap import alike
from filon.catalog.similar import pairs
from filon.catalog.store import CatalogStore
from filon.catalog.views import View
from filon.core import UserError
from filon.core.extras import extra

#: Columns that say where a row is from.
FILE, SOURCE = "filon_file", "filon_source"
#: Pairs of columns that are tried for a join.
_TRIED = 5
#: A join with more rows, and so many times those of the first table, is a mistake.
_MOST_ROWS, _MOST_TIMES = 1_000_000, 20


def combined(catalog: CatalogStore, view: View) -> Any:
    """Return a table as a view says that it is made, as Arrow."""
    if view.how == "union":
        return union(catalog, view.ids)
    one, other = view.ids
    return join(catalog, one, other, view.on)


def union(catalog: CatalogStore, ids: Sequence[str]) -> Any:
    """Return the first tables of files below each other, with the source of each row, as Arrow.

    Columns are put together by their names, case and small differences aside. A column that is
    numbers in one file and text in another is text.
    """
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    if len(ids) < 2:
        raise UserError("A union needs two files or more.")
    parts, names = [], list[str]()
    for id in ids:
        row = catalog.find(id)
        table = table_of(catalog, row["file"])
        renamed = _aligned(table.schema.names, names)
        names += [name for name in renamed if name not in names]
        url = catalog.sightings(row["file"])[0]["url"]
        parts.append((table.rename_columns(renamed), row["id"][:12], url))
    columns: dict[str, Any] = {}
    for name in names:
        pieces = [
            table[name] if name in table.schema.names else pyarrow.nulls(table.num_rows)
            for table, _, _ in parts
        ]
        columns[name] = _stacked(pyarrow, pieces)
    for name, place in ((FILE, 1), (SOURCE, 2)):
        columns[name] = pyarrow.array(
            [part[place] for part in parts for _ in range(part[0].num_rows)], pyarrow.string()
        )
    return pyarrow.table(columns)


def _aligned(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the names by which the columns of a table are known already, or their own."""
    free, aligned = list(known), []
    for name in names:
        best = max(free, key=lambda other: alike(name, other), default="")
        if best and alike(name, best):
            free.remove(best)
            aligned.append(best)
        else:
            aligned.append(name if name not in known else f"{name} (2)")
    return aligned


def _stacked(pyarrow: Any, pieces: Sequence[Any]) -> Any:
    kinds = {piece.type for piece in pieces if piece.type != pyarrow.null()}
    if len(kinds) > 1:
        numbers = all(kind in (pyarrow.int64(), pyarrow.float64()) for kind in kinds)
        kind = pyarrow.float64() if numbers else pyarrow.string()
    else:
        kind = next(iter(kinds), pyarrow.string())
    chunks = [
        chunk.cast(kind)
        for piece in pieces
        for chunk in (piece.chunks if hasattr(piece, "chunks") else [piece])
    ]
    return pyarrow.chunked_array(chunks, kind)


def join(catalog: CatalogStore, one: str, other: str, on: Sequence[str] = ()) -> Any:
    """Return the first tables of two files side by side, as Arrow: rows of the first, all of them.

    on: a column of each, or one that both have; by default two with the same values, and of these
    the ones by which the fewest rows of the other come to a row of the first.
    """
    duckdb = extra("tables", "A join needs DuckDB", "duckdb", "pyarrow")
    rows = [catalog.find(id) for id in (one, other)]
    tables = [table_of(catalog, row["file"]) for row in rows]
    chosen = list(on) * (2 if len(on) == 1 else 1)
    for key, table in zip(chosen, tables, strict=False):
        if key not in table.schema.names:
            known = ", ".join(table.schema.names[:20])
            raise UserError(f"There is no column {key!r} to join on: known are {known}.")
    names = dict(zip(tables[1].schema.names, _free(tables), strict=True))
    connection = duckdb.connect(":memory:", config=ALONE)
    connection.register("one", tables[0])
    connection.register("other", tables[1].rename_columns(list(names.values())))
    keys = [chosen] if chosen else _likely(catalog, rows[0]["file"], rows[1]["file"])
    joins = [f"one LEFT JOIN other ON {_match(tables, key, names[key[1]])}" for key in keys]
    counts = [connection.sql(f"SELECT COUNT(*) FROM {join}").fetchall()[0][0] for join in joins]
    best = counts.index(min(counts))
    if counts[best] > max(_MOST_ROWS, _MOST_TIMES * tables[0].num_rows):
        raise UserError(
            f"By {keys[best][0]} and {keys[best][1]} it would be {counts[best]:,} rows, as neither"
            " tells the rows apart: name other columns with --on."
        )
    return connection.sql(f"SELECT * FROM {joins[best]}").to_arrow_table()


def _free(tables: Sequence[Any]) -> list[str]:
    """Return names for the columns of the second table that the first has not."""
    taken, free = set(tables[0].schema.names), list[str]()
    for name in tables[1].schema.names:
        number, new = 2, name
        while new in taken:
            new, number = f"{name} ({number})", number + 1
        taken.add(new)
        free.append(new)
    return free


def _match(tables: Sequence[Any], keys: Sequence[str], right: str) -> str:
    """Return the condition of a join: numbers as numbers, all else as text."""
    kinds = [str(table.schema.field(key).type) for table, key in zip(tables, keys, strict=True)]
    form = "CAST({} AS DOUBLE)"
    if not all(kind in ("int64", "double") for kind in kinds):
        form = "lower(trim(CAST({} AS VARCHAR)))"
    return " = ".join(
        form.format(f"{side}.{_quoted(key)}") for side, key in (("one", keys[0]), ("other", right))
    )


def _likely(catalog: CatalogStore, one: int, other: int) -> list[list[str]]:
    """Return pairs of columns that hold the same values, those with most of them first."""
    found = pairs(catalog, one, other)[:_TRIED]
    if not found:
        raise UserError("No columns of the two hold the same values: name them with --on.")
    return [[pair.column, pair.other] for pair in found]


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
