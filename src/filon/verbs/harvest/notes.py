"""What a person should know about a run that its figures do not say."""

import sqlite3
from pathlib import Path

from filon.run import readonly
from filon.run.text import count, counted, plain

#: Types that are named where nothing was found; a site rarely has more that matter.
NAMED = 8
_SEEN = """
SELECT mime, COUNT(DISTINCT url) AS number FROM steps
WHERE status = 200 AND mime != '' AND mime NOT LIKE '%html%' AND url NOT LIKE '%/robots.txt'
GROUP BY mime ORDER BY number DESC, mime LIMIT ?
"""


def notes(run_path: Path) -> list[str]:
    """Return sentences about a run: nothing found, or the start URL being a file itself."""
    config = readonly.config(run_path)
    with readonly.reading(run_path) as ledger:
        finds = [row["url"] for row in ledger.execute("SELECT url FROM finds LIMIT 2")]
        if finds == [config.get("url")]:
            return ["The URL is a file itself: it is the only find."]
        return [] if finds else [_nothing(ledger, str(config.get("types", "")))]


def _nothing(ledger: sqlite3.Connection, types: str) -> str:
    requests = ledger.execute("SELECT COALESCE(SUM(sends), 0) FROM steps").fetchone()[0]
    seen = [
        f"{count(row['number'])} × {plain(row['mime'], 60)}"
        for row in ledger.execute(_SEEN, (NAMED,))
    ]
    message = f"No file of the types {types} was found with {counted(requests, 'request')}"
    return f"{message}; seen instead: {', '.join(seen)}." if seen else f"{message}."
