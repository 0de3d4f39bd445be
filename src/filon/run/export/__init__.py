"""A run as tables and folders that other tools read: rows of some kind, written by a format.

What is written gets its real name only when it is whole, and never takes the place of something
that is there. Installed packages add formats by the entry points `filon.exports`.
"""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from filon.core import MachineError, UserError
from filon.core.plugins import Registry, only
from filon.core.suggest import did_you_mean
from filon.run import readonly
from filon.run.disk import apart
from filon.run.export.format import Export, Kinds, Rows
from filon.run.export.rows import FINDS

__all__ = ["EXPORTS", "FINDS", "Export", "Rows", "export", "formats_for", "stream", "write"]

#: Formats of a verb alone, by name.
Own = Mapping[str, Export] | None
#: Formats of rows that any verb may have; those of the catalog are named here, and known there.
EXPORTS: Registry[Export] = Registry(
    "export",
    "filon.exports",
    {
        "csv": "filon.run.export.formats:CSV",
        "parquet": "filon.run.export.formats:PARQUET",
        "sqlite": "filon.run.export.formats:SQLITE",
        "jsonl": "filon.run.export.formats:JSONL",
        "json": "filon.run.export.formats:JSON",
        "files": "filon.run.export.formats:FILES",
        "warc": "filon.run.export.formats:WARC",
        "wacz": "filon.run.export.formats:WACZ",
        "frictionless": "filon.catalog.handon.formats:FRICTIONLESS",
        "croissant": "filon.catalog.handon.formats:CROISSANT",
        "dcat": "filon.catalog.handon.formats:DCAT",
        "schema-org": "filon.catalog.handon.formats:SCHEMA_ORG",
        "ro-crate": "filon.catalog.handon.formats:ROCRATE",
        "lake": "filon.catalog.handon.formats:LAKE",
        "duckdb": "filon.catalog.handon.formats:DUCKDB",
        "datasette": "filon.catalog.handon.formats:DATASETTE",
    },
    fit=only(Export),
)


def formats_for(kinds: Kinds, own: Own = None) -> dict[str, Export]:
    """Return the formats that write one of these kinds of rows, by name. own: a verb's."""
    every = {**EXPORTS.sound(), **(own or {})}
    return {name: one for name, one in every.items() if one.kind in kinds}


def export(
    run_path: Path, to: str, out: Path | None = None, kinds: Kinds = FINDS, own: Own = None
) -> Path:
    """Write a run in another format; return where.

    to: the name of a format, or its dotted path.
    out: a path where nothing is yet, or a pipe; by default beside the run, with its name, and with
        what is in it where the table that the run was made from is called so (books-records.csv).
    kinds: the rows that the run has. own: formats of its verb alone.
    """
    run_path = run_path.resolve()
    readonly.address(run_path)  # says what is wrong with a run better than a missing table
    return write(run_path, to, out, kinds, own)


def write(
    source: Path,
    to: str,
    out: Path | None = None,
    kinds: Kinds = FINDS,
    own: Own = None,
    what: str = "this run",
) -> Path:
    """Write what a folder has rows of, as `export` does; return where. what: the folder is of."""
    chosen = _chosen(to, kinds, own or {}, what)
    with _told(out or to):
        rows = kinds[chosen.kind](source)
    out = out or _beside(rows, source, chosen.ending)
    if _is_pipe(out):
        with out.open("wb") as pipe:
            _stream(source, to, pipe, kinds, own)
        return out
    _refuse(out)
    with _told(out), apart(out) as part:
        chosen.write(rows, part)
        _refuse(out)
        part.rename(out)
    return out


@contextmanager
def _told(where: Path | str) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        message = getattr(error, "strerror", None) or error
        raise MachineError(f"The export to {where} failed: {message}.") from error


def _beside(rows: Rows, run_path: Path, ending: str) -> Path:
    """Return the place beside a run that has its name, unless that is the name of its input."""
    name = f"{run_path.name}{ending}"
    is_input = name.casefold() == rows.input_name.casefold()
    return run_path.with_name(f"{run_path.name}-{rows.name}{ending}" if is_input else name)


def stream(run_path: Path, to: str, file: BinaryIO, kinds: Kinds = FINDS, own: Own = None) -> None:
    """Write a run in another format to an open file, such as standard output."""
    run_path = run_path.resolve()
    readonly.address(run_path)
    _stream(run_path, to, file, kinds, own)


def _stream(source: Path, to: str, file: BinaryIO, kinds: Kinds, own: Own) -> None:
    with TemporaryDirectory() as folder:
        whole = write(source, to, Path(folder, "export"), kinds, own)
        if whole.is_dir():
            raise UserError(f"An export to {to} is a folder: name a place for it with --out.")
        with whole.open("rb") as written:
            shutil.copyfileobj(written, file)
    file.flush()


def _is_pipe(out: Path) -> bool:
    """Say whether a path takes what is written without being a file: a pipe, a terminal."""
    try:
        mode = out.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _chosen(to: str, kinds: Kinds, own: Mapping[str, Export], what: str) -> Export:
    """Return a format by its name or its path; the others are not even loaded."""
    found = own.get(to) or EXPORTS.get(to)
    if found is None or found.kind not in kinds:
        known = did_you_mean(to, formats_for(kinds, own))
        raise UserError(f"There is no export of {what} to {to!r}: {known}")
    if to not in EXPORTS.added:
        EXPORTS.tell_left_out(to)
    return found


def _refuse(out: Path) -> None:
    if os.path.lexists(out):
        raise UserError(f"{out} is there already: name another place or move it away.")
    if not out.parent.is_dir():
        raise UserError(f"The folder {out.parent} for the export does not exist.")
