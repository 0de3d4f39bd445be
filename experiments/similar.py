"""Whether tables that go together are found: cut and shuffled from real ones, so that it is known.

python -m experiments.similar [TABLES] [QUERIES] [--all] [--seed N]

Of the real tables no two have more than half of their columns in common (all of them, with --all:
then what is right is less clear, as publishers call a column now so, now so). Each gives two
choices of its columns; each choice is cut into tables with some of the rows, rows and columns in
another order, every fifth column under another name. Two tables are unionable where they are cut
from the same one and have the same columns; where they share three quarters of the columns or more
by their first names, it is neither right nor wrong to say so, and below that it is wrong. Columns
are joinable where at least half of the values of one stand in the other, of all its values.
Thresholds are chosen on the tables cut from one half of the real ones and used on those of the
other, in turn.
"""

import argparse
import csv
import gzip
import io
import random
import sqlite3
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.catalog.overlap import FEW, KINDS
from filon.catalog.similar import LEAST_OVERLAP, LEAST_SHARED, joinable, unionable
from filon.catalog.store import CatalogStore
from filon.page.cells import is_missing
from filon.profile.read import profile
from filon.run.schema import CONTEXT

DATA = Path(__file__).resolve().parents[2] / "shared/data"
_LEAST_ROWS, _MOST_ROWS, _LEAST_COLUMNS, _MOST_COLUMNS = 20, 4000, 3, 30
_RENAMED = 0.2
_JOIN, _NEITHER = 0.5, 0.75
_GRID = [round(0.3 + 0.025 * step, 3) for step in range(29)]

