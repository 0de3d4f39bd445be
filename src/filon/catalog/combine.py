"""Tables that did not exist: those of several files below each other, or side by side."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from filon.catalog.address import TableAddress, find_table
from filon.catalog.align import FILE, SOURCE, Described, aligned, described, matched
from filon.catalog.data import ALONE, table_of
from filon.catalog.similar import pairs
from filon.catalog.store import CatalogStore
from filon.catalog.views import View
from filon.core import UserError
from filon.core.extras import extra
from filon.profile.values import distinct
from filon.run.text import counted

#: A column of the first table, and one of the second.
Pair = tuple[str, str]
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
    """Return tables of files below each other, with the source of each row, as Arrow.

    ids: of files, or ID#2 or ID:NAME for another table than the first.
    Columns are put together where `align` says that they are one. A column that is numbers in one
    file and text in another is text.
    """
    return stacked(catalog, ids).table


def stacked(catalog: CatalogStore, ids: Sequence[str]) -> Combined:
    """Return a union, and which of its columns have several spellings, and how many are common."""
    pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
    tables = [find_table(catalog, id) for id in ids]
    if len(tables) < 2:
        raise UserError("A union needs two files or more.")
    for address, times in Counter(table.short for table in tables).items():
        if times > 1:
            raise UserError(f"{address} is named {times} times: its rows would stand twice.")
    parts, spelt, known = [], dict[str, list[str]](), dict[str, Described]()
    for one in tables:
        table = table_of(catalog, one.file, one.number)
        own = _described(catalog, one, table)
        names = aligned(own, list(known.values()))
        for name, column in zip(names, own, strict=True):
            spelt.setdefault(name, []).append(column.name)
            known.setdefault(name, replace(column, name=name))
        url = catalog.sightings(one.file)[0]["url"]
        parts.append((table.rename_columns(names), one.short, url))
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


def _described(catalog: CatalogStore, one: TableAddress, table: Any) -> list[Described]:
    """Return the columns of a table as they are compared: as its profile tells them, if it does."""
    told = described(catalog.columns_of(one.file, one.number))
    if len(told) == table.num_columns:
        return told
    return [Described(name) for name in distinct([FILE, SOURCE, *table.schema.names])[2:]]


def _notes(spelt: Mapping[str, Sequence[str]], files: int) -> Iterator[str]:
    """Yield what a union did to columns. spelt: by name, how each file that has it spells it."""
    common = sum(len(spellings) == files for spellings in spelt.values())
    if common < len(spelt):
        yield f"{common} of {counted(len(spelt), 'column')} stand in all files."
    for name, spellings in spelt.items():
        others = [one for one in dict.fromkeys(spellings) if one != name]
        named = [one for one in others if matched([Described(one)], [Described(name)]).both]
        valued = [one for one in others if one not in named]
        for how, same in (("names", named), ("values", valued)):
            if same:
                yield f"Put together by their {how}: {', '.join((name, *same))}."


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
    """Return tables of two files side by side, as Arrow: rows of the first, all of them.

    one, other: ids of files, or ID#2 or ID:NAME for another table than the first.
    on: columns that are equal, each one that both have or ONE=OTHER; by default two with the same
    values, and of these the ones by which the fewest rows of the other come to a row of the first.
    """
    duckdb = extra("tables", "A join needs DuckDB", "duckdb", "pyarrow")
    addresses = [find_table(catalog, id) for id in (one, other)]
    tables = [table_of(catalog, address.file, address.number) for address in addresses]
    names = dict(zip(tables[1].schema.names, _free(tables), strict=True))
    connection = duckdb.connect(":memory:", config=ALONE)
    connection.register("one", tables[0])
    connection.register("other", tables[1].rename_columns(list(names.values())))
    keys = [_said(on, tables)] if on else _likely(catalog, addresses, tables)
    joins = [
        "one LEFT JOIN other ON "
        + " AND ".join(_match(tables, pair, names[pair[1]]) for pair in pairs_of_it)
        for pairs_of_it in keys
    ]
    counts = [connection.sql(f"SELECT COUNT(*) FROM {join}").fetchall()[0][0] for join in joins]
    best = counts.index(min(counts))
    if counts[best] > max(_MOST_ROWS, _MOST_TIMES * tables[0].num_rows):
        by = " and ".join(dict.fromkeys(name for pair in keys[best] for name in pair))
        raise UserError(
            f"By {by} it would be {counts[best]:,} rows, as that does not tell the rows apart:"
            " name other columns with --on, or more."
        )
    return connection.sql(f"SELECT * FROM {joins[best]}").to_arrow_table()


def _said(on: Sequence[str], tables: Sequence[Any]) -> list[Pair]:
    """Return the pairs of columns that a person named.

    Two names that are not both in both tables are one pair: a column of each.
    """
    first, second = (set(table.schema.names) for table in tables)
    if len(on) == 2 and on[0] in first and on[1] in second and not {*on} <= first & second:
        return [(on[0], on[1])]
    return [_pair(text, first, second, tables) for text in on]


def _pair(text: str, first: set[str], second: set[str], tables: Sequence[Any]) -> Pair:
    if text in first and text in second:
        return text, text
    for match in re.finditer("=", text):  # a name may have one, too
        one, other = text[: match.start()].strip(), text[match.end() :].strip()
        if one in first and other in second:
            return one, other
    left, parted, right = text.partition("=")
    wanted = (left.strip(), right.strip()) if parted else (text, text)
    names = [table.schema.names for table in tables]
    name, there = next(each for each in zip(wanted, names, strict=True) if each[0] not in each[1])
    known = ", ".join(there[:20])
    raise UserError(f"There is no column {name!r} to join on: known are {known}.")


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


def _match(tables: Sequence[Any], keys: Pair, right: str) -> str:
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


def _likely(
    catalog: CatalogStore, addresses: Sequence[TableAddress], tables: Sequence[Any]
) -> list[list[Pair]]:
    """Return pairs of columns that hold the same values, those with most of them first."""
    one, other = addresses
    found = pairs(catalog, one, other)[:_TRIED]
    if not found:
        raise UserError("No columns of the two hold the same values: name them with --on.")
    # A profile has columns by the names in the file, of which two may be one to a database.
    ones, others = (
        dict(zip((column["name"] for column in columns), table.schema.names, strict=False))
        for columns, table in zip(
            (catalog.columns_of(each.file, each.number) for each in addresses), tables, strict=True
        )
    )
    return [[(ones[pair.column], others[pair.other])] for pair in found]


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
