"""What the values of a column are like, as a picture: how many are in each range, or are each.

The figures come from DuckDB over the table as Parquet. They are plain data; a template draws them.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filon.catalog.data import ALONE, quoted
from filon.catalog.grid import text
from filon.core.extras import extra
from filon.run.text import count, plain

#: Bars of a picture; of texts the most frequent ones.
_BINS, _VALUES = 24, 10
#: Texts of which more than this share are different are names, and no picture says anything.
_DIFFERENT = 0.5
_MANY_TEXTS = 50_000
#: Numbers by which is known what lies far out.
_SAMPLE = 10_000
#: What a picture may take: the server has other visitors.
_SETTINGS = {"memory_limit": "128MB", "threads": "1", "max_temp_directory_size": "0B"}
#: Units of time that a bar may cover: how long, about how many days, and how it is written.
_UNITS = {
    "day": ("1 DAY", 1, "%Y-%m-%d"),
    "week": ("7 DAY", 7, "%Y-%m-%d"),
    "month": ("1 MONTH", 30, "%Y-%m"),
    "quarter": ("3 MONTH", 91, "%Y-%m"),
    "year": ("1 YEAR", 365, "%Y"),
    "decade": ("10 YEAR", 3652, "%Y"),
    "century": ("100 YEAR", 36524, "%Y"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A range or a value, and how many cells are in it."""

    label: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A picture of a column.

    is_range: the bars are ranges in their order; else values, the most frequent first.
    others: cells that are in no bar. missing: empty ones.
    """

    bars: Sequence[Bar]
    is_range: bool
    others: int = 0
    missing: int = 0

    @property
    def most(self) -> int:
        """The largest bar."""
        return max((bar.count for bar in self.bars), default=0)


def connected() -> Any:
    """Return DuckDB for figures of a page: in memory, bounded."""
    duckdb = extra("tables", "Charts need DuckDB", "duckdb", "pyarrow")
    return duckdb.connect(":memory:", config={**ALONE, **_SETTINGS})


def chart(connection: Any, path: Path, name: str, kind: str, different: int = 0) -> Chart | None:
    """Return the picture of a column; None where it would say nothing.

    different: about how many different values it has, as its profile tells.
    """
    asked = _Column(connection, str(path), quoted(name))
    total, filled = asked.one("SELECT count(*), count({c}) FROM read_parquet(?)")
    if not filled:
        return None
    found: Chart | None
    if kind in ("integer", "number"):
        found = _few(asked) if 0 < different <= _BINS else None
        found = found or _numbers(asked, is_whole=kind == "integer")
    elif kind in ("date", "datetime"):
        found = _times(asked)
    elif kind == "boolean" or _says_something(filled, different):
        found = _values(asked, filled)
    else:
        found = None
    if found is None or len(found.bars) < 2:
        return None
    return Chart(
        bars=found.bars, is_range=found.is_range, others=found.others, missing=total - filled
    )


def _says_something(filled: int, different: int) -> bool:
    return different <= min(_MANY_TEXTS, max(_VALUES, _DIFFERENT * filled))


@dataclass(frozen=True, slots=True)
class _Column:
    """Asks for one column. {c} in a query is its name, {of} the rows that have a value."""

    connection: Any
    path: str
    name: str

    def all(self, query: str) -> list[tuple[Any, ...]]:
        rows = "FROM read_parquet(?) WHERE {c} IS NOT NULL"
        asked = query.replace("{of}", rows).replace("{c}", self.name)
        found: list[tuple[Any, ...]] = self.connection.execute(asked, [self.path]).fetchall()
        return found

    def one(self, query: str) -> tuple[Any, ...]:
        return self.all(query)[0]


def _few(asked: _Column) -> Chart | None:
    """Return a bar for each of a few numbers, in their order; None where they are many."""
    rows = asked.all(f"SELECT {{c}}, count(*) {{of}} GROUP BY 1 ORDER BY 1 LIMIT {_BINS + 1}")
    if len(rows) > _BINS:
        return None
    return Chart(bars=[Bar(text(value) or "", number) for value, number in rows], is_range=True)


def _numbers(asked: _Column, *, is_whole: bool) -> Chart | None:
    """Return how many numbers are in each range; what lies far out is in the first and the last."""
    finite = "FROM (SELECT CAST({c} AS DOUBLE) AS x {of}) WHERE isfinite(x)"
    least, most = asked.one(f"SELECT min(x), max(x) {finite}")
    if least is None or least == most:
        return None
    sample = f"(SELECT x {finite} USING SAMPLE reservoir({_SAMPLE} ROWS) REPEATABLE (1))"
    (ends,) = asked.one(f"SELECT quantile_cont(x, [0.01, 0.99]) FROM {sample}")
    low, high = least, most
    if (high - low) > 10 * (ends[1] - ends[0]) > 0:
        low, high = ends
    step = round_step((high - low) / _BINS)
    if is_whole:
        step = max(step, 1.0)
    first = math.floor(low / step)
    last = max(first, math.ceil(high / step) - 1)
    counts = dict(
        asked.all(
            f"SELECT CAST(greatest({first}, least({last}, floor(CAST({{c}} AS DOUBLE) / {step!r})))"
            " AS BIGINT), count(*) {of} AND isfinite(CAST({c} AS DOUBLE)) GROUP BY 1"
        )
    )
    bars = []
    for place in range(first, last + 1):
        low_end = _figure(place * step, step)
        high_end = _figure((place + 1) * step - (1 if is_whole else 0), step)
        label = low_end if low_end == high_end else f"{low_end} – {high_end}"
        if place == first and least < place * step:
            label = f"< {high_end}"
        elif place == last and most > (place + 1) * step:
            label = f"≥ {low_end}"
        bars.append(Bar(label, counts.get(place, 0)))
    return Chart(bars=bars, is_range=True)


def round_step(step: float) -> float:
    """Return the next larger step that is round.

    >>> [round_step(step) for step in (0.013, 3.1, 700)]
    [0.02, 5.0, 1000.0]
    """
    power = 10.0 ** math.floor(math.log10(step))
    times = next(times for times in (1, 2, 5, 10) if times * power >= step * 0.999999)
    return times * power if power >= 1 else times / round(1 / power)


def _figure(value: float, step: float) -> str:
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if digits > 9 or abs(value) >= 1e15:
        return f"{value:.6g}"
    shown = f"{value:,.{digits}f}" if abs(value) >= 10_000 else f"{value:.{digits}f}"  # a year
    return shown if float(shown.replace(",", "")) else shown.lstrip("-")  # no -0


def _times(asked: _Column) -> Chart | None:
    """Return how many dates are in each day, month or year, also where there are none."""
    least, most, days = asked.one(
        "SELECT min({c}), max({c}), date_diff('day', min({c}), max({c})) {of}"
    )
    unit = next((name for name in _UNITS if days / _UNITS[name][1] <= _BINS + 6), "")
    if not unit or least == most:
        return None
    long, _, written = _UNITS[unit]
    rows = asked.all(
        f"WITH n AS (SELECT date_trunc('{unit}', CAST({{c}} AS TIMESTAMP)) AS b, count(*) AS n"
        " {of} GROUP BY 1),"
        f" s AS (SELECT unnest(generate_series(min(b), max(b), INTERVAL {long})) AS b FROM n)"
        f" SELECT strftime(s.b, '{written}'), coalesce(n.n, 0) FROM s LEFT JOIN n USING (b)"
        " ORDER BY s.b"
    )
    return Chart(bars=[Bar(label, number) for label, number in rows], is_range=True)


def _values(asked: _Column, filled: int) -> Chart | None:
    """Return the most frequent values."""
    rows = asked.all(
        f"SELECT {{c}}, count(*) AS n {{of}} GROUP BY 1 ORDER BY n DESC, 1 LIMIT {_VALUES}"
    )
    if not rows or (rows[0][1] == rows[-1][1] and len(rows) == _VALUES):
        return None  # none is more frequent than others
    bars = [Bar(plain(text(value) or "", 60), number) for value, number in rows]
    return Chart(bars=bars, is_range=False, others=filled - sum(bar.count for bar in bars))


def told(name: str, found: Chart) -> str:
    """Say a picture in words, for who does not see it."""
    return f"{plain(name, 60)}: {', '.join(_each(found))}"


def _each(found: Chart) -> Iterator[str]:
    for bar in found.bars:
        if bar.count:
            yield f"{bar.label}: {count(bar.count)}"
