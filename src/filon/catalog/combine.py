"""Tables that did not exist: those of several files below each other, or side by side."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from filon.catalog.align import aligned
from filon.catalog.data import ALONE, table_of
from filon.catalog.similar import pairs
from filon.catalog.store import CatalogStore
from filon.catalog.views import View
from filon.core import UserError
from filon.core.extras import extra
from filon.profile.values import distinct
from filon.run.text import counted

#: Columns that say where a row is from.
FILE, SOURCE = "filon_file", "filon_source"
#: Pairs of columns that are tried for a join.
_TRIED = 5
#: A join with more rows, and so many times those of the first table, is a mistake.
_MOST_ROWS, _MOST_TIMES = 1_000_000, 20


@dataclass(frozen=True, slots=True)
class Combined:
    """A table that was put together, as Arrow. notes: what its maker should know, in sentences."""

    table: Any
    notes: tuple[str, ...] = ()


def combined(catalog: CatalogStore, view: View) -> Combined:
    """Return a table as a view says that it is made."""
    if view.how == "union":
        return stacked(catalog, view.ids)
    one, other = view.ids
    return Combined(join(catalog, one, other, view.on))


def union(catalog: CatalogStore, ids: Sequence[str]) -> Any:
    """Return the first tables of files below each other, with the source of each row, as Arrow.

    Columns are put together by their names: see `aligned`. A column that is numbers in one file and
    text in another is text.
    """
    return stacked(catalog, ids).table


def stacked(catalog: CatalogStore, ids: Sequence[str]) -> Combined:
    """Return a union, and which of its columns have several spellings, and how many are common."""
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    rows = [catalog.find(id) for id in ids]
    if len(rows) < 2:
        raise UserError("A union needs two files or more.")
    for row, times in Counter(row["id"] for row in rows).items():
        if times > 1:
            raise UserError(f"{row[:12]} is named {times} times: its rows would stand twice.")
    parts, spelt = [], dict[str, list[str]]()
    for row in rows:
        table = table_of(catalog, row["file"])
        own = distinct([FILE, SOURCE, *table.schema.names])[2:]
        names = aligned(own, list(spelt))
        for name, spelling in zip(names, own, strict=True):
            spelt.setdefault(name, []).append(spelling)
        url = catalog.sightings(row["file"])[0]["url"]
        parts.append((table.rename_columns(names), row["id"][:12], url))
    columns: dict[str, Any] = {}
    for name in spelt:
        pieces = [
            table[name] if name in table.schema.names else pyarrow.nulls(table.num_rows)
            for table, _, _ in parts
        ]
        columns[name] = _stacked(pyarrow, pieces)
    for name, place in ((FILE, 1), (SOURCE, 2)):
        columns[name] = pyarrow.array(
            [part[place] for part in parts for _ in range(part[0].num_rows)], pyarrow.string()
        )
    return Combined(pyarrow.table(columns), tuple(_notes(spelt, len(parts))))


def _notes(spelt: Mapping[str, Sequence[str]], files: int) -> Iterator[str]:
    """Yield what a union did to columns. spelt: by name, how each file that has it spells it."""
    common = sum(len(spellings) == files for spellings in spelt.values())
    if common < len(spelt):
        yield f"{common} of {counted(len(spelt), 'column')} stand in all files."
    for name, spellings in spelt.items():
        if others := [one for one in dict.fromkeys(spellings) if one != name]:
            yield f"Put together by their names: {', '.join((name, *others))}."


def _stacked(pyarrow: Any, pieces: Sequence[Any]) -> Any:
    """Return pieces of a column as one: of their type, as numbers, or as text where they differ."""
    chunks = [
        chunk
        for piece in pieces
        for chunk in (piece.chunks if hasattr(piece, "chunks") else [piece])
    ]
    kinds = {piece.type for piece in pieces if piece.type != pyarrow.null()}
    kind = next(iter(kinds)) if len(kinds) == 1 else pyarrow.string()
    if kinds == {pyarrow.int64(), pyarrow.float64()}:
        kind = pyarrow.float64()
    try:
        return pyarrow.chunked_array([chunk.cast(kind) for chunk in chunks], kind)
    except pyarrow.ArrowInvalid:  # whole numbers that a float does not tell apart
        text = pyarrow.string()
        return pyarrow.chunked_array([chunk.cast(text) for chunk in chunks], text)


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
    keys = [chosen] if chosen else _likely(catalog, [row["file"] for row in rows], tables)
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
    form = "lower(trim(CAST({} AS VARCHAR)))"
    if kinds == ["int64", "int64"]:
        form = "{}"
    elif all(kind in ("int64", "double") for kind in kinds):
        # Beyond, a float is any of several whole numbers: it is not known to be the same.
        most = 2**53 - 1
        form = f"CASE WHEN {{0}} BETWEEN -{most} AND {most} THEN CAST({{0}} AS DOUBLE) END"
    return " = ".join(
        form.format(f"{side}.{_quoted(key)}") for side, key in (("one", keys[0]), ("other", right))
    )


def _likely(catalog: CatalogStore, files: Sequence[int], tables: Sequence[Any]) -> list[list[str]]:
    """Return pairs of columns that hold the same values, those with most of them first."""
    found = pairs(catalog, *files)[:_TRIED]
    if not found:
        raise UserError("No columns of the two hold the same values: name them with --on.")
    # A profile has columns by the names in the file, of which two may be one to a database.
    ones, others = (
        dict(zip((column["name"] for column in columns), table.schema.names, strict=False))
        for (_, columns), table in zip(
            (next(catalog.tables(file)) for file in files), tables, strict=True
        )
    )
    return [[ones[pair.column], others[pair.other]] for pair in found]


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
