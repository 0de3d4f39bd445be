"""From run folders into the catalog: what is new in each, what went, what its files are called."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filon.catalog import cache, index, overlap, versions
from filon.catalog.choices import Choices
from filon.catalog.titles import Titles
from filon.core import FilonError, UserError
from filon.page.url import host
from filon.profile.shape import Profile, Table
from filon.profile.store import VERSION as PROFILED
from filon.profile.store import Profiles
from filon.profile.worker import Worker
from filon.run import readonly
from filon.run.schema import CONTEXT

if TYPE_CHECKING:
    from filon.catalog.store import CatalogStore

#: Folders within folders in which runs are looked for.
_DEEPEST = 6
#: What comes with extras, and reads files.
_READERS = ("charset_normalizer", "pyarrow", "pypdfium2", "pyreadstat", "python_calamine")
#: Of a run folder these hold its bytes, and no runs.
_OWN = frozenset({"files", "archive", "spool"})


def run_folders(folder: Path) -> Iterator[Path]:
    """Yield the run folders below a folder, and itself where it is one, in order of their names.

    A run may hold others: those of the sites of an acquisition.
    """
    yield from (path for path in folders(folder) if is_run(path))


def is_run(path: Path) -> bool:
    """Say whether a folder is one of a run with finds of its own."""
    is_one = (path / readonly.CONFIG).is_file() and (path / readonly.LEDGER).is_file()
    return is_one and not (path / readonly.PARTS).is_dir()


def folders(folder: Path, deep: int = 0) -> Iterator[Path]:
    """Yield a folder and those within it in which runs may be, in order of their names."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False)
                and not entry.name.startswith(".")
                and entry.name != cache.FOLDER
            )
    except OSError:
        return  # no permission to look: there is nothing of ours
    yield folder
    if deep == _DEEPEST:
        return
    own = _OWN if (folder / readonly.CONFIG).is_file() else ()
    for name in names:
        if name not in own:
            yield from folders(folder / name, deep + 1)


def made_by() -> int:
    """Return by what profiles are made now: their version, and which readers are installed.

    What could not be read without one of them is read, and taken in, when it is there.
    """
    found = sum(1 << place for place, name in enumerate(_READERS) if find_spec(name))
    return PROFILED << len(_READERS) | found


