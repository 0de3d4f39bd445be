"""Bodies on disk: pages in archive/, data files in files/; `Answers` reads both back.

The archive is WARC files that warcio, pywb and ReplayWeb.page read.
Bodies come decoded, so the headers that describe the coding on the wire stand under the prefix
X-Crawler-, as Common Crawl does it, and the last header is the Content-Length of what is stored.
The body of a find is in files/: its record holds the headers, and Filon-File says where it is.
"""

import errno
import hashlib
import io
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import product
from pathlib import Path
from uuid import uuid4

from fastwarc import GzipReader, WarcRecord
from isal import isal_zlib

from filon.core import MachineError, Response
from filon.core.bug import BUG, bare
from filon.core.response import Sent
from filon.core.version import __version__
from filon.page.url import mask_url
from filon.run.disk import Headers, mask_headers
from filon.run.schema import NOT_SENT

#: A new file is begun beyond this: the usual size of a WARC file.
LIMIT_BYTES = 1 << 30
#: On real pages of 34 kB: level 0 costs 0.045 ms and keeps 27 %, 2 costs 0.058 ms and keeps 25 %
#: (as zlib-ng's 2 does in 0.18 ms), 3 costs 0.12 ms and keeps 24 %.
GZIP_LEVEL = 2
#: For the compressor: a gzip member, its window as long as can be.
_GZIP = 31
#: What ten bits are in base 32.
_PAIRS = ["".join(pair) for pair in product("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", repeat=2)]
_PREFIX = "X-Crawler-"
_CODING = frozenset({"content-encoding", "content-length", "transfer-encoding"})
_PHRASES = {status.value: status.phrase for status in HTTPStatus}
_BREAKS = re.compile(r"[\r\n\0]+")
_NUMBER = re.compile(r"-(\d{5,})\.warc\.gz$")
_SENT: dict[float, Sent] = {seconds: sent for sent, seconds in NOT_SENT.items()}
#: WARC-Truncated knows four words.
_TRUNCATED = {
    "size": "length",
    "budget": "length",
    "bomb": "length",
    "time": "time",
    "timeout": "time",
    "closed": "disconnect",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: a file in archive/, and the gzip member in it."""

    warc: str
    offset: int
    size_bytes: int

    @property
    def end(self) -> int:
        """Where the next record goes."""
        return self.offset + self.size_bytes


class Archive:
    """Writes the folder archive/ of a run; one gzip member a record.

    last: the last record that the ledger knows. What stands behind it was never acknowledged.
    """

    def __init__(self, folder: Path, name: str, last: Place | None = None) -> None:
        self.folder = folder
        self._name = name
        self._file: io.FileIO | None = None
        self._warc, self._end = (last.warc, last.end) if last else (self._file_name(1), 0)
        self._cut_tail()

    def append(self, response: Response, file: str = "") -> Place:
        """Write an answer behind the others.

        file: where its body is kept, if not here.
        """
        if self._end >= LIMIT_BYTES:
            self._rotate()
        if self._end == 0:
            self._write(_warcinfo(self._warc))
        return self._write(_response(response, file))

    def undo(self, place: Place) -> None:
        """Take a record back, and all behind it."""
        self._warc, self._end = place.warc, place.offset
        self.close()
        self._cut_tail()

    def sync(self) -> None:
        """Make the disk have it."""
        if self._file:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        if self._file:
            self._file.close()
            self._file = None

    def _write(self, record: bytes) -> Place:
        file, begin = self._open(), self._end
        try:
            file.seek(begin)
            rest = memoryview(record)
            while rest:  # a nearly full disk takes a part, and refuses the next
                rest = rest[file.write(rest) :]
        except BaseException:
            file.truncate(begin)
            raise
        self._end = begin + len(record)
        return Place(self._warc, begin, len(record))

    def _open(self) -> io.FileIO:
        if self._file is None:
            self.folder.mkdir(exist_ok=True)
            path = self.folder / self._warc
            path.touch()
            self._file = io.FileIO(path, "r+")
        return self._file

    def _rotate(self) -> None:
        self.sync()
        self.close()
        self._warc, self._end = self._file_name(_number(self._warc) + 1), 0

    def _file_name(self, number: int) -> str:
        return f"{self._name}-{number:05}.warc.gz"

    def _cut_tail(self) -> None:
        for path in self.folder.glob("*.warc.gz"):
            if path.name == self._warc or _number(path.name) > _number(self._warc):
                end = self._end if path.name == self._warc else 0
                if path.stat().st_size > end:
                    os.truncate(path, end)
        if self._end and _size(self.folder / self._warc) < self._end:
            raise MachineError(f"{self.folder / self._warc} is shorter than the ledger says.")


def read_record(folder: Path, place: Place) -> tuple[Headers, bytes]:
    """Return the headers as they were received, and the body as far as it is stored."""
    member = _stored(folder / place.warc, place.offset, place.size_bytes)
    try:
        record = WarcRecord.from_reader(GzipReader(io.BytesIO(member)))
        head, _, body = record.reader.read().partition(b"\r\n\r\n")
    except Exception as error:  # fastwarc raises several kinds
        where = f"{folder / place.warc} at {place.offset}"
        raise MachineError(f"The record in {where} cannot be read: {error}.") from error
    return _received(head), body


def _stored(path: Path, offset: int, size_bytes: int) -> bytes:
    """Read a part of a file of the run; one that somebody has deleted is a MachineError."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(size_bytes)
    except OSError as error:
        raise _unread(path, error) from error


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise _unread(path, error) from error


def _unread(path: Path, error: OSError) -> MachineError:
    if isinstance(error, FileNotFoundError):
        return MachineError(f"{path} is missing: what the run has stored cannot be read.")
    return MachineError(f"{path} cannot be read: {error.strerror}.")


def _response(response: Response, file: str) -> bytes:
    body = b"" if file else response.body
    fields = {
        "WARC-Target-URI": _BREAKS.sub(" ", mask_url(response.url)),
        "Content-Type": "application/http; msgtype=response",
    }
    if file:
        fields["Filon-File"] = file
    else:
        # Of what is stored, so that every reader finds it right; the hash of a find is in the
        # ledger.
        fields["WARC-Payload-Digest"] = _digest(body)
    if reason := _truncated(response, file):
        fields["WARC-Truncated"] = reason
    block = http_head(response.status, response.headers, len(body)) + body
    return _member("response", datetime.fromtimestamp(response.at_s, UTC), fields, block)


def _warcinfo(name: str) -> bytes:
    fields = {"WARC-Filename": name, "Content-Type": "application/warc-fields"}
    block = f"software: filon/{__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    return _member("warcinfo", datetime.now(UTC), fields, block)


def _member(kind: str, at: datetime, fields: Mapping[str, str], block: bytes) -> bytes:
    """Return a record as it is stored; put together here, it costs a fifth less than elsewhere."""
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Date: {at:%Y-%m-%dT%H:%M:%SZ}",
        f"WARC-Record-ID: <urn:uuid:{uuid4()}>",
        *[f"{name}: {value}" for name, value in fields.items()],
        f"WARC-Block-Digest: {_digest(block)}",
        f"Content-Length: {len(block)}",
        "",
        "",
    ]
    head = "\r\n".join(lines).encode("utf-8", "replace")
    record = b"".join((head, block, b"\r\n\r\n"))
    return isal_zlib.compress(record, GZIP_LEVEL, wbits=_GZIP)


