"""What is in a file of the old Office: Excel, Word, a password. Its chains are checked first.

A workbook's reader follows the chains of such a file wherever they lead; those of a file that is
cut, or made to do harm, lead in circles until all memory is taken. So they are walked here, each
sector once. Layout: [MS-CFB], Compound File Binary File Format.
"""

import struct
from pathlib import Path
from typing import BinaryIO, NamedTuple

from filon.profile.source import UnreadableError

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER_BYTES = 512
_LAST = 0xFFFFFFFA  # numbers from here on are no sectors
_ENTRY_BYTES = 128
_MOST_ENTRIES = 100_000
#: Streams by which a file is known for what it is.
_KNOWN = (
    ("encryptedpackage", "encrypted"),
    ("workbook", "xls"),
    ("book", "xls"),
    ("worddocument", "doc"),
    ("powerpoint document", "ppt"),
)


_BEGINS, _ENDS = frozenset({0x0009, 0x0209, 0x0409, 0x0809}), 0x000A


class _Entry(NamedTuple):
    name: str
    first: int
    size_bytes: int


def ole_format(path: Path) -> str:
    """Return what such a file is: xls, doc, ppt, "encrypted", or ole for anything else."""
    with path.open("rb") as file:
        file.seek(0, 2)
        streams = _Streams(file, file.tell())
        entries = {entry.name.lower(): entry for entry in streams.entries()}
        for name, format in _KNOWN:
            if name in entries:
                streams.check(entries[name])
                stream = streams.read(entries[name]) if format == "xls" else None
                if stream is not None:
                    _check_records(stream)
                return format
    return "ole"


def _check_records(stream: bytes) -> None:
    """Raise where the records of a workbook break off: [MS-XLS], substreams from BOF to EOF."""
    at = depth = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<2H", stream, at)
        if kind in _BEGINS:
            depth += 1
        elif kind == _ENDS:
            depth -= 1
        elif not kind and not length:
            break
        at += 4 + length
    if depth > 0 or not at:
        raise _cut()


class _Streams:
    """The table of sectors, and the directory."""

    def __init__(self, file: BinaryIO, size_bytes: int) -> None:
        self._file = file
        file.seek(0)
        header = file.read(_HEADER_BYTES)
        if len(header) < _HEADER_BYTES:
            raise _cut()
        shift, mini_shift = struct.unpack_from("<2H", header, 30)
        if shift not in (9, 12) or mini_shift > shift:
            raise _cut()
        self._sector_bytes = 1 << shift
        self._sectors = max(0, -(-size_bytes // self._sector_bytes) - 1)
        tables, self._directory = struct.unpack_from("<2I", header, 44)
        self._mini_below = struct.unpack_from("<I", header, 56)[0]
        more, _ = struct.unpack_from("<2I", header, 68)
        numbers = [n for n in struct.unpack_from("<109I", header, 76) if n < _LAST]
        self._next = self._table(numbers, tables, more)
        self._entries = list(self._read_entries())

    def entries(self) -> list[_Entry]:
        """Return the streams."""
        return self._entries

    def check(self, entry: _Entry) -> None:
        """Raise where a stream is not there in full; small ones lie in one of the first entry."""
        if entry.size_bytes >= self._mini_below:
            chain = self._chain(entry.first)
            if len(chain) * self._sector_bytes < entry.size_bytes:
                raise _cut()

    def read(self, entry: _Entry) -> bytes | None:
        """Return a stream; None of a small one, which lies among others."""
        if entry.size_bytes < self._mini_below:
            return None
        return b"".join(map(self._read, self._chain(entry.first)))[: entry.size_bytes]

    def _table(self, numbers: list[int], tables: int, more: int) -> list[int]:
        a_sector = self._sector_bytes // 4
        seen: set[int] = set()
        while more < _LAST and len(numbers) < tables and more not in seen:
            seen.add(more)
            *further, more = struct.unpack(f"<{a_sector}I", self._read(more))
            numbers += [n for n in further if n < _LAST]
        if len(numbers) > self._sectors:
            raise _cut()
        table: list[int] = []
        for number in numbers:
            table += struct.unpack(f"<{a_sector}I", self._read(number))
        return table

    def _read_entries(self) -> "list[_Entry]":
        entries = []
        for number in self._chain(self._directory):
            sector = self._read(number)
            for at in range(0, self._sector_bytes, _ENTRY_BYTES):
                length, kind = struct.unpack_from("<HB", sector, at + 64)
                if kind not in (1, 2, 5) or length > 64:
                    continue
                name = sector[at : at + max(0, length - 2)].decode("utf-16-le", "replace")
                first, size_bytes = struct.unpack_from("<2I", sector, at + 116)
                entries.append(_Entry(name, first, size_bytes if kind != 1 else 0))
                if len(entries) > _MOST_ENTRIES:
                    raise _cut()
        for entry in entries:  # every chain is one that ends
            if entry.size_bytes >= self._mini_below or entry is entries[0]:
                self._chain(entry.first)
        return entries

    def _chain(self, first: int) -> list[int]:
        chain: list[int] = []
        while first < _LAST:
            if first >= min(len(self._next), self._sectors) or len(chain) > self._sectors:
                raise _cut()
            chain.append(first)
            first = self._next[first]
        return chain

    def _read(self, number: int) -> bytes:
        self._file.seek((number + 1) * self._sector_bytes)
        sector = self._file.read(self._sector_bytes)
        if not sector:
            raise _cut()
        return sector.ljust(self._sector_bytes, b"\0")  # some writers do not fill the last one


def _cut() -> UnreadableError:
    return UnreadableError("damaged", "It is no whole file of the old Office.", "ole")
