"""The first rows of a few found tables: what the data looks like.

The files are strangers' files. Of each only the beginning is read, in bounded bytes and so in
bounded time; whatever a reader makes of one that is broken or meant to break it, the report goes
on without its sample.
"""

import json
import re
import sqlite3
import struct
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from filon.page.delimited import dialect, encoding, rows_of
from filon.page.formats import title as format_title
from filon.run import html, readonly
from filon.run.export.folder import safe_name

_SHOWN = 5
_OF_A_KIND = 2
_ROWS = 5
_COLUMNS = 12
_LONGEST_CELL = 60
#: Finds that are looked at for tables that differ.
_TRIED = 60
_HEAD_BYTES = 1 << 18
_STRINGS_BYTES = 1 << 20
#: A directory of a zip file beyond this is not one of a workbook.
_DIRECTORY_BYTES = 1 << 20
_LIST = re.compile(r"\[\s*[\[{]")
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STYLES = "xl/styles.xml"
#: The formats of days that every workbook has.
_DAYS = frozenset({"14", "15", "16", "17", "22"})
_QUOTED = re.compile(r"\"[^\"]*\"|\[[^\]]*\]|\\.")
_ZIP_END = struct.Struct("<4s4H2LH")

Row = list[str]


class Sample(NamedTuple):
    """The beginning of a table, cut to what a page has room for."""

    columns: Row
    rows: list[Row]


def body(run_path: Path, ledger: sqlite3.Connection) -> str:
    """Return the first rows of some tables among the finds, of different columns."""
    parts: list[str] = []
    seen: defaultdict[str, list[Row]] = defaultdict(list)
    for url, name, mime, sha256 in ledger.execute(
        "SELECT url, name, mime, sha256 FROM finds WHERE sha256 != '' AND size_bytes > 0"
        " ORDER BY find LIMIT ?",
        (_TRIED,),
    ):
        kind = format_title(mime, name)
        path = readonly.stored(run_path, sha256)
        sample = sample_of(path) if len(seen[kind]) < _OF_A_KIND else None
        if sample is None or sample.columns in seen[kind]:
            continue
        seen[kind].append(sample.columns)
        shown = name or url
        file = html.stored(path.relative_to(run_path).as_posix(), safe_name(shown), shown)
        head = [html.text(column) for column in sample.columns]
        cells = [[html.text(cell) for cell in row] for row in sample.rows]
        table = html.table([f" {one}" for one in head], cells, f"Sample: {html.text(shown, 60)}")
        parts.append(f'<div class="sample"><h3>{file}</h3>{table}</div>')
        if len(parts) == _SHOWN:
            break
    return "".join(parts)


