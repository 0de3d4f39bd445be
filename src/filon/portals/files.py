"""A file's format from what portals say of it: their own word, a media type, its address."""

import re

from filon.core.portal import File
from filon.page import formats
from filon.page.name import file_name
from filon.page.url import extension, parse

#: How people write formats who do not write extensions.
_WORDS = {
    "excel": "xlsx",
    "msexcel": "xls",
    "spreadsheet": "xlsx",
    "comma separated values": "csv",
    "tabseparated values": "tsv",
    "tab": "tsv",
    "shapefile": "zip",
    "shp": "zip",  # a shapefile is five files: nobody serves it but in a container
    "esri shapefile": "zip",
    "zipped shapefile": "zip",
    "file geodatabase": "zip",
    "geopackage": "gpkg",
    "netcdf": "nc",
    "turtle": "ttl",
    "json ld": "jsonld",
    "rdf xml": "rdf",
    "spss": "sav",
    "stata": "dta",
    "web page": "html",
}
_NOISE = re.compile(r"[^a-z0-9]+")
_IANA = re.compile(r"(?:media-types/|file-type/)([\w.+/-]+)$")


def described(
    url: str, name: str = "", format_name: str = "", mime: str = "", size_bytes: int | None = None
) -> File | None:
    """Return a file as a portal describes it; None if it has no address on the web.

    format_name: in the portal's words.

    >>> described("http://a.org/get?id=3", "Budget", "XLSX").mime
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    """
    address = parse(url.strip())
    if not address:
        return None
    form = known(format_name) or known(mime) or _by_name(address) or known(name.rpartition(".")[2])
    media = mime.lower().partition(";")[0].strip()
    return File(
        url=address,
        name=name.strip() or file_name(address),
        format=form,
        mime=media if formats.names_of(media) else formats.mime_of(form),
        size_bytes=size_bytes or 0,
    )


def known(label: str) -> str:
    """Return the name of a format, whether told as a word, an extension or a media type.

    >>> known("Comma Separated Values"), known(".XLSX"), known("text/csv"), known("magic")
    ('csv', 'xlsx', 'csv', '')
    """
    word = label.strip().lower()
    if match := _IANA.search(word):
        word = match[1]
    media = word.partition(";")[0].strip()
    if names := formats.names_of(media):
        return names[0]
    plain = _NOISE.sub(" ", word).strip()
    return _WORDS.get(plain) or formats.canonical(plain)


def _by_name(url: str) -> str:
    by_path = formats.canonical(extension(url))
    return by_path or formats.canonical(file_name(url).rpartition(".")[2].lower())
