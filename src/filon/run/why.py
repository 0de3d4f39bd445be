"""Why a URL was asked for, or what is known where it was not: in plain words."""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from filon.page.formats import title as format_title
from filon.page.url import join, split
from filon.run import readonly
from filon.run.chain import matches, spellings, trace
from filon.run.history import rounds
from filon.run.summary import Summary, summary_of
from filon.run.text import count, counted, duration, plain, size

#: A redirect may name far more than an address can be, or a screen can show.
_LONGEST = 400
_KINDS = {
    "start": "it is where the run started",
    "link": "a page linked to it",
    "target": "it was taken for a file of a wanted type",
    "redirect": "the server sent the request on to it",
    "head": "its type had to be known before its body",
    "robots": "the rules of its host had to be read first",
    "retry": "the try before had failed",
}
_CUTS = {
    "type": "its body was left out, for its type",
    "size": "its body was cut: too large",
    "budget": "its body was cut: the budget in bytes was spent",
    "time": "its body was cut: the time was over",
}
_OTHERS = 5
#: Of a long chain, so many steps are told at either end.
_ENDS = 15


def why(run_path: Path, wanted: str) -> str:
    """Tell the chain of steps and reasons that led to a URL.

    wanted: as for `chain`: a URL, the name of a find, or the beginning of its SHA-256.
    """
    again = list(_looks(run_path, wanted))
    with readonly.reading(run_path) as ledger:
        steps = matches(ledger, wanted)
        if steps:
            return "\n".join([way(ledger, steps), *_rounds(again)])
        if not again:
            return _unknown(ledger, summary_of(run_path, ledger), wanted.strip())
    first, _ = again[0]
    told = f"{plain(wanted.strip())}\n  was not asked for in the run itself, but in its rounds.\n"
    return "\n".join([told, why(first, wanted), *_rounds(again[1:])])