def sample_of(path: Path) -> Sample | None:
    """Return the first rows of a file; None where it is no table that is understood."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head.startswith(b"PK\x03\x04"):
            return _cut(list(_workbook(path)))
        text = _text(head)
        if text.lstrip()[:1] in ("[", "{"):
            return _records(text)
        return _cut(_delimited(text))
    except Exception:  # whatever a stranger's file makes a reader raise costs its sample alone
        return None


def _text(head: bytes) -> str:
    text = head.decode(encoding(head), "replace").removeprefix("\ufeff")
    # What is cut off in the middle of a line is no row.
    return text.rpartition("\n")[0] if len(head) == _HEAD_BYTES and "\n" in text else text


def _cut(rows: list[Row]) -> Sample | None:
    """Return a sample whose first row names the columns; a table has two columns at least."""
    rows = [row for row in rows if any(cell.strip() for cell in row)][: _ROWS + 1]
    width = min(max(map(len, rows), default=0), _COLUMNS)
    if len(rows) < 2 or width < 2:
        return None
    head, *others = ([_short(row[n]) if n < len(row) else "" for n in range(width)] for row in rows)
    return Sample(head, others)


def _short(value: object) -> str:
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{shown[: _LONGEST_CELL - 1]}…" if len(shown) > _LONGEST_CELL else shown


def _delimited(text: str) -> list[Row]:
    """Return rows of the columns that most lines have.

    Titles above a table and footnotes below it are lines of their own.
    """
    found = None if text.lstrip().startswith("<") or "\0" in text else dialect(text, ".csv")
    if found is None:
        return []
    rows = [row for row in islice(rows_of(text, found), 50) if any(row)]
    widths = Counter(len(row) for row in rows[1:])
    ((width, times),) = widths.most_common(1) or [(0, 0)]
    return rows if width > 1 and times * 3 >= 2 * widths.total() else []


def _records(text: str) -> Sample | None:
    """Return the first objects of the first list in JSON, or of JSON a line."""
    values = [*_values(text)]
    columns: list[str] = []
    rows = [_flat(value) for value in values]
    for row in rows:
        columns += [name for name in row if name not in columns]
    if len(columns) < 2:
        return None
    shown = columns[:_COLUMNS]
    cells = [[_short(row[name]) if name in row else "" for name in shown] for row in rows]
    return Sample([_short(name) for name in shown], cells)


def _values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    found = _LIST.search(text)
    lines = text.lstrip().splitlines()
    if len(lines) > 1 and lines[0].startswith("{") and lines[0].rstrip().endswith("}"):
        yield from (json.loads(line) for line in lines[:_ROWS])
        return
    at = found.start() + 1 if found else len(text)
    for _ in range(_ROWS):
        at = _skip(text, at)
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:  # cut off, or at its end
            return
        yield value
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            return
        at += 1


def _skip(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _flat(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {str(n): inner for n, inner in enumerate(value[:_COLUMNS], start=1)}
    if not isinstance(value, dict):
        return {}
    inner = value.get("properties")  # of a feature on a map
    return inner if isinstance(inner, dict) and inner else value


def _workbook(path: Path) -> Iterator[Row]:
    """Yield the first rows of the first sheet."""
    if not _is_small(path):
        return
    with zipfile.ZipFile(path) as book:
        sheets = sorted(
            (name for name in book.namelist() if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name)),
            key=lambda name: (len(name), name),
        )
        if not sheets:
            return
        strings: list[str] | None = None
        dated = _dated(book)
        for row in _elements(book, sheets[0], "row", _HEAD_BYTES, _ROWS * 4):
            cells: dict[int, str] = {}
            for cell in row.iter(f"{_MAIN}c"):
                text = "".join(cell.itertext(f"{_MAIN}v", f"{_MAIN}t"))
                if cell.get("t") == "s":
                    strings = _strings(book) if strings is None else strings
                    text = strings[int(text)] if int(text) < len(strings) else "…"
                elif cell.get("s") in dated and cell.get("t", "n") == "n":
                    text = _date(text)
                cells[_column(cell.get("r") or "", len(cells))] = text
            yield [cells.get(n, "") for n in range(min(max(cells, default=-1) + 1, _COLUMNS))]


def _is_small(path: Path) -> bool:
    """Say whether the directory of a zip file is soon read: a forged one has a million entries."""
    with path.open("rb") as file:
        size_bytes = file.seek(0, 2)
        file.seek(max(0, size_bytes - (1 << 16) - _ZIP_END.size))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or b"PK\x06\x07" in tail:  # none, or one in 64 bits
        return False
    return bool(_ZIP_END.unpack_from(tail, at)[5] <= _DIRECTORY_BYTES)


def _strings(book: zipfile.ZipFile) -> list[str]:
    """Return the texts that cells share, as far as they are read."""
    if "xl/sharedStrings.xml" not in book.namelist():
        return []
    found = _elements(book, "xl/sharedStrings.xml", "si", _STRINGS_BYTES, _STRINGS_BYTES)
    return ["".join(one.itertext(f"{_MAIN}t")) for one in found]


def _dated(book: zipfile.ZipFile) -> set[str]:
    """Return the styles under which a number is a day, as cells name them."""
    if _STYLES not in book.namelist():
        return set()
    own = {
        style.get("numFmtId")
        for style in _elements(book, _STYLES, "numFmt", _HEAD_BYTES, 1000)
        if re.search("[yd]", _QUOTED.sub("", style.get("formatCode") or "").lower())
    }
    styles = (
        style for part in _elements(book, _STYLES, "cellXfs", _HEAD_BYTES, 1) for style in part
    )
    return {
        str(number) for number, style in enumerate(styles) if style.get("numFmtId") in _DAYS | own
    }


def _date(text: str) -> str:
    """Return the day, and the time if it has one, of a number of days since 1899-12-30.

    >>> _date("45292"), _date("45292.5"), _date("x")
    ('2024-01-01', '2024-01-01 12:00:00', 'x')
    """
    try:
        moment = datetime(1899, 12, 30) + timedelta(seconds=round(float(text) * 86400))
    except (ValueError, OverflowError):
        return text
    return str(moment).removesuffix(" 00:00:00")


def _elements(
    book: zipfile.ZipFile, name: str, tag: str, most_bytes: int, most: int
) -> Iterator[Any]:
    """Yield elements of a part of a workbook, of its first bytes; entities are not resolved."""
    from lxml import etree  # here, as few runs have workbooks

    if book.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return
    with book.open(name) as file:
        data = file.read(most_bytes)
    parser = etree.XMLPullParser(
        events=("end",),
        tag=f"{_MAIN}{tag}",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    parser.feed(data)
    yield from (one for (_, one), _ in zip(parser.read_events(), range(most), strict=False))


def _column(reference: str, following: int) -> int:
    """Return the column of a cell from 0 on; following: where it names none.

    >>> _column("A1", 5), _column("AB7", 5), _column("", 5)
    (0, 27, 5)
    """
    letters = re.match("[A-Z]{1,3}", reference)
    if not letters:
        return following
    number = 0
    for letter in letters[0]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
