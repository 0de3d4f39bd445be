"""File formats by the name people use (the extension) and the media types servers give them.

The first media type of a name is the one we give; the others are met in the wild.
Knows nothing of what is wanted: that is `types`.
"""

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

FORMATS = {**DATA, **OTHER}

_MIME_BY_EXTENSION = {name: media[0] for name, media in FORMATS.items()} | {
    alias: FORMATS[name][0] for alias, name in _ALIASES.items()
}
_NAMES_BY_MIME: dict[str, tuple[str, ...]] = {}
for _name, _media in FORMATS.items():
    for _type in _media:
        _NAMES_BY_MIME[_type] = (*_NAMES_BY_MIME.get(_type, ()), _name)


def canonical(name: str) -> str:
    """Return the name under which a format stands here; "" if it is unknown.

    >>> canonical("htm"), canonical("csv"), canonical("nonsense")
    ('html', 'csv', '')
    """
    return name if name in FORMATS else _ALIASES.get(name, "")


def mime_of(extension: str) -> str:
    """Return the media type of an extension (lower-case, no dot); "" if it is unknown."""
    return _MIME_BY_EXTENSION.get(extension, "")


def names_of(mime: str) -> tuple[str, ...]:
    """Return the formats that a media type may stand for.

    >>> names_of("application/x-gzip")
    ('gz',)
    """
    return _NAMES_BY_MIME.get(mime, ())
