"""What the cells of a column say together: its kind, range, distinct values, unit, a sketch."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.page.cells import (
    YEAR,
    are_grouped,
    decimal_sign,
    is_day_first,
    is_missing,
    kind_of,
    missing_in,
    moment_of,
    number_of,
    unit_of,
    year_of,
)
from filon.profile.shape import Column, Kind

#: Values of the kind that a column must have; a footnote mark in a cell does not make it text.
_SHARE = 0.97
#: Below so many values each must be of the kind.
_FEW = 30
_EXAMPLES = 5
_LONGEST_EXAMPLE = 80
#: Hashes of a sketch: names of places, codes and years fit in whole.
SKETCH = 512
_ALL = (1 << 32) - 1
#: Values of a column that tell how its numbers are written, and how long they may be.
_TELLING, _LONGEST_NUMBER = 10_000, 40
_CODE = re.compile(r"\s*0\d+\s*")
#: What stands in brackets behind a name; numbers there are years, or tell names apart.
_UNIT = re.compile(
    r"[(\[](?![\d\s/–-]+[)\]])\s*([^()\[\]]{1,20})\s*[)\]]\s*$|\bin\s+(\S{1,15})$|(%)$"
)
#: A column that says what another one counts, and the one that it says it of.
_UNITS = re.compile(
    r"units?(?: of measure(?:ment)?)?|unidad(?:es)?|einheit|unit[ée]s?|unidade", re.I
)
#: A name with a number behind it that is no year.
_COUNTED = re.compile(r"(.*?[^\d])\d{1,3}")
_VALUE = re.compile(r"(?:obs[ _]?)?value|valor|valeur|wert|amount|observation", re.I)
_YEARS = re.compile(r"\b(?:year|date|time|period|año|anio|jahr|année|annee|ano|fecha|datum)", re.I)


def column(
    name: str,
    cells: Sequence[str],
    *,
    label: str = "",
    kind: Kind | None = None,
    decimal: str = "",
) -> Column:
    """Return what a column says.

    label, kind: where the file itself tells them.
    decimal: what stands before fractions; "": as its cells say.

    >>> gdp = column("GDP (USD)", ["1,200", "3,400.5", "n/a"])
    >>> gdp.kind, gdp.filled, gdp.missing, gdp.least, gdp.most, gdp.unit
    ('number', 2, 1, '1,200', '3,400.5', 'USD')
    """
    counts = Counter(cells)
    is_missing = missing_in(counts)
    missing = sum(times for cell, times in counts.items() if is_missing(cell))
    values = {cell: times for cell, times in counts.items() if not is_missing(cell)}
    filled = sum(values.values())
    empty = Column(name=name, label=label, kind=kind or "empty", missing=missing)
    if not filled:
        return empty
    decimal = decimal or decimals([values])[0]
    by_value = {value: kind_of(value, decimal) for value in values}
    chosen = kind or kind_by(values, by_value)
    fitting = [value for value in values if kind or _fits(by_value[value], chosen)]
    odd = filled - sum(values[value] for value in fitting)
    least, most = _range(fitting or list(values), chosen, decimal)
    return replace(
        empty,
        kind=chosen,
        filled=filled,
        odd=odd,
        distinct=len(values),
        least=_short(least),
        most=_short(most),
        unit=_unit(label or name, fitting) if chosen in ("integer", "number") else "",
        examples=tuple(_short(value) for value in list(values)[:_EXAMPLES]),
        sketch=sketch(values),
    )


def kind_by(values: Mapping[str, int], by_value: Mapping[str, str]) -> Kind:
    """Return the kind of a column by its values.

    values: each with how often it stands there. by_value: the kind of each.
    """
    kinds: Counter[str] = Counter()
    for value, times in values.items():
        kinds[by_value[value]] += times
    chosen = _kind(kinds, sum(values.values())) if values else "empty"
    if chosen == "integer" and any(map(_CODE.fullmatch, values)):
        return "text"  # codes: in 001 each digit counts
    return chosen


def decimals(columns: Iterable[Iterable[str]], *, plain: bool = False) -> list[str]:
    """Return what stands before the fractions of each column of a table.

    Where a column does not tell, its table does: who writes 0,5 writes 1.234 for thousands.

    plain: numbers are written as programs do it, so that columns tell nothing of each other.

    >>> decimals([["1.234", "2.345"], ["0,5", "1,25"]]), decimals([["48.137"], ["11.575"]])
    ([',', ','], ['.', '.'])
    """
    told = [(decimal_sign(cells), cells) for cells in map(_pointed, columns)]
    signs = {sign for sign, _ in told if sign}
    usual = signs.pop() if len(signs) == 1 and not plain else ""
    return [
        sign or usual or ("," if not plain and are_grouped(cells) else ".") for sign, cells in told
    ]


def _pointed(cells: Iterable[str]) -> list[str]:
    """Return cells that may tell how numbers are written, if any of them does: few are enough."""
    different = dict.fromkeys(cells)
    if not any("." in cell or "," in cell for cell in different):
        return []
    return [cell for cell in different if len(cell) <= _LONGEST_NUMBER][:_TELLING]


def sketch(values: Collection[str]) -> bytes:
    """Return the least hashes of different values, by which overlaps are estimated.

    Where there are fewer values than that, the estimates are exact (bottom-k: Cohen and Kaplan,
    "Summarizing data using bottom-k sketches", 2007).

    >>> a, b = sketch([str(n) for n in range(1000)]), sketch([str(n) for n in range(500, 1500)])
    >>> round(containment(a, b), 2), containment(sketch(["x", "Y "]), sketch(["y", "z"]))
    (0.5, 0.5)
    """
    hashes = {mmh3.hash(" ".join(value.lower().split()), signed=False) for value in values}
    least = np.sort(np.fromiter(hashes, "<u4", len(hashes)))[:SKETCH]
    return least.tobytes()


class Sketches:
    """Many sketches, to be compared with one at once."""

    def __init__(self, sketches: Sequence[bytes]) -> None:
        sizes = np.array([len(sketch) // 4 for sketch in sketches])
        self._hashes = np.frombuffer(b"".join(sketches), "<u4")
        self._ends = np.cumsum(sizes)
        self._empty = sizes == 0
        # Beyond its greatest hash a sketch that is full knows nothing.
        greatest = self._hashes[np.maximum(self._ends - 1, 0)] if len(self._hashes) else sizes
        self._knows = np.where(sizes == SKETCH, greatest, _ALL)

    def containing(self, one: bytes) -> NDArray[np.float64]:
        """Return which share of the values behind a sketch is among those behind each, about."""
        mine = np.frombuffer(one, "<u4")
        if not len(mine):
            return np.zeros(len(self._ends))
        knows = np.minimum(self._knows, mine[-1] if len(mine) == SKETCH else _ALL)
        shared = np.concatenate([[0], np.cumsum(np.isin(self._hashes, mine))])
        both = np.diff(shared[np.concatenate([[0], self._ends])])
        comparable = np.searchsorted(mine, knows, side="right")
        shares: NDArray[np.float64] = both / np.maximum(comparable, 1)
        shares[self._empty | (comparable == 0)] = 0.0
        return shares


def containment(one: bytes, other: bytes) -> float:
    """Return which share of the values behind one sketch is among those behind another, about."""
    return float(Sketches([other]).containing(one)[0])


def with_units(described: Sequence[Column]) -> list[Column]:
    """Return columns with the unit that another column tells for all rows of the table.

    >>> unit = Column(name="Units", kind="text", distinct=1, examples=("Percentage (%)",))
    >>> year, value = Column(name="Year", kind="integer"), Column(name="Value", kind="number")
    >>> [one.unit for one in with_units([year, unit, value])]
    ['', '', 'Percentage (%)']
    """
    said = [
        one.examples[0]
        for one in described
        if one.kind == "text" and one.distinct == 1 and _UNITS.fullmatch(one.name.strip())
    ]
    if len(said) != 1:
        return list(described)
    return [
        replace(one, unit=said[0])
        if one.kind in ("integer", "number") and not one.unit and _VALUE.fullmatch(one.name.strip())
        else one
        for one in described
    ]


def years(described: Sequence[Column], columns: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Return the first and the last time that a table covers, "" where none is chosen.

    By its columns of dates and years, else by years that name its columns.
    """
    found: list[int] = []
    for one, cells in zip(described, columns, strict=True):
        if one.kind in ("date", "datetime"):
            moments = [moment for cell in set(cells) if (moment := moment_of(cell))]
            found += [moment[0] for moment in moments if YEAR.fullmatch(str(moment[0]))]
        elif one.kind in ("integer", "text") and _YEARS.search(one.name):
            named = [year_of(cell) for cell in set(cells) if not is_missing(cell)]
            if one.kind == "integer" or all(named):  # 2019/20, and no words with a year in them
                found += filter(None, named)
    if not found:
        names = [one.name.strip() for one in described if len(one.name) <= 12]
        counted = Counter(match[1] for name in names if (match := _COUNTED.fullmatch(name)))
        heads = [
            year for name in names if (year := year_of(name)) and not _is_counted(name, counted)
        ]
        found = heads if len(heads) > 1 else []
    return (str(min(found)), str(max(found))) if found else ("", "")


