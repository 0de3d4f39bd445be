"""A run's finds as tables and folders that other tools read.

A format is a function that writes an open ledger to a new path. What it writes gets its real
name only when it is whole, and never takes the place of something that is there.
"""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from filon.core import MachineError, UserError
from filon.run import readonly
from filon.run.atomic import apart
from filon.run.export.database import write_sqlite
from filon.run.export.folder import write_files
from filon.run.export.parquet import write_parquet
from filon.run.export.text import write_csv, write_jsonl
from filon.verbs.discover import export as sites
from filon.verbs.discover.found import is_discovered
from filon.verbs.enrich import export as fetched
from filon.verbs.enrich.records import has_book
from filon.verbs.follow.graph import is_followed, write_quads
from filon.verbs.follow.oxigraph import write_store

__all__ = ["FORMATS", "LIST_FORMATS", "RDF_FORMATS", "export"]

#: Format by name: who writes it, and how the name of its output ends.
FORMATS: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "csv": (write_csv, ".csv"),
    "parquet": (write_parquet, ".parquet"),
    "sqlite": (write_sqlite, ".sqlite"),
    "jsonl": (write_jsonl, ".jsonl"),
    "files": (write_files, "-files"),
}
#: What only a run that followed Linked Data can become.
RDF_FORMATS: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "nquads": (write_quads, ".nq"),
    "oxigraph": (write_store, "-store"),
}
#: What only the list of a discovery can become.
LIST_FORMATS: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "json": (sites.write_json, ".json"),
    "dcat": (sites.write_dcat, ".ttl"),
}
#: What becomes of its list, which has no files.
SITE_FORMATS: dict[str, Callable[[Path, Path], None]] = {
    "csv": sites.write_csv,
    "json": sites.write_json,
    "jsonl": sites.write_jsonl,
    "dcat": sites.write_dcat,
}
#: The same for the records of an enrichment, which has no files.
RECORD_FORMATS: dict[str, Callable[[Path, Path], None]] = {
    "csv": fetched.write_csv,
    "parquet": fetched.write_parquet,
    "sqlite": fetched.write_sqlite,
    "jsonl": fetched.write_jsonl,
}


def export(run_path: Path, to: str, out: Path | None = None) -> Path:
    """Write the finds of a run, or the records of an enrichment, in another format; return where.

    to: one of FORMATS, RDF_FORMATS or LIST_FORMATS.
    out: a path where nothing is yet; by default beside the run, with its name.
    """
    formats = FORMATS | RDF_FORMATS | LIST_FORMATS
    if to not in formats:
        raise UserError(f"There is no export to {to!r}: choose one of {', '.join(formats)}.")
    write, ending = formats[to]
    run_path = run_path.resolve()
    readonly.address(run_path)  # says what is wrong with a run better than a missing table
    if has_book(run_path):
        if to not in RECORD_FORMATS:
            known = ", ".join(RECORD_FORMATS)
            raise UserError(f"An enrichment has records, not {to}: choose one of {known}.")
        write = RECORD_FORMATS[to]
    elif is_discovered(run_path):
        if to not in SITE_FORMATS:
            raise UserError(f"A discovery has a list: choose one of {', '.join(SITE_FORMATS)}.")
        write = SITE_FORMATS[to]
    elif to in LIST_FORMATS:
        raise UserError(f"{run_path} is no run of filon discover: it has no list for {to}.")
    elif to in RDF_FORMATS and not is_followed(run_path):
        raise UserError(f"{run_path} is no run of filon follow: it has no RDF for {to}.")
    out = out or run_path.with_name(run_path.name + ending)
    _refuse(out)
    try:
        with apart(out) as part:
            write(run_path, part)
            _refuse(out)
            part.rename(out)
    except (OSError, sqlite3.Error) as error:
        said = getattr(error, "strerror", None) or error
        raise MachineError(f"The export to {out} failed: {said}.") from error
    return out


def _refuse(out: Path) -> None:
    if os.path.lexists(out):
        raise UserError(f"{out} is there already: name another place or move it away.")
    if not out.parent.is_dir():
        raise UserError(f"The folder {out.parent} for the export does not exist.")
