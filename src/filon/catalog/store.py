"""catalog.sqlite: the files of all runs of a folder, their tables and columns, and the words."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from filon.catalog.titles import Titles
from filon.core import FilonError, UserError
from filon.page.url import host
from filon.profile.shape import Profile, Table
from filon.profile.store import FILE as PROFILES
from filon.profile.store import Profiles
from filon.run import readonly
from filon.run.disk import Transaction, writing
from filon.run.schema import CONTEXT

FILE = "catalog.sqlite"
#: A catalog of another version is made anew.
VERSION = 1
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
    run TEXT PRIMARY KEY,         -- its folder, seen from the catalog's
    stamp TEXT NOT NULL           -- by which a run that went on is known
) WITHOUT ROWID;
CREATE TABLE files (
    file INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,      -- the SHA-256 of its bytes
    title TEXT NOT NULL,          -- what the first page that links to it calls it
    format TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    problem TEXT NOT NULL,
    detail TEXT NOT NULL,
    encoding TEXT NOT NULL,
    tables INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL
);
CREATE TABLE sightings (
    file INTEGER NOT NULL REFERENCES files (file),
    run TEXT NOT NULL,
    site TEXT NOT NULL,
    url TEXT NOT NULL,
    name TEXT NOT NULL,
    parent TEXT NOT NULL,
    found_s REAL NOT NULL,
    link_text TEXT NOT NULL, around TEXT NOT NULL, page_title TEXT NOT NULL,
    headings TEXT NOT NULL, licence TEXT NOT NULL, modified TEXT NOT NULL
);
CREATE INDEX sightings_file ON sightings (file);
CREATE INDEX sightings_run ON sightings (run);
CREATE TABLE tables (
    "table" INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files (file),
    number INTEGER NOT NULL,      -- among those of the file, from 0 on
    name TEXT NOT NULL,
    header_row INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    since TEXT NOT NULL,
    until TEXT NOT NULL,
    places TEXT NOT NULL
);
CREATE INDEX tables_file ON tables (file);
CREATE TABLE columns (
    "table" INTEGER NOT NULL REFERENCES tables ("table"),
    number INTEGER NOT NULL,
    name TEXT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL, unit TEXT NOT NULL,
    filled INTEGER NOT NULL, missing INTEGER NOT NULL, "distinct" INTEGER NOT NULL,
    least TEXT NOT NULL, most TEXT NOT NULL, examples TEXT NOT NULL,
    sketch BLOB NOT NULL,
    PRIMARY KEY ("table", number)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(
    title, context, columns, "values", address,
    tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE TABLE spellings (word TEXT PRIMARY KEY) WITHOUT ROWID; -- of the words, in lower letters
"""
#: What the index takes for a word.
WORD = re.compile(r"\w+")
_GONE = "IN (SELECT file FROM files WHERE file NOT IN (SELECT file FROM sightings))"
#: What is left of files that no run has any more.
_FORGET = (
    f'DELETE FROM columns WHERE "table" IN (SELECT "table" FROM tables WHERE file {_GONE})',
    f"DELETE FROM tables WHERE file {_GONE}",
    f"DELETE FROM words WHERE rowid {_GONE}",
    f"DELETE FROM files WHERE file {_GONE}",
)
#: Of each table and of each file so many words are kept for the search.
_MOST_WORDS = 400


