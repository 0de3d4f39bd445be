"""The records of an enrichment and the rows they are about, as rows of an export."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.run.export.format import Rows
from filon.run.frame import Frame
from filon.verbs.enrich import records as book

_OWN = {
    "row": int,
    "filon_score": float,
    "filon_id": str,
    "filon_url": str,
    "filon_fetched_at": str,
    "filon_evidence": str,
    "sure": int,
}


def records(run_path: Path) -> Rows:
    """Return every record with the row of the table that it may be about.

    A field whose name is one of ours is called field_NAME.
    """
    fields = book.known_fields(_lines(run_path))
    with book.reading_book(run_path) as opened:
        table = book.meta(opened).get("table", "")
    named = {name: f"field_{name}" if name in _OWN else name for name in fields}

    def read() -> Iterator[list[Any]]:
        for line in _lines(run_path):
            yield [*line["marks"].values(), *(line["fields"].get(name) for name in fields)]

    def nested() -> Iterator[dict[str, Any]]:
        return ({**line["marks"], "fields": line["fields"]} for line in _lines(run_path))

    return Rows(
        run_path=run_path,
        name="records",
        frame=Frame({**_OWN, **dict.fromkeys(named.values(), str)}, read),
        input_name=Path(table).name.partition(":")[0],
        nested=nested,
        copy=lambda out: _copy(run_path, out),
    )


def _lines(run_path: Path) -> Iterator[dict[str, Any]]:
    with book.reading_book(run_path) as opened:
        for found in book.records(opened):
            at = datetime.fromtimestamp(found["at_s"], UTC).isoformat(timespec="seconds")
            own = (found["row"], found["score"], found["id"], found["url"], at)
            marks = dict(zip(_OWN, (*own, found["evidence"], found["sure"]), strict=True))
            yield {"marks": marks, "fields": found["fields"]}


def _copy(run_path: Path, out: Path) -> None:
    """Write a SQLite database with the tables records, matches, rows and conflicts."""
    with book.reading_book(run_path) as opened, closing(sqlite3.connect(out)) as copy:
        opened.backup(copy)
