"""A run folder as pieces, each written once, from which any worker can go on.

A piece has what is new since the one before it: rows of the ledger, the end of the archive, and the
names of new files, which lie under their hash. Now and then one is whole: it has the ledger as it
is, with its checkpoints, and needs no other. They are numbered within an epoch, which is one
worker's hold of a site:

    sites/example.org/3/000017      the 17th piece of the third hold
    files/ab/ab12…                  a file, whoever found it

Who takes a site over goes on from the last piece of the last epoch that has any. A worker that was
thought dead may write more under its own epoch: nobody looks there any more.
"""

import asyncio
import contextlib
import hashlib
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgpack

from filon.core import MachineError
from filon.fleet.blobs import Blobs, ExistsError
from filon.run.disk import apart, reading
from filon.run.readonly import CONFIG, LEDGER, stored

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_MAGIC = b"filon-piece-1\n"
#: What a piece holds itself is at most so long; a longer part is a blob of its own beside it.
INLINE_BYTES = 4 << 20
#: After so many pieces one is whole, and after more where the run is long: to go on costs as many
#: reads, and as many answers again.
WHOLE_AFTER, WHOLE_SHARE = 64, 0.25
#: Blobs that are fetched at a time.
AT_ONCE = 16
#: A checksum tells whether a piece is what was written.
_PACKING: Mapping[int, int] = {
    zstd.CompressionParameter.compression_level: 1,
    zstd.CompressionParameter.checksum_flag: 1,
}
#: What belongs to a run folder besides, and is small: no report, which is made anew.
_BESIDES = re.compile(r"[A-Za-z0-9][\w.-]*\.(toml|json|csv)")
_STEPS = "SELECT * FROM steps WHERE step > ? OR answer > ? OR answer IS NULL ORDER BY step"
_FINDS = "SELECT * FROM finds WHERE find > ? ORDER BY find"


class DamagedError(MachineError):
    """A piece is not there, or not what was written: its site cannot be gone on with."""


class Place(NamedTuple):
    """Which piece it is, of a site."""

    epoch: int
    number: int


@dataclass(frozen=True, slots=True)
class Mark:
    """How far pieces reach into a run folder.

    archive: by file, how many bytes. meta: what the ledger says of the run as a whole.
    segments: blobs that hold the archive up to the last whole piece: which file, from where, and
        the name of the blob. covered: by file, how many bytes these are. since: pieces after it.
    stored_bytes, cpu_s: what the run has cost so far, in blobs and in work.
    """

    step: int = 0
    answer: int = 0
    find: int = 0
    archive: Mapping[str, int] = field(default_factory=dict)
    meta: Mapping[str, str] = field(default_factory=dict)
    besides: Mapping[str, bytes] = field(default_factory=dict)
    segments: Sequence[tuple[str, int, str]] = ()
    covered: Mapping[str, int] = field(default_factory=dict)
    since: int = 0
    stored_bytes: int = 0
    cpu_s: float = 0.0


#: What a piece tells of it; what lies beside the ledger is read anew.
_MARKED = tuple(entry.name for entry in fields(Mark) if entry.name != "besides")


def key_of(site: str, place: Place) -> str:
    """Return the name of a piece.

    >>> key_of("example.org", Place(3, 17))
    'sites/example.org/3/000017'
    """
    return f"sites/{site}/{place.epoch}/{place.number:06}"


def file_key(sha256: str) -> str:
    """Return the name of a file."""
    return f"files/{sha256[:2]}/{sha256}"


async def last_place(blobs: Blobs, site: str, before: int) -> Place | None:
    """Return the last piece of a site that was written under an epoch before one; None: none."""
    places = []
    for key in await blobs.list(f"sites/{site}"):
        parts = key.split("/")[2:]
        if len(parts) == 2 and all(part.isdecimal() for part in parts):
            places.append(Place(int(parts[0]), int(parts[1])))
    return max((place for place in places if place.epoch < before), default=None)


