"""The finds of a run as rows of an export."""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.core.plugins import loaded
from filon.run import readonly
from filon.run.export.database import copy_ledger
from filon.run.export.format import Kinds, Rows
from filon.run.export.warc import answers
from filon.run.frame import Frame
from filon.run.history import rounds
from filon.run.schema import CONTEXT

#: A find as exports show it; see `filon.core.Find`.
#: path: the file within the run folder (or within the exported folder); empty if none is kept.
COLUMNS: dict[str, type] = {
    "url": str,
    "name": str,
    "mime": str,
    "size_bytes": int,
    "sha256": str,
    "parent": str,
    "found_at": datetime,
    "step": int,
    "path": str,
    **dict.fromkeys(CONTEXT, str),
}


def _rows(run_path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield the finds in the order in which they came; of each address what is newest."""
    folders = [run_path, *rounds(run_path)]
    newest: dict[str, int] = {}  # by address: the round; only where there are any
    for number, folder in enumerate(folders if len(folders) > 1 else ()):
        with readonly.reading(folder) as ledger:
            newest |= dict.fromkeys((row[0] for row in ledger.execute(_URLS)), number)
    for number, folder in enumerate(folders):
        within = f"{folder.relative_to(run_path).as_posix()}/" if number else ""
        with readonly.reading(folder) as ledger:
            for found in ledger.execute(readonly.all_finds(ledger)):
                if newest.get(found["url"], number) == number:
                    yield cells(found, COLUMNS, within)


_URLS = "SELECT url FROM finds"


def cells(found: sqlite3.Row, columns: Iterable[str], folder: str = "") -> tuple[Any, ...]:
    """Return what columns say of a find in a ledger; folder: of its run, if it is one of many."""
    sha256 = found["sha256"] or ""
    own: dict[str, Any] = {
        "sha256": sha256,
        "found_at": datetime.fromtimestamp(found["at_s"], UTC),
        "path": f"{folder}files/{sha256[:2]}/{sha256}" if sha256 else "",
    }
    return tuple(own[name] if name in own else found[name] for name in columns)


def finds(run_path: Path) -> Rows:
    """Return the finds of a run, with its steps where they become a database."""
    found = found_in(run_path, Frame(COLUMNS, lambda: _rows(run_path)))
    return replace(found, copy=lambda out: copy_ledger(run_path, out))


def found_in(folder: Path, frame: Frame) -> Rows:
    """Return finds that a folder keeps; path: the column that says where."""
    return Rows(run_path=folder, name="finds", frame=frame, stored=lambda row: folder / row["path"])


#: What every run has: the web's answers, as it stored them.
ANSWERS: Kinds = {"answers": answers}


def datasets(run_path: Path) -> Rows:
    """Return the files of a run with all that is known of them: the catalog tells it."""
    made: Rows = loaded("filon.catalog.handon.rows:of_run")(run_path)
    return made


#: What a run has whose finds are files.
FINDS: Kinds = {"table": finds, "files": finds, "datasets": datasets, **ANSWERS}
