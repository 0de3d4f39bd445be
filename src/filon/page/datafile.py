"""Which addresses lead to data files, told by the address alone."""

import re
from urllib.parse import unquote

_FORMAT_NAMES = """
    csv tsv tab psv json jsonl ndjson geojson topojson xml rdf ttl nt nq xls xlsx xlsm xlsb ods
    parquet feather arrow avro orc sav por dta sas7bdat xpt rds rda rdata mat h5 hdf5 nc nc4 grib
    grb2 shp shz gpkg gdb kml kmz gml tif tiff las laz px dbf mdb accdb sqlite db sql
    zip tar gz tgz 7z rar bz2
"""
_FORMATS = frozenset(_FORMAT_NAMES.split())
_NAMES = "|".join(sorted(_FORMAT_NAMES.split(), key=lambda name: (-len(name), name)))
_PATH = re.compile(rf"\.(?:{_NAMES})(?:\.(?:gz|zip|bz2|xz|zst|7z))?$", re.IGNORECASE)
#: What exports data by a parameter or a path of its own: several portals, OGC services.
_EXPORT = re.compile(
    rf"[?&](?:format|f|outputformat|output_format)=(?:{_NAMES}|shape-zip|excel)(?:&|$)"
    rf"|[?&]accesstype=download\b"
    rf"|/exports/(?:{_NAMES})\b"
    r"|/api/access/datafile/\d+"
    r"|/files/[^?]+\?(?:[^#]*&)?download=1\b"
    r"|/resource/[^/?]+/download(?:/|$)",
    re.IGNORECASE,
)
#: What has the extension of data and serves machines or the look of a page.
_NOT_DATA = re.compile(
    r"/[^/?]*sitemap[^/?]*\.xml(?:\.gz)?(?:\?|$)"
    r"|/(?:rss|atom|feed|index\.rdf|opensearch|osd|browserconfig)[^/?]*\.(?:xml|rdf)(?:\?|$)"
    r"|/(?:manifest|package|package-lock|composer|swagger|openapi|asset-manifest)\.json(?:\?|$)"
    r"|\.min\.json|/wp-json(?:/|\?|$)|/oembed\b|favicon|/robots\.txt"
    r"|/(?:assets|static)/[^?]*\.json(?:\?|$)",
    re.IGNORECASE,
)


def is_data_file(url: str) -> bool:
    """Say whether an address looks like that of a data file.

    >>> is_data_file("http://a.org/t.CSV.gz?x=1"), is_data_file("http://a.org/sitemap.xml")
    (True, False)
    >>> is_data_file("http://a.org/api/views/ab-cd/rows?accessType=DOWNLOAD")
    True
    """
    url = url.partition("#")[0]
    rest = url[url.find("://") + 3 :]
    path, mark, query = rest.partition("?")
    place = path[path.find("/") :] if "/" in path else "/"
    if "%" in place:
        place = unquote(place)
    whole = place + mark + query
    if _NOT_DATA.search(whole):
        return False
    return bool(_PATH.search(place) or _EXPORT.search(whole))


def format_of(url: str) -> str:
    """Return the format that the address of a data file names; "" where it names none.

    >>> format_of("http://a.org/t.CSV.gz?x=1"), format_of("http://a.org/exports/xlsx?x=1")
    ('csv', 'xlsx')
    """
    path, _, query = url.partition("#")[0].partition("?")
    if found := _PATH.search(path):
        return found[0][1:].split(".")[0].lower()
    found = _EXPORT.search(f"{path}?{query}")
    name = re.split(r"[=/]", found[0].rstrip("&/"))[-1].lower() if found else ""
    return name if name in _FORMATS else ""
