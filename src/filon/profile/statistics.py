"""How much of what a run found is statistics: the two figures of Table 7 of SB-CLASSIFIER.

The share of files with a statistics table at the least, and how many tables a file has on average
(Gauquier, Manolescu and Senellart, EDBT 2026, section 4.7). There people looked at 40 files a
site; here a rule looks at all: rows of numbers that are more than years and codes.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from filon.page.cells import YEAR
from filon.profile.shape import Column, Profile, Table

_CODE = re.compile(r"(?:.*[\W_])?(?:id|code|no|nr|key|fid|index|year|año|anio|jahr|année)", re.I)


@dataclass(frozen=True, slots=True)
class Share:
    """files: looked at. with_tables: with a statistics table. tables: those of all of them."""

    files: int
    with_tables: int
    tables: int

    @property
    def share(self) -> float:
        """Of the files that have a statistics table."""
        return self.with_tables / self.files if self.files else 0.0

    @property
    def mean(self) -> float:
        """Statistics tables a file."""
        return self.tables / self.files if self.files else 0.0


def is_statistics(table: Table) -> bool:
    """Say whether a table is one of statistics: two rows, two columns, and numbers that count.

    >>> place, year = Column(name="Region"), Column(name="Year", kind="integer", least="2019")
    >>> value = Column(name="Value", kind="number", least="1.5", distinct=2)
    >>> is_statistics(Table(rows=2, columns=(place, year, value)))
    True
    >>> is_statistics(Table(rows=2, columns=(place, year)))
    False
    """
    return table.rows > 1 and len(table.columns) > 1 and any(map(_counts, table.columns))


def statistics_tables(profile: Profile) -> int:
    """Return how many tables of a file are statistics; those of a PDF are counted as such."""
    read = sum(map(is_statistics, profile.tables))
    return read + profile.counted - len(profile.tables)


def share(profiles: Iterable[Profile]) -> Share:
    """Return both figures for some files.

    >>> share([Profile(counted=3), Profile(problem="no table")])
    Share(files=2, with_tables=1, tables=3)
    """
    counts = [statistics_tables(one) for one in profiles]
    return Share(len(counts), sum(count > 0 for count in counts), sum(counts))


def _counts(column: Column) -> bool:
    """Say whether a column holds numbers that count something: no codes, no years."""
    if column.kind == "number":
        return True
    if column.kind != "integer" or _CODE.fullmatch(column.name.strip()):
        return False
    return not (YEAR.fullmatch(column.least) and YEAR.fullmatch(column.most))
