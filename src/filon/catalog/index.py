"""The words of the catalog's files: where each stands, and how often, as arrays.

What a run says of a file is one unit: a file that two runs have is two of them, so that a run comes
and goes without those of others. A segment holds units of one run: their lengths and facets, and
for each word the units that have it, with how often it stands in each field.
"""

import sqlite3
import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.catalog.words import fold, words

SCHEMA = (
    """CREATE TABLE segments (
    segment INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    units BLOB NOT NULL,          -- of each: file, years, words in each field
    facets BLOB NOT NULL          -- pairs: unit, number of the facet and of its name
)""",
    "CREATE INDEX segments_run ON segments (run)",
    """CREATE TABLE postings (
    word TEXT NOT NULL,
    segment INTEGER NOT NULL,
    units BLOB NOT NULL,          -- of each that has it: unit, how often in each field
    PRIMARY KEY (word, segment)
) WITHOUT ROWID""",
    "CREATE INDEX postings_segment ON postings (segment)",
    "CREATE TABLE spellings (word TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE facets (
    facet INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    folded TEXT NOT NULL,         -- the value without case and accents
    UNIQUE (name, value)
)""",
    "CREATE TABLE gone (file INTEGER PRIMARY KEY) -- units of it may still be here",
)
#: What files have one or several values of.
FACETS = ("site", "format", "place", "licence")
#: Orders of files besides the best first.
ORDERS = {
    "newest": "SELECT file FROM sightings GROUP BY file ORDER BY MAX(found_s) DESC, file",
    "title": "SELECT file FROM files ORDER BY title COLLATE NOCASE, file",
    "rows": "SELECT file FROM files ORDER BY rows DESC, file",
    "size": "SELECT file FROM files ORDER BY size_bytes DESC, file",
}
#: The parts of what is said of a file.
FIELDS = ("title", "context", "columns", "values", "address")
UNIT = np.dtype(
    [("file", "<u4"), ("since", "<u2"), ("until", "<u2"), ("length", "<u2", (len(FIELDS),))]
)
POSTING = np.dtype([("unit", "<u4"), ("times", "u1", (len(FIELDS),))])
_POSTING = struct.Struct(f"<I{len(FIELDS)}B")
#: Units of a segment: while it is written it is in memory.
_MOST_UNITS = 20_000
#: Segments of a run, which goes on while it is looked at; beyond, they are made one.
MOST_SEGMENTS = 16
#: Words of a field that are kept.
_MOST_WORDS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What a run says of a file. texts: of each of FIELDS. facets: names with values."""

    file: int
    texts: tuple[str, ...]
    since: str = ""
    until: str = ""
    facets: Sequence[tuple[str, str]] = ()


def write(db: sqlite3.Connection, run: str, units: Iterable[Unit]) -> None:
    """Add what a run says of files."""
    group: list[Unit] = []
    for unit in units:
        group.append(unit)
        if len(group) >= _MOST_UNITS:
            _write(db, run, group)
            group = []
    if group:
        _write(db, run, group)


def _write(db: sqlite3.Connection, run: str, units: Sequence[Unit]) -> None:
    facets = _facets(db, units)
    made = np.zeros(len(units), UNIT)
    pairs: list[tuple[int, int]] = []
    postings: defaultdict[str, bytearray] = defaultdict(bytearray)
    for number, unit in enumerate(units):
        times: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(FIELDS))
        for place, text in enumerate(unit.texts):
            counts = Counter(words(text))
            for word, often in counts.items():
                times[word][place] = min(often, 255)
            made["length"][number, place] = min(counts.total(), 0xFFFF)
        for word, often_in in times.items():
            postings[word] += _POSTING.pack(number, *often_in)
        made["file"][number] = unit.file
        made["since"][number], made["until"][number] = _year(unit.since), _year(unit.until)
        pairs += [(number, facets[facet]) for facet in dict.fromkeys(unit.facets)]
    segment = db.execute(
        "INSERT INTO segments (run, units, facets) VALUES (?, ?, ?)",
        (run, made.tobytes(), np.array(pairs, "<u4").tobytes()),
    ).lastrowid
    db.executemany(
        "INSERT INTO postings VALUES (?, ?, ?)",
        ((word, segment, bytes(postings[word])) for word in sorted(postings)),
    )
    db.executemany(
        "INSERT OR IGNORE INTO spellings VALUES (?)",
        ((word,) for word in sorted(postings) if word.isalpha()),
    )


def _facets(db: sqlite3.Connection, units: Sequence[Unit]) -> dict[tuple[str, str], int]:
    """Return the numbers of facets, of new ones too."""
    wanted = sorted({facet for unit in units for facet in unit.facets})
    db.executemany(
        "INSERT OR IGNORE INTO facets (name, value, folded) VALUES (?, ?, ?)",
        ((name, value, fold(value)) for name, value in wanted),
    )
    select = "SELECT facet FROM facets WHERE name = ? AND value = ?"
    return {
        facet: db.execute(select, facet).fetchone()[0] * len(FACETS) + FACETS.index(facet[0])
        for facet in wanted
    }


def _year(text: str) -> int:
    return int(text[:4]) if text[:4].isdecimal() else 0


def files(db: sqlite3.Connection, run: str) -> list[int]:
    """Return the files of a run that are in the index."""
    rows = db.execute("SELECT units FROM segments WHERE run = ?", (run,))
    return [file for (units,) in rows for file in np.frombuffer(units, UNIT)["file"].tolist()]


