"""Rebuild the twelve sites of the tables from the repositories that their publishers keep.

`python -m experiments.rebuild replicas` fetches each repository at the commit in sites.toml and
writes replicas/NAME.sqlite, a replica that `filon compare` and the experiments read. What links
lead to from the start page is kept, whole; then a full crawl is counted beside the recorded one.
"""

import argparse
import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Self

from filon.compare.census import Census
from filon.compare.replica import Replica
from filon.compare.static import StaticSite
from filon.core import FilonError, MachineError
from filon.core.suggest import unknown
from filon.page.types import Types

SITES = Path(__file__).with_name("sites.toml")
#: Where the repositories are, by default.
FORGE = "https://github.com"
#: What a static host says of a file, by its extension; of all others it knows nothing.
TYPES = {
    "bib": "text/x-bibtex",
    "bz2": "application/x-bzip2",
    "c": "text/x-c",
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "geojson": "application/geo+json",
    "gif": "image/gif",
    "gz": "application/x-gzip",
    "htm": "text/html; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ipynb": "application/x-ipynb+json",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "json": "application/json",
    "pdf": "application/pdf",
    "png": "image/png",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "py": "text/x-python",
    "rss": "application/rss+xml",
    "tgz": "application/x-gzip",
    "tiff": "image/tiff",
    "txt": "text/plain; charset=utf-8",
    "webp": "image/webp",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "xz": "application/x-xz",
    "zip": "application/zip",
}
UNKNOWN = "application/octet-stream"
_SCHEMA = """
CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT);
CREATE TABLE page (path TEXT PRIMARY KEY, mime TEXT, size INT, enc TEXT, blob INT) WITHOUT ROWID;
CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB);
"""
#: A body that no page has any more.
_ORPHANS = "DELETE FROM body WHERE id NOT IN (SELECT blob FROM page)"


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a repository at a commit."""

    path: str
    digest: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild the sites that are asked for; return the exit code."""
    parser = parser_of("rebuild", __doc__, SITES)
    parser.add_argument("--forge", default=FORGE, help="URL or folder that holds OWNER/NAME")
    asked = parser.parse_args(arguments)

    def make(name: str, site: dict[str, Any]) -> str:
        file = asked.folder / f"{name}.sqlite"
        return compared(rebuild(file, name, site, asked.forge), site)

    return make_each(parser.prog, asked, make)


def parser_of(program: str, about: str | None, sites: Path) -> argparse.ArgumentParser:
    """Return what reads the arguments of a program that makes replicas of sites in a file."""
    prog = f"python -m experiments.{program}"
    parser = argparse.ArgumentParser(prog=prog, description=about)
    parser.add_argument("folder", type=Path, help="where to write NAME.sqlite")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a site; by default all")
    parser.add_argument("--sites", type=Path, default=sites, help=f"a file like {sites.name}")
    return parser


def make_each(
    program: str, asked: argparse.Namespace, make: Callable[[str, dict[str, Any]], str]
) -> int:
    """Make the sites that are asked for, and print a line for each; return the exit code."""
    try:
        sites = tomllib.loads(asked.sites.read_text(encoding="utf-8"))
        for name in asked.names:
            if name not in sites:
                raise unknown("site", name, sites)
        asked.folder.mkdir(parents=True, exist_ok=True)
        for name in asked.names or sites:
            print(f"{name:12}", end="", flush=True)
            print(make(name, sites[name]))
    except (FilonError, OSError, ValueError) as error:
        print(f"\n{program}: {error}", file=sys.stderr)
        return error.exit_code if isinstance(error, FilonError) else 1
    return 0


def rebuild(file: Path, name: str, site: dict[str, Any], forge: str = FORGE) -> Census:
    """Write the replica of a site, and return what a full crawl of it meets."""
    with TemporaryDirectory(dir=file.parent) as place:
        return write(file, name, site, _files(Path(place), site["repositories"], forge))


def write(
    file: Path,
    name: str,
    site: dict[str, Any],
    files: Iterable[tuple[str, bytes]],
    media: Callable[[str], str] | None = None,
) -> Census:
    """Write a replica of what links lead to, and return what a full crawl of it meets.

    site: its start page, its hosts, and what else is known of where it comes from.
    files: paths and bodies; the last of equal paths counts. media: tells what the host says of a
        path; by default `media_type`.
    """
    with TemporaryDirectory(dir=file.parent) as place:
        draft = Path(place, file.name)
        with closing(sqlite3.connect(draft)) as db:
            db.executescript(_SCHEMA)
            spec = {key: value for key, value in site.items() if isinstance(value, str | list)}
            meta = {"name": name, "root": site["start"], "spec": json.dumps({"name": name} | spec)}
            with db:
                db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
                _add(db, files, media or media_type)
            _keep_what_is_linked(db, draft)
        draft.replace(file)
    return _census(StaticSite(file))


