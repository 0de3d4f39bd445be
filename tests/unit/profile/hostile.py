"""Files that are broken, huge, encrypted, lying, or meant to do harm, made on the spot.

Each is a name, what makes its bytes, and the problem that its profile must tell; "" where it has
tables in spite of all.
"""

import bz2
import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

TABLE = b"region,year,value\nNorth,2019,1.5\nSouth,2020,2.5\nEast,2021,3.5\n"


class Hostile(NamedTuple):
    """problem: what must be told; several where it depends on the library."""

    name: str
    make: Callable[[], bytes]
    problem: tuple[str, ...]


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, body in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return buffer.getvalue()


def xlsx(sheet: str, **more: bytes) -> bytes:
    """A workbook of one sheet, by hand."""
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}.worksheet+xml"/>'
        "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1"'
        f' Type="{rels}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{rels}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{rels}/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData>'
        "</worksheet>",
    }
    return zipped({name: text.encode() for name, text in parts.items()} | more)


def row(number: int, cells: dict[str, str]) -> str:
    inner = "".join(
        f'<c r="{letter}{number}" t="inlineStr"><is><t>{text}</t></is></c>'
        if not text.replace(".", "").isdigit()
        else f'<c r="{letter}{number}"><v>{text}</v></c>'
        for letter, text in cells.items()
    )
    return f'<row r="{number}">{inner}</row>'


def ods(rows: str) -> bytes:
    """A spreadsheet of OpenDocument, by hand."""
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<office:document-content xmlns:office="{urn}:office:1.0" xmlns:table="{urn}:table:1.0"'
        f' xmlns:text="{urn}:text:1.0"><office:body><office:spreadsheet>'
        f'<table:table table:name="S">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        f'<manifest:manifest xmlns:manifest="{urn}:manifest:1.0"><manifest:file-entry'
        ' manifest:full-path="/" manifest:media-type='
        '"application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>'
    )
    return zipped(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content.encode(),
            "META-INF/manifest.xml": manifest.encode(),
        }
    )


