"""The cells of a table as values: numbers, dates, yes and no, and nothing where nothing stands."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from filon.page.cells import kind_of, missing_in, number_of
from filon.profile.columns import decimals, kind_by
from filon.profile.rows import Rows

#: Beyond, a float does not tell whole numbers apart.
_WHOLE = 2**53
#: What Arrow and databases have for a whole number.
_LONGEST = 2**63
_DIGITS = re.compile(r"-?\d{1,19}", re.ASCII)
_TRUE_OR_FALSE = {"true": True, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """A column.

    name: as no other of the table, in capital or small letters.
    kind: integer, number, boolean, date, datetime (without a zone: then it is UTC) or text.
    cells: None where there is no value.
    """

    name: str
    kind: str
    cells: list[Any]


def values(table: Rows) -> Iterator[Values]:
    """Yield the columns of a table, one after another: all at once take several times its room.

    Dates are dates where all are of ISO 8601: in other notations nobody knows the month for sure.
    No cell is lost: a column with one that is not of its kind, as ">500" among numbers, is text.
    """
    names = distinct(table.names)
    signs = decimals((table.column(n) for n in range(len(names))), plain=table.plain)
    for place, (name, decimal) in enumerate(zip(names, signs, strict=True)):
        cells = table.column(place)
        counts = Counter(cells)
        is_missing = missing_in(counts)
        told = {cell: times for cell, times in counts.items() if not is_missing(cell)}
        kind = table.kinds[place] or kind_by(told, {cell: kind_of(cell, decimal) for cell in told})
        made = _valued(name, kind, list(told), decimal)
        by_text = dict(zip(told, made.cells, strict=True))  # each text is read once
        yield replace(made, cells=[by_text.get(cell) for cell in cells])


def distinct(names: Sequence[str]) -> list[str]:
    """Return names of which no two are the same to a database, which knows no capitals.

    >>> distinct(["Year", "year", "", "Year (2)"])
    ['Year', 'year (2)', 'column 3', 'Year (2) (2)']
    """
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the next one of a name, not looked for from 2 on each time
    found = []
    for place, name in enumerate(names, start=1):
        name = chosen = name.strip() or f"column {place}"
        while chosen.casefold() in taken:
            number = numbers.get(name.casefold(), 2)
            chosen = f"{name} ({number})"
            numbers[name.casefold()] = number + 1
        taken.add(chosen.casefold())
        found.append(chosen)
    return found


def _valued(name: str, kind: str, cells: list[str], decimal: str) -> Values:
    try:
        if kind in ("integer", "number"):
            return _numbers(name, kind, cells, decimal)
        if read := _READERS.get(kind):
            return Values(name=name, kind=kind, cells=list(read(cells)))
    except ValueError:
        pass  # one that is written otherwise: all stay as they are
    return Values(name=name, kind="text", cells=cells)


def _numbers(name: str, kind: str, texts: Sequence[str], decimal: str) -> Values:
    cells = [_number(text, decimal) for text in texts]
    if kind == "integer" and all(map(_is_whole, cells)):
        return Values(name=name, kind=kind, cells=[int(number) for number in cells])
    return Values(name=name, kind="number", cells=[float(number) for number in cells])


def _number(text: str, decimal: str) -> float | int:
    if _DIGITS.fullmatch(text):
        return int(text)
    number = number_of(text, decimal)
    if number is None or not math.isfinite(number):
        raise ValueError
    return number


def _is_whole(number: float | int) -> bool:
    if isinstance(number, int):
        return -_LONGEST <= number < _LONGEST
    return abs(number) < _WHOLE and number == int(number)


def _booleans(texts: Sequence[str]) -> Iterable[bool]:
    for text in texts:
        if text.strip().lower() not in _TRUE_OR_FALSE:
            raise ValueError
        yield _TRUE_OR_FALSE[text.strip().lower()]


def _dates(texts: Sequence[str]) -> Iterable[date]:
    for text in texts:
        if len(text.strip()) != len("2020-01-02"):
            raise ValueError  # a week, or digits without dashes
        yield date.fromisoformat(text.strip())


def _moments(texts: Sequence[str]) -> Iterable[datetime]:
    read = [datetime.fromisoformat(text.strip()) for text in texts]
    if len({moment.tzinfo is not None for moment in read}) > 1:
        raise ValueError
    for moment in read:
        yield moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


_READERS: dict[str, Callable[[Sequence[str]], Iterable[Any]]] = {
    "boolean": _booleans,
    "date": _dates,
    "datetime": _moments,
}
