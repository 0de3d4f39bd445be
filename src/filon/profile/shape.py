"""A profile as plain data: of a file, of each of its tables, of each of their columns."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self

Kind = Literal["empty", "boolean", "integer", "number", "date", "datetime", "time", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table.

    label: what a statistics package says of it. filled, missing: cells with and without a value.
    odd: values that are not of the kind.
    distinct: about how many different values; exact where there are few.
    least, most: the range, as text; of texts in the order of their letters.
    unit: what its numbers count, where the name or the cells say it.
    examples: the first different values. sketch: of its values, for joins.
    """

    name: str
    label: str = ""
    kind: Kind = "text"
    examples: tuple[str, ...] = ()
    filled: int = 0
    missing: int = 0
    odd: int = 0
    distinct: int = 0
    sketch: bytes = field(default=b"", repr=False)
    least: str = ""
    most: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of a file: a sheet, a member of an archive, a list of records, or all of it.

    header_row: the row that names the columns, from 1 on; 0 where none does.
    since, until: the time that it covers, as far as a column says it. places: what it names.
    box: west, south, east and north, where it has shapes or coordinates.
    """

    name: str = ""
    header_row: int = 0
    rows: int = 0
    columns: tuple[Column, ...] = ()
    since: str = ""
    until: str = ""
    places: tuple[str, ...] = ()
    box: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One file.

    format: as its bytes say, whatever its name says. encoding, delimiter, quote: of texts.
    problem: why there are no tables, or not all: "damaged", "encrypted", "bomb", "too slow", …
    detail: a sentence about it.
    counted: tables in all, with those of a PDF, which are counted and not read.
    """

    sha256: str = ""
    size_bytes: int = 0
    format: str = ""
    tables: tuple[Table, ...] = ()
    counted: int = 0
    encoding: str = ""
    delimiter: str = ""
    quote: str = ""
    problem: str = ""
    detail: str = ""

    def plain(self) -> dict[str, Any]:
        """Return it as values that JSON has; sketches in hexadecimal digits."""
        value = asdict(self)
        for table in value["tables"]:
            for column in table["columns"]:
                column["sketch"] = column["sketch"].hex()
        return value

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """Return what `plain` made."""
        return cls(**{**value, "tables": tuple(map(_table, value["tables"]))})


def _table(value: Mapping[str, Any]) -> Table:
    columns = tuple(map(_column, value["columns"]))
    lists = {name: tuple(value.get(name, ())) for name in ("places", "box", "notes")}
    return Table(**{**value, "columns": columns, **lists})


def _column(value: Mapping[str, Any]) -> Column:
    sketch, examples = bytes.fromhex(value["sketch"]), tuple(value["examples"])
    return Column(**{**value, "sketch": sketch, "examples": examples})