class Intake:
    """Brings a catalog up to date with the runs of its folder."""

    def __init__(self, store: "CatalogStore") -> None:
        self._store, self._db = store, store.db
        self.choices = Choices()
        self._made_by = made_by()

    def update(self, watch: Callable[[Path], None] | None = None) -> list[str]:
        """Take in what is new in the runs, and profile it; return what went wrong."""
        with Worker() as worker:  # one for all runs: its process takes a while to begin
            return self._update(watch, worker)

    def _update(self, watch: Callable[[Path], None] | None, worker: Worker) -> list[str]:
        problems, present, before = [], set(), self._db.total_changes
        if not self._store.is_read_only:
            self._drop_older()
        found = list(folders(self._store.folder))
        for path in found:
            self.choices.read(path)
        hold_runs = {parent for path in found if is_run(path) for parent in path.parents}
        for path in found:
            if not (path / readonly.CONFIG).is_file():
                continue
            if (path / readonly.PARTS).is_dir():
                continue  # a whole of runs: its ledger only copies theirs
            if path in hold_runs and not (path / "files").is_dir():
                continue  # so is one that keeps them elsewhere
            if not is_run(path):
                problems.append(f"{self._named(path)}: it has no {readonly.LEDGER}.")
                continue
            present.add(self._named(path))
            try:
                self._take_in(path, watch, worker)
            except FilonError as error:
                problems.append(f"{self._named(path)}: {error}")
        if self._store.is_read_only:
            return problems  # it is searched as it stands
        self._drop_others(present)
        self._decide()
        if self._db.total_changes != before:
            gone = versions.vanished(path for path in found if is_run(path))
            with self._store.writing():
                versions.mark(self._db, gone)
        return problems

    def _named(self, path: Path) -> str:
        return path.relative_to(self._store.folder).as_posix()

    def _drop_older(self) -> None:
        """Drop all where profiles were made otherwise: a file of two runs would keep its own."""
        older = "SELECT 1 FROM runs WHERE version != ? LIMIT 1"
        if not self._db.execute(older, (self._made_by,)).fetchone():
            return
        with self._store.writing():
            if self._db.execute(older, (self._made_by,)).fetchone():
                for name in self._store.table_names():
                    if name != "meta":
                        self._db.execute(f'DELETE FROM "{name}"')

    def _drop_others(self, present: set[str]) -> None:
        known = {row["run"] for row in self._db.execute("SELECT run FROM runs")}
        for run in sorted(known - present):
            with self._store.writing():
                self._drop_run(run)

    def _decide(self) -> None:
        """Apply what a person decided to files that are there."""
        forgotten = [
            row["file"]
            for id in sorted(self.choices.forgotten)
            if (row := self._db.execute("SELECT file FROM files WHERE id = ?", (id,)).fetchone())
        ]
        marked = {
            row["id"]: row["same_as"]
            for row in self._db.execute("SELECT id, same_as FROM files WHERE same_as != ''")
        }
        there = {id: other for id, other in self.choices.same.items() if self._has(id, other)}
        if not forgotten and marked == there:
            return
        with self._store.writing():
            for file in forgotten:
                drop_file(self._db, file)
            self._db.execute("UPDATE files SET same_as = '' WHERE same_as != ''")
            self._db.executemany(
                "UPDATE files SET same_as = ? WHERE id = ?",
                ((other, id) for id, other in there.items()),
            )

    def _has(self, *ids: str) -> bool:
        return all(
            self._db.execute("SELECT 1 FROM files WHERE id = ?", (id,)).fetchone()
            and id not in self.choices.forgotten
            for id in ids
        )

    def _take_in(self, path: Path, watch: Callable[[Path], None] | None, worker: Worker) -> None:
        run = self._named(path)
        stamp = _stamp(path)
        if self._known(run)[:2] == (stamp, self._made_by):
            return
        if self._store.is_read_only:
            raise UserError("what is new in it; the catalog may only be read.")
        if watch:
            watch(path)
        with Profiles(path) as profiles:
            profiles.make(worker=worker)
            with readonly.reading(path) as ledger:
                finds = ledger.execute(readonly.all_finds(ledger)).fetchall()
            with self._store.writing():
                known, version, last = self._known(run)
                if (known, version) == (stamp, self._made_by):
                    return  # another process was faster
                if version != self._made_by or len(finds) < last:
                    self._drop_run(run)
                    last = 0
                for find in finds[last:]:
                    if find["kind"] != "file" or find["sha256"] in self.choices.forgotten:
                        continue
                    if profile := profiles.get(find["sha256"] or ""):
                        self.add(run, find, profile)
                self._db.execute(
                    "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)",
                    (run, stamp, self._made_by, len(finds)),
                )
                self.write_words(run)

    def _known(self, run: str) -> tuple[str, int, int]:
        row = self._db.execute("SELECT * FROM runs WHERE run = ?", (run,)).fetchone()
        return (row["stamp"], row["version"], row["finds"]) if row else ("", 0, 0)

    # Into the tables.

    def add(self, run: str, find: Mapping[str, Any] | sqlite3.Row, profile: Profile) -> None:
        """Put a find of a run in; `write_words` after the last of them."""
        row = self._db.execute("SELECT file FROM files WHERE id = ?", (profile.sha256,)).fetchone()
        file = row["file"] if row else self._add_file(profile)
        context = [find[name] for name in CONTEXT]
        self._db.execute(
            f"INSERT INTO sightings VALUES ({_marks(13)})",
            (
                *(file, run, host(find["url"]), find["url"], find["name"], find["parent"]),
                *(find["at_s"], *context),
            ),
        )

    def _add_file(self, profile: Profile) -> int:
        years = [year for table in profile.tables for year in (table.since, table.until) if year]
        cursor = self._db.execute(
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
        cursor = self._db.execute(
            "INSERT INTO tables (file, number, name, header_row, rows, since, until, places, box)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(file, number, table.name, table.header_row, table.rows),
                *(table.since, table.until, " · ".join(table.places)),
                " ".join(map(str, table.box)),
            ),
        )
        key = int(cursor.lastrowid or 0)
        self._db.executemany(
            f"INSERT INTO columns VALUES ({_marks(13)})",
            (
                (
                    *(key, place, one.name, one.label, one.kind, one.unit),
                    *(one.filled, one.missing, one.distinct, one.least, one.most),
                    *(json.dumps(one.examples, ensure_ascii=False), one.sketch),
                )
                for place, one in enumerate(table.columns)
            ),
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO names VALUES (?, ?)",
            ((overlap.name_key(one.name, one.kind), key) for one in table.columns),
        )
        for place, one in enumerate(table.columns):
            if one.kind in overlap.KINDS and one.distinct >= overlap.FEW:
                overlap.add(self._db, overlap.key(key, place), one.sketch)

    def _drop_run(self, run: str) -> None:
        self._db.execute("DELETE FROM sightings WHERE run = ?", (run,))
        self._db.execute("DELETE FROM runs WHERE run = ?", (run,))
        index.drop(self._db, run)
        gone = self._db.execute(
            "SELECT file FROM files WHERE file NOT IN (SELECT file FROM sightings)"
        ).fetchall()
        for row in gone:
            drop_file(self._db, row["file"])

    # Into the index.

    def write_words(self, run: str) -> None:
        """Write the words of the files of a run that are not in the index yet."""
        seen = self._db.execute(
            "SELECT * FROM sightings WHERE run = ? ORDER BY found_s, url", (run,)
        ).fetchall()
        by_file: dict[int, list[sqlite3.Row]] = {}
        for row in seen:
            by_file.setdefault(row["file"], []).append(row)
        if index.segments(self._db, run) >= index.MOST_SEGMENTS:
            index.drop(self._db, run)
        for file in index.files(self._db, run):
            by_file.pop(file, None)
        titles = Titles(seen)
        index.write(self._db, run, (self.unit(file, by_file[file], titles) for file in by_file))

    def unit(self, file: int, seen: list[sqlite3.Row], titles: Titles) -> index.Unit:
        """Return what a run says of a file."""
        title = titles.of(seen[0])
        self._db.execute("UPDATE files SET title = ? WHERE file = ? AND title = ''", (title, file))
        about = self._db.execute("SELECT * FROM files WHERE file = ?", (file,)).fetchone()
        columns = self._db.execute(
            'SELECT c.name, c.label, c.unit, c.examples, t.name AS "in", t.places FROM tables t'
            ' JOIN columns c USING ("table") WHERE t.file = ?',
            (file,),
        ).fetchall()
        places = dict.fromkeys(
            place for row in columns for place in row["places"].split(" · ") if place
        )
        return index.Unit(
            file=file,
            texts=(
                index.text(
                    part for row in seen for part in (title, row["link_text"], _stem(row["name"]))
                ),
                index.text(
                    part
                    for row in seen
                    for part in (row["headings"], row["page_title"], row["around"])
                ),
                index.text(
                    part
                    for row in columns
                    for part in (row["in"], row["name"], row["label"], row["unit"])
                ),
                index.text(
                    (*places, *(one for row in columns for one in json.loads(row["examples"])))
                ),
                index.text(_split(row["url"]) for row in seen),
            ),
            since=about["since"],
            until=about["until"],
            facets=[
                ("format", about["format"]),
                *(("place", place) for place in places),
                *(("site", row["site"]) for row in seen),
                *(("licence", row["licence"]) for row in seen if row["licence"]),
            ],
        )


