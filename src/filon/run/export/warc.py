"""The answers of a run as a web archive that replays: pages, and found files with their bytes.

A run folder has the bytes of a find once, in files/, and only the headers in its archive. Here
they are put together again, as one WARC 1.1 file, a gzip member a record; all else is copied as
it stands. Nothing is held in memory but a piece of a file.

Left out is what has nothing to replay: answers to other methods than GET (to HEAD without a body,
to POST without the question), and finds whose file is gone. The same run gives the same bytes:
its moment is that of the last answer.
"""

import base64
import hashlib
import re
import sqlite3
import uuid
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from filon.core import MachineError
from filon.core.version import __version__
from filon.run import readonly
from filon.run.archive import GZIP_LEVEL, Place, http_head, read_record, truncated
from filon.run.export.format import Rows
from filon.run.frame import Frame

_PIECE_BYTES = 1 << 20
#: The fields before a record's content: a URL and a few lines.
_FIELDS_BYTES = 1 << 17
_GZIP = 31
_BREAKS = re.compile(r"[\r\n\0]+")
_DIGEST = re.compile(rb"(?im)^WARC-Payload-Digest:\s*(\S+)")
_ANSWERS = """
SELECT s.step, s.url, s.kind, s.status, s.error, s.cut, s.mime, s.at_s, s.sha256, s.warc,
       s.warc_offset, s.warc_bytes, MIN(f.find) AS find, f.name
FROM steps s LEFT JOIN finds f ON f.step = s.step
WHERE s.warc IS NOT NULL AND s.answer IS NOT NULL AND s.method = 'GET'
GROUP BY s.step ORDER BY s.answer
"""


class Answer(NamedTuple):
    """A record of the archive, for an index.

    kind: of the step that asked for it. name: of the find that it is; None where it is none.
    digest: of the payload, as the record has it. offset, size_bytes: the gzip member.
    """

    url: str
    at: datetime
    status: int
    mime: str
    kind: str
    name: str | None
    digest: str
    offset: int
    size_bytes: int


class Sink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> object:
        """Take some."""


class Counted:
    """Counts and hashes what goes to a sink."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._hash = hashlib.sha256()
        self.size_bytes = 0

    def write(self, data: bytes) -> None:
        """Hand on."""
        self._sink.write(data)
        self._hash.update(data)
        self.size_bytes += len(data)

    @property
    def sha256(self) -> str:
        """The hash of all so far."""
        return self._hash.hexdigest()


def answers(folder: Path, parts: tuple[Path, ...] | None = None) -> Rows:
    """Return the answers that a run has stored, as rows; parts: or several runs of a folder."""
    kinds: dict[str, type] = dict(Answer.__annotations__)
    runs = (folder,) if parts is None else parts

    def read() -> Iterator[Answer]:
        for run in runs:
            yield from write_answers(run, Counted(_Nowhere()), run.name)

    return Rows(run_path=folder, name="answers", frame=Frame(kinds, read), parts=parts)


class _Nowhere:
    def write(self, data: bytes) -> None:
        """Take it, and forget it."""


def write_warc(rows: Rows, out: Path) -> None:
    """Write one WARC file with all answers."""
    with out.open("xb") as file:
        counted = Counted(file)
        for run in rows.runs:
            for _ in write_answers(run, counted, f"{run.name}.warc.gz"):
                pass


def write_answers(run_path: Path, sink: Counted, name: str) -> Iterator[Answer]:
    """Write the records one by one, each when it is asked for. name: of the WARC file."""
    with readonly.reading(run_path) as ledger:
        sink.write(_warcinfo(name, last_answer(ledger)))
        for row in ledger.execute(_ANSWERS):
            offset = sink.size_bytes
            digest = _write(run_path, row, sink)
            if sink.size_bytes == offset:
                continue
            yield Answer(
                row["url"],
                _moment(row["at_s"]),
                row["status"],
                row["mime"] or "",
                row["kind"],
                None if row["find"] is None else row["name"],
                digest,
                offset,
                sink.size_bytes - offset,
            )


def _write(run_path: Path, row: sqlite3.Row, sink: Counted) -> str:
    """Write the record of a step; return the digest of its payload."""
    place = Place(row["warc"], row["warc_offset"], row["warc_bytes"])
    if not row["sha256"]:
        return _copy(run_path / "archive", place, sink)
    file = readonly.stored(run_path, row["sha256"])
    if not file.is_file():
        return ""
    with file.open("rb") as body:
        return _join(run_path / "archive", place, row, body, sink)


def _copy(folder: Path, place: Place, sink: Counted) -> str:
    with (folder / place.warc).open("rb") as file:
        file.seek(place.offset)
        member = file.read(place.size_bytes)
    try:
        fields = zlib.decompressobj(_GZIP).decompress(member, _FIELDS_BYTES)
    except zlib.error as error:
        where = f"{folder / place.warc} at {place.offset}"
        raise MachineError(f"The record in {where} cannot be read: {error}.") from error
    sink.write(member)
    found = _DIGEST.search(fields.partition(b"\r\n\r\n")[0])
    return found[1].decode("ascii", "replace") if found else ""


def _join(folder: Path, place: Place, row: sqlite3.Row, body: BinaryIO, sink: Counted) -> str:
    """Write a record of stored headers and a stored file."""
    headers, _ = read_record(folder, place)
    length = body.seek(0, 2)
    body.seek(0)
    head = http_head(row["status"], headers, length)
    digest = f"sha256:{base64.b32encode(bytes.fromhex(row['sha256'])).decode()}"
    fields = {
        "WARC-Type": "response",
        "WARC-Date": _date(_moment(row["at_s"])),
        "WARC-Record-ID": _id(row["url"], row["step"], row["sha256"]),
        "WARC-Target-URI": row["url"],
        "WARC-Payload-Digest": digest,
        "WARC-Truncated": truncated(row["error"] or row["cut"]),
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(head) + length),
    }
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, _GZIP)
    sink.write(packer.compress(_lines(fields) + head))
    while piece := body.read(min(_PIECE_BYTES, length)):
        length -= len(piece)
        sink.write(packer.compress(piece))
    if length:
        raise MachineError(f"{body.name} grew shorter while it was read.")
    sink.write(packer.compress(b"\r\n\r\n") + packer.flush())
    return digest


def last_answer(ledger: sqlite3.Connection) -> datetime:
    """Return when the last answer of a run came."""
    return _moment(ledger.execute("SELECT COALESCE(MAX(at_s), 0) FROM steps").fetchone()[0])


def _warcinfo(name: str, at: datetime) -> bytes:
    content = f"software: filon/{__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    fields = {
        "WARC-Type": "warcinfo",
        "WARC-Date": _date(at),
        "WARC-Record-ID": _id(name, at),
        "WARC-Filename": name,
        "Content-Type": "application/warc-fields",
        "Content-Length": str(len(content)),
    }
    packer = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(_lines(fields) + content + b"\r\n\r\n") + packer.flush()


def _lines(fields: Mapping[str, str]) -> bytes:
    """Return the beginning of a record: its version and its fields, but for empty ones."""
    header = (f"{name}: {_BREAKS.sub(' ', value)}" for name, value in fields.items() if value)
    lines = ["WARC/1.1", *header]
    return "\r\n".join([*lines, "", ""]).encode()


def _id(*what: object) -> str:
    return f"<{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(map(str, what))).urn}>"


def _moment(at_s: float) -> datetime:
    return datetime.fromtimestamp(at_s, UTC)


def _date(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"
