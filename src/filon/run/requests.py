"""The steps of a run as a table: what was asked for and why, and what came back.

Names are those of schema.py. What serves the store alone, as the place of a record in the archive,
is left to those who ask the ledger in SQL.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.frame import Frame

_KINDS = {
    "step": int,
    "answer": int,
    "sends": int,
    "method": str,
    "url": str,
    "parent": str,
    "kind": str,
    "arm": str,
    "score": float,
    "expected": float,
    "why": str,
    "status": int,
    "error": str,
    "detail": str,
    "cut": str,
    "mime": str,
    "location": str,
    "size_bytes": int,
    "wire_bytes": int,
    "answered_at": datetime,
    "took_s": float,
    "run_s": float,
    "sha256": str,
}
_STORED = {"answered_at": "at_s", "took_s": "CASE WHEN took_s >= 0 THEN took_s END"}
_COLUMNS = ", ".join(_STORED.get(name, name) for name in _KINDS)
_ALL = f"SELECT {_COLUMNS} FROM steps ORDER BY step"  # noqa: S608, our own names
_AT = list(_KINDS).index("answered_at")


def request_frame(run_path: Path) -> Frame:
    """Return the steps of a run; those in flight have no answer."""

    def read() -> Iterable[tuple[Any, ...]]:
        with readonly.reading(run_path) as ledger:
            for row in ledger.execute(_ALL):
                at_s = row[_AT]
                moment = None if at_s is None else datetime.fromtimestamp(at_s, UTC)
                yield (*row[:_AT], moment, *row[_AT + 1 :])

    return Frame(_KINDS, read, size=lambda: readonly.number(run_path, "steps"))
