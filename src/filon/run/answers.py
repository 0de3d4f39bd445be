"""Answers read back from a run folder: the ledger's row, and the body from archive/ or files/."""

import sqlite3
from pathlib import Path

from filon.core import Response
from filon.core.response import Sent
from filon.run.archive import Place, read_record
from filon.run.files import Files
from filon.run.masking import Headers
from filon.run.schema import NOT_SENT

_SENT: dict[float, Sent] = {seconds: sent for sent, seconds in NOT_SENT.items()}


class Answers:
    """Reads answers of the run in a folder."""

    def __init__(self, run: Path) -> None:
        self.files = Files(run / "files")
        self._archive = run / "archive"

    def read(self, row: sqlite3.Row, url: str) -> Response:
        """Return the answer that a row of steps tells of, as the strategy was given it."""
        headers: Headers = ()
        body = b""
        if row["warc"] is not None:
            place = Place(row["warc"], row["warc_offset"], row["warc_bytes"])
            headers, body = read_record(self._archive, place)
        if row["sha256"] is not None:
            body = self.files.beginning(row["sha256"], row["body_bytes"])
        return Response(
            url=url,
            status=row["status"],
            headers=headers,
            body=body,
            error=row["error"],
            detail=row["detail"],
            cut=row["cut"],
            size_bytes=row["size_bytes"],
            wire_bytes=row["wire_bytes"],
            at_s=row["at_s"],
            took_s=max(0.0, row["took_s"]),
            sent=_SENT.get(row["took_s"], "yes"),
        )