class Pieces:
    """Writes the pieces of a run folder under one epoch.

    after: the last piece that there is of it, and how far that reaches; see `restore` and `marked`.
    """

    def __init__(
        self,
        blobs: Blobs,
        site: str,
        epoch: int,
        folder: Path,
        after: tuple[Place, Mark] | None = None,
    ) -> None:
        self._blobs, self._site, self._epoch, self._folder = blobs, site, epoch, folder
        self.last, self.mark = after or (Place(0, 0), Mark())
        self.stored_bytes, self.cpu_s = self.mark.stored_bytes, self.mark.cpu_s
        self._db: sqlite3.Connection | None = None
        self._tried = self.last.number if self.last.epoch == epoch else 0

    async def save(self) -> bool:
        """Write down what is new; return whether there was anything."""
        if not (self._folder / CONFIG).is_file():  # which is written last: nothing has begun
            return False
        with reading(self._folder), self._reading() as db:
            piece, mark = self._new(db)
            if not (piece["steps"] or piece["finds"] or piece["besides"]):
                return False
            is_first = self.last == Place(0, 0)
            whole = mark.since > max(WHOLE_AFTER, WHOLE_SHARE * mark.answer)
            shas = sorted(set(piece.pop("shas")))
            archive = self._archive(mark.archive, mark.covered if whole else self.mark.archive)
            if whole:
                piece |= {"ledger": _snapshot(db), "steps": [], "finds": []}
                piece["besides"] = dict(mark.besides)
            piece["before"] = None if whole or is_first else list(self.last)
        # Never the name of a try that failed: it may be there all the same, and hold less.
        self._tried += 1
        place = Place(self._epoch, self._tried)
        key = key_of(self._site, place)
        await asyncio.gather(*(self._put_file(sha256) for sha256 in shas))
        if whole:
            segments = [*mark.segments]
            for name, start, body in archive:
                segments.append((name, start, f"{key}.{name}-{start}"))
                await self._put(segments[-1][2], body)
            mark = replace(mark, segments=segments, covered=mark.archive, since=0)
            piece["ledger"] = await self._stow(f"{key}.{LEDGER}", piece["ledger"])
            archive = []
        piece["archive"] = [
            [name, start, await self._stow(f"{key}.{name}-{start}", body)]
            for name, start, body in archive
        ]
        mark = replace(mark, stored_bytes=self.stored_bytes, cpu_s=self.cpu_s)
        piece["mark"] = {one: getattr(mark, one) for one in _MARKED}
        await self._put(key, _packed(piece))
        self.last, self.mark = place, mark
        return True

    def finds(self, after: int) -> list[dict[str, Any]]:
        """Return the finds that are in pieces, after one of them."""
        with self._reading() as db:
            asked = db.execute(_FINDS, (after,))
            names = [each[0] for each in asked.description]
            rows = [dict(zip(names, map(_text, row), strict=True)) for row in asked]
        return [row for row in rows if row["find"] <= self.mark.find]

    def file(self, sha256: str) -> Path:
        """Return where a file of the run is."""
        return stored(self._folder, sha256)

    def close(self) -> None:
        """Let go of the ledger; it is opened again where need be."""
        if self._db:
            self._db.close()
            self._db = None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Have the ledger, as it is at one moment."""
        if self._db is None:
            uri = f"{(self._folder / LEDGER).absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
            self._db.text_factory = bytes
        self._db.execute("BEGIN")
        try:
            yield self._db
        finally:
            self._db.execute("COMMIT")

    def _new(self, db: sqlite3.Connection) -> tuple[dict[str, Any], Mark]:
        """Return what is new in the ledger, and how far that is."""
        mark = self.mark
        steps = db.execute(_STEPS, (mark.step, mark.answer)).fetchall()
        columns = [each[0] for each in db.execute("SELECT * FROM steps LIMIT 0").description]
        finds = db.execute(_FINDS, (mark.find,)).fetchall()
        find_columns = [each[0] for each in db.execute("SELECT * FROM finds LIMIT 0").description]
        at = {name: number for number, name in enumerate(columns)}
        ends = dict(mark.archive)
        for row in steps:
            if row[at["warc"]] is not None and row[at["answer"]] is not None:
                name = row[at["warc"]].decode()
                end = row[at["warc_offset"]] + row[at["warc_bytes"]]
                ends[name] = max(ends.get(name, 0), end)
        meta = {
            key.decode(): value.decode() for key, value in db.execute("SELECT key, value FROM meta")
        }
        besides = {
            path.name: path.read_bytes()
            for path in sorted(self._folder.iterdir())
            if _BESIDES.fullmatch(path.name)
        }
        reached = replace(
            mark,
            step=max([mark.step, *(row[at["step"]] for row in steps)]),
            answer=max([mark.answer, *(row[at["answer"]] or 0 for row in steps)]),
            find=finds[-1][0] if finds else mark.find,
            archive=ends,
            meta=meta,
            besides=besides,
            since=mark.since + 1,
        )
        sha = find_columns.index("sha256")
        shas = [row[sha].decode() for row in finds if row[sha]]
        shas += [row[at["sha256"]].decode() for row in steps if row[at["sha256"]]]
        piece = {
            "columns": columns,
            "steps": steps,
            "find_columns": find_columns,
            "finds": finds,
            "meta": {key: value for key, value in meta.items() if mark.meta.get(key) != value},
            "besides": {
                name: text for name, text in besides.items() if mark.besides.get(name) != text
            },
            "shas": shas,
        }
        return piece, reached

    def _archive(
        self, ends: Mapping[str, int], starts: Mapping[str, int]
    ) -> list[tuple[str, int, bytes]]:
        """Return the parts of the archive that are new, as far as the ledger knows them."""
        parts = []
        for name, end in ends.items():
            start = starts.get(name, 0)
            if end > start:
                with (self._folder / "archive" / name).open("rb") as file:
                    file.seek(start)
                    parts.append((name, start, file.read(end - start)))
        return parts

    async def _put_file(self, sha256: str) -> None:
        path = self.file(sha256)
        if path.is_file():  # a person may have had it forgotten
            with contextlib.suppress(ExistsError):  # another site has it too
                await self._blobs.put(file_key(sha256), path)
                self.stored_bytes += path.stat().st_size

    async def _stow(self, key: str, body: bytes) -> bytes | str:
        """Return a part of a piece, or the name of the blob that holds it."""
        if len(body) <= INLINE_BYTES:
            return body
        await self._put(key, body)
        return key

    async def _put(self, key: str, body: bytes) -> None:
        """Write a blob; that of an epoch is its worker's alone: what is there is the same try."""
        try:
            await self._blobs.put(key, body)
        except ExistsError:
            if await self._blobs.get(key) != body:
                raise MachineError(
                    f"{key} was written by another worker under the same epoch."
                ) from None
        self.stored_bytes += len(body)


