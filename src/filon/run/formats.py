"""What people call a type of file."""

from pathlib import PurePosixPath

_NAMES = {
    "CSV": "text/csv application/csv text/x-csv application/x-csv text/comma-separated-values "
    "text/x-comma-separated-values text/tab-separated-values",
    "Excel": "application/vnd.ms-excel application/vnd.ms-excel.sheet.macroenabled.12 "
    "application/vnd.ms-excel.sheet.binary.macroenabled.12 "
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "OpenDocument table": "application/vnd.oasis.opendocument.spreadsheet",
    "OpenDocument text": "application/vnd.oasis.opendocument.text",
    "PDF": "application/pdf application/x-pdf",
    "Word": "application/msword "
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "PowerPoint": "application/vnd.ms-powerpoint "
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "JSON": "application/json text/json application/x-ndjson application/jsonl",
    "GeoJSON": "application/geo+json application/vnd.geo+json",
    "KML": "application/vnd.google-earth.kml+xml application/vnd.google-earth.kmz",
    "XML": "application/xml text/xml",
    "RDF": "application/rdf+xml text/turtle application/n-triples application/n-quads "
    "application/ld+json application/trig",
    "YAML": "application/yaml application/x-yaml text/yaml text/x-yaml",
    "ZIP": "application/zip application/x-zip-compressed application/zip-compressed",
    "archive": "application/x-tar application/x-gtar application/gzip application/x-gzip "
    "application/x-7z-compressed application/vnd.rar application/x-rar-compressed "
    "application/x-bzip2 application/x-xz application/zstd",
    "Parquet": "application/vnd.apache.parquet application/x-parquet",
    "SQLite": "application/vnd.sqlite3 application/x-sqlite3",
    "GeoPackage": "application/geopackage+sqlite3",
    "Stata": "application/x-stata application/x-stata-dta",
    "SPSS": "application/x-spss-sav application/x-spss",
    "SAS": "application/x-sas-data",
    "text": "text/plain",
    "page": "text/html application/xhtml+xml",
}
_BY_MIME = {mime: name for name, mimes in _NAMES.items() for mime in mimes.split()}
_SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream"})


def format_name(mime: str, name: str = "") -> str:
    """Return a short name for a media type; the file's name helps where the type says nothing.

    >>> format_name("text/csv"), format_name("application/octet-stream", "a.SAV")
    ('CSV', '.sav')
    >>> format_name("application/x-hdf5"), format_name("")
    ('x-hdf5', 'unknown')
    """
    if known := _BY_MIME.get(mime):
        return known
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if mime in _SAYS_NOTHING:
        return suffix if 1 < len(suffix) <= 9 and suffix[1:].isalnum() else "unknown"
    return mime.partition("/")[2] or mime
