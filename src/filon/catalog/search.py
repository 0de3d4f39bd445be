"""Searching the catalog: words in titles, contexts, column names and values, ranked, with why.

The rank is BM25 over the fields, each with its weight (Robertson and Zaragoza, 2009). A word that
no file has is taken for the nearest that one has.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance.DamerauLevenshtein import distance

from filon.catalog.store import WORD, CatalogStore

#: The fields of the index and how much a word in each counts.
FIELDS = {"title": 6.0, "context": 3.0, "columns": 4.0, "values": 1.5, "address": 1.0}
_FACETS = 8
#: Files that are ranked.
_MOST = 1000
#: Of those with some of the words, so many are ranked by how many they have.
_LOOKED_AT = 100
#: Of a shorter word any other is near; in a longer one two letters may be wrong.
_SHORT, _LONG = 4, 7


#: By what a search can be narrowed: the condition of each; ? stands for the value.
FACETS = {
    "site": "f.file IN (SELECT file FROM sightings WHERE site = ?)",
    "format": "f.format = lower(?)",
    "year": "f.since != '' AND ? BETWEEN f.since AND f.until",
    "place": "f.file IN (SELECT file FROM tables WHERE instr(lower(places), lower(?)))",
    "licence": "f.file IN (SELECT file FROM sightings WHERE licence = ?)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A file that was found. why: which words stand in which field of it."""

    id: str
    title: str
    score: float
    site: str
    url: str
    format: str
    rows: int
    since: str
    until: str
    why: dict[str, list[str]]


@dataclass(slots=True, kw_only=True)
class Results:
    """Hits, the best first; how many there are in all; facets; words that were corrected."""

    hits: list[Hit] = field(default_factory=list)
    total: int = 0
    facets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    corrected: dict[str, str] = field(default_factory=dict)


def search(
    catalog: CatalogStore, text: str, facets: Mapping[str, str] | None = None, most: int = 10
) -> Results:
    """Return what matches: files with all words first, then those with most of them.

    facets: values for some of FACETS; an empty one does not narrow it.
    """
    words = list(dict.fromkeys(word.lower() for word in WORD.findall(text)))
    narrowed = {name: value for name, value in (facets or {}).items() if value}
    results = Results()
    terms = []
    for word in words:
        term = _nearest(catalog.db, word)
        if term != word:
            results.corrected[word] = term
        terms.append(term)
    if not terms:
        return results
    rows = _rows(catalog.db, terms, narrowed, most)
    results.total = len(rows)
    results.facets = _facets(catalog.db, [row["file"] for row in rows])
    results.hits = [_hit(catalog.db, row, terms) for row in rows[:most]]
    return results


def _rows(
    db: sqlite3.Connection, terms: list[str], narrowed: Mapping[str, str], most: int
) -> list[sqlite3.Row]:
    """Return the matching files: those with all words, and where they are few, those with some."""
    quoted = [f'"{term}"' for term in terms]
    found = _matching(db, " AND ".join(quoted), narrowed)
    if len(found) >= most or len(terms) == 1:
        return found
    known = {row["file"] for row in found}
    some = [row for row in _matching(db, " OR ".join(quoted), narrowed) if row["file"] not in known]
    some, rest = some[:_LOOKED_AT], some[_LOOKED_AT:]
    numbers: Counter[int] = Counter()
    marks = ", ".join("?" * len(some))
    for term in quoted:
        numbers.update(
            row[0]
            for row in db.execute(
                f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({marks})",
                (term, *(row["file"] for row in some)),
            )
        )
    # A file that has fewer of the words must be much better at these.
    some.sort(key=lambda row: row["score"] * numbers[row["file"]] ** 2)
    return [*found, *some, *rest]


def _matching(db: sqlite3.Connection, query: str, narrowed: Mapping[str, str]) -> list[sqlite3.Row]:
    weights = ", ".join(map(str, FIELDS.values()))
    conditions = "".join(f" AND {FACETS[name]}" for name in narrowed)
    return db.execute(
        f"SELECT f.*, best.score FROM (SELECT rowid, bm25(words, {weights}) AS score FROM words"
        f" WHERE words MATCH ?) best JOIN files f ON f.file = best.rowid WHERE 1{conditions}"
        f" ORDER BY best.score LIMIT {_MOST}",
        (query, *narrowed.values()),
    ).fetchall()


def _facets(db: sqlite3.Connection, files: list[int]) -> dict[str, list[tuple[str, int]]]:
    marks = ", ".join("?" * len(files))
    facets = {}
    for name, column, table in (
        ("site", "site", "sightings"),
        ("format", "format", "files"),
        ("year", "until", "files"),
        ("licence", "licence", "sightings"),
    ):
        facets[name] = [
            (row[0], row[1])
            for row in db.execute(
                f"SELECT {column}, COUNT(DISTINCT file) AS number FROM {table}"
                f" WHERE file IN ({marks}) AND {column} != '' GROUP BY 1"
                f" ORDER BY number DESC, 1 LIMIT {_FACETS}",
                files,
            )
        ]
    return facets


def _hit(db: sqlite3.Connection, row: sqlite3.Row, terms: list[str]) -> Hit:
    seen = db.execute(
        "SELECT * FROM sightings WHERE file = ? ORDER BY found_s, url LIMIT 1", (row["file"],)
    ).fetchone()
    why: dict[str, list[str]] = {}
    for name in FIELDS:
        for term in terms:
            there = db.execute(
                "SELECT 1 FROM words WHERE words MATCH ? AND rowid = ?",
                (f'{{"{name}"}}: "{term}"', row["file"]),
            ).fetchone()
            if there:
                why.setdefault(name, []).append(term)
    seen_at = {"site": seen["site"], "url": seen["url"]}
    facts = {name: row[name] for name in ("id", "title", "format", "rows", "since", "until")}
    return Hit(**facts, **seen_at, score=-row["score"], why=why)


def _nearest(db: sqlite3.Connection, word: str) -> str:
    """Return a word, or where no file has it the nearest that one has."""
    if len(word) < _SHORT or _is_known(db, word):
        return word
    most = 1 if len(word) < _LONG else 2
    spelt = db.execute(
        "SELECT word FROM spellings WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?",
        (word[0], chr(ord(word[0]) + 1), len(word) - most, len(word) + most),
    )
    near = sorted((distance(word, other, score_cutoff=most), other) for (other,) in spelt)
    found = (other for away, other in near if away <= most and _is_known(db, other))
    return next(found, word)


def _is_known(db: sqlite3.Connection, word: str) -> bool:
    query = "SELECT 1 FROM words WHERE words MATCH ? LIMIT 1"
    return db.execute(query, (f'"{word}"',)).fetchone() is not None
