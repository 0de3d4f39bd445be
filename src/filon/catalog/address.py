"""Which table of a file is meant: `ID`, `ID#2`, `ID:Sheet name`.

In SQL it is `f_ID`, `f_ID_2`, or the same in double quotes: `"ID:Sheet name"`.
"""

import re
from dataclasses import dataclass

from filon.catalog.store import CatalogStore
from filon.core import UserError
from filon.core.suggest import did_you_mean
from filon.run.text import counted, plain

#: f_ and the first letters of an id; _2 for its second table.
_IN_SQL = re.compile(r"f_([0-9a-f]{6,64})(?:_(\d{1,3}))?")
_ADDRESS = re.compile(r"([0-9a-f]{1,64})(?:#(\d{1,3})|:(.+))?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAddress:
    """A table of a file of the catalog. file: its number there. number: of the table, from 1 on."""

    id: str
    file: int
    number: int

    @property
    def whole(self) -> str:
        """The address with all letters of the id."""
        return self.id + (f"#{self.number}" if self.number > 1 else "")

    @property
    def short(self) -> str:
        """The address as rows and messages have it."""
        return self.whole.replace(self.id, self.id[:12])


def names_table(text: str) -> bool:
    """Say whether an address is that of one table, not of a file: `ID#2` or `ID:NAME`."""
    return "#" in text or ":" in text


def find_table(catalog: CatalogStore, text: str) -> TableAddress:
    """Return the table that an address means; a UserError where there is no such."""
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        raise UserError(
            f"{text!r} is no id, nor ID#2 or ID:NAME for a table of a file: `filon catalog search`"
            " shows ids, `filon catalog show ID` tables."
        )
    row = catalog.find(match[1])
    number = int(match[2] or 1)
    if match[3]:
        number = _named(catalog, row["file"], match[3])
    elif match[2] and not 1 <= number <= row["tables"]:
        raise UserError(f"{row['id'][:12]} has {counted(row['tables'], 'table')}: no #{number}.")
    return TableAddress(id=row["id"], file=row["file"], number=number)


def named_in_sql(catalog: CatalogStore, name: str) -> TableAddress | None:
    """Return the table that a query calls so; None where it is no name of one."""
    if match := _IN_SQL.fullmatch(name):
        return find_table(catalog, match[1] + (f"#{match[2]}" if match[2] else ""))
    if names_table(name) and _ADDRESS.fullmatch(name):
        return find_table(catalog, name)
    return None


def file_and_table(catalog: CatalogStore, text: str, number: int = 1) -> TableAddress:
    """Return the table that an address means; of one that names a file alone, that number of it.

    A file without tables has this address, too; a UserError where it has some and not this one.
    """
    found = find_table(catalog, text)
    if names_table(text) or not catalog.find(found.id)["tables"]:
        return found
    return find_table(catalog, f"{found.id}#{number}")


def _named(catalog: CatalogStore, file: int, name: str) -> int:
    tables = [table for table, _ in catalog.tables(file)]
    wanted = name.strip().casefold()
    found = [table["number"] + 1 for table in tables if table["name"].strip().casefold() == wanted]
    if len(found) == 1:
        return int(found[0])
    if found:
        numbers = ", ".join(f"#{number}" for number in found)
        raise UserError(f"Several tables are called {name!r}: say which by {numbers}.")
    names = [plain(table["name"], 40) for table in tables if table["name"]]
    raise UserError(f"There is no table {name!r} in the file: {did_you_mean(name, names)}")
