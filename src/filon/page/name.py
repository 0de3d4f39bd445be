"""What a file is called: by the server, else by its URL. Never a path, never a command."""

import re
from functools import lru_cache
from urllib.parse import unquote

from filon.page import formats
from filon.page.url import host

#: Bytes; most file systems allow 255.
MAX_NAME = 200
_EXTENDED = re.compile(r"filename\*\s*=\s*([\w!#$&+^`{}~.-]*)'[\w-]*'([^;\s]+)", re.IGNORECASE)
_PLAIN = re.compile(r"filename\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;]+))", re.IGNORECASE)
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f<>:\"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_IN_QUERY = re.compile(r"=([^&=/]+\.([A-Za-z0-9]{1,8}))(?=&|$)")


@lru_cache(maxsize=64)  # of one answer it is asked for more than once
def file_name(url: str, disposition: str = "") -> str:
    """Return what a person would call the file.

    disposition: the Content-Disposition header.

    >>> file_name("http://example.org/d/", 'attachment; filename="../GDP 2020.csv"')
    'GDP 2020.csv'
    >>> file_name("http://example.org/get.php?file=a%20b.xlsx&x=1")
    'a b.xlsx'
    """
    for name in (_given(disposition), _named(url), host(url)):
        if safe := _safe(name):
            return safe
    return "file"


def extension_of(name: str) -> str:
    """Return the extension of a file name, lower-case and without its dot."""
    return name.rpartition(".")[2].lower() if "." in name else ""


def _given(disposition: str) -> str:
    if not disposition:
        return ""
    if match := _EXTENDED.search(disposition):
        try:
            return unquote(match[2], encoding=match[1] or "utf-8", errors="replace")
        except LookupError:
            return unquote(match[2])
    if match := _PLAIN.search(disposition):
        name = re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[2].strip()
        return unquote(name) if "%" in name else name
    return ""


def _named(url: str) -> str:
    path, _, query = url.partition("#")[0].partition("?")
    segment = unquote(path.rstrip("/").rpartition("/")[2].partition(";")[0])
    if formats.mime_of(extension_of(segment)) not in ("", "text/html"):
        return segment
    for value, ending in _IN_QUERY.findall(query):
        if formats.mime_of(ending.lower()):
            return unquote(value.replace("+", " "))
    return segment if path.count("/") > 2 else ""


def _safe(name: str) -> str:
    """Keep the last part of a path, without what file systems and terminals take amiss."""
    name = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    name = " ".join(_FORBIDDEN.sub("_", name).split()).strip(". ")
    if len(name.encode()) <= MAX_NAME:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 20:
        stem, ending = name, ""
    room = MAX_NAME - len((dot + ending).encode())
    return stem.encode()[:room].decode("utf-8", "ignore") + (dot + ending if ending else "")
