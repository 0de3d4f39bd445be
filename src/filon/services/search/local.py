"""`local`: a search engine over what the user has, with no key and no network."""

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from filon.core import UserError
from filon.core.suggest import did_you_mean
from filon.services.search.athand import AtHand, page_size
from filon.services.search.corpus import documents, fingerprint
from filon.services.search.index import Index

OPERATORS = frozenset({"keyword", "related", "backlinks", "outlinks"})
PARAMETERS = {
    "path": "runs, WARC or WACZ files and folders, with the system's path separator between",
    "base": "the address that a folder of pages is a copy of",
    "index": "a file to keep the index in; it is made anew when what it holds has changed",
    "page_size": "how many hits an answer brings",
}


def build(parameters: Mapping[str, str]) -> AtHand:
    """Return the engine over a user's archives, indexed."""
    for name in parameters:
        if name not in PARAMETERS:
            raise UserError(f"local has no parameter {name!r}: {did_you_mean(name, PARAMETERS)}")
    named = parameters.get("path", "").split(os.pathsep)
    paths = [Path(part) for part in named if part.strip()]
    if not paths:
        raise UserError(f"local must be told path: {PARAMETERS['path']}.")
    size = page_size(parameters.get("page_size", "50"))
    index = _index(paths, parameters.get("base", ""), parameters.get("index", ""))
    if not len(index):  # else every question would seem to have no answer
        raise UserError(f"There is no page or text to search in {os.pathsep.join(named)}.")
    return AtHand("local", index, OPERATORS, size)


def _index(paths: list[Path], base: str, kept: str) -> Index:
    if not kept:
        index = Index()
        index.fill(document for path in paths for document in documents(path, base))
        return index
    now = fingerprint(paths, base)
    index = _open(Path(kept))
    if index.note("files") != now:
        index.close()
        Path(kept).unlink()
        index = _open(Path(kept))
        index.fill((each for path in paths for each in documents(path, base)), files=now)
    return index


def _open(path: Path) -> Index:
    """Open an index. What is there and is none is left alone."""
    try:
        index = Index(str(path))
        index.note("files")
    except sqlite3.Error as error:
        raise UserError(f"{path} cannot be used as an index: {error}.") from None
    return index
