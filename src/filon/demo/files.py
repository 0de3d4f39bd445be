"""Real files from a table, written by hand: small, valid, and the same bytes every time."""

import csv
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

Cell = str | int | float

CSV = "text/csv"
JSON = "application/json"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
PDF = "application/pdf"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
TYPES = {"csv": CSV, "json": JSON, "ods": ODS, "pdf": PDF, "xlsx": XLSX, "zip": ZIP}


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a line of column names, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The column names and the rows."""
        return (self.columns, *self.rows)


def write(kind: str, table: Table) -> bytes:
    """Return the table as "csv", "json", "xlsx", "ods", "zip" or "pdf"."""
    return _WRITERS[kind](table)


def _csv(table: Table) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(table.lines)
    return out.getvalue().encode()


def _json(table: Table) -> bytes:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return json.dumps({"title": table.title, "data": rows}, ensure_ascii=False, indent=1).encode()


def _zip(table: Table) -> bytes:
    readme = f"{table.title}\n\n{len(table.rows)} rows, UTF-8, comma-separated.\n"
    return pack([("data.csv", _csv(table)), ("README.txt", readme.encode())])


def pack(members: Sequence[tuple[str, bytes]]) -> bytes:
    """Return a ZIP archive: members stored, since zlib's versions compress differently."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, body in members:
            member = zipfile.ZipInfo(name, date_time=(2024, 1, 1, 0, 0, 0))
            member.create_system = 3  # else the maker's operating system shows in the bytes
            archive.writestr(member, body)
    return out.getvalue()


_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def _xlsx(table: Table) -> bytes:
    rows = "".join(f"<row>{''.join(map(_xlsx_cell, line))}</row>" for line in table.lines)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_MAIN}.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_MAIN}.worksheet+xml"/></Types>',
        "_rels/.rels": _relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}">'
        '<sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relation("worksheet", "worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}">'
        f"<sheetData>{rows}</sheetData></worksheet>",
    }
    return pack([(name, (_XML + part).encode()) for name, part in parts.items()])


def _relation(kind: str, target: str) -> str:
    return (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/{kind}" Target="{target}"/></Relationships>'
    )


def _xlsx_cell(value: Cell) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c><v>{value}</v></c>"


_OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def _ods(table: Table) -> bytes:
    rows = "".join(
        f"<table:table-row>{''.join(map(_ods_cell, line))}</table:table-row>"
        for line in table.lines
    )
    content = (
        f'{_XML}<office:document-content xmlns:office="{_OASIS}:office:1.0" '
        f'xmlns:table="{_OASIS}:table:1.0" xmlns:text="{_OASIS}:text:1.0" office:version="1.2">'
        f'<office:body><office:spreadsheet><table:table table:name="Data">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        f'{_XML}<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0" manifest:version="1.2">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{ODS}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>"
    )
    members = [  # OpenDocument wants "mimetype" first, and not compressed
        ("mimetype", ODS.encode()),
        ("content.xml", content.encode()),
        ("META-INF/manifest.xml", manifest.encode()),
    ]
    return pack(members)


def _ods_cell(value: Cell) -> str:
    kind = "string" if isinstance(value, str) else f'float" office:value="{value}'
    shown = f"<text:p>{escape(str(value))}</text:p>"
    return f'<table:table-cell office:value-type="{kind}">{shown}</table:table-cell>'


def _pdf(table: Table) -> bytes:
    lines = [table.title, *(" | ".join(map(str, line)) for line in table.lines)][:48]
    shown = "".join(f"({_pdf_string(line)}) Tj T*\n" for line in lines)
    stream = f"BT /F1 10 Tf 14 TL 50 790 Td\n{shown}ET".encode("latin-1", "replace")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R "
        b"/Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    return _pdf_file(objects)


def _pdf_string(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _pdf_file(objects: Sequence[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    xref = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return b"%sxref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n" % (
        out,
        size,
        xref,
        size,
    ) + b"startxref\n%d\n%%%%EOF\n" % len(out)


_WRITERS = {"csv": _csv, "json": _json, "ods": _ods, "pdf": _pdf, "xlsx": _xlsx, "zip": _zip}
