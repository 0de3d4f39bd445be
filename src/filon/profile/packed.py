"""What is packed: gzip, bzip2, xz, zstd, tar and zip, with bounds on what they grow to."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from filon.profile.formats import zip_format
from filon.profile.source import MOST_BYTES, UnreadableError

#: A member that grows beyond this many times its size, and is long, is a bomb.
_RATIO, _LONG = 200, 64 << 20
_MOST_MEMBERS = 10_000
#: Archives that are known and not opened: no light library does.
CLOSED = frozenset({"7z", "rar"})
#: A name and what is in it, or why it cannot be had.
Member = tuple[str, "bytes | UnreadableError"]
_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError, tarfile.TarError)
_ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, *_ERRORS)


def _zstd(file: BinaryIO) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdFile(file)


STREAMS: dict[str, Callable[[BinaryIO], Any]] = {
    "gzip": lambda file: gzip.GzipFile(fileobj=file),
    "bzip2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "zstd": _zstd,
}
_SUFFIXES = {".gz": "", ".bz2": "", ".xz": "", ".zst": "", ".tgz": ".tar", ".tbz2": ".tar"}


def inner_name(name: str) -> str:
    """Return the name of what is packed.

    >>> inner_name("a.csv.gz"), inner_name("b.tgz"), inner_name("c")
    ('a.csv', 'b.tar', 'c')
    """
    path = PurePosixPath(name)
    suffix = _SUFFIXES.get(path.suffix.lower())
    return name if suffix is None else name[: -len(path.suffix)] + suffix


def unpacked(body: bytes, format: str) -> bytes:
    """Return what is in a stream; a UnreadableError where it is cut or a bomb."""
    most = min(MOST_BYTES, max(_LONG, _RATIO * len(body)))
    try:
        with STREAMS[format](io.BytesIO(body)) as file:
            inner: bytes = file.read(most + 1)
    except _ERRORS as error:
        raise UnreadableError("damaged", f"It is no whole {format}: {error}.", format) from error
    if len(inner) > most:
        raise UnreadableError("bomb", "It grows beyond all measure.", format)
    return inner


def tar_members(body: bytes) -> Iterator[Member]:
    """Yield the files of a tar archive; nothing is written anywhere."""
    try:
        with tarfile.open(fileobj=io.BytesIO(body), mode="r:") as archive:
            for number, member in enumerate(archive):
                if number >= _MOST_MEMBERS:
                    raise UnreadableError("bomb", f"It has over {_MOST_MEMBERS:,} members.", "tar")
                file = archive.extractfile(member) if member.isfile() else None
                if file and not _is_hidden(member.name):
                    yield member.name, file.read()
    except _ERRORS as error:
        raise UnreadableError("damaged", f"It is no whole tar: {error}.", "tar") from error


def zip_kind(path: Path) -> tuple[str, list[str]]:
    """Return what a zip file is, and what is to be said of it."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            mimetype = ""
            if members and members[0].filename == "mimetype" and members[0].file_size < 200:
                mimetype = archive.read(members[0]).decode("ascii", "replace")
    except (*_ZIP_ERRORS, RuntimeError) as error:
        raise UnreadableError("damaged", f"It is no whole zip: {error}.", "zip") from error
    if len(members) > _MOST_MEMBERS:
        raise UnreadableError("bomb", f"It has {len(members):,} members.", "zip")
    names = frozenset(member.filename for member in members)
    found = zip_format(names, mimetype)
    _check_growth(members, found)
    macros = any(name.lower().endswith("vbaproject.bin") for name in names)
    return found, ["It has macros, which are not run."] if macros else []


def zip_members(path: Path) -> Iterator[Member]:
    """Yield the files of a zip archive."""
    left = 4 * MOST_BYTES
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir() or _is_hidden(member.filename):
                continue
            if member.flag_bits & 1:
                raise UnreadableError("encrypted", "Its members have a password.", "zip")
            try:
                with archive.open(member) as file:
                    body = file.read(MOST_BYTES + 1)
            except _ZIP_ERRORS as error:
                reason = UnreadableError("damaged", f"it cannot be read: {error}.")
                yield member.filename, reason
                continue
            left -= len(body)
            if left < 0:
                raise UnreadableError("bomb", "It grows beyond all measure.", "zip")
            yield member.filename, body


def _check_growth(members: Sequence[zipfile.ZipInfo], found: str) -> None:
    grown, packed = sum(m.file_size for m in members), sum(m.compress_size for m in members)
    if grown > max(_LONG, _RATIO * max(1, packed)) or grown > 16 * MOST_BYTES:
        raise UnreadableError("bomb", f"It would grow to {grown:,} bytes.", found)


def _is_hidden(name: str) -> bool:
    """Say whether a member is one of the packer's own: of macOS and of version control."""
    parts = PurePosixPath(name).parts
    return not parts or parts[-1].startswith(".") or parts[0] == "__MACOSX"
