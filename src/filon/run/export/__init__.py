"""A run as tables and folders that other tools read.

A format is a function that writes a run folder to a new path. What it writes gets its real name
only when it is whole, and never takes the place of something that is there.
"""

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from filon.core import MachineError, UserError
from filon.run import readonly
from filon.run.atomic import apart
from filon.run.export.database import write_sqlite
from filon.run.export.folder import write_files
from filon.run.export.format import Export
from filon.run.export.parquet import write_parquet
from filon.run.export.text import write_csv, write_jsonl

__all__ = ["FINDS", "Export", "export"]

#: What becomes of a run whose finds are files.
FINDS: dict[str, Export] = {
    "csv": Export(write_csv, ".csv"),
    "parquet": Export(write_parquet, ".parquet"),
    "sqlite": Export(write_sqlite, ".sqlite"),
    "jsonl": Export(write_jsonl, ".jsonl"),
    "files": Export(write_files, "-files"),
}


def export(
    run_path: Path, to: str, out: Path | None = None, formats: Mapping[str, Export] = FINDS
) -> Path:
    """Write a run in another format; return where.

    to: one of `formats`. out: a path where nothing is yet; by default beside the run, with its
        name.
    """
    if to not in formats:
        raise UserError(f"There is no export to {to!r}: choose one of {', '.join(formats)}.")
    run_path = run_path.resolve()
    readonly.address(run_path)  # says what is wrong with a run better than a missing table
    out = out or run_path.with_name(run_path.name + formats[to].ending)
    _refuse(out)
    try:
        with apart(out) as part:
            formats[to].write(run_path, part)
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
