"""Formats that begin with bytes of their own."""

from filon.page import formats

# (offset, bytes, media type), most telling first.
_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"PK\x05\x06", "application/zip"),  # an empty one
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (257, b"ustar", "application/x-tar"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (4, b"Standard Jet DB", "application/x-msaccess"),
    (4, b"Standard ACE DB", "application/x-msaccess"),
    (0, b"PAR1", "application/vnd.apache.parquet"),
    (0, b"ARROW1\x00\x00", "application/vnd.apache.arrow.file"),
    (0, b"Obj\x01", "application/vnd.apache.avro"),
    (0, b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    (0, b"CDF\x01", "application/x-netcdf"),
    (0, b"CDF\x02", "application/x-netcdf"),
    (0, b"GRIB", "application/x-grib"),
    (0, b"$FL2@(#)", "application/x-spss-sav"),
    (0, b"$FL3@(#)", "application/x-spss-sav"),
    (0, b"<stata_dta>", "application/x-stata-dta"),
    (0, b"HEADER RECORD*******LIBRARY", "application/x-sas-xport"),
    (0, b"MATLAB 5.0 MAT-file", "application/x-matlab-data"),
    (0, b"LASF", "application/vnd.las"),
    (0, b"\x00\x00\x27\x0a\x00\x00\x00\x00", "application/x-esri-shape"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (8, b"WAVEfmt", "audio/wav"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
)
# By the first byte of a file, what may fit it; most begin with none that is known.
_ANYWHERE = tuple(entry for entry in _MAGIC if entry[0])
_BY_FIRST = {
    first: tuple(entry for entry in _MAGIC if entry[0] or entry[1][0] == first)
    for first in {magic[0] for offset, magic, _ in _MAGIC if not offset}
}
# What a ZIP holds tells what it is.
_IN_ZIP: tuple[tuple[bytes, str], ...] = (
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "odt"),
    (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "odp"),
    (b"mimetypeapplication/epub+zip", "epub"),
    (b"xl/workbook.bin", "xlsb"),
    (b"xl/vbaProject.bin", "xlsm"),
    (b"xl/", "xlsx"),
    (b"word/", "docx"),
    (b"ppt/", "pptx"),
    (b"doc.kml", "kmz"),
)
# Streams of an OLE2 file, as its directory names them.
_IN_OLE: tuple[tuple[bytes, str], ...] = (
    ("Workbook".encode("utf-16-le"), "xls"),
    ("WordDocument".encode("utf-16-le"), "doc"),
    ("PowerPoint Document".encode("utf-16-le"), "ppt"),
)
_ZIPPED = "zip xlsx xlsm xlsb ods docx dotx odt pptx odp epub kmz gdb shz"
_ZIP_NAMES = frozenset(_ZIPPED.split())
_OLE_NAMES = frozenset({"xls", "doc", "ppt"})
_GZIP_NAMES = frozenset({"gz", "tgz", "rds", "rda", "rdata"})
# Formats that are something else inside: both names are right.
_INSIDE = {
    **{formats.mime_of(name): "application/zip" for name in _ZIP_NAMES},
    **dict.fromkeys(formats.DATA["zip"], "application/zip"),
    **dict.fromkeys(formats.DATA["xls"], "application/x-ole-storage"),
    **{formats.mime_of(name): "application/x-ole-storage" for name in ("doc", "ppt")},
    **{formats.mime_of(name): "application/gzip" for name in _GZIP_NAMES},
    "application/geopackage+sqlite3": "application/vnd.sqlite3",
    "application/vnd.laszip": "application/vnd.las",
    "application/x-netcdf": "application/x-hdf5",
    "application/x-matlab-data": "application/x-hdf5",
}
_LOOK_BYTES = 64 * 1024


def signature(body: bytes, name: str = "") -> str:
    """Return the media type that the first bytes prove; "" if they prove nothing.

    name: the file's extension, for families that share their first bytes.

    >>> signature(b"%PDF-1.7"), signature(b"PK\\x03\\x04", "kmz"), signature(b"a,b")
    ('application/pdf', 'application/vnd.google-earth.kmz', '')
    """
    media = container(body)
    return _member(body, media, name) if media else ""


def container(body: bytes) -> str:
    """Return what `signature` does, a whole family by one name: a spreadsheet is a ZIP.

    >>> container(b"PK\\x03\\x04" + bytes(26) + b"xl/workbook.xml")
    'application/zip'
    """
    for offset, magic, media in _BY_FIRST.get(body[0] if body else -1, _ANYWHERE):
        if body.startswith(magic, offset):
            return media
    return ""


def _member(body: bytes, media: str, name: str) -> str:
    """Tell the members of a family apart, by what is inside first, by name second."""
    if media == "application/zip":
        return _among(body, _IN_ZIP, _ZIP_NAMES, name) or media
    if media == "application/x-ole-storage":
        return _among(body, _IN_OLE, _OLE_NAMES, name) or media
    if media == "application/gzip" and name in _GZIP_NAMES:
        return formats.mime_of(name)
    if media == "application/vnd.sqlite3" and name == "gpkg":
        return formats.mime_of(name)
    if media == "application/x-hdf5" and name in ("nc", "nc4", "mat"):
        return formats.mime_of(name)
    return media


def _among(
    body: bytes, inside: tuple[tuple[bytes, str], ...], names: frozenset[str], name: str
) -> str:
    head = body[:_LOOK_BYTES]
    for part, member in inside:
        if part in head:
            return formats.mime_of(member)
    return formats.mime_of(name) if name in names else ""


def family(media: str) -> str:
    """Return the format that a media type is inside: a spreadsheet of today is a ZIP.

    >>> family("application/x-gzip"), family("application/vnd.google-earth.kmz")
    ('application/gzip', 'application/zip')
    """
    if media in _INSIDE:
        return _INSIDE[media]
    names = formats.names_of(media)
    return formats.mime_of(names[0]) if names else media


# Older versions of these formats begin otherwise.
_SOMETIMES = frozenset(
    formats.mime_of(name) for name in ("dta", "mat", "tar", "grib", "shp", "mdb", "xpt", "nc")
)
_SIGNED = frozenset(family(media) for _, _, media in _MAGIC)


def signed(media: str) -> bool:
    """Say whether all files of that type begin with bytes that `signature` knows."""
    return family(media) in _SIGNED and media not in _SOMETIMES
