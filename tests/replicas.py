"""Small recorded sites, written by the tests in the format of the large ones."""

import json
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

Pages = Mapping[str, tuple[str, bytes]]

HTML = "text/html; charset=utf-8"


def page(*hrefs: str) -> tuple[str, bytes]:
    """An HTML page with links."""
    items = "".join(f'<li><a class="item" href="{href}">{href}</a></li>' for href in hrefs)
    return HTML, f"<html><body><ul id=list>{items}</ul></body></html>".encode()


#: Ten pages, each with two files; one dead link, one folder without its slash, one picture.
PORTAL: Pages = {
    "index.html": page("a0", "a1", "sets", "gone.html", "logo.png", "http://orig.example/a2"),
    "sets/index.html": page(*(f"../a{i}.html?from=sets" for i in range(10))),
    **{f"a{i}.html": page(f"d{i}.csv", f"d{i}.pdf", "/", "notes.md") for i in range(10)},
    **{f"d{i}.csv": ("text/csv", b"x,y\n1,2\n" * (i + 1)) for i in range(10)},
    **{f"d{i}.pdf": ("application/pdf", b"%PDF-1.4 " + b"." * 100 * i) for i in range(10)},
    "logo.png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    "notes.md": ("text/markdown", b"# Notes"),
}


def write_replica(
    folder: Path, name: str = "portal", pages: Pages = PORTAL, root: str = "/"
) -> Path:
    """Write a recorded site, half of its bodies compressed, and return the file."""
    file = folder / f"{name}.sqlite"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT)")
        db.execute("CREATE TABLE page (path TEXT PRIMARY KEY, mime, size, enc, blob)")
        db.execute("CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB)")
        meta = {"name": name, "root": root, "spec": json.dumps({"hosts": ["orig.example"]})}
        db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        for number, (path, (mime, body)) in enumerate(pages.items()):
            small = zlib.compress(body) if number % 2 else body
            row = (path, mime, len(body), "z" if number % 2 else "", number)
            db.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?)", row)
            db.execute("INSERT INTO body VALUES (?, ?)", (number, small))
    return file
