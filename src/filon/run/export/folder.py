"""Finds as a folder tree that a person can browse: host, the URL's path, the original name.

Files are copied, not linked: who edits a copy must not change what the run keeps.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from filon.run import readonly
from filon.run.export.format import Rows
from filon.run.export.index import SHOWN, index_page
from filon.run.export.names import numbered, safe_name, same_on_disk
from filon.run.export.rows import Row
from filon.run.export.rows import rows as find_rows
from filon.run.export.text import write_table

#: Deeper folders are of no help to a person, and Windows takes 260 characters in all.
_DEEPEST = 6
_LONGEST_FOLDER_BYTES = 40
_LONGEST_PATH = 180


def write_files(rows: Rows, out: Path) -> None:
    """Write a folder with the files of a run, and index.csv and index.html for the whole."""
    run_path = rows.run_path
    out.mkdir()
    first: list[Row] = []
    finds = 0

    def noted() -> Iterator[Row]:
        nonlocal finds
        for finds, row in enumerate(_place(run_path, out), start=1):
            if finds <= SHOWN:
                first.append(row)
            yield row

    write_table(Row._fields, noted(), out / "index.csv")
    (out / "index.html").write_text(index_page(first, finds, run_path.name), "utf-8")


def _place(run_path: Path, out: Path) -> Iterator[Row]:
    tree = Tree()
    for row in find_rows(run_path):
        source = readonly.stored(run_path, row.sha256) if row.sha256 else None
        if source is None or not source.is_file():
            yield row._replace(path="")
            continue
        path = tree.place(row.url, row.name)
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        yield row._replace(path=path.as_posix())


class Tree:
    """Gives each file a place of its own, also where file systems ignore case.

    >>> tree = Tree()
    >>> str(tree.place("http://example.org/2024/x?id=1", "a.csv"))
    'example.org/2024/a.csv'
    >>> str(tree.place("http://example.org/2024/x?id=2", "A.csv"))
    'example.org/2024/A (2).csv'
    """

    def __init__(self) -> None:
        self._folders: dict[tuple[PurePosixPath, str], PurePosixPath] = {}
        top = ((PurePosixPath(), name) for name in ("index.csv", "index.html"))
        self._taken: set[tuple[PurePosixPath, str]] = set(top)
        self._next: dict[tuple[PurePosixPath, str], int] = {}

    def place(self, url: str, name: str) -> PurePosixPath:
        """Return a new path for a file: relative, safe, not given before."""
        host, *segments = _segments(url)
        file_name = safe_name(name or (segments[-1] if segments else ""))
        folders = [safe_name(s, "_", _LONGEST_FOLDER_BYTES) for s in segments[:-1][:_DEEPEST]]
        place = self._folder(PurePosixPath(), safe_name(host, "unknown host", 80))
        for folder in folders:
            if len(str(place)) + len(folder) + len(file_name) > _LONGEST_PATH:
                break
            place = self._folder(place, folder)
        return self._free(place, file_name)

    def _folder(self, parent: PurePosixPath, name: str) -> PurePosixPath:
        """Return the folder of that name; a file may have taken the name before."""
        known = self._folders.get((parent, name))
        if known is None:
            known = self._folders[parent, name] = self._free(parent, name)
        return known

    def _free(self, parent: PurePosixPath, name: str) -> PurePosixPath:
        chosen, first = name, (parent, same_on_disk(name))
        # A thousand files of one name must not cost a million look-ups.
        number = self._next.get(first, 2)
        while (parent, same_on_disk(chosen)) in self._taken:
            chosen = numbered(name, number)
            number += 1
        self._next[first] = number
        self._taken.add((parent, same_on_disk(chosen)))
        return parent / chosen


def _segments(url: str) -> list[str]:
    """Return the host and the parts of the path, decoded."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ["", "file"]
    host = parts.netloc.rpartition("@")[2]
    *folders, last = parts.path.split("/")
    return [host, *(unquote(folder) for folder in folders if folder), unquote(last)]