def ole(streams: dict[str, bytes], *, loop: bool = False) -> bytes:
    """A file of the old Office with some streams; loop: one of its chains never ends."""
    sectors: list[bytes] = []
    table: list[int] = []
    entries = [("Root Entry", 5, 0xFFFFFFFE, 0)]
    for name, body in streams.items():
        body = body.ljust(4096, b"\0")
        first, pieces = len(sectors), -(-len(body) // 512)
        sectors += [body[n * 512 : n * 512 + 512].ljust(512, b"\0") for n in range(pieces)]
        table += [first + n + 1 for n in range(pieces - 1)] + [first if loop else 0xFFFFFFFE]
        entries.append((name, 2, first, len(body)))
    directory = b"".join(_entry(*entry) for entry in entries)
    first = len(sectors)
    pieces = -(-len(directory) // 512)
    sectors += [directory[n * 512 : n * 512 + 512].ljust(512, b"\0") for n in range(pieces)]
    table += [first + n + 1 for n in range(pieces - 1)] + [0xFFFFFFFE, 0xFFFFFFFD]
    numbers = struct.pack("<128I", *[*table, *[0xFFFFFFFF] * 128][:128])
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, first, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<109I", len(sectors), *[0xFFFFFFFF] * 108)
    return header + b"".join(sectors) + numbers


def _entry(name: str, kind: int, first: int, size_bytes: int) -> bytes:
    raw = name.encode("utf-16-le")
    head = raw.ljust(64, b"\0") + struct.pack("<HBB3I", len(raw) + 2, kind, 1, *[0xFFFFFFFF] * 3)
    return head.ljust(116, b"\0") + struct.pack("<2I", first, size_bytes) + bytes(4)


def pdf(content: bytes, trailer: bytes = b"") -> bytes:
    """A PDF of one page."""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, starts = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        starts.append(len(body))
        body += b"%d 0 obj%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    head = b"xref\n0 6\n0000000000 65535 f \n"
    end = b"trailer<</Size 6/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (trailer, len(body))
    return body + head + table + end


def pdf_text(rows: list[list[str]], left: int = 60, top: int = 700) -> bytes:
    """Text in rows and columns, as a page's content."""
    return b"\n".join(
        f"BT /F 10 Tf {left + 110 * n} {top - 16 * m} Td ({cell}) Tj ET".encode()
        for m, cells in enumerate(rows)
        for n, cell in enumerate(cells)
    )


def entity_bomb(root: str = "d") -> bytes:
    names = [f"e{n}" for n in range(10)]
    entities = "<!ENTITY e0 'ha'>" + "".join(
        f"<!ENTITY {name} '{f'&{names[n]};' * 10}'>" for n, name in enumerate(names[1:])
    )
    rows = "<r><v>&e9;</v></r>" * 2
    return f"<?xml version='1.0'?><!DOCTYPE {root} [{entities}]><{root}>{rows}</{root}>".encode()


def corpus() -> Iterator[Hostile]:
    """Yield all of them."""
    yield from _texts()
    yield from _trees()
    yield from _packed()
    yield from _books()
    yield from _others()


def _texts() -> Iterator[Hostile]:
    yield Hostile("ten thousand columns.csv", _wide, ("",))
    yield Hostile(
        "a million columns.csv", lambda: b"1," * 1_000_000 + b"1\n" + TABLE, ("", "no table")
    )
    yield Hostile("one line.csv", lambda: b"a" * 100_000_000, ("no table",))
    yield Hostile(
        "one cell.csv", lambda: b'a,b\n1,"' + b"x" * 20_000_000, ("damaged", "", "no table")
    )
    yield Hostile(
        "error page.csv", lambda: b"<!doctype html><title>404</title><p>Gone, sorry", ("no table",)
    )
    yield Hostile(
        "a page as.xls", lambda: b"<html><table><tr><th>a<th>b<tr><td>1<td>2</table>", ("",)
    )
    yield Hostile("utf-16.csv", lambda: TABLE.decode().encode("utf-16-le"), ("",))
    yield Hostile("utf-16 big.csv", lambda: TABLE.decode().encode("utf-16-be"), ("",))
    yield Hostile("nul.csv", lambda: TABLE * 20 + b"a\0b,2019,3\n", ("",))
    yield Hostile("all nul.csv", lambda: bytes(100_000), ("no table",))
    yield Hostile("quotes.csv", lambda: b'"' * 100_001, ("no table", "damaged"))
    yield Hostile("newlines.csv", lambda: b"\n" * 5_000_000, ("no table",))
    yield Hostile("commas.csv", lambda: b"," * 3_000_000, ("no table",))
    yield Hostile("no bytes.csv", lambda: b"", ("empty",))
    yield Hostile(
        "half a letter.csv", lambda: "a,b\nZürich,1\nBern,2\n".encode()[:-16], ("", "no table")
    )
    yield Hostile("noise.csv", lambda: bytes(n * 7919 % 251 for n in range(100_000)), ("no table",))


def _trees() -> Iterator[Hostile]:
    yield Hostile("deep.json", lambda: b"[" * 200_000 + b"]" * 200_000, ("damaged",))
    yield Hostile("deep objects.json", lambda: b'{"a":' * 5_000 + b"1" + b"}" * 5_000, ("damaged",))
    yield Hostile(
        "long number.json", lambda: b'[{"a": ' + b"9" * 100_000 + b"}, {}]", ("", "damaged")
    )
    yield Hostile("cut.json", lambda: b'[{"a": 1}, {"a"', ("damaged",))
    yield Hostile("as many keys as rows.json", _keys, ("",))
    yield Hostile("no line.ndjson", lambda: b'{"a": 1\n{"b"\n' * 10, ("damaged",))
    yield Hostile("entities.xml", lambda: entity_bomb(), ("damaged", "no table", ""))
    yield Hostile("deep.xml", lambda: b"<?xml version='1.0'?>" + b"<a>" * 100_000, ("damaged",))
    outside = b"<?xml version='1.0'?><!DOCTYPE d SYSTEM 'file:///etc/passwd'><d><r/><r/></d>"
    yield Hostile("from outside.xml", lambda: outside, ("no table", ""))


def _packed() -> Iterator[Hostile]:
    yield Hostile("bomb.zip", lambda: zipped({"a.csv": b"0" * 100_000_000}), ("bomb",))
    yield Hostile("bomb.csv.gz", lambda: gzip.compress(b"a,b\n" * 30_000_000), ("bomb",))
    yield Hostile("bomb.csv.bz2", lambda: bz2.compress(b"0" * 100_000_000), ("bomb",))
    yield Hostile("bomb.csv.xz", lambda: lzma.compress(b"0" * 100_000_000, preset=0), ("bomb",))
    yield Hostile("nest.gz", lambda: _nest(gzip.compress), ("nested",))
    yield Hostile("nest.zip", lambda: _nest(lambda body: zipped({"a.zip": body})), ("nested",))
    yield Hostile("ten thousand members.zip", _members, ("bomb",))
    yield Hostile("up.zip", lambda: zipped({"../../../etc/x.csv": TABLE}), ("",))
    yield Hostile("up.tar", lambda: tarred({"../../../tmp/x.csv": TABLE}), ("",))
    yield Hostile("table.tar.gz", lambda: gzip.compress(tarred({"a/b.csv": TABLE})), ("",))
    yield Hostile("cut.tar", lambda: tarred({"a.csv": TABLE * 100})[:2000], ("damaged", "no table"))
    yield Hostile("cut.csv.gz", lambda: gzip.compress(TABLE * 50)[:-30], ("damaged",))
    yield Hostile("cut.zip", lambda: zipped({"a.csv": TABLE * 50})[:-30], ("damaged",))
    yield Hostile("password.zip", _locked_zip, ("encrypted",))
    yield Hostile("checksum.zip", _wrong_zip, ("damaged",))
    yield Hostile("closed.7z", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(100), ("no table",))
    yield Hostile("no gzip.csv", lambda: gzip.compress(TABLE), ("",))


def _books() -> Iterator[Hostile]:
    table = "".join(row(n, {"A": f"r{n}", "B": str(n)}) for n in range(1, 5))
    few = row(1, {"A": "a", "B": "b"})
    yield Hostile("whole.xlsx", lambda: xlsx(table), ("",))
    yield Hostile("macros.xlsm", lambda: xlsx(table, **{"xl/vbaProject.bin": b"Shell"}), ("",))
    yield Hostile("a million empty rows.xlsx", lambda: xlsx(few + _empty_rows()), ("",))
    far = row(1, {"A": "a"}) + row(1_048_576, {"XFD": "z"})
    yield Hostile("far apart.xlsx", lambda: xlsx(far), ("too large",))
    yield Hostile("cut.xlsx", lambda: xlsx(table)[:-100], ("damaged",))
    yield Hostile("entities.xlsx", lambda: xlsx("&e9;" + table), ("no table", "damaged", ""))
    repeated = (
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell'
        ' table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
        "</table:table-row>"
    )
    yield Hostile("repeated.ods", lambda: ods(repeated), ("damaged", "too large", "crashed"))
    yield Hostile("circle.xls", lambda: ole({"Workbook": b"\x09\x08"}, loop=True), ("damaged",))
    yield Hostile("password.xlsx", lambda: ole({"EncryptedPackage": b"x" * 5000}), ("encrypted",))
    yield Hostile("a letter.xls", lambda: ole({"WordDocument": b"x" * 5000}), ("no table",))
    yield Hostile("nothing.xls", lambda: ole({"Workbook": bytes(5000)}), ("damaged", "no table"))
    yield Hostile("cut.xls", lambda: ole({"Workbook": b"x" * 50_000})[:20_000], ("damaged",))


def _others() -> Iterator[Hostile]:
    yield Hostile("cut.parquet", lambda: b"PAR1" + bytes(50), ("damaged",))
    yield Hostile(
        "lying.parquet", lambda: b"PAR1" + bytes(50) + b"\xff\xff\xff\x7fPAR1", ("damaged",)
    )
    yield Hostile("cut.sav", lambda: b"$FL2@(#)" + bytes(50), ("damaged",))
    yield Hostile("cut.dta", lambda: b"\x72\x02\x01\x00" + bytes(50), ("damaged",))
    yield Hostile("cut.sqlite", lambda: b"SQLite format 3\0" + bytes(200), ("damaged",))
    yield Hostile(
        "cut.dbf", lambda: b"\x03" + struct.pack("<3xIHH", 1000, 65, 11) + bytes(60), ("damaged",)
    )
    yield Hostile("cut.pdf", lambda: pdf(pdf_text([["a", "1"]] * 5))[:300], ("damaged",))
    yield Hostile("password.pdf", lambda: _locked_pdf(), ("encrypted",))
    yield Hostile("no pages.pdf", lambda: b"%PDF-1.7\n%%EOF", ("damaged",))


def _wide() -> bytes:
    head = ",".join(f"c{n}" for n in range(10_000))
    return f"{head}\n{','.join('1' * 10_000)}\n".encode()


def _keys() -> bytes:
    return json.dumps([{f"k{n}": n} for n in range(20_000)]).encode()


def _nest(pack: Callable[[bytes], bytes]) -> bytes:
    body = TABLE
    for _ in range(12):
        body = pack(body)
    return body


def _members() -> bytes:
    return zipped({f"{n}.csv": b"" for n in range(10_001)})


def _locked_zip() -> bytes:
    body = bytearray(zipped({"a.csv": TABLE}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        body[body.index(mark) + place] |= 1
    return bytes(body)


def _wrong_zip() -> bytes:
    body = bytearray(zipped({"a.csv": TABLE}))
    body[45] ^= 0xFF
    return bytes(body)


def _empty_rows() -> str:
    return "".join(f'<row r="{n}"/>' for n in range(2, 1_048_577))


def _locked_pdf() -> bytes:
    lock = b"/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>>>/ID[<00><00>]" % (
        b"41" * 32,
        b"42" * 32,
    )
    return pdf(pdf_text([["a", "1"]]), lock)
