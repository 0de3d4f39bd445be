"""A web that asks for nothing that the discovery of the same whole has been told already.

Discovery reads robots.txt, home pages and lists of a site before anybody harvests it. What came
whole is answered from its archive: nothing is sent, and nothing is spent. So a harvest begins with
all pages of its site that discovery has read: the files on its lists are in sight at once.
"""

import sqlite3
from dataclasses import replace
from pathlib import Path

from filon.core import Request, Response, Web
from filon.core.clock import now_s
from filon.page.url import Site
from filon.run import readonly
from filon.run.archive import Answers
from filon.run.readonly import CONFIG, LEDGER

#: Answers that say something lasting of an address: not those of a server in trouble.
_WHOLE = """
SELECT * FROM steps WHERE url = ? AND method = 'GET' AND answer IS NOT NULL AND warc IS NOT NULL
    AND error = '' AND cut = '' AND (status < 400 OR status IN (404, 410))
ORDER BY answer DESC LIMIT 1
"""
_PAGES = """
SELECT url FROM steps WHERE method = 'GET' AND status = 200 AND mime LIKE '%html%'
    AND answer IS NOT NULL AND warc IS NOT NULL AND error = '' AND cut = '' ORDER BY answer
"""
#: Pages of a site that a harvest begins with, at most: discovery reads few of each.
MOST_PAGES = 20


def pages(run: Path, start: str) -> list[str]:
    """Return the pages of the site of a start that a run has read, the first ones first."""
    if not (run / CONFIG).is_file():
        return []
    site = Site(start)
    with readonly.reading(run) as ledger:
        read = dict.fromkeys(row["url"] for row in ledger.execute(_PAGES) if row["url"] in site)
    read.pop(start, None)
    return list(read)[:MOST_PAGES]


class Known:
    """Answers what a run has been told; all else goes on to the web. run: its folder."""

    def __init__(self, web: Web, run: Path) -> None:
        self.web, self._run = web, run
        self._ledger: sqlite3.Connection | None = None

    async def fetch(self, request: Request) -> Response:
        """Answer a request."""
        return self._told(request) or await self.web.fetch(request)

    async def close(self) -> None:
        """Let go of the ledger, and close the web within."""
        if self._ledger:
            self._ledger.close()
            self._ledger = None
        await self.web.close()

    def _told(self, request: Request) -> Response | None:
        ledger = self._opened()
        if ledger is None or request.method != "GET" or not self._is_plain(request):
            return None
        row = ledger.execute(_WHOLE, (request.url,)).fetchone()
        if row is None or (request.max_bytes and row["size_bytes"] > request.max_bytes):
            return None
        told = Answers(self._run).read(row, request.url)
        if request.refuses(told.mime) or len(told.body) < told.size_bytes:
            return None
        return replace(
            told, at_s=now_s(), took_s=0.0, wire_bytes=0, extra_bytes=0, spool="", sent="cached"
        )

    @staticmethod
    def _is_plain(request: Request) -> bool:
        """Say whether the address alone tells what is asked for; a portal's tells the form too."""
        return not request.body and {name.lower() for name, _ in request.headers} <= {"accept"}

    def _opened(self) -> sqlite3.Connection | None:
        """Return the ledger; it is there once the run has begun."""
        path = self._run / LEDGER
        if self._ledger is None and path.with_name(CONFIG).is_file():
            uri = f"{path.absolute().as_uri()}?mode=rw"
            self._ledger = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60)
            self._ledger.row_factory = sqlite3.Row
        return self._ledger