Rows = list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A table that was cut. names: the first names of its columns, in its order."""

    base: int
    names: tuple[str, ...]
    rows: Rows


def bases() -> list[Rows]:
    """Return the real tables, the header first, each once."""
    found: dict[bytes, Rows] = {}
    for body in _bodies():
        rows = [row for row in csv.reader(io.StringIO(body.decode("utf-8", "replace"))) if any(row)]
        if (
            len(rows) <= _LEAST_ROWS
            or len(rows[0]) < _LEAST_COLUMNS
            or len({*rows[0]}) < len(rows[0])
        ):
            continue
        width = min(len(rows[0]), _MOST_COLUMNS)
        found[body] = [row[:width] for row in rows if len(row) == len(rows[0])]
    return list(found.values())


def apart(tables: Sequence[Rows]) -> list[Rows]:
    """Return tables of which no two have more than half of their columns in common."""
    kept: list[Rows] = []
    for rows in sorted(tables, key=lambda rows: -len(rows[0])):
        names = {name.strip().lower() for name in rows[0]}
        others = ({name.strip().lower() for name in other[0]} for other in kept)
        if all(4 * len(names & other) <= len(names) + len(other) for other in others):
            kept.append(rows)
    return kept


def _bodies() -> Iterator[bytes]:
    csv.field_size_limit(1 << 30)
    for path in sorted((DATA / "harvest/replicas").glob("*.sqlite")):
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as site:
            rows = site.execute(
                "SELECT enc, data FROM page JOIN body ON body.id = blob WHERE path LIKE '%.csv'"
                " AND path NOT LIKE '%/fr/%' ORDER BY path"
            )
            for packed, body in rows:
                yield zlib.decompress(body) if packed == "z" else body
    for path in sorted((DATA / "enrich").rglob("*.csv*")):
        yield gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def cuts(rows: Rows, base: int, number: int, rng: random.Random) -> Iterator[Cut]:
    """Yield tables cut from one: two choices of columns by turns."""
    header, body = rows[0], rows[1:]
    if len(body) > _MOST_ROWS:
        begin = rng.randrange(len(body) - _MOST_ROWS)
        body = body[begin : begin + _MOST_ROWS]
    chosen = [
        rng.sample(range(len(header)), max(_LEAST_COLUMNS, round(share * len(header))))
        for share in (rng.uniform(0.6, 1), rng.uniform(0.4, 0.8))
    ]
    for one in range(number):
        columns = rng.sample(chosen[one % 2], len(chosen[one % 2]))
        size = max(10, round(rng.uniform(0.3, 0.9) * len(body)))
        kept = rng.sample(body, min(size, len(body)))
        names = [_renamed(header[place], rng) for place in columns]
        yield Cut(
            base=base,
            names=tuple(header[place].strip().lower() for place in columns),
            rows=[names, *([row[place] for place in columns] for row in kept)],
        )


def _renamed(name: str, rng: random.Random) -> str:
    if rng.random() >= _RENAMED:
        return name
    return rng.choice(
        [
            f"column {rng.randrange(100)}",
            name[:3].upper(),
            f"v_{name[-2:]}",
            f"X{rng.randrange(1000)}",
        ]
    )


class Truth:
    """All values of all columns, by which joins are known."""

    def __init__(self, tables: Sequence[Cut], kinds: Sequence[Sequence[str]]) -> None:
        self.columns: list[tuple[int, int]] = []
        self._values: list[NDArray[np.int64]] = []
        self._kinds: list[str] = []
        for number, table in enumerate(tables):
            for place, kind in enumerate(kinds[number]):
                cells = {" ".join(row[place].lower().split()) for row in table.rows[1:]}
                values = {mmh3.hash64(cell)[0] for cell in cells if not is_missing(cell)}
                if kind in KINDS and len(values) >= FEW:
                    self.columns.append((number, place))
                    self._values.append(np.fromiter(values, np.int64, len(values)))
                    self._kinds.append(kind)
        owners = np.repeat(np.arange(len(self._values)), [len(one) for one in self._values])
        every = np.concatenate(self._values)
        order = np.argsort(every, kind="stable")
        self._every, self._owners = every[order], owners[order]
        self._of_table: defaultdict[int, list[int]] = defaultdict(list)
        for column, (number, _) in enumerate(self.columns):
            self._of_table[number].append(column)

    def joins(self, number: int) -> set[tuple[int, int, int]]:
        """Return the joins of a table: its column, the other table, the column of that."""
        found = set()
        for mine in self._of_table[number]:
            values = self._values[mine]
            first = np.searchsorted(self._every, values, "left")
            last = np.searchsorted(self._every, values, "right")
            owners = np.concatenate(
                [self._owners[one:two] for one, two in zip(first, last, strict=True)]
            )
            shares = np.bincount(owners, minlength=len(self.columns)) / len(values)
            for other in np.flatnonzero(shares >= _JOIN):
                table, place = self.columns[int(other)]
                if table != number and self._kinds[mine] == self._kinds[int(other)]:
                    found.add((self.columns[mine][1], table, place))
        return found


def unions(tables: Sequence[Cut], number: int) -> tuple[set[int], set[int]]:
    """Return the tables with the same columns as one, and those of which it is open."""
    mine = frozenset(tables[number].names)
    same, neither = set(), set()
    for other, table in enumerate(tables):
        shared = 2 * len(mine & {*table.names}) / (len(mine) + len(table.names))
        if other == number:
            continue
        if shared == 1 and table.base == tables[number].base:
            same.add(other)
        elif shared >= _NEITHER:
            neither.add(other)
    return same, neither


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was found for one table: scores of what is right, of what is wrong, and all that is."""

    half: int
    right: NDArray[np.float64]
    wrong: NDArray[np.float64]
    expected: int


def figures(answers: Sequence[Answer], threshold: float) -> tuple[float, float]:
    """Return precision and recall, of all answers together."""
    right = sum(int(np.sum(one.right >= threshold)) for one in answers)
    wrong = sum(int(np.sum(one.wrong >= threshold)) for one in answers)
    expected = sum(one.expected for one in answers)
    return right / max(1, right + wrong), right / max(1, expected)


def report(name: str, answers: Sequence[Answer], shipped: float) -> None:
    """Print precision and recall on each half, with the threshold that suits the other.

    shipped: the threshold that the catalog has, printed beside it.
    """
    for half in (0, 1):
        there = [one for one in answers if one.half != half]
        here = [one for one in answers if one.half == half]
        best = max(_GRID, key=lambda threshold: (min(figures(there, threshold)), threshold))
        precision, recall = figures(here, best)
        print(
            f"{name}, half {half + 1}: precision {precision:.3f}, recall {recall:.3f}"
            f"  (at {best}, chosen on the other half; {sum(one.expected for one in here):,} true)"
        )
        precision, recall = figures(here, shipped)
        print(f"  at {shipped}, as shipped: precision {precision:.3f}, recall {recall:.3f}")


