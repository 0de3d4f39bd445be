"""Searching the catalog: words in titles, contexts, column names and values, ranked, with why.

The rank is BM25F: how often a word stands in a field counts by the field's weight and length, and
saturates over all fields together (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
2009). Forms of a word count for it, a little less. A word that no file has is taken for words that
begin with it, or for the nearest that one has.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from filon.catalog.index import FACETS as VALUES
from filon.catalog.index import FIELDS, ORDERS, Index
from filon.catalog.store import CatalogStore
from filon.catalog.words import beginning, forms, has_forms, words
from filon.core import UserError

#: How much a word in each field counts, and how much less where the field is long.
WEIGHTS = {"title": 6.0, "context": 2.0, "columns": 3.0, "values": 1.5, "address": 1.0}
LENGTHS = {"title": 0.6, "context": 0.6, "columns": 0.6, "values": 0.6, "address": 0.6}
#: How soon a word that stands there often counts no more.
SATURATION = 4.0
#: What another form of a word counts, and a word that only begins with it.
FORM, LONGER = 0.7, 0.5
#: By how much a file with few of the words falls behind.
COVERAGE = 2.0
#: By what a search can be narrowed.
FACETS = ("site", "format", "year", "place", "licence")
_FACETS = 8
#: Files of which a place is looked up; more would say nothing.
_LONGER = 20
#: Of a shorter word any other is near; in a longer one two letters may be wrong.
_SHORT, _LONG = 4, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A file that was found.

    why: which words stand in which field of it.
    """

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

    @property
    def reason(self) -> str:
        """Why it was found, in words: "rivers in its title and columns".

        Its address is named where it says more: mostly it has the words of the title once more.
        """
        places: dict[str, list[str]] = {}
        said = {word for name, found in self.why.items() if name != "address" for word in found}
        for name, found in self.why.items():
            if name != "address" or not said.issuperset(found):
                places.setdefault(" ".join(found), []).append(name)
        return "; ".join(f"{said} in its {' and '.join(at)}" for said, at in places.items())


@dataclass(slots=True, kw_only=True)
class Results:
    """Hits, the best first; how many there are in all; facets.

    corrected: words that no file has, and what was searched for instead.
    unknown: words that no file has, nor any that is near.
    """

    hits: list[Hit] = field(default_factory=list)
    total: int = 0
    facets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    corrected: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A word of the question: its forms, and what each adds to units."""

    forms: Sequence[tuple[str, NDArray[np.int64], NDArray[np.uint8]]]
    scores: NDArray[np.float64]
    rarity: float


def search(
    catalog: CatalogStore,
    text: str,
    facets: Mapping[str, str] | None = None,
    most: int = 10,
    *,
    skip: int = 0,
    run: str = "",
    sort: str = "",
) -> Results:
    """Return what matches: files with all words first, then those with most of them.

    facets: values for some of FACETS; an empty one does not narrow it.
    skip: so many of the best. run: only files of it, and of runs within it.
    sort: one of ORDERS in place of the best first; then without words all files match.
    """
    narrowed = {name: value for name, value in (facets or {}).items() if value}
    if sort and sort not in ORDERS:
        raise UserError(f"There is no order {sort!r}: known are {', '.join(ORDERS)}.")
    results = Results()
    index = catalog.index
    asked = list(dict.fromkeys(words(text)))
    found_groups = (_group(catalog.db, index, word, results) for word in asked)
    groups = [group for group in found_groups if group]
    if not groups and (asked or text.strip() or not sort):
        return results
    allowed = _allowed(index, narrowed)
    if run:
        allowed &= index.of_run(run)
    scores, matching = np.zeros(len(index)), allowed
    if groups:
        scores, complete = _scores(index, groups)
        matching = (scores > 0) & allowed
        if np.count_nonzero(matching & complete) >= most:
            matching &= complete
    best = np.flatnonzero(matching)
    files = index.units["file"][best]
    best = best[np.lexsort((files, index.order(sort)[best] if sort else -scores[best]))]
    _, first = np.unique(index.units["file"][best], return_index=True)
    best = best[np.sort(first)]
    results.total = len(best)
    found = np.zeros(len(index), bool)
    found[best] = True
    results.facets = _facets(index, found)
    results.hits = [
        _hit(catalog.db, index, int(unit), scores, groups) for unit in best[skip : skip + most]
    ]
    return results


def matching(catalog: CatalogStore, text: str, facets: Mapping[str, str]) -> list[int]:
    """Return the numbers of all files that have all words, and are as the facets say.

    Words are taken as `search` takes them; without any, it is all files that are so.
    """
    results, index = Results(), catalog.index
    found = [_group(catalog.db, index, word, results) for word in dict.fromkeys(words(text))]
    groups = [group for group in found if group]
    fits = _allowed(index, {name: value for name, value in facets.items() if value})
    if groups:
        fits &= _scores(index, groups)[1]
    if len(groups) < len(found) or (text and not found):
        return []
    return sorted({int(file) for file in index.units["file"][fits]})


def _scores(
    index: Index, groups: Sequence[_Group]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the score of each unit, and whether it has all words."""
    scores, had = np.zeros(len(index)), np.zeros(len(index))
    complete = np.ones(len(index), bool)
    for group in groups:
        scores += group.rarity * group.scores
        there = group.scores > 0
        had += np.where(there, group.rarity, 0.0)
        complete &= there
    return scores * (had / sum(group.rarity for group in groups)) ** COVERAGE, complete


