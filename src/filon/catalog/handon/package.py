"""Folders and documents that are handed on, with names and paths of our own.

No name of the web is part of a path: files are called by their hash and by what their bytes are.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from filon.catalog.handon.dataset import File, Table
from filon.catalog.values import Values, values
from filon.core import UserError
from filon.core.version import __version__
from filon.profile.read import tables
from filon.run.export.warc import Counted

__all__ = ["AGENT", "Counted", "filled", "keep", "read", "table_name", "write_json"]

#: Who made what is handed on.
AGENT = f"Filon {__version__}"


def keep(file: File, folder: Path) -> str:
    """Copy the bytes of a file into a package; return its path there, "" where they are gone."""
    if file.path is None:
        return ""
    path = f"files/{file.short[:2]}/{file.short}.{file.ending}"
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file.path, target)
    return path


def table_name(file: File, table: Table) -> str:
    """Return what a table is called where all have names: as in `filon catalog sql`."""
    return f"f_{file.short}" + (f"_{table.number}" if table.number > 1 else "")


def read(file: File) -> Iterator[tuple[Table, list[Values]]]:
    """Yield the tables of a file that a profile has told, with their values.

    A file that can no longer be read has none.
    """
    if file.path is None or not file.tables:
        return
    try:
        for table, found in zip(file.tables, tables(file.path, file.name), strict=False):
            fits = len(table.columns) == len(found.names)
            yield table, values(found, [one.kind for one in table.columns] if fits else ())
    except UserError:
        return


def write_json(document: Mapping[str, Any], out: Path) -> None:
    """Write an object, with iterators as arrays of their own length, one element at a time.

    A catalog may hold more than memory does. The signs of HTML are written as escapes, so that
    the whole can stand in a page.
    """
    with out.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write("{")
        for number, (name, value) in enumerate(document.items()):
            file.write(f"{',' if number else ''}\n {_json(name)}: ")
            if isinstance(value, Iterator):
                _write_array(value, file)
            else:
                file.write(_json(value).replace("\n", "\n "))
        file.write("\n}\n")


def _write_array(values: Iterator[Any], file: TextIO) -> None:
    before = "\n"
    file.write("[")
    for value in values:
        file.write(f"{before}  " + _json(value).replace("\n", "\n  "))
        before = ",\n"
    file.write("]" if before == "\n" else "\n ]")


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def filled(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without what is empty.

    >>> filled({"title": "a", "licence": "", "rows": 0, "places": []})
    {'title': 'a', 'rows': 0}
    """
    return {name: one for name, one in value.items() if one not in (None, "", [], {}, ())}
