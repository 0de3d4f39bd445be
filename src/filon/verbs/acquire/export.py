"""The finds of all sites as rows of an export, and the sites as a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.export.format import Kinds, Rows
from filon.run.export.rows import COLUMNS, cells, datasets, found_in
from filon.run.export.warc import answers
from filon.run.frame import Frame
from filon.verbs.acquire.index import DISCOVER, SITES
from filon.verbs.acquire.summary import figures

#: As for one run, and of which site each is.
_COLUMNS = {"site": str, **COLUMNS}
_SITES: dict[str, type] = {
    **dict.fromkeys(("site", "url"), str),
    **dict.fromkeys(("requests", "finds", "bytes"), int),
    "promise": float,
    **dict.fromkeys(("state", "end", "why", "run"), str),
}


def _rows(folder: Path) -> Iterator[tuple[Any, ...]]:
    with readonly.reading(folder) as ledger:
        query = readonly.all_finds(ledger).replace(" ORDER BY", " JOIN turns USING (step) ORDER BY")
        query = query.replace("SELECT ", "SELECT turns.site, ", 1)
        for found in ledger.execute(query):
            yield cells(found, _COLUMNS, f"{SITES}/{found['site']}/")


def finds(folder: Path) -> Rows:
    """Return the finds of all sites."""
    return found_in(folder, Frame(_COLUMNS, lambda: _rows(folder)))


def answered(folder: Path) -> Rows:
    """Return what the web said to all runs of a whole, the discovery first."""
    runs = [folder / DISCOVER, *sorted((folder / SITES).glob("*"))]  # none before the first site
    return answers(folder, tuple(run for run in runs if (run / readonly.LEDGER).is_file()))


#: What a whole has.
FINDS: Kinds = {"table": finds, "files": finds, "datasets": datasets, "answers": answered}


def site_frame(folder: Path) -> Frame:
    """Return the sites, those that brought most first, with what each cost and why it ended."""
    with readonly.reading(folder) as ledger:
        rows = [tuple(part.row()[name] for name in _SITES) for part in figures(ledger)]
    return Frame(_SITES, lambda: rows, size=lambda: len(rows))
