"""The finds of a run, as a reader has them: one by one, or as a table."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.frame import Frame

_ALL = "SELECT * FROM finds ORDER BY find"
_KINDS = {
    "find": int,
    "kind": str,
    "url": str,
    "name": str,
    "mime": str,
    "parent": str,
    "size_bytes": int,
    "sha256": str,
    "found_at": datetime,
    "step": int,
    "path": str,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFind:
    """A find as the run holds it; `path` is its file, None where it has none.

    Example:

        tables = [pandas.read_csv(find.path) for find in run if find.mime == "text/csv"]
    """

    kind: str
    url: str
    name: str
    mime: str
    parent: str
    size_bytes: int
    sha256: str
    path: Path | None


def stored_find(run_path: Path, row: sqlite3.Row) -> StoredFind:
    """Return the find that a row of the ledger tells of."""
    sha256 = row["sha256"] or ""
    told = {key: row[key] for key in ("kind", "url", "name", "mime", "parent")}
    path = readonly.stored(run_path, sha256) if sha256 else None
    return StoredFind(**told, size_bytes=row["size_bytes"], sha256=sha256, path=path)


def stored_finds(run_path: Path) -> Iterator[StoredFind]:
    """Yield the finds of a run in the order in which they came."""
    with readonly.reading(run_path) as ledger:
        rows = ledger.execute(_ALL).fetchall()
    return (stored_find(run_path, row) for row in rows)


def find_frame(run_path: Path) -> Frame:
    """Return the finds of a run as a table."""

    def read() -> Iterable[tuple[Any, ...]]:
        with readonly.reading(run_path) as ledger:
            for row in ledger.execute(_ALL):
                path = str(readonly.stored(run_path, row["sha256"])) if row["sha256"] else None
                own = {"found_at": datetime.fromtimestamp(row["at_s"], UTC), "path": path}
                yield tuple(own[name] if name in own else row[name] for name in _KINDS)

    return Frame(_KINDS, read, size=lambda: readonly.number(run_path, "finds"))
