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

    on: a column of each, or one that both have; by default those whose values overlap most.
    """
    duckdb = extra("tables", "A join needs DuckDB", "duckdb", "pyarrow")
    rows = [catalog.find(id) for id in (one, other)]
    tables = [table_of(catalog, row["file"]) for row in rows]
    keys = list(on) * (2 if len(on) == 1 else 1) or _best(catalog, rows[0]["file"], rows[1]["file"])
    for key, table in zip(keys, tables, strict=True):
        if key not in table.schema.names:
            known = ", ".join(table.schema.names[:20])
            raise UserError(f"There is no column {key!r} to join on: known are {known}.")
    taken = set(tables[0].schema.names)
    renamed = [f"{name} (2)" if name in taken else name for name in tables[1].schema.names]
    right_key = renamed[tables[1].schema.names.index(keys[1])]
    connection = duckdb.connect(":memory:", config=ALONE)
    connection.register("one", tables[0])
    connection.register("other", tables[1].rename_columns(renamed))
    match = " = ".join(
        f"lower(trim(CAST({side}.{_quoted(key)} AS VARCHAR)))"
        for side, key in (("one", keys[0]), ("other", right_key))
    )
    return connection.sql(f"SELECT * FROM one LEFT JOIN other ON {match}").to_arrow_table()


def _best(catalog: CatalogStore, one: int, other: int) -> list[str]:
    found = max(pairs(catalog, one, other), key=lambda pair: pair.overlap, default=None)
    if found is None:
        raise UserError("No columns of the two hold the same values: name them with --on.")
    return [found.column, found.other]


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