def segments(db: sqlite3.Connection, run: str) -> int:
    """Return how many segments a run has."""
    count = db.execute("SELECT COUNT(*) FROM segments WHERE run = ?", (run,)).fetchone()[0]
    return int(count)


def drop(db: sqlite3.Connection, run: str) -> None:
    """Take out what a run says."""
    of_run = "segment IN (SELECT segment FROM segments WHERE run = ?)"
    # A word that nobody has any more may stay among the spellings: it is looked up before use.
    db.execute(f"DELETE FROM postings WHERE {of_run}", (run,))
    db.execute("DELETE FROM segments WHERE run = ?", (run,))


class Index:
    """All segments, in memory: what is looked up of a word is read when it is asked for."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        rows = db.execute(
            "SELECT segment, units, facets, run FROM segments ORDER BY segment"
        ).fetchall()
        self.units: NDArray[Any] = np.frombuffer(b"".join(row[1] for row in rows), UNIT)
        sizes = [len(row[1]) // UNIT.itemsize for row in rows]
        first = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self._first = {row[0]: int(at) for row, at in zip(rows, first, strict=False)}
        self._runs = [
            (row[3], slice(int(at), int(at) + size))
            for row, at, size in zip(rows, first, sizes, strict=False)
        ]
        self._orders: dict[str, NDArray[np.uint32]] = {}
        pairs = np.frombuffer(b"".join(row[2] for row in rows), "<u4").reshape(-1, 2)
        numbers = [len(row[2]) // 8 for row in rows]
        #: Units and facets that belong together.
        self.facet_units = pairs[:, 0] + np.repeat(first[:-1], numbers)
        self.facets = pairs[:, 1]
        hidden = db.execute(
            "SELECT file FROM gone UNION SELECT file FROM files WHERE same_as != '' OR newer != ''"
        ).fetchall()
        #: Units of files that are neither forgotten nor the double of another.
        self.shown = ~np.isin(self.units["file"], np.array([row[0] for row in hidden], "<u4"))
        lengths = self.units["length"].astype(np.float32)
        means = lengths.mean(axis=0) if len(lengths) else np.ones(len(FIELDS))
        #: The words of each field of each unit, beside the mean.
        self.lengths = lengths / np.maximum(means, 1)

    def __len__(self) -> int:
        return len(self.units)

    def postings(self, word: str) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Return the units that have a word, and how often it stands in each field of them."""
        rows = self._db.execute(
            "SELECT segment, units FROM postings WHERE word = ?", (word,)
        ).fetchall()
        found = np.frombuffer(b"".join(row[1] for row in rows), POSTING)
        first = [self._first[row[0]] for row in rows]
        numbers = [len(row[1]) // POSTING.itemsize for row in rows]
        units = found["unit"].astype(np.int64) + np.repeat(np.array(first, np.int64), numbers)
        return units, found["times"]

    def of_run(self, run: str) -> NDArray[np.bool_]:
        """Return which units are of a run, or of one within it: a site's, a round."""
        found = np.zeros(len(self), bool)
        for name, units in self._runs:
            found[units] = name == run or name.startswith(f"{run}/")
        return found

    def order(self, by: str) -> NDArray[np.uint32]:
        """Return the place of the file of each unit in one of ORDERS, from 0 on."""
        if by not in self._orders:
            files = np.array([row[0] for row in self._db.execute(ORDERS[by])], np.int64)
            places = np.zeros(int(files.max(initial=0)) + 1, np.uint32)
            places[files] = np.arange(len(files), dtype=np.uint32)
            known = self.units["file"] < len(places)  # units of files that are gone may be here
            self._orders[by] = places[np.where(known, self.units["file"], 0)]
        return self._orders[by]

    def having(self, name: str, value: str) -> NDArray[np.int64]:
        """Return the units that have a value of a facet, or one with it in it where it is a place.

        Case and accents do not matter.
        """
        test = "instr(folded, ?)" if name == "place" else "folded = ?"
        rows = self._db.execute(
            f"SELECT facet FROM facets WHERE name = ? AND {test}",
            (name, fold(value)),
        )
        numbers = [row[0] * len(FACETS) + FACETS.index(name) for row in rows]
        units: NDArray[np.int64] = self.facet_units[np.isin(self.facets, numbers)]
        return units

    def common(self, name: str, units: NDArray[np.bool_], most: int) -> list[tuple[str, int]]:
        """Return the values of a facet that most of some units have, with how many."""
        of_name = self.facets % len(FACETS) == FACETS.index(name)
        found = self.facets[of_name & units[self.facet_units]] // len(FACETS)
        counts = np.bincount(found)
        best = np.argsort(-counts, kind="stable")[:most]
        select = "SELECT value FROM facets WHERE facet = ?"
        return sorted(
            (
                (self._db.execute(select, (int(one),)).fetchone()[0], int(counts[one]))
                for one in best
                if counts[one]
            ),
            key=lambda pair: (-pair[1], pair[0]),
        )


def text(parts: Iterable[str]) -> str:
    """Return texts as one, each once, as many words as are kept."""
    kept: list[str] = []
    for part in dict.fromkeys(filter(None, parts)):
        kept += part.split()
        if len(kept) >= _MOST_WORDS:
            break
    return " ".join(kept[:_MOST_WORDS])
