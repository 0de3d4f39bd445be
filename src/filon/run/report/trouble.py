"""What guards left out, what failed, and what took long."""

import sqlite3
from http import HTTPStatus

from filon.run import html
from filon.run.summary import Summary
from filon.run.text import count, duration

_KINDS = {
    "bomb": "The answer decompresses to far more than it should",
    "bug": "Filon failed on the answer: a bug, please report it",
    "closed": "The connection ended within the answer",
    "connect": "No connection: refused or unreachable",
    "dns": "No such host",
    "fenced": "A host that may not be asked here",
    "headers": "Too many or too long headers",
    "private": "A private address that was not asked for",
    "protocol": "The answer is not proper HTTP",
    "robots": "Forbidden by robots.txt",
    "timeout": "No answer in time",
    "tls": "No trusted encryption",
}
_EXAMPLES = 3
_SLOWEST = 8
#: The host of a step's URL, with its port, in SQL.
HOST = (
    "substr(url, instr(url, '://') + 3, instr(substr(url, instr(url, '://') + 3) || '/', '/') - 1)"
)


def skipped(summary: Summary) -> str:
    """Return what guards and rules kept out, by reason."""
    if not summary.skipped:
        return ""
    total = sum(summary.skipped.values())
    seen = "address was" if total == 1 else "addresses were"
    lead = f"{count(total)} {seen} seen and not asked for, and cost nothing."
    bars = html.ranked([(why, number, "") for why, number in summary.skipped.items()])
    return f'<p class="lead">{lead}</p>{bars}'


def errors(ledger: sqlite3.Connection) -> str:
    """Return failures by kind, with examples."""
    groups = ledger.execute(
        "SELECT error, CASE WHEN error != '' THEN 0 ELSE status END AS code, COUNT(*) AS n"
        " FROM steps WHERE answer IS NOT NULL AND (error != '' OR status = 0 OR status >= 400)"
        " GROUP BY error, code ORDER BY n DESC, error, code LIMIT 40"
    ).fetchall()
    rows = [
        [_failure(error, code), count(number), _examples(ledger, error, code)]
        for error, code, number in groups
    ]
    if not rows:
        return ""
    return html.table(["What", "#Times", "For example"], rows, "Failures")


def _failure(error: str, code: int) -> str:
    if error:
        return f"{_KINDS.get(error, html.text(error))} <small>{html.text(error)}</small>"
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return f"Status {code}" if code else "No answer"


def _examples(ledger: sqlite3.Connection, error: str, code: int) -> str:
    rows = ledger.execute(
        "SELECT url, detail, parent FROM steps WHERE answer IS NOT NULL AND error = ?"
        " AND (error != '' OR status = ?) ORDER BY step LIMIT ?",
        (error, code, _EXAMPLES),
    )
    return "".join(
        f"<div>{html.link(url, longest=80)}"
        + (f"<small>{html.text(detail, 120)}</small>" if detail else "")
        + "</div>"
        for url, detail, _ in rows
    )


def slow(ledger: sqlite3.Connection) -> str:
    """Return the hosts and the answers that took longest."""
    hosts = ledger.execute(
        f"SELECT {HOST} AS host, COUNT(*), AVG(took_s) AS mean, MAX(took_s), SUM(took_s)"  # noqa: S608
        " FROM steps WHERE took_s > 0 GROUP BY host ORDER BY mean DESC, host LIMIT ?",
        (_SLOWEST,),
    ).fetchall()
    answers = ledger.execute(
        "SELECT url, took_s, wire_bytes FROM steps WHERE took_s > 0"
        " ORDER BY took_s DESC, step LIMIT ?",
        (_SLOWEST,),
    ).fetchall()
    if not hosts:
        return ""
    by_host = [
        [html.text(host, 60), count(n), duration(mean), duration(most)]
        for host, n, mean, most, _ in hosts
    ]
    by_answer = [[html.link(url, longest=70), duration(took)] for url, took, _ in answers]
    return (
        '<div class="columns"><div><h3>Hosts</h3>'
        + html.table(["Host", "#Answers", "#Mean", "#Longest"], by_host, "Slowest hosts")
        + "</div><div><h3>Answers</h3>"
        + html.table(["Address", "#Time"], by_answer, "Slowest answers")
        + "</div></div>"
    )
