"""Files that are the same, or nearly: by their bytes, or by the values in their tables.

Tables with the same columns are compared by the least hashes of all their values, whatever the
order of rows and columns and the format. Those that may be alike are found by bins of hashes (one
permutation hashing: Li, Owen and Zhang, 2012), so that not each is compared with each.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from filon.catalog import choices, overlap
from filon.catalog.overlap import name_key
from filon.catalog.store import CatalogStore

#: The share of values that two tables must have in common, and of rows that the shorter must have.
LEAST = 0.9
#: Hashes of a table that are compared, and bins by which tables that may be alike are found.
_COMPARED, _BINS, _BAND = 512, 32, 2
#: Tables with one bin that others are compared with.
_FIRSTS = 8
#: Files of its length that one is compared with, and columns that share most values with each of
#: its own, where there are more.
_NEAR, _SHARING = 2000, 200
#: A table of fewer values may be like another by chance.
_FEW = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A file of a group.

    kept: it is the one that is shown. alike: its share of values as in that one.
    """

    id: str
    title: str
    format: str
    size_bytes: int
    url: str
    alike: float
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """groups: of files that are nearly the same. copies: of one file, its addresses."""

    groups: list[list[Member]]
    copies: list[tuple[str, str, list[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """What all tables of a file hold."""

    file: int
    rows: int
    names: frozenset[str]
    hashes: NDArray[np.uint32]


def duplicates(catalog: CatalogStore) -> Duplicates:
    """Return the groups of files that are the same or nearly, the largest first."""
    contents = {one.file: one for one in _contents(catalog.db)}
    leader: dict[int, int] = {file: file for file in contents}

    def head(file: int) -> int:
        while leader[file] != file:
            leader[file] = file = leader[leader[file]]
        return file

    for one, other in _candidates(list(contents.values())):
        if head(one) != head(other) and _alike(contents[one], contents[other]) >= LEAST:
            leader[head(other)] = head(one)
    groups = defaultdict[int, list[int]](list)
    for file in contents:
        groups[head(file)].append(file)
    found = [
        _members(catalog, [contents[file] for file in files])
        for files in groups.values()
        if len(files) > 1
    ]
    found.sort(key=lambda group: (-len(group), group[0].id))
    return Duplicates(groups=found, copies=_copies(catalog.db))


def apply(catalog: CatalogStore, found: Duplicates) -> int:
    """Show one file of each group in searches; return how many are not shown any more."""
    same = {member.id: group[0].id for group in found.groups for member in group if not member.kept}
    if same:
        choices.write(catalog.folder, "same", same)
        catalog.update()
    return len(same)


def undo(catalog: CatalogStore) -> int:
    """Show all files again; return how many were not shown."""
    marked = [row["id"] for row in catalog.db.execute("SELECT id FROM files WHERE same_as != ''")]
    if marked:
        choices.write(catalog.folder, "apart", dict.fromkeys(marked, ""))
        catalog.update()
    return len(marked)


def like(catalog: CatalogStore, file: int) -> list[Member]:
    """Return the files that are nearly the same as one, without it."""
    mine = next(_contents(catalog.db, file), None)
    if mine is None:
        return []
    row = catalog.db.execute("SELECT rows FROM files WHERE file = ?", (file,)).fetchone()
    least, most = LEAST * row["rows"], row["rows"] / LEAST
    near = catalog.db.execute(
        "SELECT file FROM files WHERE rows BETWEEN ? AND ? AND file != ? LIMIT ?",
        (least, most, file, _NEAR),
    )
    files = {other for (other,) in near}
    if len(files) == _NEAR:  # as long as many others: those that share values are among them
        files |= _sharing(catalog, file)
    others = [one for other in sorted(files) for one in _contents(catalog.db, other)]
    same = [other for other in others if _alike(mine, other) >= LEAST]
    return [_member(catalog, mine, other, kept=False) for other in same]


def apart(catalog: CatalogStore, file: int, ids: Iterable[str]) -> Iterator[str]:
    """Yield of some files those that are not nearly the same as one, nor as an earlier of them."""
    kept = list(_contents(catalog.db, file))
    for id in dict.fromkeys(ids):
        row = catalog.db.execute("SELECT file FROM files WHERE id = ?", (id,)).fetchone()
        content = next(_contents(catalog.db, row["file"]), None)
        if content and any(_alike(one, content) >= LEAST for one in kept):
            continue
        kept += [content] if content else []
        yield id


def _sharing(catalog: CatalogStore, file: int) -> set[int]:
    """Return other files that have most values of a column of one."""
    columns = [column for _, columns in catalog.tables(file) for column in columns]
    found: set[int] = set()
    for column in columns:
        common = overlap.sharing(catalog.db, column["sketch"]).most_common(_SHARING)
        for table in {overlap.parted(other)[0] for other, _ in common}:
            row = catalog.db.execute(
                'SELECT file FROM tables WHERE "table" = ?', (table,)
            ).fetchone()
            found.update(row or ())
    return found - {file}


def _contents(db: sqlite3.Connection, file: int | None = None) -> Iterator[_Content]:
    """Yield what files hold, of those that have enough to be told apart."""
    condition = "" if file is None else "WHERE t.file = ?"
    rows = db.execute(
        'SELECT t.file, t."table", t.rows, c.name, c.kind, c.sketch FROM tables t'
        f' JOIN columns c USING ("table") {condition} ORDER BY t.file, t."table"',
        () if file is None else (file,),
    )
    current, parts, tables, names = -1, list[bytes](), dict[int, int](), set[str]()
    for row in rows:
        if row["file"] != current:
            yield from _content(current, parts, tables, names)
            current, parts, tables, names = row["file"], [], {}, set()
        names.add(name_key(row["name"], "text"))
        parts.append(row["sketch"])
        tables[row["table"]] = row["rows"]
    yield from _content(current, parts, tables, names)


def _content(
    file: int, parts: Sequence[bytes], tables: dict[int, int], names: set[str]
) -> Iterator[_Content]:
    hashes = np.unique(np.frombuffer(b"".join(parts), "<u4"))
    if len(hashes) >= _FEW:
        rows = sum(tables.values())
        yield _Content(file=file, rows=rows, names=frozenset(names), hashes=hashes[:_COMPARED])


def _candidates(contents: Sequence[_Content]) -> Iterator[tuple[int, int]]:
    """Yield files that may be alike: some of their least hashes are the same."""
    buckets = defaultdict[tuple[object, ...], list[_Content]](list)
    for content in contents:
        least = np.full(_BINS, 0xFFFFFFFF, np.uint32)
        np.minimum.at(least, content.hashes % _BINS, content.hashes)
        for band in range(0, _BINS, _BAND):
            some = tuple(least[band : band + _BAND].tolist())
            if some == (0xFFFFFFFF,) * _BAND:
                continue
            # What is alike is alike to one of the first: a group is found all the same.
            firsts = buckets[band, some, content.names]
            yield from ((other.file, content.file) for other in firsts if _as_long(other, content))
            if len(firsts) < _FIRSTS:
                firsts.append(content)


def _alike(one: _Content, other: _Content) -> float:
    """Return the share of the values of both that they have in common.

    0 where their rows or the names of their columns differ: in another language it is another file.
    """
    if not _as_long(one, other) or one.names != other.names:
        return 0.0
    both = np.union1d(one.hashes, other.hashes)
    if _COMPARED in (len(one.hashes), len(other.hashes)):
        both = both[:_COMPARED]
    shared = np.isin(both, one.hashes) & np.isin(both, other.hashes)
    return float(np.count_nonzero(shared) / len(both))


def _as_long(one: _Content, other: _Content) -> bool:
    return min(one.rows, other.rows) >= LEAST * max(one.rows, other.rows)


def _members(catalog: CatalogStore, contents: Sequence[_Content]) -> list[Member]:
    """Return the files of a group, the one that is shown first: seen most often, then first."""
    seen = {one.file: len(catalog.sightings(one.file)) for one in contents}
    kept, *others = sorted(contents, key=lambda one: (-seen[one.file], one.file))
    first = _member(catalog, kept, kept, kept=True)
    return [first, *(_member(catalog, kept, other, kept=False) for other in others)]


def _member(catalog: CatalogStore, kept_one: _Content, one: _Content, *, kept: bool) -> Member:
    row = catalog.db.execute("SELECT * FROM files WHERE file = ?", (one.file,)).fetchone()
    facts = {name: row[name] for name in ("id", "title", "format", "size_bytes")}
    url = catalog.sightings(one.file)[0]["url"]
    return Member(**facts, url=url, alike=_alike(kept_one, one), kept=kept)


def _copies(db: sqlite3.Connection) -> list[tuple[str, str, list[str]]]:
    """Return the files that stand at several addresses: id, title, addresses."""
    rows = db.execute(
        "SELECT f.file, f.id, f.title FROM files f JOIN sightings s USING (file) GROUP BY f.file"
        " HAVING COUNT(DISTINCT s.url) > 1 ORDER BY COUNT(DISTINCT s.url) DESC, f.id"
    ).fetchall()
    urls = "SELECT DISTINCT url FROM sightings WHERE file = ? ORDER BY url"
    return [
        (row["id"], row["title"], [url for (url,) in db.execute(urls, (row["file"],))])
        for row in rows
    ]
