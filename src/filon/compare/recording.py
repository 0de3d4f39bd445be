"""A run folder as the source of a replica: what `filon replicate` leaves behind."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from filon.compare.source import Body, Head
from filon.core import UserError
from filon.page.url import host
from filon.run.archive import Answers
from filon.run.disk import reading
from filon.run.folder import RunFolder
from filon.run.readonly import CONFIG, LEDGER

#: A URL that was asked for more than once answers what it answered last.
_ANSWERED = "SELECT * FROM steps WHERE answer IS NOT NULL AND method = 'GET' ORDER BY answer"


class Recording:
    """Answers of a run; what it never asked for is not there: 404."""

    def __init__(self, folder: Path) -> None:
        if not ((folder / CONFIG).is_file() and (folder / LEDGER).is_file()):
            raise UserError(f"The folder {folder} is not a replica of a site: it is no run.")
        with RunFolder.open(folder, read_only=True) as run:
            self.start = str(run.config.get("url", ""))
        self.name = host(self.start)
        self._folder, self._answers = folder, Answers(folder)
        with reading(folder):
            self._rows = {row["url"]: row for row in _rows(folder / LEDGER)}
        if not self._rows:
            raise UserError(f"The replica {folder} is empty: it holds no answer.")

    def look(self, url: str) -> Head:
        """Answer all but the body."""
        row = self._rows.get(url)
        if row is None:
            return Head(404, "text/html")
        location = row["location"] or ""
        return Head(row["status"], row["mime"] or "", location, url, error=row["error"] or "")

    def load(self, head: Head) -> Body:
        """Read the body out of the archive, or the file that was found."""
        if not head.path:
            return Body(b"", 0, head.mime)
        with reading(self._folder):
            answer = self._answers.read(self._rows[head.path], head.path)
        mime = answer.header("content-type")
        return Body(answer.body, answer.size_bytes, mime, answer.cut)

    def close(self) -> None:
        """Nothing is held open."""


def _rows(ledger: Path) -> Iterator[sqlite3.Row]:
    connection = sqlite3.connect(f"{ledger.resolve().as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        yield from connection.execute(_ANSWERED)
    finally:
        connection.close()
