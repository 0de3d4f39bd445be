"""What a person should know about a harvest that its figures do not say."""

import sqlite3
from pathlib import Path

from filon.core import FilonError, Response
from filon.page.types import Types
from filon.page.url import join
from filon.run import readonly
from filon.run.archive import Answers
from filon.run.text import count, counted, plain, size
from filon.verbs.unreachable import phrase

#: Types that are named where nothing was found; a site rarely has more that matter.
NAMED = 8
_SEEN = """
SELECT mime, COUNT(DISTINCT url) AS number FROM steps
WHERE status = 200 AND mime != '' AND mime NOT LIKE '%html%' AND url NOT LIKE '%/robots.txt'
GROUP BY mime ORDER BY number DESC, mime LIMIT ?
"""
_TOO_LARGE = """
SELECT url, mime, MAX(size_bytes) AS size_bytes FROM steps WHERE cut = 'size'
AND url NOT IN (SELECT url FROM finds) GROUP BY url ORDER BY size_bytes DESC
"""
# Failures that may be over another time; the last answer of each address counts.
_PASSING = "(error IN ('timeout', 'connect', 'closed', 'dns') OR status = 429 OR status >= 500)"
_UNANSWERED = f"""
SELECT url FROM (
    SELECT url, error, status, MAX(answer) FROM steps
    WHERE url IN (SELECT url FROM steps WHERE {_PASSING}) GROUP BY url
) WHERE {_PASSING} AND url NOT LIKE '%/robots.txt' ORDER BY url
"""  # noqa: S608

#: Ends after which there is more to ask for.
_GOES_ON = ("budget", "interrupted")
#: Where a start page leads on to at most, by redirects.
_REDIRECTS = 10
_ANSWERED = "SELECT * FROM steps WHERE url = ? AND answer IS NOT NULL ORDER BY answer DESC LIMIT 1"
_BARRED = {
    "missing": "The start page {url} is not there{status}: look for its new place.",
    "login": "The start page {url} asks for a login: bring one along with --cookies FILE (from a "
    "browser where you are logged in) or with --header.",
    "captcha": "The start page {url} asks whether you are human: the site does not want to be read "
    "by programs. Ask its publisher, or bring along the cookies of a browser with --cookies FILE.",
    "script": "The start page {url} is an empty shell that JavaScript fills, which is not run "
    "here: start at a page of the site that has links, its sitemap, or its API.",
}


def barred(response: Response) -> str:
    """Say in a sentence what keeps readers out of a start page; "": nothing."""
    from filon.page.barrier import barrier  # here, as most reports look into no page

    kind = barrier(response)
    status = f", it answers {response.status}{phrase(response.status)}"
    return _BARRED[kind].format(url=response.url, status=status) if kind else ""


def notes(run_path: Path) -> list[str]:
    """Return sentences: on a start page that keeps readers out, what was not had, a lone file."""
    config = readonly.config(run_path)
    starts = [str(config.get("url", "")), *config.get("more_urls", ())]
    with readonly.reading(run_path) as ledger:
        finds = [row["url"] for row in ledger.execute("SELECT url FROM finds LIMIT 2")]
        if finds == starts:
            return ["The URL is a file itself: it is the only find."]
        types = str(config.get("types", ""))
        notes = [] if finds else [_nothing(ledger, types)]
        notes += filter(None, (_too_large(ledger, types), _unanswered(ledger)))
        pages = [_start_page(run_path, ledger, start) for start in starts]
    return [*notes, *filter(None, (barred(page) for page in pages if page))]


def _start_page(run_path: Path, ledger: sqlite3.Connection, url: str) -> Response | None:
    """Return what the start URL answered, over its redirects."""
    for _ in range(_REDIRECTS):
        row = ledger.execute(_ANSWERED, (url,)).fetchone()
        if row is None:
            return None
        if not row["location"]:
            try:
                return Answers(run_path).read(row, url)
            except FilonError:
                return None  # an archive that cannot be read is told elsewhere
        url = join(url, row["location"])
    return None


def _nothing(ledger: sqlite3.Connection, types: str) -> str:
    requests = ledger.execute("SELECT COALESCE(SUM(sends), 0) FROM steps").fetchone()[0]
    seen = [
        f"{count(row['number'])} × {plain(row['mime'], 60)}"
        for row in ledger.execute(_SEEN, (NAMED,))
    ]
    message = f"No file of the types {types} was found with {counted(requests, 'request')}"
    return f"{message}; seen instead: {', '.join(seen)}." if seen else f"{message}."


def _too_large(ledger: sqlite3.Connection, types: str) -> str:
    """Say what was beyond the largest size, if it may have been a find or a page."""
    wants = Types.parse(types or "data").wants
    rows = [
        row
        for row in ledger.execute(_TOO_LARGE)
        if "html" in row["mime"] or wants(row["mime"], row["url"], row["mime"])
    ]
    if not rows:
        return ""
    largest = f"{plain(rows[0]['url'], 200)}, {size(rows[0]['size_bytes'])}"
    if len(rows) == 1:
        return f"One answer was left out as too large ({largest}): --max-size takes larger ones."
    return (
        f"{count(len(rows))} answers were left out as too large (the largest: {largest}): "
        "--max-size takes larger ones."
    )


def _unanswered(ledger: sqlite3.Connection) -> str:
    """Say which addresses failed at the last try, in a way that may be over another time.

    A run that can go on is not through: what was in flight at its end has failed with it.
    """
    if readonly.meta(ledger).get("stopped") in _GOES_ON:
        return ""
    urls = [plain(row["url"], 200) for row in ledger.execute(_UNANSWERED)]
    if not urls:
        return ""
    return (
        f"{counted(len(urls), 'link')} brought no whole answer, as {urls[0]}: the report says "
        "why, and another run may have them."
    )
