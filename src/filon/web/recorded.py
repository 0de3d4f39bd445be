"""The web as a run recorded it: answers from a run folder, and 404 for what it never asked."""

import os
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from filon.core import Request, Response, UserError
from filon.core.web import hand_out
from filon.page.url import key, mask_url
from filon.run.archive import Answers
from filon.run.disk import reading
from filon.run.ledger import Ledger
from filon.run.readonly import CONFIG, LEDGER

#: A longer file is handed out as a spool, where there is a folder for it; see web/live.py.
MEMORY_BYTES = 8 << 20


class Recorded:
    """Answers from a run folder, by the URL as it was asked, or else by its key.

    A HEAD is answered from a recorded GET. Of several answers the last whole one counts.
    spool_dir: where long files are handed out; without it they come whole, in memory.
    """

    def __init__(self, run: Path, spool_dir: Path | None = None) -> None:
        self._path = run
        self._spool_dir = spool_dir
        self._answers = Answers(run)
        if not ((run / CONFIG).is_file() and (run / LEDGER).is_file()):
            raise UserError(f"{run} is not a run: it has no {CONFIG} and {LEDGER}.")
        with reading(run):
            self._ledger = Ledger.open(run / LEDGER, read_only=True)
            self._index = _index(self._ledger)

    async def fetch(self, request: Request) -> Response:
        """Answer as the server did when the run asked."""
        number = self._find(request)
        if not number:
            return Response(url=request.url, status=404, detail="not in the recorded run")
        with reading(self._path):
            row = self._ledger.row(number)
            response = self._answers.read(row, request.url)
            return self._hand_out(request, response, row)

    async def close(self) -> None:
        """Let go of the ledger."""
        self._ledger.close()

    def _find(self, request: Request) -> int:
        methods = ("HEAD", "GET") if request.method == "HEAD" else (request.method,)
        for url in (mask_url(request.url), key(mask_url(request.url))):
            for method in methods:
                if number := self._index.get((method, url)):
                    return number
        return 0

    def _hand_out(self, request: Request, response: Response, row: sqlite3.Row) -> Response:
        handed = hand_out(request, response)
        if handed is not response or not row["sha256"]:
            return handed
        return self._whole(response, row["sha256"])

    def _whole(self, response: Response, sha256: str) -> Response:
        path = self._answers.files.path(sha256)
        if self._spool_dir is None or path.stat().st_size <= MEMORY_BYTES:
            return replace(response, body=path.read_bytes())
        # Whoever takes a spool moves it away: so it is a second name for the file, never the file.
        self._spool_dir.mkdir(parents=True, exist_ok=True)
        spool = self._spool_dir / uuid4().hex
        _link(path, spool)
        return replace(response, body=response.body[:MEMORY_BYTES], spool=str(spool))


def _index(ledger: Ledger) -> dict[tuple[str, str], int]:
    index: dict[tuple[str, str], int] = {}
    whole: dict[tuple[str, str], int] = {}
    for number, method, url, is_whole in ledger.asked():
        for name in (url, key(url)):
            place = (method, name)
            if is_whole >= whole.get(place, 0):
                index[place], whole[place] = number, is_whole
    return index


def _link(path: Path, spool: Path) -> None:
    try:
        os.link(path, spool)
    except OSError:  # another file system, or one without links
        shutil.copyfile(path, spool)
