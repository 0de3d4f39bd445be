"""What lies on the disk for a catalog: how much of what, what nobody needs, files to forget.

Ledgers and archives are evidence and are never touched: a file that is forgotten was found all the
same, and stands there with its hash.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filon.catalog import cache, choices
from filon.catalog.choices import Choices
from filon.catalog.intake import folders, is_run, run_folders
from filon.catalog.store import FILE, CatalogStore
from filon.core import UserError
from filon.profile.store import Profiles
from filon.run import readonly
from filon.run.disk import Lock, writing

#: What is freed beside files of runs.
KEPT, PACKED = "tables kept for queries, made anew at need", "the catalog, packed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that takes room: of a run, or of a format.

    files: how many there are.
    """

    name: str
    size_bytes: int
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """What lies on the disk: runs with all that they hold, data files by format, the catalog.

    tables_bytes: of tables that are kept as Parquet for queries.
    twice_bytes: of files that several runs have, all but the first.
    """

    runs: list[Part]
    formats: list[Part]
    catalog_bytes: int
    tables_bytes: int
    twice_bytes: int

    @property
    def total_bytes(self) -> int:
        """All of it."""
        runs = sum(run.size_bytes for run in self.runs)
        return runs + self.catalog_bytes + self.tables_bytes


def disk(catalog: CatalogStore) -> Disk:
    """Return what a catalog and its runs take on the disk."""
    paths = list(run_folders(catalog.folder))
    runs = [_size(path, catalog.folder, [one for one in paths if one != path]) for path in paths]
    runs.sort(key=lambda run: (-run.size_bytes, run.name))
    formats = [
        Part(name=row[0] or "unknown", size_bytes=row[1], files=row[2])
        for row in catalog.db.execute(
            "SELECT format, SUM(size_bytes), COUNT(*) FROM files GROUP BY 1 ORDER BY 2 DESC, 1"
        )
    ]
    twice = catalog.db.execute(
        "SELECT COALESCE(SUM(size_bytes * (runs - 1)), 0) FROM (SELECT size_bytes,"
        " COUNT(DISTINCT run) AS runs FROM files JOIN sightings USING (file) GROUP BY file)"
    ).fetchone()[0]
    own = sum(path.stat().st_size for path in catalog.folder.glob(f"{FILE}*"))
    return Disk(
        runs=runs,
        formats=formats,
        catalog_bytes=own,
        tables_bytes=sum(entry.size_bytes for entry in catalog.cache.entries()),
        twice_bytes=int(twice),
    )


