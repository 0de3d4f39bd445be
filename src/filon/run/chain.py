"""The steps that led to a URL, found in the ledger by what a person would type.

The ledger says of each step which URL led to it and how many answers were in when it was
proposed: so the step before it is the last answer of that URL among those.
"""

import sqlite3
from pathlib import Path
from typing import Any

from filon.page.url import join, mask_url, parse
from filon.run import readonly

#: A longer chain is a bug in a ledger; a page needs no more.
_LONGEST = 1000
_FEWEST_HEX = 6
#: Answers among which a redirect is looked for while the run goes on: it is followed soon.
_RECENT = 200


def chain(run_path: Path, url: str) -> list[dict[str, Any]]:
    """Return the steps from the start page to a URL; empty if it was never asked for.

    url: a URL (the scheme and the fragment do not matter), the name of a find, or at least six
        digits of its SHA-256. Each step is its row of the ledger, "find", the name of what it
        brought, and "found", the kind of that, or None.
    """
    with readonly.reading(run_path) as ledger:
        steps = matches(ledger, url)
        return trace(ledger, steps[0]) if steps else []


def matches(ledger: sqlite3.Connection, wanted: str) -> list[int]:
    """Return the numbers of the steps that a person may mean: the best first, one a URL."""
    wanted = wanted.strip()
    for url in spellings(wanted):
        if number := _last_step(ledger, url):
            return [number]
    return _by_find(ledger, wanted) or _by_ending(ledger, wanted)


def spellings(wanted: str) -> list[str]:
    """Return the URLs that a text may stand for.

    >>> spellings("example.org/ä#b")[:4]
    ['example.org/ä', 'https://example.org/ä', 'http://example.org/ä', 'https://example.org/%C3%A4']
    """
    bare = wanted.partition("#")[0] or wanted
    whole = [bare] if "://" in bare else [bare, f"https://{bare}", f"http://{bare}"]
    if "://" in bare:
        scheme, _, rest = bare.partition("://")
        whole.append(f"{'http' if scheme.lower() == 'https' else 'https'}://{rest}")
    whole += [url for url in map(parse, whole) if url]
    whole += [url[:-1] if url.endswith("/") else f"{url}/" for url in whole if "://" in url]
    whole += [mask_url(url) for url in whole]  # a user and a password are never stored
    return list(dict.fromkeys(whole))


def _last_step(ledger: sqlite3.Connection, url: str) -> int:
    """Prefer the step that brought a find, then the last that was answered."""
    row = ledger.execute(
        "SELECT step FROM steps WHERE url = ?"
        " ORDER BY sha256 IS NOT NULL DESC, method != 'HEAD' DESC, answer IS NOT NULL DESC,"
        " step DESC LIMIT 1",
        (url,),
    ).fetchone()
    return int(row[0]) if row else 0


def _by_find(ledger: sqlite3.Connection, wanted: str) -> list[int]:
    rows = ledger.execute(
        "SELECT step FROM finds WHERE name = ? COLLATE NOCASE ORDER BY find", (wanted,)
    ).fetchall()
    digits = wanted.lower().removeprefix("sha256:")
    if not rows and len(digits) >= _FEWEST_HEX and set(digits) <= set("0123456789abcdef"):
        rows = ledger.execute(
            "SELECT step FROM finds WHERE sha256 >= ? AND sha256 < ? ORDER BY find",
            (digits, digits + "g"),
        ).fetchall()
    return [int(row[0]) for row in rows]


def _by_ending(ledger: sqlite3.Connection, wanted: str) -> list[int]:
    """Return the steps whose URL ends so, from the beginning of a part of its path."""
    ending = "/" + wanted.partition("#")[0].strip("/")
    if len(ending) < 3:
        return []
    rows = ledger.execute(
        "SELECT MAX(step) FROM steps WHERE substr(url, -length(?1)) = ?1"
        " GROUP BY url ORDER BY MAX(sha256 IS NOT NULL) DESC, 1 LIMIT 50",
        (ending,),
    )
    return [int(row[0]) for row in rows]


def trace(ledger: sqlite3.Connection, number: int) -> list[dict[str, Any]]:
    """Return the steps that led to a step, the first one first."""
    steps: list[dict[str, Any]] = []
    while number and len(steps) < _LONGEST:
        row = dict(ledger.execute("SELECT * FROM steps WHERE step = ?", (number,)).fetchone())
        steps.append({**row, "find": None, "found": None})
        number = _before(ledger, row)
    _name_finds(ledger, steps)
    return steps[::-1]


def _name_finds(ledger: sqlite3.Connection, steps: list[dict[str, Any]]) -> None:
    by_number = {step["step"]: step for step in steps}
    marks = ", ".join("?" * len(steps))
    query = f"SELECT step, name, mime, kind FROM finds WHERE step IN ({marks})"  # noqa: S608 (marks)
    for number, name, mime, kind in ledger.execute(query, list(by_number)):
        step = by_number[number]
        step |= {"find": name or step["url"], "mime": mime or step["mime"], "found": kind}


def _sender(ledger: sqlite3.Connection, row: dict[str, Any], since: int = 0) -> int:
    """Return the last step whose answer named the URL of another; 0 where there is none."""
    redirects = ledger.execute(
        "SELECT step, url, location FROM steps"
        " WHERE location != '' AND answer <= ? AND answer > ? AND step < ? ORDER BY answer DESC",
        (row["after"], since, row["step"]),
    )
    return next((n for n, url, there in redirects if join(url, there) == row["url"]), 0)


def sender(ledger: sqlite3.Connection, row: sqlite3.Row) -> int:
    """Return the step that led to one, as `filon why` tells it, without a long search.

    Where a redirect bears the page that mentioned its first URL, what sent it on is looked for
    among the last answers only.
    """
    step = dict(row)
    before = _earlier(ledger, step)
    if step["kind"] != "redirect" or (before and _sends_on(ledger, before)):
        return before
    return _sender(ledger, step, step["after"] - _RECENT) or before


def _sends_on(ledger: sqlite3.Connection, number: int) -> bool:
    row = ledger.execute("SELECT location FROM steps WHERE step = ?", (number,)).fetchone()
    return bool(row[0])


def _before(ledger: sqlite3.Connection, row: dict[str, Any]) -> int:
    """Return the step that led to one: an earlier try of the same URL, or the page it stood on.

    A redirect may bear the page that mentioned its first URL: then the step that sent it on led
    to it.
    """
    if row["kind"] == "redirect" and (redirect := _sender(ledger, row)):
        return redirect
    return _earlier(ledger, row)


def _earlier(ledger: sqlite3.Connection, row: dict[str, Any]) -> int:
    """Return the last answer of the same URL, else of the page it stood on."""
    for url in (row["url"], row["parent"]):
        earlier = ledger.execute(
            # The plus keeps SQLite from walking through all answers instead of this URL's.
            "SELECT step FROM steps WHERE url = ? AND +answer <= ? AND step < ?"
            " ORDER BY +answer DESC LIMIT 1",
            (url, row["after"], row["step"]),
        ).fetchone()
        if url and earlier:
            return int(earlier[0])
    return 0
