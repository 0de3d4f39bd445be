"""The archives and texts that a user has: run folders, WARC and WACZ files, folders of pages.

What can be searched in a page or a text is its title, its words and its links.
"""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from fastwarc.warc import ArchiveIterator, WarcRecordType
from selectolax.lexbor import LexborHTMLParser

from filon.core import UserError
from filon.page.charset import to_utf8
from filon.page.limits import limited
from filon.page.links import MAX_BODY, links
from filon.page.text import page_text
from filon.services.search.index import MAX_TEXT, Document

_WARC = (".warc", ".warc.gz", ".warc.zst")
_WACZ = ".wacz"
_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".txt": "text/plain",
    ".md": "text/markdown",
}
_TEXT_TYPES = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
_PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
#: A title taken from the first line of a text is no longer than this.
MAX_TITLE = 200


def documents(path: Path, base: str = "") -> Iterator[Document]:
    """Return what can be searched in a path.

    base: the address that a folder of pages is a copy of.
    """
    for file in files(path):
        if file.name.endswith(_WARC):
            with file.open("rb") as stream:
                yield from _warc(stream, file)
        elif file.name.endswith(_WACZ):
            yield from _wacz(file)
        else:
            yield from _page(file, path, base)


def files(path: Path) -> list[Path]:
    """Return the files that are read, in order. Of a run, these are its archive."""
    if path.is_file():
        known = path.name.endswith((*_WARC, _WACZ)) or path.suffix.lower() in _TYPES
        if not known:
            raise UserError(f"{path} is no archive, page or text that can be searched.")
        return [path]
    if not path.is_dir():
        raise UserError(f"There is nothing at {path} to search.")
    inside = path / "archive" if (path / "run.toml").is_file() else path
    found = [file for file in sorted(inside.rglob("*")) if file.is_file()]
    return [file for file in found if _known(file)]


def fingerprint(paths: list[Path], base: str) -> str:
    """Return a text that changes when the files do."""
    stamps = [
        [str(file), file.stat().st_size, file.stat().st_mtime_ns]
        for path in paths
        for file in files(path)
    ]
    return json.dumps([base, stamps])


def _known(file: Path) -> bool:
    return file.name.endswith((*_WARC, _WACZ)) or file.suffix.lower() in _TYPES


def _wacz(file: Path) -> Iterator[Document]:
    try:
        with zipfile.ZipFile(file) as packed:
            for name in sorted(packed.namelist()):
                if name.endswith(_WARC):
                    with packed.open(name) as stream:
                        yield from _warc(stream, file)
    except zipfile.BadZipFile:
        raise UserError(f"{file} is not a WACZ file.") from None


def _warc(stream: IO[bytes], file: Path) -> Iterator[Document]:
    try:
        records = ArchiveIterator(
            stream, record_types=WarcRecordType.response, parse_http=True, auto_decode="all"
        )
        for record in records:
            if (found := _response(record)) is not None:
                yield found
    except (OSError, ValueError, RuntimeError, EOFError) as error:
        raise UserError(f"{file} cannot be read as WARC: {error}.") from None


def _response(record: Any) -> Document | None:
    url, head = record.headers.get("WARC-Target-URI", "").strip("<>"), record.http_headers
    if not url.startswith("http") or head is None or head.status_code != 200:
        return None
    content_type = head.get("Content-Type", "") or ""
    if not readable(content_type.partition(";")[0].strip().lower()):
        return None
    return document(url, record.reader.read(MAX_BODY), content_type)


def _page(file: Path, folder: Path, base: str) -> Iterator[Document]:
    with file.open("rb") as stream:
        body = stream.read(MAX_BODY)
    content_type = _TYPES[file.suffix.lower()]
    yield document(_address(file, folder, base, body, content_type), body, content_type)


def _address(file: Path, folder: Path, base: str, body: bytes, content_type: str) -> str:
    """Return where a page in a folder is from.

    That is below `base`; else as the page itself says; else, as wget leaves a mirror, under the
    host that the first folder is named after; else it is just a file.
    """
    parts = file.relative_to(folder).parts if file != folder else (file.name,)
    if base:
        return f"{base.rstrip('/')}/{'/'.join(parts)}"
    if "html" in content_type and (address := canonical(body)):
        return address
    if len(parts) > 1 and "." in parts[0].strip("."):
        return f"http://{'/'.join(parts)}"
    return file.resolve().as_uri()


def readable(mime: str) -> bool:
    """Say whether there is something to read in such a file."""
    return mime in _PAGE_TYPES or mime in _TEXT_TYPES


def document(url: str, body: bytes, content_type: str) -> Document:
    """Return what can be searched.

    >>> document("http://a.org/", b"<title>Rain</title><p>in Spain", "text/html").text
    'in Spain'
    """
    if content_type.partition(";")[0].strip().lower() in _TEXT_TYPES:
        return _text(url, to_utf8(body[:MAX_BODY], content_type).decode("utf-8", "replace"))
    page = page_text(body, content_type)
    found = links(body, url, content_type) if url.startswith("http") else []
    parts = (page.description, page.keywords, page.text[:MAX_TEXT])
    return Document(
        url=url,
        title=page.title,
        text=" ".join(part for part in parts if part),
        links=tuple((link.url, link.text) for link in found if link.tag in ("a", "area", "iframe")),
    )


def canonical(body: bytes) -> str:
    """Return the address that a page says it has; "" where it says none that can be fetched."""
    tree = LexborHTMLParser(limited(to_utf8(body[:MAX_BODY])))
    node = tree.css_first("link[rel=canonical][href]")
    href = (node.attributes.get("href") or "") if node else ""
    return href if re.match(r"https?://[^/]", href) else ""


def _text(url: str, text: str) -> Document:
    first = next((line.strip(" #=-*") for line in text.splitlines() if line.strip(" #=-*")), "")
    addresses = re.findall(r"https?://[^\s<>\"')\]]+", text)
    named = tuple((address.rstrip(".,;"), "") for address in addresses)
    return Document(url=url, title=first[:MAX_TITLE], text=text, links=named)
