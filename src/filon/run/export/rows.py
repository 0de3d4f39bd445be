"""The finds of a run as rows of an export."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from filon.run import readonly
from filon.run.export.database import copy_ledger
from filon.run.export.format import Kinds, Rows
from filon.run.export.warc import answers
from filon.run.frame import Frame


class Row(NamedTuple):
    """A find as exports show it.

    path: the file within the run folder (or within the exported folder); empty if none is kept.
    """

    url: str
    name: str
    mime: str
    size_bytes: int
    sha256: str
    parent: str
    found_at: datetime
    step: int
    path: str


_FINDS = """
SELECT url, name, mime, size_bytes, COALESCE(sha256, ''), parent, at_s, step
FROM finds ORDER BY find
"""


def rows(run_path: Path) -> Iterator[Row]:
    """Yield the finds in the order in which they came."""
    with readonly.reading(run_path) as ledger:
        for url, name, mime, size_bytes, sha256, parent, at_s, step in ledger.execute(_FINDS):
            found_at = datetime.fromtimestamp(at_s, UTC)
            path = f"files/{sha256[:2]}/{sha256}" if sha256 else ""
            yield Row(url, name, mime, size_bytes, sha256, parent, found_at, step, path)


def finds(run_path: Path) -> Rows:
    """Return the finds of a run, with its steps where they become a database."""
    kinds: dict[str, type] = dict(Row.__annotations__)
    return Rows(
        run_path=run_path,
        name="finds",
        frame=Frame(kinds, lambda: rows(run_path)),
        copy=lambda out: copy_ledger(run_path, out),
    )


#: What every run has: the web's answers, as it stored them.
ANSWERS: Kinds = {"answers": answers}
#: What a run has whose finds are files.
FINDS: Kinds = {"table": finds, "files": finds, **ANSWERS}
