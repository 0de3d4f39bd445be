"""A small search engine in one SQLite file or in memory: full text, likeness and links.

Words are found by BM25 (FTS5), pages like a page by its own most telling words, and pages that
link to a page by the links that were put in. The same pages give the same answers, in any order
of putting them in. Knows no files but its own.
"""

import json
import math
import re
import sqlite3
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from filon.core.service import Hit
from filon.page.url import KeyRules, host, key, parse
from filon.page.words import STOP_WORDS, words

#: More of a page says nothing new about what it is about.
MAX_TEXT = 200_000
#: Words of a page that its likes are looked for by; more make it slower, not better.
TELLING = 25
#: A word in the title counts as much as so many in the text.
TITLE_WEIGHT = 4.0
SNIPPET_WORDS = 24
#: Words of a query that are looked for: longer ones are texts, not queries.
MAX_WORDS = 64
_RULES = KeyRules(drop_index=True, drop_trailing_slash=True, drop_scheme=True, drop_www=True)
_PART = re.compile(r'"([^"]*)"|(\S+)')
_SCHEMA = """
CREATE TABLE page (id INTEGER PRIMARY KEY, url TEXT, key TEXT UNIQUE, host TEXT, extra TEXT);
CREATE VIRTUAL TABLE text USING fts5(
    title, body, tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE word USING fts5vocab(text, row);
CREATE TABLE link (source INTEGER, url TEXT, key TEXT, host TEXT, anchor TEXT);
CREATE INDEX link_key ON link (key);
CREATE INDEX link_host ON link (host);
CREATE INDEX link_source ON link (source);
CREATE TABLE told (name TEXT PRIMARY KEY, value TEXT);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page to be found. links: addresses and anchor texts."""

    url: str
    title: str = ""
    text: str = ""
    links: tuple[tuple[str, str], ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """A part of the hits, and how many there are in all."""

    hits: list[Hit]
    total: int


class Index:
    """The engine. path: its file, new or not; ":memory:" for none."""

    def __init__(self, path: str = ":memory:") -> None:
        self._base = sqlite3.connect(path, check_same_thread=False)
        # Who asks a service need not know that this one holds a file: it ends with its last user.
        self._end = weakref.finalize(self, self._base.close)
        if not self._base.execute("SELECT 1 FROM sqlite_master WHERE name = 'told'").fetchone():
            self._base.executescript(_SCHEMA)
            ranked = f"bm25({TITLE_WEIGHT}, 1.0)"
            self._base.execute("INSERT INTO text (text, rank) VALUES ('rank', ?)", (ranked,))
            self._base.commit()

    def close(self) -> None:
        """Let go of the file."""
        self._end()

    def __len__(self) -> int:
        return int(self._base.execute("SELECT count(*) FROM page").fetchone()[0])

    def note(self, name: str) -> str:
        """Return what was noted under a name, or the empty string."""
        row = self._base.execute("SELECT value FROM told WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def fill(self, documents: Iterable[Document], **notes: str) -> None:
        """Put documents in, all or none, and note what they are. Of two at one URL the last counts.

        They go in by the order of their URLs: ties are then broken the same way everywhere.
        """
        once = {_key(document.url): document for document in documents}
        with self._base:
            for name in sorted(once):
                self._add(name, once[name])
            self._base.executemany("INSERT OR REPLACE INTO told VALUES (?, ?)", notes.items())

    def _add(self, name: str, document: Document) -> None:
        extra = json.dumps(dict(document.extra), ensure_ascii=False)
        row = (document.url, name, host(document.url), extra)
        number = self._base.execute(
            "INSERT INTO page (url, key, host, extra) VALUES (?, ?, ?, ?)", row
        ).lastrowid
        self._base.execute(
            "INSERT INTO text (rowid, title, body) VALUES (?, ?, ?)",
            (number, document.title, document.text[:MAX_TEXT]),
        )
        self._base.executemany(
            "INSERT INTO link VALUES (?, ?, ?, ?, ?)",
            [
                (number, url, _key(url), _bare(host(url)), anchor)
                for url, anchor in dict(document.links).items()
            ],
        )

    def search(self, query: str, offset: int, size: int) -> Found:
        """Return pages that hold words of a query, the best first; "quoted words" as they are."""
        return self._match(_expression(query), "", (), offset, size)

    def related(self, url: str, offset: int, size: int) -> Found | None:
        """Return pages of other hosts with the most telling words of a page; None if unknown."""
        row = self._base.execute("SELECT id, host FROM page WHERE key = ?", (_key(url),)).fetchone()
        if row is None:
            return None
        telling = " OR ".join(f'"{word}"' for word in self._telling(row[0]))
        return self._match(telling, "AND host != ?", (row[1],), offset, size)

    def backlinks(self, url: str, offset: int, size: int) -> Found:
        """Return pages of other hosts that link to a page; then those that link to its host."""
        name, site = _key(url), _bare(host(url))
        where = """
            FROM link JOIN page ON page.id = link.source JOIN text ON text.rowid = page.id
            WHERE (link.key = ? OR link.host = ?)
              AND replace(page.host, 'www.', '') != ? GROUP BY page.id
        """
        rows = self._base.execute(
            f"SELECT page.url, text.title, min(link.url), page.extra {where} "
            "ORDER BY max(link.key = ?) DESC, page.key LIMIT ? OFFSET ?",
            (name, site, site, name, size, offset),
        ).fetchall()
        counted = f"SELECT count(*) FROM (SELECT 1 {where})"  # noqa: S608
        total = self._base.execute(counted, (name, site, site)).fetchone()[0]
        hits = [
            Hit(url=source, title=title, extra={**json.loads(extra), "target": target})
            for source, title, target, extra in rows
        ]
        return Found(hits, total)

    def outlinks(self, url: str, offset: int, size: int) -> Found | None:
        """Return the links of a page to other hosts; None where the page is not known."""
        row = self._base.execute("SELECT id, host FROM page WHERE key = ?", (_key(url),)).fetchone()
        if row is None:
            return None
        rows = self._base.execute(
            "SELECT url, anchor FROM link WHERE source = ? AND host != ? ORDER BY rowid",
            (row[0], _bare(row[1])),
        ).fetchall()
        part = rows[offset : offset + size]
        return Found([Hit(url=target, title=anchor) for target, anchor in part], len(rows))

    def _match(
        self, expression: str, where: str, values: tuple[str, ...], offset: int, size: int
    ) -> Found:
        if not expression:
            return Found([], 0)
        whence = f"FROM text JOIN page ON page.id = text.rowid WHERE text MATCH ? {where}"
        rows = self._base.execute(
            f"SELECT url, title, snippet(text, 1, '', '', ' … ', {SNIPPET_WORDS}), extra "
            f"{whence} ORDER BY rank, page.key LIMIT ? OFFSET ?",
            (expression, *values, size, offset),
        ).fetchall()
        counted = f"SELECT count(*) {whence}"
        total = self._base.execute(counted, (expression, *values)).fetchone()[0]
        hits = [
            Hit(url=url, title=title, snippet=" ".join(snippet.split()), extra=json.loads(extra))
            for url, title, snippet, extra in rows
        ]
        return Found(hits, total)

    def _telling(self, number: int) -> list[str]:
        """Return the words of a page with the highest tf-idf: they are the page's, and rare."""
        title, body = self._base.execute(
            "SELECT title, body FROM text WHERE rowid = ?", (number,)
        ).fetchone()
        counts = Counter(words(body) + words(title) * int(TITLE_WEIGHT))
        pages = len(self)
        scores = {}
        for word, count in counts.items():
            known = self._pages_with(word)
            if len(word) > 1 and word not in STOP_WORDS and 1 < known <= max(2, pages // 2):
                scores[word] = (1.0 + math.log(count)) * math.log(pages / known + 1.0)
        return sorted(scores, key=lambda word: (-scores[word], word))[:TELLING]

    def _pages_with(self, word: str) -> int:
        row = self._base.execute("SELECT doc FROM word WHERE term = ?", (word,)).fetchone()
        return int(row[0]) if row else 0


def _expression(query: str) -> str:
    """Return a query as FTS5 wants it: nothing of it is taken for an operator."""
    parts = []
    for quoted, word in _PART.findall(query)[:MAX_WORDS]:
        found = words(quoted) if quoted else [w for w in words(word) if w not in STOP_WORDS]
        parts += [" ".join(found)] if quoted else found
    return " OR ".join(f'"{part}"' for part in parts if part)


def _bare(name: str) -> str:
    return name.removeprefix("www.")


def _key(url: str) -> str:
    """Return what addresses of one page have in common."""
    return key(parse(url) or url, _RULES)
