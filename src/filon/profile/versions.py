"""From two versions of a file to their difference.

Rows are told apart by a key that is found from the values (profile/matching.py). Everything is
bounded: of tables that are too long only the rows are counted, of what is no table the bytes.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from filon.core import UserError
from filon.page.values import one_line
from filon.profile.difference import NO_TABLE, TOO_LARGE, Cell, Difference, TableDifference
from filon.profile.matching import Lines, Matched, match_columns, match_rows
from filon.profile.rows import Rows, tables
from filon.profile.source import MOST_CELLS, MOST_COLUMNS, MOST_TABLES, UnreadableError
from filon.run.text import counted

#: Cells that are shown, and how long each of them may be.
EXAMPLES = 5
_LONGEST, _LONGEST_DETAIL = 80, 300
#: Cells of all tables of a file together whose rows are held in memory.
_ALL_CELLS = 2 * MOST_CELLS


def difference(
    old: Path, new: Path, name: str = "", *, examples: int = EXAMPLES, most_cells: int = MOST_CELLS
) -> Difference:
    """Return how a file changed; what cannot be read as tables has a problem.

    It reads strangers' files: `Worker.difference` does that in a process of its own.

    name: what the web calls it; a hint where the bytes do not tell.
    most_cells: of a table with more, rows are only counted.
    """
    known = Difference(old_bytes=old.stat().st_size, new_bytes=new.stat().st_size)
    try:
        before, after = (_read(path, name, most_cells) for path in (old, new))
    except UserError as error:  # a library is missing
        return replace(known, problem="unreadable", detail=one_line(str(error), _LONGEST_DETAIL))
    except UnreadableError as error:
        problem = TOO_LARGE if error.problem == "too long" else error.problem
        detail = one_line(f"{name or new.name} cannot be read: {error}", _LONGEST_DETAIL)
        return replace(known, problem=problem, detail=detail)
    if not before and not after:
        return replace(known, problem=NO_TABLE, detail="Neither version holds a table.")
    pairs, removed, added = _pairs(before, after)
    found = [table_difference(one, other, examples=examples) for one, other in pairs]
    told = tuple(table for table in found if table.text())
    return replace(
        known,
        tables=told,
        tables_added=tuple(map(_title, added)),
        tables_removed=tuple(map(_title, removed)),
        unchanged=len(found) - len(told),
    )


def _read(path: Path, name: str, most_cells: int) -> list[Rows]:
    """Return the tables of a file; where they are too many, some without their rows."""
    found: list[Rows] = []
    cells = 0
    for table in tables(path, name, most_cells):
        cells += len(table.rows) * len(table.names)
        if cells > _ALL_CELLS:
            table = replace(table, rows=[], cut=True)
        found.append(table)
        if len(found) >= MOST_TABLES:
            break
    return found


Pairs = tuple[list[tuple[Rows, Rows]], list[Rows], list[Rows]]


def _pairs(before: Sequence[Rows], after: Sequence[Rows]) -> Pairs:
    """Return which tables are the same one, and those that were removed and added."""
    if len(before) == len(after) == 1:
        return [(before[0], after[0])], [], []
    old, new = list(before), list(after)
    pairs: list[tuple[Rows, Rows]] = []
    for alike in (_has_same_name, _has_same_columns):
        for one in list(old):
            if other := next((table for table in new if alike(one, table)), None):
                pairs.append((one, other))
                old = [table for table in old if table is not one]
                new = [table for table in new if table is not other]
    return pairs, old, new


def _has_same_name(one: Rows, other: Rows) -> bool:
    return one.name == other.name and bool(one.name)


def _has_same_columns(one: Rows, other: Rows) -> bool:
    names = set(one.names)
    return 2 * len(names & set(other.names)) > max(len(names), len(set(other.names)))


def table_difference(old: Rows, new: Rows, *, examples: int = EXAMPLES) -> TableDifference:
    """Return how a table changed, from its rows before and after."""
    before, after = _lines(old), _lines(new)
    columns = match_columns(before, after)
    is_whole = not (old.cut or new.cut)
    told = TableDifference(
        name=new.name or old.name,
        columns_added=_short([after.names[place] for place in columns.added]),
        columns_removed=_short([before.names[place] for place in columns.removed]),
        columns_renamed=tuple(
            (_cell(before.names[place]), _cell(after.names[other]))
            for place, other in columns.renamed
        ),
        rows_before=old.total,
        rows_after=new.total,
        reordered=("columns",) if columns.is_reordered else (),
        is_whole=is_whole,
    )
    if not is_whole:
        return told
    left, right = before.only(columns.old), after.only(columns.new)
    return _with_rows(told, match_rows(left, right), right.names, examples)


def _with_rows(
    told: TableDifference, rows: Matched, names: Sequence[str], examples: int
) -> TableDifference:
    changed = [
        Cell(
            row=_cell(", ".join(pair.key)),
            column=_cell(names[place]),
            old=_cell(pair.old[place]),
            new=_cell(pair.new[place]),
        )
        for pair in rows.changed[:examples]
        for place in pair.places
    ]
    return replace(
        told,
        key=_short([names[place] for place in rows.key]) if rows.key else (),
        rows_added=len(rows.added),
        rows_removed=len(rows.removed),
        rows_changed=len(rows.changed),
        cells_changed=sum(len(pair.places) for pair in rows.changed),
        rewritten=rows.rewritten,
        reordered=(*(("rows",) if rows.is_reordered else ()), *told.reordered),
        examples=tuple(changed[:examples]),
        added=_short([", ".join(row) for row in rows.added[:examples]]),
        removed=_short([", ".join(row) for row in rows.removed[:examples]]),
    )


def _lines(table: Rows) -> Lines:
    """Return the cells of a table as a grid; a row longer than the header makes it wider."""
    longest = max(map(len, table.rows), default=0)
    width = min(max(len(table.names), longest), MOST_COLUMNS)
    names = [*table.names, *(f"column {n + 1}" for n in range(len(table.names), width))]
    rows = [tuple(map(str.strip, row[:width])) for row in table.rows]
    padded = [row + ("",) * (width - len(row)) if len(row) < width else row for row in rows]
    return Lines(names=tuple(names[:width]), rows=padded, is_named=table.header_row > 0)


def _title(table: Rows) -> str:
    return _cell(table.name) or f"of {counted(table.total, 'row')}"


def _short(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(_cell, texts))


def _cell(text: str) -> str:
    return one_line(text, _LONGEST)
