"""What was found: by type, by size, the largest, and the list."""

import sqlite3

from filon.page.formats import title as format_title
from filon.page.url import origin
from filon.run import html
from filon.run.summary import Summary
from filon.run.text import count, counted, size

_LISTED = 500
_LARGEST = 10
_TYPES = 12
_SIZES = (
    "empty",
    "below 10 kB",
    "10 – 100 kB",
    "100 kB – 1 MB",
    "1 – 10 MB",
    "10 – 100 MB",
    "100 MB and more",
)
_SIZE_CLASS = """
CASE WHEN size_bytes <= 0 THEN 0 WHEN size_bytes < 1e4 THEN 1 WHEN size_bytes < 1e5 THEN 2
     WHEN size_bytes < 1e6 THEN 3 WHEN size_bytes < 1e7 THEN 4 WHEN size_bytes < 1e8 THEN 5
     ELSE 6 END
"""


def overview(ledger: sqlite3.Connection, summary: Summary) -> str:
    """Return the finds by type and by size, and the largest."""
    if not summary.finds:
        return ""
    types = [(f.name, f.finds, size(f.bytes)) for f in summary.formats[:_TYPES]]
    if rest := summary.formats[_TYPES:]:
        left = sum(f.finds for f in rest), size(sum(f.bytes for f in rest))
        types.append((f"{len(rest)} other types", *left))
    sizes = [
        (_SIZES[group], finds, size(total))
        for group, finds, total in ledger.execute(
            f"SELECT {_SIZE_CLASS} AS grp, COUNT(*), SUM(size_bytes) FROM finds"  # noqa: S608
            " GROUP BY grp ORDER BY grp"
        )
    ]
    return (
        f'<div class="columns"><div><h3>By type</h3>{html.ranked(types)}</div>'
        f"<div><h3>By size</h3>{html.ranked(sizes)}</div></div>"
        f"{_twice(ledger)}{_largest(ledger, summary)}"
    )


def _largest(ledger: sqlite3.Connection, summary: Summary) -> str:
    rows = ledger.execute(
        "SELECT name, url, mime, size_bytes, parent FROM finds"
        " ORDER BY size_bytes DESC, find LIMIT ?",
        (_LARGEST,),
    ).fetchall()
    if len(rows) < _LARGEST:
        return ""
    return '<h3 style="margin-top:2rem">The largest</h3>' + _table(
        rows, summary, "The largest finds"
    )


def _twice(ledger: sqlite3.Connection) -> str:
    same = ledger.execute(
        # 64 bits of the hash are enough to count by, and quicker to sort.
        "SELECT COUNT(*) - COUNT(DISTINCT substr(sha256, 1, 16)) FROM finds WHERE sha256 != ''"
    ).fetchone()[0]
    if not same:
        return ""
    return (
        f'<p class="note">{counted(same, "find")} had the same content as another and '
        f"{'is' if same == 1 else 'are'} stored once.</p>"
    )


def listing(ledger: sqlite3.Connection, summary: Summary) -> str:
    """Return the first finds, and how to get all of them."""
    if not summary.finds:
        return ""
    rows = ledger.execute(
        "SELECT name, url, mime, size_bytes, parent FROM finds ORDER BY find LIMIT ?", (_LISTED,)
    ).fetchall()
    more = summary.finds - len(rows)
    shown = f"The first {len(rows)} of {count(summary.finds)}, in" if more else "In"
    return (
        f'<p class="lead">{shown} the order in which they came. All of them as a table: '
        f"<code>filon export {html.text(summary.run)} --to csv</code>; as folders: "
        f"<code>filon export {html.text(summary.run)} --to files</code></p>"
        + _table(rows, summary, "Finds")
        + (f'<p class="note">And {count(more)} more.</p>' if more else "")
    )


def _table(rows: list[sqlite3.Row], summary: Summary, label: str) -> str:
    # On the site's own pages the path is enough to tell them apart.
    home = origin(summary.start)
    cells = [
        [
            html.link(url, name or url, 70),
            html.text(format_title(mime, name), 30),
            size(size_bytes),
            html.link(parent, parent.removeprefix(home), 80),
        ]
        for name, url, mime, size_bytes, parent in rows
    ]
    return html.table(["Name", "Type", "#Size", "Found on"], cells, label)
