"""File formats by their extension, the media types servers give them, and what people call them.

The first media type of a name is the one we give; the others are met in the wild.
Knows nothing of what is wanted: that is `types`.
"""

from pathlib import PurePosixPath

#: Tables, statistics, geography and containers: what `--types data` means.
DATA: dict[str, tuple[str, ...]] = {
    # tables
    "csv": (
        "text/csv",
        "application/csv",
        "text/x-csv",
        "application/x-csv",
        "text/comma-separated-values",
        "text/x-comma-separated-values",
    ),
    "tsv": ("text/tab-separated-values", "text/tsv", "application/tsv"),
    "psv": ("text/pipe-separated-values",),
    "xls": ("application/vnd.ms-excel", "application/msexcel", "application/x-msexcel"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",),
    "xlsm": ("application/vnd.ms-excel.sheet.macroenabled.12",),
    "xlsb": ("application/vnd.ms-excel.sheet.binary.macroenabled.12",),
    "ods": ("application/vnd.oasis.opendocument.spreadsheet",),
    "parquet": ("application/vnd.apache.parquet", "application/x-parquet", "application/parquet"),
    "feather": ("application/vnd.apache.arrow.file", "application/x-feather"),
    "arrow": ("application/vnd.apache.arrow.file", "application/vnd.apache.arrow.stream"),
    "avro": ("application/vnd.apache.avro", "application/avro", "avro/binary"),
    "orc": ("application/vnd.apache.orc", "application/x-orc"),
    "dbf": ("application/dbf", "application/x-dbf", "application/dbase", "application/x-dbase"),
    "mdb": ("application/x-msaccess", "application/msaccess", "application/vnd.ms-access"),
    "accdb": ("application/x-msaccess",),
    "sqlite": ("application/vnd.sqlite3", "application/x-sqlite3"),
    "sql": ("application/sql", "text/sql", "text/x-sql", "application/x-sql"),
    # trees and graphs
    "json": ("application/json", "text/json", "application/x-json"),
    "jsonl": (
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-seq",
    ),
    "xml": ("application/xml", "text/xml"),
    "rdf": ("application/rdf+xml",),
    "jsonld": ("application/ld+json",),
    "ttl": ("text/turtle", "application/x-turtle"),
    "nt": ("application/n-triples",),
    "nq": ("application/n-quads",),
    "trig": ("application/trig",),
    # statistics
    "sdmx": (
        "application/vnd.sdmx.data+csv",
        "application/vnd.sdmx.data+json",
        "application/vnd.sdmx.genericdata+xml",
        "application/vnd.sdmx.structurespecificdata+xml",
    ),
    "px": ("application/x-px", "text/x-pcaxis", "application/x-pcaxis"),
    "sav": ("application/x-spss-sav", "application/x-spss"),
    "por": ("application/x-spss-por",),
    "dta": ("application/x-stata-dta", "application/x-stata", "application/stata"),
    "sas7bdat": ("application/x-sas-data", "application/x-sas"),
    "xpt": ("application/x-sas-xport", "application/x-xpt"),
    "rds": ("application/x-rds",),
    "rdata": ("application/x-rdata", "application/x-r-data", "application/x-rlang-transport"),
    "mat": ("application/x-matlab-data", "application/matlab-mat"),
    "h5": ("application/x-hdf5", "application/x-hdf", "application/vnd.hdfgroup.hdf5"),
    "nc": ("application/x-netcdf", "application/netcdf"),
    "grib": ("application/x-grib", "application/x-grib2", "application/wmo-grib"),
    # geography
    "geojson": ("application/geo+json", "application/vnd.geo+json", "application/geojson"),
    "topojson": ("application/topo+json", "application/topojson"),
    "kml": ("application/vnd.google-earth.kml+xml",),
    "kmz": ("application/vnd.google-earth.kmz",),
    "gml": ("application/gml+xml",),
    "gpkg": ("application/geopackage+sqlite3", "application/x-gpkg"),
    "shp": ("application/x-esri-shape", "application/vnd.shp", "x-gis/x-shapefile"),
    "las": ("application/vnd.las",),
    "laz": ("application/vnd.laszip",),
    # containers
    "zip": (
        "application/zip",
        "application/x-zip-compressed",
        "application/zip-compressed",
        "application/x-zip",
    ),
    "gz": ("application/gzip", "application/x-gzip"),
    "bz2": ("application/x-bzip2", "application/bzip2", "application/x-bzip"),
    "xz": ("application/x-xz",),
    "zst": ("application/zstd", "application/x-zstd"),
    "7z": ("application/x-7z-compressed",),
    "rar": ("application/vnd.rar", "application/x-rar-compressed", "application/x-rar"),
    "tar": ("application/x-tar", "application/x-gtar", "application/x-compressed-tar"),
}

#: What can be asked for by name although it is no data: documents, notes, pictures of maps.
OTHER: dict[str, tuple[str, ...]] = {
    "pdf": ("application/pdf", "application/x-pdf"),
    "doc": ("application/msword",),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    "dotx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.template",),
    "odt": ("application/vnd.oasis.opendocument.text",),
    "rtf": ("application/rtf", "text/rtf"),
    "ppt": ("application/vnd.ms-powerpoint",),
    "pptx": ("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    "odp": ("application/vnd.oasis.opendocument.presentation",),
    "epub": ("application/epub+zip",),
    "txt": ("text/plain",),
    "md": ("text/markdown",),
    "yaml": ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
    "rss": ("application/rss+xml",),
    "atom": ("application/atom+xml",),
    "html": ("text/html", "application/xhtml+xml"),
    "bin": ("application/octet-stream", "binary/octet-stream"),
    "tif": ("image/tiff",),
    "png": ("image/png",),
    "jpg": ("image/jpeg",),
    "svg": ("image/svg+xml",),
}

#: Other extensions of the same formats.
_ALIASES = {
    "tab": "tsv",
    "ndjson": "jsonl",
    "sqlite3": "sqlite",
    "db": "sqlite",
    "rda": "rdata",
    "zsav": "sav",
    "hdf5": "h5",
    "hdf": "h5",
    "nc4": "nc",
    "grb": "grib",
    "grb2": "grib",
    "shz": "zip",
    "gdb": "zip",
    "tgz": "gz",
    "tbz2": "bz2",
    "txz": "xz",
    "htm": "html",
    "xhtml": "html",
    "yml": "yaml",
    "tiff": "tif",
    "jpeg": "jpg",
    "text": "txt",
}

#: What people call a format where that is not its extension in capitals; some share a name.
_TITLES = {
    **dict.fromkeys(("xls", "xlsx", "xlsm", "xlsb"), "Excel"),
    **dict.fromkeys(("mdb", "accdb"), "Access"),
    **dict.fromkeys(("rdf", "jsonld", "ttl", "nt", "nq", "trig"), "RDF"),
    **dict.fromkeys(("doc", "docx", "dotx"), "Word"),
    **dict.fromkeys(("ppt", "pptx"), "PowerPoint"),
    **dict.fromkeys(("gz", "bz2", "xz", "zst", "7z", "rar", "tar"), "archive"),
    **dict.fromkeys(("sav", "por"), "SPSS"),
    **dict.fromkeys(("sas7bdat", "xpt"), "SAS"),
    "ods": "OpenDocument table",
    "odt": "OpenDocument text",
    "odp": "OpenDocument slides",
    "dta": "Stata",
    "jsonl": "JSON lines",
    "parquet": "Parquet",
    "sqlite": "SQLite",
    "geojson": "GeoJSON",
    "topojson": "TopoJSON",
    "gpkg": "GeoPackage",
    "h5": "HDF5",
    "nc": "NetCDF",
    "txt": "text",
    "md": "Markdown",
    "html": "page",
}

FORMATS = {**DATA, **OTHER}
_SAYS_NOTHING = ("", *OTHER["bin"])

_SPREADSHEETS = ("xls", "xlsx", "xlsm", "xlsb", "ods")
#: Several formats under one word, lower-case.
GROUPS: dict[str, tuple[str, ...]] = {
    "spreadsheets": _SPREADSHEETS,
    "tables": (
        *_SPREADSHEETS,
        *("csv", "tsv", "psv", "parquet", "feather", "arrow", "avro", "orc"),
        *("dbf", "mdb", "accdb", "sqlite"),
    ),
    "geo": ("geojson", "topojson", "kml", "kmz", "gml", "gpkg", "shp", "las", "laz"),
    "unknown": ("bin",),
}
for _format, _title in _TITLES.items():
    _word = _title.lower()
    GROUPS[_word] = (*GROUPS.get(_word, ()), _format)

_MIME_BY_EXTENSION = {name: media[0] for name, media in FORMATS.items()} | {
    alias: FORMATS[name][0] for alias, name in _ALIASES.items()
}
_NAMES_BY_MIME: dict[str, tuple[str, ...]] = {}
for _name, _media in FORMATS.items():
    for _type in _media:
        _NAMES_BY_MIME[_type] = (*_NAMES_BY_MIME.get(_type, ()), _name)


def canonical(name: str) -> str:
    """Return the name under which a format or several stand here; "" if it is unknown.

    >>> canonical("htm"), canonical("csv"), canonical("excel"), canonical("nonsense")
    ('html', 'csv', 'excel', '')
    """
    return name if name in FORMATS else _ALIASES.get(name) or (name if name in GROUPS else "")


def media_of(name: str) -> frozenset[str]:
    """Return the media types of a format, or of several, by a name that `canonical` returned.

    >>> sorted(media_of("ods")), len(media_of("spreadsheets"))
    (['application/vnd.oasis.opendocument.spreadsheet'], 7)
    """
    return frozenset(media for each in GROUPS.get(name, (name,)) for media in FORMATS[each])


def mime_of(extension: str) -> str:
    """Return the media type of an extension (lower-case, no dot); "" if it is unknown."""
    return _MIME_BY_EXTENSION.get(extension, "")


def names_of(mime: str) -> tuple[str, ...]:
    """Return the formats that a media type may stand for.

    >>> names_of("application/x-gzip")
    ('gz',)
    """
    return _NAMES_BY_MIME.get(mime, ())


def title(mime: str, name: str = "") -> str:
    """Return what people call a media type; the file's name helps where the type says nothing.

    `Types.parse` reads each of these again.

    >>> title("text/csv"), title("application/vnd.ms-excel"), title("application/x-own")
    ('CSV', 'Excel', 'application/x-own')
    >>> title("application/octet-stream", "a.SAV"), title("application/octet-stream"), title("")
    ('SPSS', 'unknown', 'unknown')
    """
    if mime in _SAYS_NOTHING:
        suffix = PurePosixPath(name.replace("\\", "/")).suffix
        mime = mime_of(suffix.lower().removeprefix("."))
    if mime in _SAYS_NOTHING:
        return "unknown"
    known = names_of(mime)
    return _TITLES.get(known[0], known[0].upper()) if known else mime
