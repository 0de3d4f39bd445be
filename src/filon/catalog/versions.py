"""Versions of files: what was at an address before, and what is there no more.

A file is an older version where every address that had it has another one since. It stays in the
catalog; searches and exports have the newest.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from filon.core import FilonError
from filon.run.history import ROUNDS, History

#: The last sighting at each address, and those before it.
_PLACES = """
SELECT s.file, f.id, s.url, s.found_s,
       row_number() OVER (PARTITION BY s.url ORDER BY s.found_s DESC, s.rowid DESC) AS place
FROM sightings s JOIN files f USING (file)
"""
_NEWER = f"""
WITH placed AS ({_PLACES}),
     last AS (SELECT url, id FROM placed WHERE place = 1),
     kept AS (SELECT DISTINCT file FROM placed WHERE place = 1)
SELECT p.file, l.id FROM placed p JOIN last l USING (url)
WHERE p.file NOT IN (SELECT file FROM kept) ORDER BY p.found_s
"""
_EARLIER = """
SELECT f.id, MIN(s.found_s) AS first_s FROM sightings s JOIN files f USING (file)
WHERE s.url IN (SELECT url FROM sightings WHERE file = ?) AND s.file != ?
  AND s.found_s < (SELECT MAX(found_s) FROM sightings WHERE file = ?)
GROUP BY f.id ORDER BY first_s
"""
_VERSIONS = """
SELECT f.id, f.size_bytes, f.rows, MIN(s.found_s) AS first_s
FROM sightings s JOIN files f USING (file)
WHERE s.url IN (SELECT url FROM sightings WHERE file = ?)
GROUP BY f.id ORDER BY first_s DESC, f.id
"""


def mark(db: sqlite3.Connection, gone: Mapping[str, float]) -> None:
    """Write down which files are older versions, and which are no longer there.

    gone: addresses at which nothing was any more, and when that was seen.
    """
    newer = dict(db.execute(_NEWER).fetchall())
    away = dict(_away(db, gone))
    had = {row["file"]: (row["newer"], row["gone"]) for row in db.execute(_MARKED)}
    now = {
        file: (newer.get(file, ""), away.get(file, "")) for file in sorted({*newer, *away, *had})
    }
    changed = [(*marks, file) for file, marks in now.items() if had.get(file) != marks]
    if changed:
        db.executemany("UPDATE files SET newer = ?, gone = ? WHERE file = ?", changed)


_MARKED = "SELECT file, newer, gone FROM files WHERE newer != '' OR gone != ''"


def _away(db: sqlite3.Connection, gone: Mapping[str, float]) -> Iterator[tuple[int, str]]:
    """Yield the files all of whose addresses are empty since, and the day of the last."""
    if not gone:
        return
    marks: dict[int, list[float | None]] = {}
    for row in db.execute("SELECT file, url, MAX(found_s) AS found_s FROM sightings GROUP BY 1, 2"):
        seen_s = gone.get(row["url"], 0.0)
        marks.setdefault(row["file"], []).append(seen_s if seen_s > row["found_s"] else None)
    for file, times in marks.items():
        whole = [at_s for at_s in times if at_s is not None]
        if len(whole) == len(times):
            yield file, f"{datetime.fromtimestamp(max(whole), UTC):%Y-%m-%d}"


def earlier(db: sqlite3.Connection, file: int) -> list[str]:
    """Return the ids of what was at the addresses of a file before it, the oldest first."""
    return [row["id"] for row in db.execute(_EARLIER, (file, file, file))]


def versions_of(db: sqlite3.Connection, file: int) -> list[sqlite3.Row]:
    """Return all that was ever at the addresses of a file, itself too, the newest first.

    Each with its id, size_bytes, rows, and first_s, when it was first seen there.
    """
    return db.execute(_VERSIONS, (file,)).fetchall()


def vanished(folders: Iterable[Path]) -> dict[str, float]:
    """Return the addresses at which rounds, by their folders, found nothing any more, and when."""
    found: dict[str, float] = {}
    for run in sorted({path.parents[1] for path in folders if path.parent.name == ROUNDS}):
        try:
            with History(run) as history:
                found |= history.gone()
        except FilonError:  # the run itself says what is wrong with it
            continue
    return found