def _size(path: Path, folder: Path, others: list[Path]) -> Part:
    inner = {other for other in others if path in other.parents} | {path / cache.FOLDER}
    sizes = [
        file.stat().st_size
        for file in path.rglob("*")
        if file.is_file() and not inner & {*file.parents} and not file.name.startswith(FILE)
    ]
    return Part(name=path.relative_to(folder).as_posix(), size_bytes=sum(sizes), files=len(sizes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The bytes of a file in a run."""

    run: str
    path: Path
    size_bytes: int


def copies(catalog: CatalogStore, file: int) -> list[Copy]:
    """Return where the bytes of a file lie; a UserError where one of the runs is not at its end."""
    id = catalog.db.execute("SELECT id FROM files WHERE file = ?", (file,)).fetchone()[0]
    runs = dict.fromkeys(seen["run"] for seen in catalog.sightings(file))
    found = []
    for run in runs:
        folder = catalog.folder / run
        if _is_busy(folder, catalog.folder):
            raise UserError(f"{run} is going on: let it end first.")
        with readonly.reading(folder) as ledger:
            if not readonly.meta(ledger).get("stopped"):
                raise UserError(
                    f"{run} did not end: it may need the file. `filon resume {folder}` first."
                )
        path = readonly.stored(folder, id)
        if path.is_file():
            found.append(Copy(run=run, path=path, size_bytes=path.stat().st_size))
    return found


def forget(catalog: CatalogStore, file: int) -> list[Copy]:
    """Take a file out of the catalog for good, and delete its bytes; return what was deleted.

    Its profiles go, too: they have some of its values.

    That it is forgotten is written down first: killed in between, `gc` deletes the rest.
    """
    found = copies(catalog, file)
    id = catalog.db.execute("SELECT id FROM files WHERE file = ?", (file,)).fetchone()[0]
    choices.write(catalog.folder, "forget", {id: ""})
    catalog.cache.drop(id)
    for copy in found:
        _delete(catalog.folder / copy.run, [copy.path])
        with Profiles(catalog.folder / copy.run) as profiles:
            profiles.forget(id)
        for whole in (catalog.folder / copy.run).parents:
            if _is_dangling(link := readonly.stored(whole, id)):
                _delete(whole, [link])
    catalog.update()
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Waste:
    """A file that nobody needs, and why."""

    path: Path
    size_bytes: int
    why: str


def waste(catalog: CatalogStore, busy: Callable[[str], None]) -> list[Waste]:
    """Return the files of runs that nobody needs; busy is told of runs that are going on."""
    said = Choices()
    for path in folders(catalog.folder):
        said.read(path)
    found = []
    for run in _all_of_runs(catalog.folder):
        if _is_busy(run, catalog.folder):
            busy(run.relative_to(catalog.folder).as_posix())
            continue
        wasted = _waste(run, said.forgotten) if is_run(run) else _dangling(run)
        found += [
            Waste(path=path, size_bytes=path.lstat().st_size, why=why) for path, why in wasted
        ]
    return found


def _all_of_runs(folder: Path) -> Iterator[Path]:
    """Yield the folders of runs below a folder, and of wholes that are made of them."""
    for path in folders(folder):
        if is_run(path) or (path / readonly.PARTS).is_dir():
            yield path


def _dangling(whole: Path) -> Iterator[tuple[Path, str]]:
    """Yield the links of a whole to files that its runs do not have any more."""
    for path in sorted((whole / "files").glob("*/*")):
        if _is_dangling(path):
            yield path, "it links to a file that is gone"


def _is_dangling(path: Path) -> bool:
    """Say whether a path is a link to what is no more."""
    return path.is_symlink() and not path.exists()


def _is_busy(run: Path, folder: Path) -> bool:
    """Say whether a run, or a whole that it is part of, is going on."""
    parents = [path for path in run.parents if folder in (path, *path.parents)]
    return any(
        readonly.running(path) for path in (run, *parents) if (path / readonly.CONFIG).is_file()
    )


def _waste(run: Path, forgotten: set[str]) -> Iterator[tuple[Path, str]]:
    with readonly.reading(run) as ledger:
        known = {
            row[0]
            for row in ledger.execute(
                "SELECT sha256 FROM steps WHERE sha256 IS NOT NULL"
                " UNION SELECT sha256 FROM finds WHERE sha256 IS NOT NULL"
            )
        }
        ended = bool(readonly.meta(ledger).get("stopped"))
    for path in sorted((run / "files").rglob("*")):
        if path.is_file() and path.name in forgotten and ended:
            yield path, "forgotten"
        elif path.is_file() and path.name not in known:
            yield path, "no step or find has it"
    for path in sorted((run / "spool").glob("*")):
        if path.is_file():
            yield path, "left over from a download"
    for path in sorted(run.glob(".*.part")):
        if path.is_file():
            yield path, "left over from writing"


def collect(catalog: CatalogStore, found: list[Waste]) -> dict[str, int]:
    """Delete what nobody needs, and pack the catalog; return the bytes that are free now, by why.

    Tables that are kept for queries go, too: they are made anew.
    """
    freed: defaultdict[str, int] = defaultdict(int)
    by_run: defaultdict[Path, list[Path]] = defaultdict(list)
    runs = list(_all_of_runs(catalog.folder))
    for one in found:
        run = max((run for run in runs if run in one.path.parents), key=lambda run: len(run.parts))
        by_run[run].append(one.path)
        freed[one.why] += one.size_bytes
    for run, paths in by_run.items():
        _delete(run, paths)
    before = (catalog.folder / FILE).stat().st_size
    with writing(catalog.folder, catalog.folder / FILE):
        catalog.db.execute("VACUUM")
        catalog.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    freed[KEPT] = catalog.cache.clear()
    freed[PACKED] = max(0, before - (catalog.folder / FILE).stat().st_size)
    return {why: size_bytes for why, size_bytes in freed.items() if size_bytes}


def _delete(run: Path, paths: list[Path]) -> None:
    """Delete files of a run that nobody goes on with meanwhile."""
    lock = Lock(run)
    try:
        with writing(run):
            for path in paths:
                path.unlink(missing_ok=True)
    finally:
        lock.release()
