"""The page that opens an exported folder."""

from collections.abc import Sequence
from urllib.parse import quote

from filon.run import html
from filon.run.export.rows import Row
from filon.run.formats import format_name
from filon.run.text import count, counted, size

#: A browser gets slow beyond; index.csv has all.
SHOWN = 5000


def index_page(table: Sequence[Row], finds: int, run_name: str) -> str:
    """Return a page with the first finds of a folder.

    finds: how many there are in all.
    """
    if not finds:
        body = "<p>This run found no files.</p>"
    else:
        head = ["File", "Type", "#Size", "Found on"]
        body = html.table(head, [_cells(row) for row in table], "Files")
    more = finds - len(table)
    note = f'<p class="note">And {count(more)} more: index.csv has all.</p>' if more else ""
    title = f"Files of {run_name}"
    top = (
        f'<header><p class="kicker">filon export</p><h1>{html.text(title)}</h1>'
        f'<p class="meta">{counted(finds, "find")}; the same as a table: '
        f'<a href="index.csv">index.csv</a></p></header>\n'
    )
    return html.page(title, top + body + note)


def _cells(row: Row) -> list[str]:
    name = html.breakable(html.text(row.path or row.name or row.url, 160))
    # The path is of our own making (names.py): it starts with a host, never with a scheme.
    place = f'<a href="{quote(row.path)}">{name}</a>' if row.path else f"{name} <i>(not kept)</i>"
    return [
        f'<span class="url">{place}</span>',
        html.text(format_name(row.mime, row.name), 30),
        size(row.size_bytes),
        html.link(row.parent or row.url, longest=80),
    ]
