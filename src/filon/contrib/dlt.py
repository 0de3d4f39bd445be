"""Sources of dlt over a run and over a catalog, for any of its destinations. See docs/workflows.md.

    pipeline = dlt.pipeline("statistics", destination="duckdb", dataset_name="web")
    pipeline.run(filon.contrib.dlt.catalog("filon-runs"))

What was loaded before is merged with, by keys, or replaced: a source may be run again and again.
"""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from filon.catalog.handle import Catalog
from filon.catalog.handon.choose import choose
from filon.catalog.store import CatalogStore
from filon.core import FilonError
from filon.core.extras import extra
from filon.run.frame import Frame
from filon.run.handle import Run
from filon.verbs.look import open_run
from filon.verbs.registry import verb_of

dlt: Any = extra("dlt", "A source of dlt needs dlt", "dlt")
logger = logging.getLogger(__name__)
#: Which schema of a destination these are of.
SOURCE = "filon"
#: Names of destinations' tables are this long at most; that of a file may be longer.
MOST_CHARS = 50
_ODD = re.compile(r"[^0-9a-z]+")


class Table(NamedTuple):
    """A table of a file of a catalog; number: from 0 on."""

    name: str
    file: str
    number: int


def run(path: str | PathLike[str]) -> Any:
    """Return what a run found, what it asked for, and the tables that its verb has besides.

    Each row says of which run it is, so that several may be loaded into one place.
    """
    return dlt.source(_of_run, name=SOURCE)(open_run(fspath(path)))


def _of_run(opened: Run) -> Iterator[Any]:
    keys = {"finds": ("run", "find"), "requests": ("run", "step")}
    for name in ("finds", "requests", *verb_of(opened.path).frames()):
        merged = {"write_disposition": "merge", "primary_key": keys.get(name, ("run", "row"))}
        rows = _rows(opened.frame(name), opened.path.name)
        yield dlt.resource(rows, name=name, **merged)


def catalog(
    folder: str | PathLike[str] = "filon-runs",
    *,
    ids: Sequence[str] = (),
    search: str = "",
    facets: Mapping[str, str | int] | None = None,
) -> Any:
    """Return the list of the files of a catalog, and their tables, each under its file's name.

    ids, search: only these files, only those with all of these words.
    facets: only files that are so: site, format, year, place, licence.
    """
    opened = Catalog(folder)
    said = {name: str(value) for name, value in (facets or {}).items()}  # a year is a number, too
    chosen = _tables(opened, ids, search, said)
    return dlt.source(_of_catalog, name=SOURCE)(opened, chosen)


def _of_catalog(opened: Catalog, tables: Sequence[Table]) -> Iterator[Any]:
    listed = opened.files()
    keyed = {"write_disposition": "merge", "primary_key": "id"}
    yield dlt.resource(lambda: iter(listed), name="files", **keyed)
    for table in tables:
        yield dlt.resource(_cells(opened, table), name=table.name, write_disposition="replace")


def _rows(frame: Frame, run: str) -> Iterator[dict[str, Any]]:
    """Yield rows with the name of their run, and their number where they have none."""
    for number, row in enumerate(frame, start=1):
        yield {"run": run, "row": number, **row}


def _cells(opened: Catalog, table: Table) -> Iterator[Any]:
    try:
        yield opened[table.file].to_arrow(table.number)
    except FilonError as error:  # of one file of many: the others are to be loaded
        logger.warning("%s is left out: %s", table.name, error)


def _tables(
    opened: Catalog, ids: Sequence[str], search: str, facets: Mapping[str, str]
) -> list[Table]:
    with CatalogStore(opened.folder) as store:
        known = {row["file"]: row["id"] for row in store.db.execute("SELECT file, id FROM files")}
        chosen = [known[file] for file in choose(store, ids, search, facets)]
    taken, found = {"files"}, []
    for file in (opened[id] for id in chosen):
        for number, (title, _) in enumerate(file.tables):
            name = _name(f"{Path(file.name).stem} {title if number else ''}")
            if name in taken:
                name = f"{name}_{file.id[:6]}" + (f"_{number + 1}" if number else "")
            taken.add(name)
            found.append(Table(name, file.id, number))
    return found


def _name(text: str) -> str:
    """Return a name for a table that every destination takes.

    >>> _name("Unemployment 2020 (final)"), _name("2020"), _name("数据")
    ('unemployment_2020_final', 'table_2020', 'table')
    """
    name = _ODD.sub("_", text.lower()).strip("_")[:MOST_CHARS].strip("_")
    return name if name[:1].isalpha() else f"table_{name}".rstrip("_")
