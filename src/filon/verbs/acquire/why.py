"""Why a site of an acquisition got what it got, in plain sentences."""

import sqlite3
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.page.url import host
from filon.run import readonly
from filon.run.chain import matches
from filon.run.text import count, counted, plain
from filon.verbs.acquire.index import FOUND
from filon.verbs.acquire.summary import ENDS, SiteFigures, figures
from filon.verbs.registry import verb_of

_TURNS = """
SELECT avg(CASE WHEN expected >= 0 THEN expected END) AS expected,
       (SELECT count(*) FROM finds f JOIN turns u USING (step)
        WHERE u.site = :site AND u.step BETWEEN :first AND :last) AS finds
FROM turns WHERE site = :site AND step BETWEEN :first AND :last
"""
#: What discovery had read already cost nothing.
_SENT = "SELECT step FROM turns JOIN steps USING (step) WHERE site = ? AND sends ORDER BY step"
#: Fewer files than this for a request are told as none.
HARDLY = 0.005
#: The life of a site is told in so many stretches of equal length.
STRETCHES = 4
#: After all steps.
LAST = 1 << 62


def why(folder: Path, wanted: str) -> str:
    """Tell why a site got what it got; of a URL or a file, how its own run came by it."""
    with readonly.reading(folder) as ledger:
        parts = figures(ledger)
        part = _meant(parts, wanted)
        if part:
            topic = str(readonly.config(folder).get("topic") or "")
            return "\n".join(_story(ledger, part, parts, topic))
        owner = _owner(ledger, parts, wanted)
    if not owner:
        names = ", ".join(part.name for part in parts[:8])
        raise UserError(f"No site and no step of {folder} is {plain(wanted)}: there are {names}.")
    run = folder / owner.path
    return f"In the run of {plain(owner.name)}:\n\n{verb_of(run).why(run, wanted)}"


def reasons(folder: Path, wanted: str) -> dict[str, Any]:
    """Return the same as plain data."""
    with readonly.reading(folder) as ledger:
        parts = figures(ledger)
        part = _meant(parts, wanted)
        if part:
            turns = [
                {"requests": requests, "expected": expected, "finds": finds}
                for requests, expected, finds in _stretches(ledger, part)
            ]
            return {"run": str(folder), "site": part.row(), "turns": turns}
        owner = _owner(ledger, parts, wanted)
    if not owner:
        return {"run": str(folder), "url": wanted, "steps": []}
    run = folder / owner.path
    return {**verb_of(run).reasons(run, wanted), "run": str(folder), "site": owner.row()}


def _meant(parts: list[SiteFigures], wanted: str) -> SiteFigures | None:
    low = wanted.strip().lower()
    name = host(low) or low
    for part in parts:
        if low in (part.name, part.url.lower(), part.url.lower().rstrip("/")):
            return part
    bare = "/" not in low
    return next((part for part in parts if bare and name and host(part.url) == name), None)


def _owner(ledger: sqlite3.Connection, parts: list[SiteFigures], wanted: str) -> SiteFigures | None:
    steps = matches(ledger, wanted)
    if not steps:
        return None
    row = ledger.execute("SELECT site FROM turns WHERE step = ?", (steps[0],)).fetchone()
    return next((part for part in parts if row and part.name == row[0]), None)


def _stretches(
    ledger: sqlite3.Connection, part: SiteFigures
) -> list[tuple[int, float | None, int]]:
    """Return requests, finds expected of each, and finds, of each quarter of a site's requests.

    What was expected is not known where a kill came before it was written down.
    """
    steps = [row[0] for row in ledger.execute(_SENT, (part.name,))]
    length = max(1, -(-len(steps) // STRETCHES))
    told, after = [], 0
    for first in range(0, len(steps), length):
        some = steps[first : first + length]
        last = steps[first + length] - 1 if first + length < len(steps) else LAST
        values = {"site": part.name, "first": after + 1, "last": last}
        row = ledger.execute(_TURNS, values).fetchone()
        told.append((len(some), row["expected"], row["finds"]))
        after = last
    return told


def _story(
    ledger: sqlite3.Connection, part: SiteFigures, parts: list[SiteFigures], topic: str
) -> list[str]:
    whole = sum(each.requests for each in parts)
    share = f"{part.requests / whole:.0%}" if whole else "none"
    lines = [
        plain(part.url or part.name),
        f"  It is here because {plain(part.why)}.",
        f"  It got {counted(part.requests, 'request')}, {share} of all, "
        f"and brought {_brought(part, parts)}.",
    ]
    if not part.requests:
        lines.append("  It was not asked yet: others were expected to bring more for a request.")
    stretches = _stretches(ledger, part) if part.kind == "site" else []
    for number, (requests, expected, finds) in enumerate(stretches):
        when = "First" if not number else "Then"
        lines.append(
            f"  {when} {counted(requests, 'request')}: {_expected(expected, topic)}"
            f"{finds / requests:.2f} came ({count(finds)})."
        )
    lines += _end(part, parts)
    return lines


def _expected(files: float | None, topic: str) -> str:
    if files is None:
        return "it is not known what was expected, "
    on_topic = " on the topic" if topic else ""
    said = f"{files:.2f} files{on_topic} were" if files >= HARDLY else "hardly a file was"
    return f"{said} expected of each, "


def _brought(part: SiteFigures, parts: list[SiteFigures]) -> str:
    if part.kind == "site":
        return counted(part.finds, "file")
    found = [each for each in parts if each.why.startswith(FOUND)]
    files = sum(each.finds for each in found)
    return f"{counted(len(found), 'site')}, which brought {counted(files, 'file')}"


def _end(part: SiteFigures, parts: list[SiteFigures]) -> list[str]:
    if part.kind == "discovery" and not part.state:
        return ["  It goes on when a new site is expected to bring more than those that are known."]
    if part.state:
        end = plain(part.note or ENDS.get(part.state, part.state))
        return [f"  It ended: {end.removesuffix('.')}."]
    better = [
        each
        for each in parts
        if each.requests and each.finds * max(1, part.requests) > part.finds * each.requests
    ]
    if not better or not part.requests:
        return ["  It may go on when there is more to spend."]
    names = ", ".join(plain(each.name) for each in better[:3])
    return [
        f"  It waits: {counted(len(better), 'site')} brought more for a request ({names}). "
        "It goes on when these bring less, or when there is more to spend."
    ]