def compared(census: Census, site: dict[str, Any]) -> str:
    """Tell the counts of a full crawl, and those of the recorded site where they are others."""
    kinds = list(census.kinds.values())
    counts = {
        "requests": census.requests,
        "pages": kinds.count("html"),
        "files": kinds.count("target"),
    }
    recorded = {what: site[what] for what in counts if what in site and site[what] != counts[what]}
    text = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    if recorded:
        text += f" (recorded: {', '.join(f'{n:,} {what}' for what, n in recorded.items())})"
    return text


def fetch(store: Path, url: str, commit: str) -> None:
    """Fetch one commit of a repository, without its history, into a new bare repository."""
    _git("init", "--quiet", "--bare", str(store))
    _git("-C", str(store), "fetch", "--quiet", "--depth=1", "--no-tags", url, commit)


def blobs(store: Path, commit: str, folder: str = "") -> Iterator[Blob]:
    """List the files of a folder at a commit; links and other repositories are no files."""
    for entry in _git("-C", str(store), "ls-tree", "-r", "-z", f"{commit}:{folder}").split(b"\0"):
        described, _, path = entry.partition(b"\t")
        mode, _, digest = described.decode().partition(" blob ")
        if mode.startswith("100") and digest:
            yield Blob(path.decode("utf-8", "replace"), digest)


def media_type(path: str) -> str:
    """Return what a static host says that a file is.

    >>> media_type("a/b.CSV"), media_type("a.b/LICENSE")
    ('text/csv', 'application/octet-stream')
    """
    return TYPES.get(PurePosixPath(path).suffix.lower().removeprefix("."), UNKNOWN)


def _files(
    place: Path, repositories: Sequence[dict[str, str]], forge: str
) -> Iterator[tuple[str, bytes]]:
    for number, repository in enumerate(repositories):
        store, commit = place / str(number), repository["commit"]
        fetch(store, f"{forge}/{repository['name']}", commit)
        at = f"{repository['at'].strip('/')}/" if repository.get("at") else ""
        files = list(blobs(store, commit, repository.get("folder", "")))
        with _Reader(store) as reader:
            for blob in files:
                yield at + blob.path, reader.read(blob.digest)
        shutil.rmtree(store)


def _add(
    db: sqlite3.Connection, files: Iterable[tuple[str, bytes]], media: Callable[[str], str]
) -> None:
    kept: dict[bytes, int] = {}
    for path, data in files:
        digest = hashlib.sha256(data).digest()
        if digest not in kept:
            row = db.execute("INSERT INTO body (data) VALUES (?)", (zlib.compress(data),))
            kept[digest] = row.lastrowid or 0
        page = (path, media(path), len(data), "z", kept[digest])
        db.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?)", page)


def _keep_what_is_linked(db: sqlite3.Connection, file: Path) -> None:
    site = StaticSite(file)
    linked = {site.look(url).path for url in _census(site).kinds}
    site.close()
    with db:
        pages = db.execute("SELECT path FROM page").fetchall()
        alone = [page for page in pages if page[0] not in linked]
        db.executemany("DELETE FROM page WHERE path = ?", alone)
        db.execute(_ORPHANS)
    db.execute("VACUUM")


def _census(site: StaticSite) -> Census:
    return Replica(site, Types.parse("paper")).census


class _Reader:
    """One process of git that hands out one file after the other."""

    def __init__(self, store: Path) -> None:
        command = ["git", "-C", str(store), "cat-file", "--batch"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)  # noqa: S603

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def read(self, digest: str) -> bytes:
        ask, answer = self._process.stdin, self._process.stdout
        assert ask is not None and answer is not None  # noqa: S101, PT018
        ask.write(f"{digest}\n".encode())
        ask.flush()
        size = int(answer.readline().split()[2])
        return answer.read(size + 1)[:size]


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, check=False)  # noqa: S603, S607
    except FileNotFoundError as problem:
        raise MachineError("This needs git, and there is none on this machine.") from problem
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise MachineError(f"git {' '.join(arguments)} failed ({why[-1]}).")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
