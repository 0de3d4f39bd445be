"""Where the budget went: every request stands in one of a few groups."""

import sqlite3
from collections.abc import Mapping

from filon.run import html
from filon.run.text import count, size

Groups = Mapping[str, tuple[str, str]]

#: Group: its name and what is in it, in the order in which they are shown.
GROUPS: dict[str, tuple[str, str]] = {
    "find": ("Finds", "files worth keeping"),
    "page": ("Pages", "read for their links"),
    "other": ("Other files", "of types not asked for"),
    "redirect": ("Redirects", "the server named another address"),
    "head": ("Headers only", "asked for the type without the body"),
    "robots": ("robots.txt", "what each host allows"),
    "retry": ("Retries", "asked again after a failure"),
    "error": ("Errors", "dead links, refusals, failures"),
    "waiting": ("No answer yet", "in flight, or cut short"),
}
#: The same where documents are found, not files.
DOCUMENTS = GROUPS | {
    "find": ("Documents", "with RDF"),
    "page": ("Pages", "without RDF"),
    "other": ("Other documents", "without RDF"),
}
#: The first that holds is the group of a step.
GROUP_OF_STEP = """
CASE WHEN step IN (SELECT step FROM finds) THEN 'find'
     WHEN answer IS NULL THEN 'waiting'
     WHEN kind = 'retry' THEN 'retry'
     WHEN kind = 'robots' THEN 'robots'
     WHEN error != '' OR status = 0 OR status >= 400 THEN 'error'
     WHEN location != '' AND status BETWEEN 300 AND 399 THEN 'redirect'
     WHEN method = 'HEAD' THEN 'head'
     WHEN mime IN ('text/html', 'application/xhtml+xml') THEN 'page'
     ELSE 'other' END
"""
#: The share of a bar that has room for its name, also on a telephone.
_ROOM = 28


def body(ledger: sqlite3.Connection, groups: Groups = GROUPS) -> str:
    """Return two bars, by requests and by bytes, and the figures of both."""
    spent = {
        group: (requests, wire_bytes)
        for group, requests, wire_bytes in ledger.execute(
            f"SELECT {GROUP_OF_STEP} AS grp, SUM(sends), COALESCE(SUM(wire_bytes), 0)"  # noqa: S608
            " FROM steps GROUP BY grp"
        )
    }
    rows = [(group, *spent[group]) for group in GROUPS if group in spent]
    if not rows:
        return ""
    requests = sum(row[1] for row in rows)
    received = sum(row[2] for row in rows)
    bars = _bar("By requests", [(row[0], row[1]) for row in rows], groups)
    bars += _bar("By bytes received", [(row[0], row[2]) for row in rows], groups)
    cells = [
        [_name(groups[group], group), count(n), _share(n, requests), size(b), _share(b, received)]
        for group, n, b in rows
    ]
    head = ["What for", "#Requests", "#Share", "#Received", "-Share"]
    return bars + html.table(head, cells, "Where the budget went")


def _name(label: tuple[str, str], group: str) -> str:
    name, more = label
    return f'<span class="swatch {group}"></span>{name} <span class="dim minor">{more}</span>'


def _share(part: int, whole: int) -> str:
    if not whole:
        return ""
    share = 100 * part / whole
    return "&lt; 0.1 %" if 0 < share < 0.05 else f"{share:.1f} %"


def _bar(title: str, parts: list[tuple[str, int]], groups: Groups) -> str:
    whole = sum(amount for _, amount in parts)
    if not whole:
        return ""
    shares = [(group, 100 * amount / whole) for group, amount in parts if amount]
    legend = ", ".join(f"{groups[group][0]} {share:.0f} %" for group, share in shares)
    pieces, at = "", 0.0
    for group, share in shares:
        pieces += (
            f'<rect class="{group}" x="{at:.3f}%" width="{max(share - 0.15, 0.1):.3f}%" '
            f'height="100%"><title>{groups[group][0]}: {share:.1f} %</title></rect>'
        )
        if share > _ROOM:
            pieces += f'<text x="{at + 1:.3f}%" y="62%">{groups[group][0]} {share:.0f} %</text>'
        at += share
    return (
        f'<p class="barname">{title}</p>'
        f'<svg class="bar" role="img" aria-label="{title}: {legend}">{pieces}</svg>'
    )
