"""Which files of a catalog are handed on: by id, words, site, format, year, place, licence."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from filon.catalog.handon.rows import of_folder
from filon.catalog.search import matching
from filon.catalog.store import CatalogStore
from filon.core import UserError
from filon.run.export import write
from filon.run.export.format import Kinds
from filon.run.export.warc import answers


def hand_on(
    catalog: CatalogStore,
    to: str,
    out: Path | None = None,
    *,
    ids: Sequence[str] = (),
    words: str = "",
    facets: Mapping[str, str] | None = None,
) -> Path:
    """Write files of a catalog in another format; return where.

    out: a path where nothing is yet; by default beside the folder, with its name.
    ids, words, facets: only these files, only those with all of the words, only those that are so.
    """
    files = choose(catalog, ids, words, facets or {})
    runs = tuple(catalog.folder / run for run in _runs(catalog, files))
    kinds: Kinds = {
        "table": lambda folder: of_folder(folder, files),
        "datasets": lambda folder: of_folder(folder, files),
        "answers": lambda folder: answers(folder, runs),
    }
    return write(catalog.folder, to, out, kinds, what="a catalog")


def _runs(catalog: CatalogStore, files: Sequence[int]) -> list[str]:
    """Return the runs in which files were found, in the order of their names."""
    chosen = frozenset(files)
    seen = catalog.db.execute("SELECT DISTINCT run, file FROM sightings")
    return sorted({row["run"] for row in seen if row["file"] in chosen})


def choose(
    catalog: CatalogStore, ids: Sequence[str], words: str, facets: Mapping[str, str]
) -> list[int]:
    """Return the numbers of the files that are meant; with nothing said, of all.

    One for which a person chose another, as they are the same, is left out unless it is named.
    """
    named = [catalog.find(id)["file"] for id in ids]
    if named and not words and not any(facets.values()):
        return named
    files = matching(catalog, words, facets)
    chosen = [file for file in files if file in named] if named else files
    if not chosen and (named or words or any(facets.values())):
        raise UserError("No file of the catalog is so: nothing is handed on.")
    return chosen
