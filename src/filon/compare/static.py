"""A recorded site in an SQLite file, answering as the static host that it was published on.

Tables: meta(k, v), page(path, mime, size, enc, blob), body(id, data). `enc` is "z" where the
body is compressed with zlib. The file is opened read-only and never copied.
"""

import json
import posixpath
import re
import sqlite3
import weakref
import zlib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from filon.compare.source import Body, Head
from filon.core import UserError

#: What a folder answers with, the first that exists.
INDEX_NAMES = (
    "index.html",
    "index.htm",
    "index.xhtml",
    "default.htm",
    "Default.htm",
    "index.shtml",
    "index.php",
    "home.html",
)
#: Bodies kept in memory for the next run: all of a site of some thousand pages.
KEPT_BYTES = 128 * 2**20
_URL = re.compile(r"(https?)://([^/?#]*)([^?#]*)")


class _Page(NamedTuple):
    mime: str
    compressed: str
    body_id: int


class StaticSite:
    """The site NAME.test: metadata of its pages in memory, bodies read on demand."""

    def __init__(self, file: Path) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}
        self._room_bytes = KEPT_BYTES
        try:
            uri = f"{file.resolve().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        except sqlite3.Error as problem:
            raise UserError(f"The replica {file} cannot be read ({problem}).") from problem
        # A replica is kept for the next comparison until another takes its place.
        self._end = weakref.finalize(self, self._db.close)
        try:
            self._load()
        except (sqlite3.Error, KeyError, TypeError, ValueError) as problem:
            self.close()
            raise UserError(f"{file} is not a replica of a site ({problem}).") from problem
        if not self._pages:
            self.close()
            raise UserError(f"The replica {file} is empty: it holds no page.")

    def _load(self) -> None:
        meta = dict(self._db.execute("SELECT k, v FROM meta"))
        rows = self._db.execute("SELECT path, mime, enc, blob FROM page")
        self._pages = {path: _Page(*rest) for path, *rest in rows}
        self._folders = {
            path[:at] for path in self._pages for at, char in enumerate(path) if char == "/"
        }
        self._root: str = meta["root"]
        self._originals = _original_links(json.loads(meta["spec"])["hosts"])
        self.name: str = meta["name"]
        self.start = f"http://{self.name}.test{self._root}"

    def look(self, url: str) -> Head:
        """Answer all but the body. The query is ignored, as a static host does."""
        match = _URL.match(url)
        if match is None or match[1] != "http":
            return Head(0, error="connect")
        host, path = match[2], match[3] or "/"
        if host.partition(":")[0].lower() != f"{self.name}.test":
            return Head(400, "text/html; charset=utf-8")
        found = self._find(path)
        if found:
            return Head(200, self._pages[found].mime, path=found, host=host)
        if self._clean(path) in self._folders:
            return Head(301, location=f"http://{host}{path}/")
        if path == "/":
            return Head(302, location=f"http://{host}{self._root}")
        return Head(404, "text/html; charset=utf-8")

    def load(self, head: Head) -> Body:
        """Read the body that belongs to an answer."""
        data = self._data(head)
        return Body(data, len(data), head.mime)

    def close(self) -> None:
        """Let go of the file."""
        self._end()

    def _data(self, head: Head) -> bytes:
        if head.status == 400:
            return _error_page(f"Unknown host; known: {self.name}.test")
        if head.status == 404:
            return _error_page("Page not found")
        if not head.path:
            return b""
        data = self._kept.get((head.path, head.host))
        if data is None:
            data = self._read(head)
            if self._room_bytes >= len(data):
                self._room_bytes -= len(data)
                self._kept[head.path, head.host] = data
        return data

    def _read(self, head: Head) -> bytes:
        page = self._pages[head.path]
        query = "SELECT data FROM body WHERE id = ?"
        data: bytes = self._db.execute(query, (page.body_id,)).fetchone()[0]
        if page.compressed:
            data = zlib.decompress(data)
        if self._originals and "html" in page.mime:
            return _moved(data, self._originals, f"http://{head.host}".encode())
        return data

    def _find(self, path: str) -> str:
        name = self._clean(path)
        candidates = [name, f"{name}.html"]
        if not name or name.endswith("/"):
            candidates = [name + index for index in INDEX_NAMES]
        return next((each for each in candidates if each in self._pages), "")

    @staticmethod
    def _clean(path: str) -> str:
        name = unquote(path).lstrip("/")
        if "//" in name or "/." in name:
            name = posixpath.normpath(name) + "/" * name.endswith("/")
        return name


def _error_page(text: str) -> bytes:
    return f"<html><title>{text}</title><body><h1>{text}</h1></body></html>".encode()


def _original_links(hosts: list[str]) -> re.Pattern[bytes] | None:
    """Match the hosts of absolute links to the addresses that the site was published at.

    It begins with fixed letters: what may stand before them would cost ten times as long.
    """
    if not hosts:
        return None
    names = "|".join(re.escape(host) for host in hosts)
    return re.compile(rf"""//(?:{names})(?=[/"'?#\s]|$)""".encode(), re.IGNORECASE)


def _moved(data: bytes, originals: re.Pattern[bytes], here: bytes) -> bytes:
    """Return a page with `here` in place of original hosts and of the scheme before them."""
    pieces, end = [], 0
    for match in originals.finditer(data):
        before = data[end : match.start()]
        scheme = data[max(end, match.start() - 6) : match.start()].lower()
        size = 6 if scheme == b"https:" else 5 if scheme.endswith(b"http:") else 0
        pieces += [before[: len(before) - size], here]
        end = match.end()
    return b"".join([*pieces, data[end:]]) if pieces else data