def drop_file(db: sqlite3.Connection, file: int) -> None:
    """Take a file out of the catalog, with all that is known of it."""
    columns = db.execute(
        'SELECT "table", number, sketch FROM columns WHERE "table" IN'
        ' (SELECT "table" FROM tables WHERE file = ?)',
        (file,),
    ).fetchall()
    overlap.drop(db, ((overlap.key(row["table"], row["number"]), row["sketch"]) for row in columns))
    for table in {row["table"] for row in columns}:
        names = db.execute('SELECT name, kind FROM columns WHERE "table" = ?', (table,)).fetchall()
        db.executemany(
            'DELETE FROM names WHERE name = ? AND "table" = ?',
            ((overlap.name_key(row["name"], row["kind"]), table) for row in names),
        )
        db.execute('DELETE FROM columns WHERE "table" = ?', (table,))
    for name in ("tables", "sightings", "files"):
        db.execute(f'DELETE FROM "{name}" WHERE file = ?', (file,))
    db.execute("INSERT OR IGNORE INTO gone VALUES (?)", (file,))


def _stamp(path: Path) -> str:
    files = [path / name for name in (readonly.LEDGER, f"{readonly.LEDGER}-wal")]
    return " ".join(
        f"{stat.st_mtime_ns}.{stat.st_size}"
        for stat in (file.stat() for file in files if file.exists())
    )


def _marks(number: int) -> str:
    return ", ".join("?" * number)


def _stem(name: str) -> str:
    return _split(name.rpartition(".")[0] or name)


def _split(text: str) -> str:
    """Return a name or an address as words."""
    return text.partition("://")[2] or text
