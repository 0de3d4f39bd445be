"""Tables that were put together and given a name: kept as how they are made, not as rows.

views.jsonl lies beside the catalog, a line a view, so that it stays when the catalog is made anew.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from filon.core import UserError
from filon.core.extras import extra
from filon.run.disk import append_line

FILE = "views.jsonl"
#: Names that have a meaning in queries already.
_TAKEN = frozenset({"files", "sightings", "tables", "columns", "views"})
_NAME = re.compile(r"(?!f_[0-9a-f]{6})[a-z][a-z0-9_]{0,62}", re.ASCII)


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
        self._views: dict[str, View] = dict(_read(folder / FILE))

    def __getitem__(self, name: str) -> View:
        return self._views[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def named_in(self, query: str) -> list[str]:
        """Return the views whose names stand in a query."""
        words = {word.lower() for word in re.findall(r"\w+", query)}
        return [name for name in self._views if name in words]

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


def checked(name: str) -> str:
    """Return a name for a view, in small letters; an error where it cannot be one."""
    small = name.lower()
    if not _NAME.fullmatch(small) or small in _TAKEN:
        raise UserError(
            f"A view cannot be called {name!r}: letters, digits and _, a letter first, and none of "
            f"{', '.join(sorted(_TAKEN))}."
        )
    return small


def _read(path: Path) -> Iterator[tuple[str, View]]:
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return  # none yet
    for line in lines:
        try:
            said = json.loads(line)
            view = View(said["how"], tuple(said["ids"]), tuple(said["on"]))
            yield str(said["name"]), view
        except (ValueError, KeyError, TypeError):
            continue  # a line that was cut off by a kill
