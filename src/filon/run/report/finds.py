"""What was found: by type, by size, the largest, and the list with a link to each file."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from filon.page.formats import title as format_title
from filon.page.readable import readable_name
from filon.page.url import origin
from filon.run import html, readonly
from filon.run.export.folder import safe_name
from filon.run.summary import Summary
from filon.run.text import count, counted, size

#: Browsers sort and filter so many at once; beyond, and beyond this size, an export is better.
_LISTED = 10_000
_LISTED_BYTES = 6_000_000
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
#: What a page may say of a find, in columns of their own.
_SAID = {"modified": "Modified", "licence": "Licence"}


def overview(run_path: Path, ledger: sqlite3.Connection, summary: Summary) -> str:
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
        f"{_twice(ledger)}{_largest(run_path, ledger, summary)}"
    )


def _largest(run_path: Path, ledger: sqlite3.Connection, summary: Summary) -> str:
    rows = ledger.execute(
        "SELECT * FROM finds ORDER BY size_bytes DESC, find LIMIT ?", (_LARGEST,)
    ).fetchall()
    if len(rows) < _LARGEST:
        return ""
    table, _ = _table(run_path, rows, summary, "The largest finds")
    return f'<h3 style="margin-top:2rem">The largest</h3>{table}'


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


def listing(run_path: Path, ledger: sqlite3.Connection, summary: Summary) -> str:
    """Return the first finds, and how to get all of them."""
    if not summary.finds:
        return ""
    rows = ledger.execute("SELECT * FROM finds ORDER BY find LIMIT ?", (_LISTED,)).fetchall()
    table, listed = _table(run_path, rows, summary, "Finds")
    more = summary.finds - listed
    shown = f"The first {count(listed)} of {count(summary.finds)}, in" if more else "In"
    return (
        f'<p class="lead">{shown} the order in which they came. All of them as a table: '
        f"<code>filon export {html.text(summary.run)} --to csv</code>; as folders: "
        f"<code>filon export {html.text(summary.run)} --to files</code></p>"
        + html.sifted(table)
        + (f'<p class="note">And {count(more)} more.</p>' if more else "")
    )


def _table(
    run_path: Path, rows: Sequence[sqlite3.Row], summary: Summary, label: str
) -> tuple[str, int]:
    """Return a table of finds, and how many are in it."""
    finds = [dict(row) for row in rows]
    # Older runs do not say of a find what its page says of it.
    present = {name for find in finds for name in _SAID if find.get(name)}
    head = ["File", "Type", "#Size", *(title for name, title in _SAID.items() if name in present)]
    # On the site's own pages the path is enough to tell them apart.
    home = origin(summary.start)
    cells, size_bytes = [], 0
    for find in finds:
        cells.append(
            [
                _file(run_path, find),
                html.text(format_title(find["mime"], find["name"]), 30),
                html.number(find["size_bytes"], size(find["size_bytes"])),
                *(html.text(find.get(name) or "", 60) for name in _SAID if name in present),
                _page(find, home),
            ]
        )
        size_bytes += sum(map(len, cells[-1]))
        if size_bytes > _LISTED_BYTES:
            break
    return html.table([*head, "Found on"], cells, label, "finds"), len(cells)


def _file(run_path: Path, find: Mapping[str, Any]) -> str:
    """Return a link to the file that is kept, what its link says, and a link to the web."""
    url, name = find["url"], _name(find) or find["url"]
    words = _small(html.text(find.get("link_text") or "", 120))
    kept = readonly.stored(run_path, find["sha256"]) if find["sha256"] else None
    if kept is None or not kept.is_file():
        return f"{html.link(url, name, 70)}{words}"
    path = kept.relative_to(run_path).as_posix()
    return f"{html.stored(path, safe_name(name), name)}{words}{_small(html.link(url, longest=80))}"


def _name(find: Mapping[str, Any]) -> str:
    """Return what a person would call it, as the export to files does."""
    columns = {
        "text": "link_text",
        "title": "page_title",
        "around": "around",
        "headings": "headings",
    }
    context = {key: find.get(column) or "" for key, column in columns.items()}
    return readable_name(find["name"], find["mime"], **context) if find["name"] else ""


def _page(find: Mapping[str, Any], home: str) -> str:
    """Return a link to the page where a find was, by its title where it is known."""
    parent = find["parent"]
    title = html.text(find.get("page_title") or "", 120)
    headings = html.text(find.get("headings") or "", 160)
    return _lines([title, headings, html.link(parent, parent.removeprefix(home), 80)])


def _lines(parts: Iterable[str]) -> str:
    first, *others = [part for part in parts if part] or [""]
    return first + "".join(map(_small, others))


def _small(shown: str) -> str:
    return f"<small>{shown}</small>" if shown else ""