class CatalogStore(AbstractContextManager["CatalogStore"]):
    """The catalog of a folder of runs."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise UserError(f"There is no folder {folder}: name one that holds runs.")
        self.folder = folder.absolute()
        with writing(self.folder, self.folder / FILE):
            self.db = self._connected()
            self._settle_in()

    def _connected(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.folder / FILE, isolation_level=None, timeout=60)
        db.row_factory = sqlite3.Row
        return db

    def _settle_in(self) -> None:
        try:
            row = self.db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
            if row and row[0] == str(VERSION):
                return
        except sqlite3.DatabaseError:
            pass  # none yet, or not ours: it is made from the runs
        path = self.folder / FILE
        self.db.close()
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        self.db = self._connected()
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.executescript(_SCHEMA)
        self.db.execute("INSERT INTO meta VALUES ('version', ?)", (str(VERSION),))

    # Made from the runs.

    def update(self, watch: Callable[[Path], None] | None = None) -> list[str]:
        """Take in what is new in the runs, and profile it; return what went wrong."""
        problems = []
        present = set()
        for path in sorted(self.folder.iterdir()):
            if not (path / readonly.CONFIG).is_file():
                continue
            present.add(path.name)
            try:
                self._take_in(path, watch)
            except FilonError as error:
                problems.append(f"{path.name}: {error}")
        for row in self.db.execute("SELECT run FROM runs").fetchall():
            if row["run"] not in present:
                with self.transaction():
                    self._forget_run(row["run"])
        return problems

    def _take_in(self, path: Path, watch: Callable[[Path], None] | None) -> None:
        if self._stamp(path) == self._known(path) != "":
            return
        if watch:
            watch(path)
        with Profiles(path) as profiles:
            profiles.make()
            profiled = {found.sha256: profile for found, profile in profiles}
        stamp = self._stamp(path)
        with readonly.reading(path) as ledger:
            finds = ledger.execute(readonly.all_finds(ledger)).fetchall()
        with writing(self.folder, self.folder / FILE), self.transaction():
            self._forget_run(path.name)
            for find in finds:
                if find["kind"] == "file" and find["sha256"] in profiled:
                    self.add(path.name, find, profiled[find["sha256"]])
            self.db.execute("INSERT INTO runs VALUES (?, ?)", (path.name, stamp))
            self.index(path.name)

    def _known(self, path: Path) -> str:
        row = self.db.execute("SELECT stamp FROM runs WHERE run = ?", (path.name,)).fetchone()
        return row[0] if row else ""

    @staticmethod
    def _stamp(path: Path) -> str:
        files = [path / name for name in (readonly.LEDGER, f"{readonly.LEDGER}-wal", PROFILES)]
        return " ".join(
            f"{stat.st_mtime_ns}.{stat.st_size}"
            for stat in (file.stat() for file in files if file.exists())
        )

    def add(self, run: str, find: Mapping[str, Any] | sqlite3.Row, profile: Profile) -> None:
        """Put a find of a run in; `index` after the last of them."""
        row = self.db.execute("SELECT file FROM files WHERE id = ?", (profile.sha256,)).fetchone()
        file = row["file"] if row else self._add_file(profile)
        context = [find[name] for name in CONTEXT]
        self.db.execute(
            f"INSERT INTO sightings VALUES ({_marks(13)})",
            (
                *(file, run, host(find["url"]), find["url"], find["name"], find["parent"]),
                *(find["at_s"], *context),
            ),
        )

    def _add_file(self, profile: Profile) -> int:
        years = [year for table in profile.tables for year in (table.since, table.until) if year]
        cursor = self.db.execute(
            "INSERT INTO files (id, title, format, size_bytes, problem, detail, encoding, tables,"
            " rows, since, until) VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(profile.sha256, profile.format, profile.size_bytes, profile.problem),
                *(profile.detail, profile.encoding, len(profile.tables)),
                sum(table.rows for table in profile.tables),
                *((min(years), max(years)) if years else ("", "")),
            ),
        )
        file = int(cursor.lastrowid or 0)
        for number, table in enumerate(profile.tables):
            self._add_table(file, number, table)
        return file

    def _add_table(self, file: int, number: int, table: Table) -> None:
        cursor = self.db.execute(
            "INSERT INTO tables (file, number, name, header_row, rows, since, until, places)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(file, number, table.name, table.header_row, table.rows),
                *(table.since, table.until, " · ".join(table.places)),
            ),
        )
        self.db.executemany(
            f"INSERT INTO columns VALUES ({_marks(13)})",
            (
                (
                    *(cursor.lastrowid, place, one.name, one.label, one.kind, one.unit),
                    *(one.filled, one.missing, one.distinct, one.least, one.most),
                    *(json.dumps(one.examples, ensure_ascii=False), one.sketch),
                )
                for place, one in enumerate(table.columns)
            ),
        )

    def _forget_run(self, run: str) -> None:
        self.db.execute("DELETE FROM sightings WHERE run = ?", (run,))
        self.db.execute("DELETE FROM runs WHERE run = ?", (run,))
        for statement in _FORGET:
            self.db.execute(statement)

    def index(self, run: str) -> None:
        """Write the words of the files that a run has seen."""
        titles = Titles(self.db.execute("SELECT * FROM sightings WHERE run = ?", (run,)).fetchall())
        of_run = self.db.execute("SELECT DISTINCT file FROM sightings WHERE run = ?", (run,))
        for (file,) in of_run.fetchall():
            self.db.execute("DELETE FROM words WHERE rowid = ?", (file,))
            seen = self.sightings(file)
            title = titles.of(seen[0])
            self.db.execute("UPDATE files SET title = ? WHERE file = ?", (title, file))
            names = self.db.execute(
                'SELECT c.name, c.label, c.unit, c.examples, t.name AS "in", t.places FROM tables t'
                ' JOIN columns c USING ("table") WHERE t.file = ?',
                (file,),
            ).fetchall()
            fields = (
                _words(
                    part for row in seen for part in (title, row["link_text"], _stem(row["name"]))
                ),
                _words(
                    part
                    for row in seen
                    for part in (row["headings"], row["page_title"], row["around"])
                ),
                _words(
                    part
                    for row in names
                    for part in (row["in"], row["name"], row["label"], row["unit"])
                ),
                _words(
                    part for row in names for part in (row["places"], *json.loads(row["examples"]))
                ),
                _words(_split(row["url"]) for row in seen),
            )
            self.db.execute(
                'INSERT INTO words (rowid, title, context, columns, "values", address)'
                " VALUES (?, ?, ?, ?, ?, ?)",
                (file, *fields),
            )
            spelt = {word for text in fields for word in WORD.findall(text.lower())}
            self.db.executemany(
                "INSERT OR IGNORE INTO spellings VALUES (?)",
                ((word,) for word in sorted(spelt) if not word.isdecimal()),
            )

    def transaction(self) -> Transaction:
        """Return what makes all that is written within it one write."""
        return Transaction(self.db)

    # What it tells.

    def find(self, id: str) -> sqlite3.Row:
        """Return the row of a file by its id or the first letters of it."""
        low = id.lower()
        if not low or len(low) > 64 or any(letter not in "0123456789abcdef" for letter in low):
            raise UserError(f"{id!r} is no id: `filon catalog search` shows them.")
        rows = self.db.execute(
            "SELECT * FROM files WHERE id >= ? AND id < ? LIMIT 9", (low, f"{low}g")
        ).fetchall()
        if not rows:
            raise UserError(f"No file of {self.folder} has an id that begins with {low}.")
        if len(rows) > 1:
            ids = ", ".join(row["id"][: len(low) + 4] for row in rows)
            raise UserError(f"Several files begin with {low}: {ids}.")
        found: sqlite3.Row = rows[0]
        return found

    def sightings(self, file: int) -> list[sqlite3.Row]:
        """Return where a file was seen, the first first."""
        return self.db.execute(
            "SELECT * FROM sightings WHERE file = ? ORDER BY found_s, url", (file,)
        ).fetchall()

    def tables(self, file: int) -> Iterator[tuple[sqlite3.Row, list[sqlite3.Row]]]:
        """Yield the tables of a file, each with its columns."""
        for table in self.db.execute(
            "SELECT * FROM tables WHERE file = ? ORDER BY number", (file,)
        ).fetchall():
            yield (
                table,
                self.db.execute(
                    'SELECT * FROM columns WHERE "table" = ? ORDER BY number', (table["table"],)
                ).fetchall(),
            )

    def path(self, file: int) -> Path:
        """Return where the bytes of a file lie."""
        row = self.db.execute(
            "SELECT f.id, s.run FROM files f JOIN sightings s USING (file) WHERE file = ?", (file,)
        ).fetchone()
        return readonly.stored(self.folder / row["run"], row["id"])

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def _words(parts: Any) -> str:
    """Return texts as one, each once, as many words as are kept."""
    words: list[str] = []
    for part in dict.fromkeys(filter(None, parts)):
        words += part.split()
        if len(words) >= _MOST_WORDS:
            break
    return " ".join(words[:_MOST_WORDS])


def _marks(number: int) -> str:
    return ", ".join("?" * number)


def _stem(name: str) -> str:
    return _split(name.rpartition(".")[0] or name)


def _split(text: str) -> str:
    """Return a name or an address as words."""
    return "".join(
        letter if letter.isalnum() else " " for letter in text.partition("://")[2] or text
    )