def fill(store: CatalogStore, folder: Path, tables: Sequence[Cut]) -> list[list[str]]:
    """Put tables into a catalog, profiled as files are; return the kinds of their columns."""
    kinds: list[list[str]] = []
    with store.transaction():
        for number, table in enumerate(tables):
            path = folder / "table.csv"
            with path.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(table.rows)
            found = replace(profile(path), sha256=_id(number))
            kinds.append([str(one.kind) for table in found.tables for one in table.columns])
            find = dict.fromkeys((*CONTEXT, "parent"), "")
            url = f"http://cut.test/{number}.csv"
            store.add("run", {**find, "url": url, "name": path.name, "at_s": 0.0}, found)
    return kinds


def _id(number: int) -> str:
    return sha256(str(number).encode()).hexdigest()


def main(number: int, queries: int, every: bool, seed: int) -> None:
    """Print precision and recall of joins and unions, and seconds a question."""
    rng = random.Random(seed)
    real = bases() if every else apart(bases())
    each = -(-number // len(real))
    tables = [cut for n, rows in enumerate(real) for cut in cuts(rows, n, each, rng)]
    rng.shuffle(tables)
    del tables[number:]
    print(f"{len(tables):,} tables cut from {len(real)} real ones")
    with TemporaryDirectory() as name, CatalogStore(Path(name)) as store:
        began_s = time.process_time()
        kinds = fill(store, Path(name), tables)
        each_ms = 1000 * (time.process_time() - began_s) / len(tables)
        print(f"profiled and taken in: {each_ms:.1f} ms each")
        ask(store, tables, kinds, rng.sample(range(len(tables)), queries))


def ask(
    store: CatalogStore,
    tables: Sequence[Cut],
    kinds: Sequence[Sequence[str]],
    queries: Sequence[int],
) -> None:
    """Ask for what goes with some of the tables, and compare it with what is true."""
    truth = Truth(tables, kinds)
    numbers = {_id(number): number for number in range(len(tables))}
    names = [_names(store, store.find(id)["file"]) for id in numbers]
    joins, words, both, took = [], [], [], dict[str, list[float]](joins=[], unions=[])
    for query in queries:
        half = tables[query].base % 2
        file = store.find(_id(query))["file"]
        began_s = time.process_time()
        found = joinable(store, file, None, least=_GRID[0])
        took["joins"].append(time.process_time() - began_s)
        places = {name: place for place, name in enumerate(names[query])}
        told = {}
        for one in found:
            other = numbers[one.id]
            told[places[one.column], other, names[other].index(one.other)] = one.overlap
        right = truth.joins(query)
        joins.append(_answer(half, told, right))
        is_text = {place for place, kind in enumerate(kinds[query]) if kind == "text"}
        of_text = {key: score for key, score in told.items() if key[0] in is_text}
        words.append(_answer(half, of_text, {key for key in right if key[0] in is_text}))
        began_s = time.process_time()
        together = unionable(store, file, None, _GRID[0])
        took["unions"].append(time.process_time() - began_s)
        same, neither = unions(tables, query)
        scores = {numbers[one.id]: one.shared for one in together}
        open_ones = {key: score for key, score in scores.items() if key not in neither}
        both.append(_answer(half, open_ones, same))
    report("joinable", joins, LEAST_OVERLAP)
    report("joinable by words", words, LEAST_OVERLAP)
    report("unionable", both, LEAST_SHARED)
    for kind, seconds in took.items():
        print(f"{kind} of a table: {fmean(seconds):.3f} s, at most {max(seconds):.3f} s")


def _names(store: CatalogStore, file: int) -> list[str]:
    return [column["name"] for _, columns in store.tables(file) for column in columns]


def _answer(half: int, told: dict[Any, float], right: set[Any]) -> Answer:
    return Answer(
        half=half,
        right=np.array([score for key, score in told.items() if key in right]),
        wrong=np.array([score for key, score in told.items() if key not in right]),
        expected=len(right),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m experiments.similar")
    parser.add_argument("tables", nargs="?", type=int, default=10_000)
    parser.add_argument("queries", nargs="?", type=int, default=300)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=14)
    wanted = parser.parse_args()
    main(wanted.tables, wanted.queries, wanted.all, wanted.seed)