def _group(db: sqlite3.Connection, index: Index, word: str, results: Results) -> _Group | None:
    """Return where a word of the question stands; None where no file has it."""
    found = []
    counts = np.zeros(len(index))
    for form, weight in _forms(db, word, results):
        units, times = index.postings(form)
        if not len(units):
            continue
        found.append((form, units, times))
        counts += np.bincount(units, _weighed(index, units, times) * weight, len(index))
    if not found:
        if word not in results.corrected:
            results.unknown.append(word)
        return None
    number = np.count_nonzero(counts)
    rarity = float(np.log1p((len(index) - number + 0.5) / (number + 0.5)))
    return _Group(forms=found, scores=counts / (SATURATION + counts), rarity=rarity)


def _weighed(
    index: Index, units: NDArray[np.int64], times: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Return how much of a word is in each unit: by fields, each by its weight and length."""
    total = np.zeros(len(units))
    for place, name in enumerate(FIELDS):
        there = np.flatnonzero(times[:, place])
        if len(there):
            long = 1 - LENGTHS[name] + LENGTHS[name] * index.lengths[units[there], place]
            total[there] += WEIGHTS[name] * times[there, place] / long
    return total


def _forms(db: sqlite3.Connection, word: str, results: Results) -> list[tuple[str, float]]:
    """Return the words that are looked up for one, each with its weight."""
    if not has_forms(word):
        return [(word, 1.0)]
    near = _spelt(db, beginning(word), len(word) + 6)
    known = word in near and _is_known(db, word)
    found = [(form, FORM) for form in forms(word, near) if known or _is_known(db, form)]
    if known or found:
        return [(word, 1.0), *found]
    longer = [other for other in _spelt(db, word, len(word) + 20) if _is_known(db, other)]
    if longer:
        results.corrected[word] = f"{word}…"
        return [(other, LONGER) for other in longer[:_LONGER]]
    nearest = _nearest(db, word)
    if nearest is None:
        return []
    results.corrected[word] = nearest
    near = _spelt(db, beginning(nearest), len(nearest) + 6)
    return [(nearest, 1.0), *((form, FORM) for form in forms(nearest, near))]


def _spelt(db: sqlite3.Connection, prefix: str, longest: int) -> list[str]:
    rows = db.execute(
        "SELECT word FROM spellings WHERE word >= ? AND word < ? AND length(word) <= ? LIMIT 2000",
        (prefix, f"{prefix}\U0010ffff", longest),
    )
    return [row[0] for row in rows]


def _nearest(db: sqlite3.Connection, word: str) -> str | None:
    """Return the nearest word that a file has; of equally near ones that of most files."""
    most = 1 if len(word) < _LONG else 2
    spelt = [
        row[0]
        for letter in dict.fromkeys(word[:2])  # the first letter may be the wrong one
        for row in db.execute(
            "SELECT word FROM spellings WHERE word >= ? AND word < ?"
            " AND length(word) BETWEEN ? AND ?",
            (letter, f"{letter}\U0010ffff", len(word) - most, len(word) + most),
        )
    ]
    near = process.extract(word, spelt, scorer=OSA.distance, score_cutoff=most, limit=20)
    ranked = sorted((away, -_frequency(db, other), other) for other, away, _ in near)
    return next((other for _, often, other in ranked if often), None)


def _frequency(db: sqlite3.Connection, word: str) -> int:
    query = "SELECT COALESCE(SUM(LENGTH(units)), 0) FROM postings WHERE word = ?"
    return int(db.execute(query, (word,)).fetchone()[0])


def _is_known(db: sqlite3.Connection, word: str) -> bool:
    query = "SELECT 1 FROM postings WHERE word = ? LIMIT 1"
    return db.execute(query, (word,)).fetchone() is not None


def _allowed(index: Index, narrowed: Mapping[str, str]) -> NDArray[np.bool_]:
    """Return which units may be shown."""
    if unknown := narrowed.keys() - set(FACETS):
        raise UserError(f"There is no facet {min(unknown)}: known are {', '.join(FACETS)}.")
    allowed = index.shown.copy()
    for name, value in narrowed.items():
        if name == "year":
            if not value.isdecimal():
                raise UserError(f"{value!r} is no year.")
            year, since = int(value), index.units["since"]
            allowed &= (since > 0) & (since <= year) & (year <= index.units["until"])
        else:
            having = np.zeros(len(index), bool)
            having[index.having(name, value)] = True
            if not having.any() and len(index):
                some = [known for known, _ in index.common(name, index.shown, _FACETS)]
                known = f": there are {', '.join(some)}" if some else ""
                raise UserError(f"No file has the {name} {value!r}{known}.")
            allowed &= having
    return allowed


def _facets(index: Index, found: NDArray[np.bool_]) -> dict[str, list[tuple[str, int]]]:
    facets = {name: index.common(name, found, _FACETS) for name in VALUES}
    since, until = index.units["since"][found], index.units["until"][found]
    covered = since > 0
    if covered.any():
        number = int(max(since.max(), until.max())) + 2
        began = np.bincount(since[covered], minlength=number)
        ended = np.bincount(until[covered].astype(np.int64) + 1, minlength=number)
        years = np.cumsum(began - ended)
        best = sorted(np.argsort(-years, kind="stable")[:_FACETS])
        facets["year"] = [(str(year), int(years[year])) for year in best if years[year] > 0]
    return {name: facets.get(name, []) for name in FACETS}


def _hit(
    db: sqlite3.Connection,
    index: Index,
    unit: int,
    scores: NDArray[np.float64],
    groups: Sequence[_Group],
) -> Hit:
    file = int(index.units["file"][unit])
    row = db.execute("SELECT * FROM files WHERE file = ?", (file,)).fetchone()
    seen = db.execute(
        "SELECT site, url FROM sightings WHERE file = ? ORDER BY found_s, url LIMIT 1", (file,)
    ).fetchone()
    why: dict[str, list[str]] = {}
    for place, name in enumerate(FIELDS):
        for group in groups:
            for form, units, times in group.forms:
                at = np.flatnonzero(units == unit)
                if len(at) and times[at[0], place]:
                    why.setdefault(name, []).append(form)
    facts = {name: row[name] for name in ("id", "title", "format", "rows", "since", "until")}
    return Hit(**facts, site=seen["site"], url=seen["url"], score=float(scores[unit]), why=why)