def _snapshot(db: sqlite3.Connection) -> bytes:
    """Return a ledger as one file; SQLite copies it as it is at this moment."""
    with contextlib.closing(sqlite3.connect(":memory:")) as copy:
        db.backup(copy)
        return copy.serialize()


def _packed(piece: Mapping[str, Any]) -> bytes:
    return _MAGIC + zstd.compress(msgpack.packb(piece, use_bin_type=True), options=_PACKING)


async def _read(blobs: Blobs, site: str, place: Place) -> dict[str, Any]:
    key = key_of(site, place)
    try:
        data = await blobs.get(key)
        if not data.startswith(_MAGIC):
            raise ValueError("it was made by another version")
        piece: dict[str, Any] = msgpack.unpackb(zstd.decompress(data[len(_MAGIC) :]))
    except KeyError:
        raise DamagedError(f"{key} is not there.") from None
    except (zstd.ZstdError, ValueError, msgpack.UnpackException) as error:
        raise DamagedError(f"{key} cannot be read: {error}.") from error
    return piece


async def _body(blobs: Blobs, key: str) -> bytes:
    """Return a part of a piece that is a blob of its own."""
    try:
        return await blobs.get(key)
    except KeyError:
        raise DamagedError(f"{key} is not there.") from None


async def _chain(blobs: Blobs, site: str, place: Place) -> list[dict[str, Any]]:
    """Return a piece and all that it needs, the first first."""
    chain: list[dict[str, Any]] = []
    ahead: dict[Place, dict[str, Any]] = {}
    places = asyncio.Semaphore(AT_ONCE)

    async def read_ahead(place: Place) -> None:
        async with places:
            with contextlib.suppress(DamagedError):  # it may be a try that came to nothing
                ahead[place] = await _read(blobs, site, place)

    while True:
        if not (piece := ahead.pop(place, None)):
            piece = await _read(blobs, site, place)
            # Those before it in this epoch are mostly numbered one by one.
            since = piece["mark"]["since"] if piece["before"] else 0
            numbers = range(max(1, place.number - since), place.number)
            await asyncio.gather(*(read_ahead(Place(place.epoch, one)) for one in numbers))
        chain.insert(0, piece)
        if not piece["before"]:
            return chain
        place = Place(*piece["before"])


