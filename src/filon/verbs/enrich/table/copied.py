"""Tables of formats that are read and not written: they go on as text.

ODS and old Excel, JSON, statistics, what is packed: the reader of found files knows them all, and
reads them in a process with bounds, as a table may have come from anywhere.
"""

import shutil
import tempfile
import weakref
from pathlib import Path

from filon.core import UserError
from filon.profile.source import UnreadableError
from filon.profile.worker import Worker
from filon.verbs.enrich.table import choose
from filon.verbs.enrich.table.delimited import Delimited


class Copied(Delimited):
    """A table of such a file, as a copy in text that goes when nobody holds it any more."""

    def __init__(self, path: Path, name: str = "", header: bool = True, encoding: str = "") -> None:
        out = Path(tempfile.mkdtemp(prefix="filon-"))
        weakref.finalize(self, shutil.rmtree, out, ignore_errors=True)
        try:
            with Worker() as worker:
                found = worker.copy_as_text(path, name, out)
        except UnreadableError as error:
            raise UserError(f"The table {path} cannot be read: {error}") from error
        if not found.part:
            choose(path, "table", found.parts, name)
        if found.is_named and not header:
            raise UserError(f"{path} names its columns itself: leave --no-header-row out.")
        if encoding and not found.is_as_packed:
            raise UserError(f"{path} is no text: leave --encoding out.")
        made = encoding if found.is_as_packed else "utf-8"
        super().__init__(out / found.file, header=header, encoding=made)
        self.notes += found.notes