def _digest(data: bytes) -> str:
    """Return the SHA-1 of some bytes in base 32, as WARC has it; ten bits are two characters.

    >>> _digest(b"")
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    number = int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest(), "big")
    return "sha1:" + "".join([_PAIRS[number >> shift & 1023] for shift in range(150, -1, -10)])


def _truncated(response: Response, file: str) -> str:
    if file:
        return "unspecified"
    if response.spool:
        return "length"
    return truncated(response.error or response.cut)


def truncated(why: str) -> str:
    """Return the word of WARC for why a body is not whole; "" where it is."""
    return _TRUNCATED.get(why, "unspecified") if why else ""


def http_head(status: int, headers: Iterable[tuple[str, str]], length: int) -> bytes:
    """Return the head of an answer whose body is stored decoded, in so many bytes."""
    lines = [f"HTTP/1.1 {status} {_PHRASES.get(status, 'Unknown')}"]
    for name, value in mask_headers(headers):
        prefix = _PREFIX if name.lower() in _CODING else ""
        lines.append(_BREAKS.sub(" ", f"{prefix}{name}: {value}"))
    text = "\r\n".join([*lines, f"Content-Length: {length}", "", ""])
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _received(head: bytes) -> Headers:
    # The first line is the status, the last our own Content-Length.
    lines = head.decode("utf-8", "surrogateescape").split("\r\n")[1:-1]
    pairs = (line.partition(": ") for line in lines)
    return tuple((_unmask(name), value) for name, _, value in pairs)


def _unmask(name: str) -> str:
    plain = name.removeprefix(_PREFIX)
    return plain if plain.lower() in _CODING else name


def _number(warc: str) -> int:
    match = _NUMBER.search(warc)
    return int(match[1]) if match else 0


@dataclass(frozen=True, slots=True)
class Files:
    """The folder files/ of a run: each file once, named by its content, never by the web.

    ab/abcdef… is the file whose SHA-256 is abcdef…
    """

    folder: Path

    def path(self, sha256: str) -> Path:
        """Where the file of that hash is, or would be."""
        return self.folder / sha256[:2] / sha256

    def put(self, body: bytes) -> str:
        """Store a body and return its SHA-256."""
        sha256 = hashlib.sha256(body).hexdigest()
        if not self._holds(sha256, len(body)):
            self._place(self._write(body), sha256)
        return sha256

    def take(self, spool: Path) -> str:
        """Move a downloaded file in and return its SHA-256."""
        with spool.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        if self._holds(sha256, spool.stat().st_size):
            spool.unlink()
        else:
            self._move(spool, sha256)
        return sha256

    def beginning(self, sha256: str, size_bytes: int) -> bytes:
        """Read the first bytes of a file."""
        return _stored(self.path(sha256), 0, size_bytes)

    def _move(self, spool: Path, sha256: str) -> None:
        try:
            self._place(spool, sha256)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self.folder.mkdir(exist_ok=True)
            self._place(Path(shutil.copyfile(spool, self._part)), sha256)
            spool.unlink()

    def _holds(self, sha256: str, size_bytes: int) -> bool:
        # The size too: a power cut can leave a file shorter than it was.
        try:
            return self.path(sha256).stat().st_size == size_bytes
        except FileNotFoundError:
            return False

    @property
    def _part(self) -> Path:
        # One name is enough, as one process writes at a time, and a crash leaves one file at most.
        return self.folder / "part"

    def _write(self, body: bytes) -> Path:
        part = self._part
        try:
            part.write_bytes(body)
        except FileNotFoundError:  # the first file of all
            self.folder.mkdir()
            part.write_bytes(body)
        return part

    def _place(self, part: Path, sha256: str) -> None:
        path = self.path(sha256)
        try:
            os.replace(part, path)
        except FileNotFoundError:  # the first with these two digits
            path.parent.mkdir(parents=True)
            os.replace(part, path)


class Answers:
    """Reads answers of the run in a folder: the ledger's row, and the body."""

    def __init__(self, run: Path) -> None:
        self.files = Files(run / "files")
        self._archive = run / "archive"

    def read(self, row: sqlite3.Row, url: str) -> Response:
        """Return the answer that a row of steps tells of, as the strategy was given it."""
        headers: Headers = ()
        body = b""
        if row["warc"] is not None:
            place = Place(row["warc"], row["warc_offset"], row["warc_bytes"])
            headers, body = read_record(self._archive, place)
        if row["sha256"] is not None:
            body = self.files.beginning(row["sha256"], row["body_bytes"])
        response = Response(
            url=url,
            status=row["status"],
            headers=headers,
            body=body,
            error=row["error"],
            detail=row["detail"],
            cut=row["cut"],
            size_bytes=row["size_bytes"],
            wire_bytes=row["wire_bytes"],
            at_s=row["at_s"],
            took_s=max(0.0, row["took_s"]),
            sent=_SENT.get(row["took_s"], "yes"),
        )
        return bare(response) if response.error == BUG else response