async def marked(blobs: Blobs, site: str, place: Place) -> tuple[Place, Mark]:
    """Return a piece and how far it reaches, to go on behind it with a folder that is at hand."""
    return place, Mark(**(await _read(blobs, site, place))["mark"])


async def restore(blobs: Blobs, site: str, place: Place, folder: Path) -> tuple[Place, Mark]:
    """Make a run folder from its pieces; return the last, and how far it reaches.

    folder: does not exist; it is there once it is whole.
    """
    chain = await _chain(blobs, site, place)
    mark = Mark(**chain[-1]["mark"])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with apart(folder) as part:
        shutil.rmtree(part, ignore_errors=True)
        (part / "archive").mkdir(parents=True)
        for name, start, key in mark.segments:
            _write_at(part / "archive" / name, start, await _body(blobs, key))
        for piece in chain:
            for name, start, body in piece["archive"]:
                _write_at(part / "archive" / name, start, await _unstowed(blobs, body))
            for name, text in piece["besides"].items():
                (part / name).write_bytes(text)
        shas = await _restore_ledger(blobs, chain, part / LEDGER)
        await _fetch(blobs, shas, part)
        if not any((part / "archive").iterdir()):
            (part / "archive").rmdir()
        if not (part / CONFIG).is_file():
            raise DamagedError(f"{key_of(site, place)} has no {CONFIG}.")
        part.rename(folder)
    besides = {name: text for piece in chain for name, text in piece["besides"].items()}
    return place, replace(mark, besides=besides)


async def _restore_ledger(blobs: Blobs, chain: list[dict[str, Any]], path: Path) -> list[str]:
    """Write a ledger; return the hashes of the files that it knows."""
    if "ledger" in chain[0]:
        _write_at(path, 0, await _unstowed(blobs, chain[0]["ledger"]))
    else:
        from filon.run.ledger import Ledger

        Ledger.create(path).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        for piece in chain:
            for table, columns in (("steps", "columns"), ("finds", "find_columns")):
                _insert(db, table, piece[columns], piece[table])
            db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", piece["meta"].items())
        db.execute("COMMIT")
        rows = db.execute(
            "SELECT sha256 FROM steps WHERE sha256 IS NOT NULL"
            " UNION SELECT sha256 FROM finds WHERE sha256 IS NOT NULL"
        ).fetchall()
    return [row[0] for row in rows]


def _insert(db: sqlite3.Connection, table: str, columns: list[str], rows: list[list[Any]]) -> None:
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    db.executemany(
        f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})",  # noqa: S608, our own names
        (list(map(_text, row)) for row in rows),
    )


def _text(value: Any) -> Any:
    """Return a value of a row: texts are read as the bytes that they are, whatever these are."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


async def _fetch(blobs: Blobs, shas: list[str], folder: Path) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def fetch(sha256: str) -> None:
        path = stored(folder, sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        async with places:
            with contextlib.suppress(KeyError):  # a person had it forgotten
                await blobs.download(file_key(sha256), path)
                if await asyncio.to_thread(_sha256, path) != sha256:
                    raise DamagedError(f"{file_key(sha256)} is not what was written.")

    await asyncio.gather(*map(fetch, shas))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def _unstowed(blobs: Blobs, body: bytes | str) -> bytes:
    return await _body(blobs, body) if isinstance(body, str) else body


def _write_at(path: Path, start: int, body: bytes) -> None:
    path.touch()
    with path.open("r+b") as file:
        file.seek(start)
        file.write(body)
