"""How a file changed between two versions: its tables' columns, rows and cells, in numbers.

It is plain data, made by profile/versions.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from filon.run.text import counted, size

#: Names of columns, and tables, that one line tells.
_NAMED = 3
TOO_LARGE = "too large"
NO_TABLE = "no table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell that changed. row: what its key says."""

    row: str
    column: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDifference:
    """How one table changed.

    key: the columns that tell its rows apart; none: rows were compared as a whole.
    rewritten: rows whose numbers are only written otherwise, as 1.50 for 1.5.
    reordered: what has another order, "rows" or "columns".
    is_whole: all rows were compared; else they were only counted.
    added, removed: rows, with their first cells as examples.
    """

    name: str = ""
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    columns_renamed: tuple[tuple[str, str], ...] = ()
    key: tuple[str, ...] = ()
    rows_before: int = 0
    rows_after: int = 0
    rows_added: int = 0
    rows_removed: int = 0
    rows_changed: int = 0
    cells_changed: int = 0
    rewritten: int = 0
    reordered: tuple[str, ...] = ()
    is_whole: bool = True
    examples: tuple[Cell, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def is_change(self) -> bool:
        """Say whether the table says something else than before, in whatever order."""
        columns = self.columns_added or self.columns_removed or self.columns_renamed
        rows = self.rows_added or self.rows_removed or self.rows_changed
        return bool(columns or rows) or not self.is_whole

    def text(self) -> str:
        """Say it in a line; "" where nothing is to be said."""
        return "; ".join(filter(None, [", ".join(self._rows_and_columns()), *self._others()]))

    def _rows_and_columns(self) -> Iterator[str]:
        for number, what in ((self.rows_added, "added"), (self.rows_removed, "removed")):
            if number:
                yield f"{counted(number, 'row')} {what}"
        for names, what in ((self.columns_added, "added"), (self.columns_removed, "removed")):
            if names:
                yield f"{counted(len(names), 'column')} {what}: {_listed(names)}"
        if renamed := [f"{old} to {new}" for old, new in self.columns_renamed]:
            yield f"{counted(len(renamed), 'column')} renamed: {_listed(renamed)}"

    def _others(self) -> Iterator[str]:
        if self.cells_changed:
            rows = f" in {counted(self.rows_changed, 'row')}"
            yield f"{counted(self.cells_changed, 'cell')} changed{rows}"
        if not self.is_whole:
            before, after = f"{self.rows_before:,}", counted(self.rows_after, "row")
            yield f"{before} -> {after}, too many to be compared"
        if self.reordered:
            yield f"{' and '.join(self.reordered)} in another order"
        if self.rewritten:
            yield f"numbers written otherwise in {counted(self.rewritten, 'row')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How a file changed.

    problem: why its tables were not compared: NO_TABLE, TOO_LARGE, "crashed", …; detail: a
    sentence about it.
    tables: those in both versions that are not the same. unchanged: how many are.
    """

    old_bytes: int = 0
    new_bytes: int = 0
    tables: tuple[TableDifference, ...] = ()
    tables_added: tuple[str, ...] = ()
    tables_removed: tuple[str, ...] = ()
    unchanged: int = 0
    problem: str = ""
    detail: str = ""

    @property
    def is_change(self) -> bool:
        """Say whether tables say something else than before; of what is no table: always."""
        moved = self.tables_added or self.tables_removed
        return bool(self.problem or moved) or any(table.is_change for table in self.tables)

    def text(self) -> str:
        """Say it in one line.

        >>> table = TableDifference(rows_added=3, columns_added=("region",), cells_changed=12,
        ...                         rows_changed=7)
        >>> Difference(tables=(table,)).text()
        '3 rows added, 1 column added: region; 12 cells changed in 7 rows'
        >>> Difference(old_bytes=12_000, new_bytes=13_000, problem=NO_TABLE).text()
        'content changed, 12 kB -> 13 kB'
        """
        if self.problem:
            too = f", {TOO_LARGE} to be compared" if self.problem == TOO_LARGE else ""
            return f"content changed, {self._sizes()}{too}"
        told = [(table.name, table.text()) for table in self.tables]
        alone = len(told) == 1 and not self.unchanged
        parts = [text if alone or not name else f"{name}: {text}" for name, text in told if text]
        for names, what in ((self.tables_added, "added"), (self.tables_removed, "removed")):
            if names:
                parts.insert(0, f"{counted(len(names), 'table')} {what}: {_listed(names)}")
        if len(parts) > _NAMED:
            parts[_NAMED:] = [f"and {len(parts) - _NAMED} more"]
        return " · ".join(parts) or f"the same rows and columns, {self._sizes()}"

    def _sizes(self) -> str:
        return f"{size(self.old_bytes)} -> {size(self.new_bytes)}"

    def plain(self) -> dict[str, Any]:
        """Return it as values that JSON has, with its line as `text`."""
        return {**asdict(self), "text": self.text()}

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """Return what `plain` made."""
        given = {name: one for name, one in value.items() if name != "text"}
        lists = {name: tuple(given[name]) for name in ("tables_added", "tables_removed")}
        return cls(**{**given, **lists, "tables": tuple(map(_table, given["tables"]))})


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _table(value: Mapping[str, Any]) -> TableDifference:
    names = ("columns_added", "columns_removed", "key", "reordered", "added", "removed")
    lists: dict[str, Any] = {name: tuple(value[name]) for name in names}
    lists["columns_renamed"] = tuple(map(tuple, value["columns_renamed"]))
    lists["examples"] = tuple(Cell(**cell) for cell in value["examples"])
    return TableDifference(**{**value, **lists})
