"""What an export is made of: rows of one kind, and a format that writes such rows.

A verb says which kinds of rows its runs have, a format which kind it writes: each format works for
every verb that has such rows, whoever added the one or the other.

    table    any rows, a cell a column: for spreadsheets, data frames, databases
    files    finds with the files that the run keeps
    answers  what the web said, as the run's archive has it
    datasets found files with all that is known of them, as the catalog has it
    others   as a verb names them, with formats of its own
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from filon.run import readonly
from filon.run.frame import Frame


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Rows of a run, one at a time: a run may hold more than memory does.

    run_path: the folder that they are of. name: what they are, as a table would be called.
    parts: the run folders, where it is a folder of several.
    frame: the rows, a cell a column.
    nested: the same as objects for JSON, where a flat row would be a loss.
    input_name: of the user's file that the run was made from, whose place no export takes.
    stored: returns where the file of a row is kept; None: with those of the run.
    copy: writes them, with what belongs to them, as a SQLite database; None: they are one table.
    """

    run_path: Path
    name: str
    frame: Frame
    input_name: str = ""
    nested: Callable[[], Iterator[Mapping[str, Any]]] | None = None
    copy: Callable[[Path], None] | None = None
    stored: Callable[[Mapping[str, Any]], Path] | None = None
    parts: tuple[Path, ...] | None = None

    @property
    def runs(self) -> tuple[Path, ...]:
        """The run folders that they are of."""
        return (self.run_path,) if self.parts is None else self.parts

    def kept(self, row: Mapping[str, Any]) -> Path | None:
        """Return where the file of a row is kept; None: it has none."""
        if not row["sha256"]:
            return None
        return self.stored(row) if self.stored else readonly.stored(self.run_path, row["sha256"])

    def objects(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as objects for JSON."""
        for row in self.nested() if self.nested else self.frame:
            yield {name: _plain(value) for name, value in row.items()}


@dataclass(frozen=True, slots=True)
class Export:
    """A format.

    write: writes rows to a path where nothing is yet.
    ending: what the name of the output ends with, where the user names none.
    kind: of the rows that it writes, see above.
    """

    write: Callable[[Rows, Path], None]
    ending: str
    kind: str = "table"


#: Rows of a run by their kind.
Kinds = Mapping[str, Callable[[Path], Rows]]


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