def _looks(run_path: Path, wanted: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the rounds in which something was asked for, each with the step."""
    for folder in rounds(run_path):
        with readonly.reading(folder) as ledger:
            if steps := matches(ledger, wanted):
                yield folder, trace(ledger, steps[0])[-1]


def _rounds(looks: Sequence[tuple[Path, dict[str, Any]]]) -> Iterator[str]:
    """Yield the lines of looks in rounds."""
    for folder, step in looks:
        yield ""
        yield f"  It was looked at again in round {int(folder.name)}: {plain(step['url'])}"
        yield f"     because {_reason(step)}"
        yield f"     got {_answer(step)}"


def way(ledger: sqlite3.Connection, steps: list[int], *, named: bool = True) -> str:
    """Return the lines of a way. named: say what is at its end; else that was told already."""
    steps_taken = trace(ledger, steps[0])
    lines = [plain(steps_taken[-1]["url"]), f"  {_verdict(steps_taken)}", ""] if named else []
    if (first := steps_taken[0])["parent"] and first["kind"] != "start":
        lines += [f"  The ledger does not tell how {plain(first['parent'])} was reached.", ""]
    shown = [_step(place, step) for place, step in enumerate(steps_taken, start=1)]
    if (left_out := len(steps_taken) - 2 * _ENDS) > 0:
        shown[_ENDS:-_ENDS] = [["", f"     … {counted(left_out, 'step')} between …", ""]]
    lines += [line for step in shown for line in step]
    return "\n".join(lines + _others(ledger, steps[1:]))


def _verdict(way: list[dict[str, Any]]) -> str:
    last = way[-1]
    where = f"{counted(len(way) - 1, 'step')} from the start" if len(way) > 1 else "at the start"
    if last["found"] == "graph":
        mentioned = plain(last["find"])
        return f"holds RDF; it was come by as {mentioned}, {where}."
    if last["find"]:
        return f"was found as {plain(last['find'])}, {where}."
    if last["answer"] is None:
        return f"was asked for, {where}, but no answer was written down."
    return f"was asked for, {where}; it is not a find."


def _step(place: int, step: dict[str, Any]) -> list[str]:
    method = "" if step["method"] == "GET" else f" ({plain(step['method'])})"
    lines = [f"  {place}. step {count(step['step'])}{method}: {plain(step['url'])}"]
    lines.append(f"     because {_reason(step)}")
    if step["arm"]:
        lines.append(f"     of the group {plain(step['arm'])}")
    return [*lines, f"     got {_answer(step)}"]


def _reason(step: dict[str, Any]) -> str:
    known = _KINDS.get(step["kind"], f"of its kind, {plain(step['kind'])}")
    parts = [plain(step["why"]).rstrip(".") or known]
    if step["score"]:
        # A group that was never tried has a score in the thousands: written out, not as 5e+03.
        score = step["score"]
        parts.append(f"score {score:,.0f}" if abs(score) >= 1000 else f"score {score:.3g}")
    if step["expected"]:
        expected = f"{step['expected']:.3g}"
        parts.append(f"{expected} {'find' if expected == '1' else 'finds'} expected")
    return "; ".join(parts)


def _answer(step: dict[str, Any]) -> str:
    if step["answer"] is None:
        return "no answer that was written down"
    if step["error"]:
        detail = f" ({plain(step['detail'])})" if step["detail"] else ""
        parts = [f"no proper answer: {plain(step['error'])}{detail}"]
    else:
        parts = [f"status {step['status']}"]
    if step["location"]:
        parts.append(f"which names {plain(step['location'], _LONGEST)}")
    elif not step["error"]:
        parts.append(format_title(step["mime"] or "", step["find"] or ""))
        if step["method"] != "HEAD" or step["size_bytes"]:
            parts.append(size(step["size_bytes"] or 0))
    if step["cut"]:
        parts.append(_CUTS.get(step["cut"], f"cut: {plain(step['cut'])}"))
    if step["found"] == "graph":
        parts.append("with RDF")
    elif step["find"]:
        parts.append(f"kept as {plain(step['find'])}")
    took_s = step["took_s"] or 0
    return ", ".join([*parts, duration(took_s) if took_s >= 0 else "nothing was sent"])


def _others(ledger: sqlite3.Connection, steps: list[int]) -> list[str]:
    if not steps:
        return []
    lines = ["", f"  {counted(len(steps), 'other step')} may be meant as well:"]
    for number in steps[:_OTHERS]:
        row = ledger.execute("SELECT url FROM steps WHERE step = ?", (number,)).fetchone()
        lines.append(f"    {plain(row['url'])}")
    return lines


def _unknown(ledger: sqlite3.Connection, summary: Summary, wanted: str) -> str:
    """Say what the ledger knows of a URL that it does not hold."""
    url = next((s for s in spellings(wanted) if "://" in s), wanted)
    lines = [
        plain(wanted),
        f"  was not asked for in this run ({counted(summary.requests, 'request')}).",
        *_pointers(ledger, spellings(wanted)),
        *_host(ledger, summary, url, wanted),
    ]
    if summary.skipped:
        reasons = ", ".join(f"{plain(why)} {count(n)}" for why, n in summary.skipped.items())
        lines.append(f"  Links that were seen and left out, by reason: {reasons}.")
    if summary.waiting:
        were = "was" if summary.waiting == 1 else "were"
        waiting = counted(summary.waiting, "link")
        lines.append(f"  {waiting} {were} still waiting; it may be one of them.")
    lines.append(f"  The run {_ended(summary)}.")
    lines.append("  The ledger holds what was asked for, not every link that was seen.")
    if near := _near(ledger, url):
        lines += ["", "  Like it, and asked for:", *(f"    {plain(u)}" for u in near)]
    return "\n".join(lines)


def _ended(summary: Summary) -> str:
    return summary.ending if summary.stopped else f"has not ended: {summary.ending}"


def _pointers(ledger: sqlite3.Connection, urls: list[str]) -> list[str]:
    """Say which steps name the URL as where they come from or redirect to."""
    # A redirect may name only the path.
    named = [*urls, *("/" + url.split("/", 3)[3] for url in urls if url.count("/") >= 3)]
    rows = ledger.execute(
        "SELECT step, url, location FROM steps"  # noqa: S608 (only marks are put in)
        f" WHERE location IN ({_marks(named)}) OR parent IN ({_marks(urls)}) ORDER BY step",
        [*named, *urls],
    )
    lines = []
    for number, url, location in rows:
        leads = bool(location) and join(url, location) in urls
        if leads or location not in named:
            does = "redirects to it" if leads else "came from it"
            lines.append(f"  Step {count(number)}, {plain(url)}, {does}.")
    return lines[:_OTHERS]


def _marks(values: list[str]) -> str:
    return ", ".join("?" * len(values))


def _host(ledger: sqlite3.Connection, summary: Summary, url: str, wanted: str) -> list[str]:
    host = _host_of(url)
    if not host:
        return []
    asked = sum(
        _between(ledger, f"{scheme}://{host}{mark}")
        for scheme in ("http", "https")
        for mark in "/?:"
    )
    if not asked:
        home = _host_of(summary.start)
        if "/" not in wanted:  # more likely the name of a file
            return ["  No file that was found has this name, nor has a host that was asked."]
        return [f"  No request went to its host, {plain(host)}; the run started at {plain(home)}."]
    lines = [f"  {counted(asked, 'request')} went to its host."]
    for scheme in ("https", "http"):
        rules = ledger.execute(
            "SELECT step, status, error FROM steps WHERE url = ? ORDER BY step DESC LIMIT 1",
            (f"{scheme}://{host}/robots.txt",),
        ).fetchone()
        if rules:
            answer = plain(rules["error"] or "") or f"status {rules['status']}"
            lines.append(f"  The host's robots.txt {_rules(rules, answer)}")
    return lines


def _rules(asked: sqlite3.Row, answer: str) -> str:
    """Tell what became of a robots.txt; one that cannot be had forbids all of its host."""
    where = f"in step {count(asked['step'])} ({answer})"
    if asked["error"] or asked["status"] == 429 or asked["status"] >= 500:
        return f"could not be read {where}: nothing else is asked for until it can be."
    return f"was read {where}: what it forbids is never asked for."


def _host_of(url: str) -> str:
    return split(url).netloc.rpartition("@")[2].lower()


def _between(ledger: sqlite3.Connection, prefix: str) -> int:
    """Count the requests that were sent to a URL that starts so, by the index."""
    query = "SELECT COALESCE(SUM(sends), 0) FROM steps WHERE url >= ? AND url < ?"
    return int(ledger.execute(query, (prefix, prefix + "\U0010ffff")).fetchone()[0])


def _near(ledger: sqlite3.Connection, url: str) -> list[str]:
    """Return URLs of the same path, else of the nearest folder that was visited."""
    place = url.partition("?")[0]
    while place.count("/") >= 3:
        rows = ledger.execute(
            "SELECT DISTINCT url FROM steps WHERE url >= ? AND url < ? ORDER BY url LIMIT ?",
            (place, place + "\U0010ffff", _OTHERS),
        ).fetchall()
        if rows:
            return [str(row[0]) for row in rows]
        place = place.rstrip("/").rpartition("/")[0] + "/"
    return []
