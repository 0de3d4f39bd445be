"""Tables that were put together and given a name: kept as how they are made, not as rows.

views.jsonl lies beside the catalog, a line a view, so that it stays when the catalog is made anew.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from filon.catalog.data import parser
from filon.core import UserError
from filon.core.extras import extra
from filon.run.disk import append_line

FILE = "views.jsonl"
#: Names that have a meaning in queries already.
_TAKEN = frozenset({"files", "sightings", "tables", "columns", "views"})
_NAME = re.compile(r"(?!f_[0-9a-f]{6})[a-z][a-z0-9_]{0,62}", re.ASCII)
#: What of a query is no name: texts and comments.
_SAID = re.compile(r"'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$|--[^\n]*|/\*.*?\*/", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"]|"")+)"')


@dataclass(frozen=True, slots=True)
class View:
    """How a table is made. ids: of the files, whole. on: the columns of a join."""

    how: Literal["union", "join"]
    ids: tuple[str, ...]
    on: tuple[str, ...] = ()


class Views:
    """The views of a folder, by name; the last that was given a name has it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._views: dict[str, View] = {}
        for name, view in _read(folder / FILE):
            self._put(name, view)

    def __getitem__(self, name: str) -> View:
        return self._views[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def listed(self) -> Any:
        """Return all views as a table of Arrow."""
        pyarrow = extra("parquet", "Tables as Arrow need pyarrow", "pyarrow")
        rows = [{"name": name, **asdict(view)} for name, view in self._views.items()]
        texts = pyarrow.list_(pyarrow.string())
        kinds = {"name": pyarrow.string(), "how": pyarrow.string(), "ids": texts, "on": texts}
        return pyarrow.Table.from_pylist(rows, pyarrow.schema(kinds.items()))

    def keep(self, name: str, view: View) -> None:
        """Give a table a name."""
        append_line(self._folder / FILE, json.dumps({"name": name, **asdict(view)}))
        self._views[name] = view

    def drop(self, name: str) -> None:
        """Forget a view; the files that it is made of stay."""
        if name not in self._views:
            known = (
                f"there are {', '.join(sorted(self._views))}" if self._views else "there is none"
            )
            raise UserError(f"There is no view {name!r}: {known}.")
        append_line(self._folder / FILE, json.dumps({"name": name, "how": "drop"}))
        self._put(name, None)

    def _put(self, name: str, view: View | None) -> None:
        if view is None:
            self._views.pop(name, None)
        else:
            self._views[name] = view


def checked(name: str) -> str:
    """Return a name for a view, in small letters; an error where it cannot be one."""
    small = name.lower()
    if not _NAME.fullmatch(small) or small in _TAKEN:
        raise UserError(
            f"A view cannot be called {name!r}: letters, digits and _, a letter first, and none of "
            f"{', '.join(sorted(_TAKEN))}."
        )
    if _parsed(f"SELECT {small}.x FROM {small}") != {small}:
        raise UserError(f"A view cannot be called {name!r}: it is a word of SQL.")
    return small


def tables_in(query: str) -> set[str]:
    """Return the names of tables in a query, in small letters.

    Where DuckDB cannot tell them without the tables, it is all words that are no texts, and all
    that stands in double quotes.

    >>> tables_in("SELECT rain, 'snow' FROM Hail"), sorted(tables_in("PIVOT hail ON 'snow'"))
    ({'hail'}, ['hail', 'on', 'pivot'])
    """
    found = _parsed(query)
    if found is None:
        unsaid = _SAID.sub(" ", query)
        quoted = (name.replace('""', '"') for name in _QUOTED.findall(unsaid))
        found = {*quoted, *re.findall(r"\w+", unsaid)}
    return {name.lower() for name in found}


def _parsed(query: str) -> set[str] | None:
    duckdb = extra("tables", "Views need DuckDB", "duckdb", "pyarrow")
    try:
        with parser() as connection:
            return set(connection.get_table_names(query))
    except duckdb.Error:
        return None  # no SQL, or of a kind of which it cannot tell


def _read(path: Path) -> Iterator[tuple[str, View | None]]:
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return  # none yet
    for line in lines:
        try:
            said = json.loads(line)
            if said["how"] == "drop":
                yield str(said["name"]), None
            else:
                view = View(said["how"], tuple(said["ids"]), tuple(said["on"]))
                yield str(said["name"]), view
        except (ValueError, KeyError, TypeError):
            continue  # a line that was cut off by a kill