def _is_counted(name: str, counted: Mapping[str, int]) -> bool:
    """Say whether a name is one of many with a number behind them, as V1500 after V1 and V2."""
    before = name.rstrip("0123456789")
    return counted.get(before, 0) > 1


def _kind(kinds: Counter[str], filled: int) -> Kind:
    numbers = kinds["integer"] + kinds["number"]
    enough = filled if filled < _FEW else _SHARE * filled
    if kinds["integer"] >= enough:
        return "integer"
    if numbers >= enough:
        return "number"
    if kinds["date"] + kinds["datetime"] >= enough and kinds["datetime"]:
        return "datetime"
    if kinds["date"] >= enough:
        return "date"
    if kinds["time"] >= enough:
        return "time"
    if kinds["boolean"] >= enough:
        return "boolean"
    return "text"


def _fits(found: str, kind: Kind) -> bool:
    if kind == "text":
        return True
    if kind == "number":
        return found in ("integer", "number")
    if kind == "datetime":
        return found in ("date", "datetime")
    return found == kind


def _range(values: Sequence[str], kind: Kind, decimal: str) -> tuple[str, str]:
    if kind in ("integer", "number"):
        read = ((number_of(value, decimal), value) for value in values)
        numbers = [(number, value) for number, value in read if number is not None]
        return (min(numbers)[1], max(numbers)[1]) if numbers else ("", "")
    if kind in ("date", "datetime", "time"):
        first = is_day_first(values)
        moments = [(moment, one) for one in values if (moment := moment_of(one, day_first=first))]
        if moments:
            return min(moments)[1], max(moments)[1]
    return min(values), max(values)


def _unit(name: str, values: Sequence[str]) -> str:
    units = Counter(unit_of(value) for value in values[:100])
    if units and (common := units.most_common(1)[0][0]):
        return common
    match = _UNIT.search(name)
    return next(filter(None, match.groups()), "") if match else ""


def _short(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= _LONGEST_EXAMPLE else f"{value[: _LONGEST_EXAMPLE - 1]}…"
