"""What a file is by its first bytes, whatever its name says."""

import re
from pathlib import PurePath

from filon.page.delimited import without_nul
from filon.page.look import begins_fragment, is_fragment, is_page, text_of, tree_type, xml_type
from filon.profile import ole

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PAR1", "parquet"),
    (b"ARROW1\x00\x00", "arrow"),
    (ole.MAGIC, "ole"),
    (b"%PDF-", "pdf"),
    (b"$FL2@(#)", "sav"),
    (b"$FL3@(#)", "zsav"),
    (b"<stata_dta>", "dta"),
    (b"HEADER RECORD*******LIB", "xpt"),
    (b"SQLite format 3\x00", "sqlite"),
    (b"{\\rtf", "rtf"),
)
_SAS = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
#: Old Stata files begin with the number of their version, the order of bytes, and a 1.
_STATA = re.compile(rb"[\x66-\x73][\x01\x02]\x01\x00")
#: First bytes of tables of dBASE: a bare one is known by its name, too.
_DBASE = frozenset(b"\x02\x03\x04\x05\x30\x31\x43\x83\x8b\x8e\xf5")
#: Workbooks of Excel 2 to 4 begin with a record that says so.
_FIRST_EXCELS = re.compile(rb"\x09[\x00\x02\x04][\x04\x06]\x00")
#: Members by which a zip file is known for what it is.
_PARTS = (
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("word/document.xml", "docx"),
    ("ppt/presentation.xml", "pptx"),
)
_OPEN = {
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.text": "odt",
}
BOOKS = frozenset({"xlsx", "xlsb", "xls", "ods"})


def format_of(head: bytes, name: str = "") -> str:
    """Return the format: by the bytes, and by the name where they do not tell.

    "ole": of the old Office; "zip": of the new one, too. Both are looked into later.

    >>> format_of(b"%PDF-1.7 ..."), format_of(b'[{"a": 1}]'), format_of(b"a,b\\n1,2\\n", "x.xls")
    ('pdf', 'json', 'text')
    """
    for magic, found in _MAGIC:
        if head.startswith(magic):
            return found
    if head.startswith(_SAS):
        return "sas7bdat"
    suffix = PurePath(name).suffix.lower().lstrip(".")
    if _STATA.match(head) and suffix in ("", "dta"):
        return "dta"
    if _FIRST_EXCELS.match(head):
        return "biff"
    if head[257:262] == b"ustar":
        return "tar"
    if suffix == "dbf" and len(head) > 32 and head[0] in _DBASE:
        return "dbf"
    text = text_of(head.rstrip(b"\x1a"))
    if text is None:
        text = text_of(without_nul(head))
    if text is None:
        return "por" if suffix == "por" else "binary"
    if is_page(text):
        return "html"
    if xml_type(text):
        return "xml"
    if text.lstrip()[:1] == "<":
        if suffix == "xml" and not begins_fragment(text):
            return "xml"
        if is_fragment(text):
            return "html"
    tree = tree_type(text)
    if tree:
        return {"application/json": "json", "application/x-ndjson": "ndjson"}.get(tree, "text")
    return "por" if suffix == "por" else "text"


def zip_format(names: "frozenset[str]", mimetype: str = "") -> str:
    """Return what a zip file is by its members."""
    if mimetype in _OPEN:
        return _OPEN[mimetype]
    found = next((format for part, format in _PARTS if part in names), "")
    if found:
        return found
    if any(name.lower().endswith(".shp") for name in names):
        return "shapefile"
    if any(name.lower().endswith(".kml") for name in names):
        return "kmz"
    return "zip"
