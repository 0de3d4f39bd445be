"""A workbook with one sheet, written while it is read: no more in memory than some rows.

Office Open XML (ECMA-376), as little of it as spreadsheets need. A text is an inline string:
whatever it begins with, no spreadsheet takes it for a formula.
"""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from io import RawIOBase
from typing import Any
from xml.sax.saxutils import escape

#: What a sheet can hold, the names of the columns with it.
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
_LONGEST = 32_767
#: Whole numbers beyond have more digits than a spreadsheet keeps.
_WHOLE = 10**15
#: Characters that XML has not.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DAY_0 = date(1899, 12, 30)
_FIRST_DAY = date(1900, 3, 1)  # before, spreadsheets count a day that never was
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_FONT = '<sz val="11"/><name val="Calibri"/>'
_REST = 'fillId="0" borderId="0" xfId="0"'
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships'
    '+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1"'
    f' Type="{_RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATION}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_RELATION}/styles" Target="styles.xml"/></Relationships>',
    # Styles by number: 0 as it is, 1 a date, 2 a date with its time, 3 a heading.
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">'
    f'<fonts count="2"><font>{_FONT}</font><font><b/>{_FONT}</font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="4"><xf numFmtId="0" {_REST} fontId="0"/>'
    f'<xf numFmtId="14" {_REST} fontId="0" applyNumberFormat="1"/>'
    f'<xf numFmtId="22" {_REST} fontId="0" applyNumberFormat="1"/>'
    f'<xf numFmtId="0" {_REST} fontId="1" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>",
}


def workbook(
    title: str, names: Sequence[str], rows: Iterable[Sequence[Any]], at_once: int = 1000
) -> Iterator[bytes]:
    """Yield the bytes of a workbook, piece by piece.

    title: of the sheet. rows: as many as a sheet can hold; None is an empty cell.
    """
    out = _Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for path, part in {**_PARTS, "xl/workbook.xml": _workbook(title)}.items():
            made.writestr(path, _HEAD + part)
        with made.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            sheet.write(_row(names, ' s="3"').encode())
            some: list[str] = []
            for row in rows:
                some.append(_row(row))
                if len(some) >= at_once:
                    sheet.write("".join(some).encode())
                    some.clear()
                    yield out.taken()
            sheet.write("".join([*some, "</sheetData></worksheet>"]).encode())
    yield out.taken()


def _workbook(title: str) -> str:
    named = re.sub(r"[\[\]:*?/\\']", " ", _NO_XML.sub("", title)).strip()[:31].strip() or "Table"
    name = escape(named, {'"': "&quot;"})
    return (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATION}"><sheets>'
        f'<sheet name="{name}" sheetId="1" r:id="rId1"/></sheets></workbook>'
    )


def _row(cells: Sequence[Any], style: str = "") -> str:
    return f"<row>{''.join([_cell(cell, style) for cell in cells])}</row>"


def _cell(cell: Any, style: str) -> str:
    if cell is None:
        return "<c/>"
    if isinstance(cell, bool):
        return f'<c t="b"><v>{cell:d}</v></c>'
    if isinstance(cell, int) and -_WHOLE < cell < _WHOLE:
        return f"<c><v>{cell}</v></c>"
    if isinstance(cell, float) and cell - cell == 0:  # neither NaN nor infinite
        return f"<c><v>{cell!r}</v></c>"
    if isinstance(cell, date) and (day := _day(cell)) is not None:
        return f'<c s="{2 if isinstance(cell, datetime) else 1}"><v>{day!r}</v></c>'
    text = _NO_XML.sub("\ufffd", str(cell))[:_LONGEST]
    return f'<c t="inlineStr"{style}><is><t xml:space="preserve">{escape(text)}</t></is></c>'


def _day(when: date) -> float | int | None:
    """Return a date as spreadsheets count it; None where they have none."""
    if not isinstance(when, datetime):
        return (when - _DAY_0).days if when >= _FIRST_DAY else None
    if when.tzinfo or when.date() < _FIRST_DAY:
        return None
    since = when - datetime(_DAY_0.year, _DAY_0.month, _DAY_0.day)
    return since.days + since.seconds / 86_400 + since.microseconds / 86_400_000_000


class _Pipe(RawIOBase):
    """What was written, to be taken away piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
