"""The answers of runs as WACZ 1.1.1: a web archive with its index and its pages in one file.

ReplayWeb.page opens it without a server. Among its pages, the entries to the archive, are the
start and the finds; the other pages that were read stand in extraPages.jsonl.
"""

import hashlib
import json
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.core.version import __version__
from filon.page.surt import surt
from filon.run import readonly
from filon.run.export.format import Rows
from filon.run.export.warc import Answer, Counted, last_answer, write_answers

#: Of one run; the archives of several are numbered.
_WARC = "data.warc.gz"
_HTML = ("text/html", "application/xhtml+xml")
#: Sorting is left to SQLite, which takes the disk where an index outgrows the memory.
_INDEX = "CREATE TABLE found (key TEXT, moment TEXT, entry TEXT, shelf TEXT, page TEXT)"
#: The first date that a zip file can tell.
_FIRST = (1980, 1, 1, 0, 0, 0)
_PAGES = "SELECT page FROM found WHERE shelf = ? ORDER BY rowid"


def write_wacz(rows: Rows, out: Path) -> None:
    """Write one WACZ file with all answers."""
    with closing(sqlite3.connect("")) as index, zipfile.ZipFile(out, "x") as package:
        index.execute(_INDEX)
        at = max(map(_last, rows.runs), default=datetime.fromtimestamp(0, UTC))
        wacz = _Package(package, at)
        mains = [
            _archive(run, _WARC if rows.parts is None else f"data-{n:05}.warc.gz", wacz, index)
            for n, run in enumerate(rows.runs, start=1)
        ]
        lines = index.execute("SELECT key || ' ' || moment || ' ' || entry FROM found ORDER BY 1")
        wacz.add("indexes/index.cdx", (line for (line,) in lines))
        wacz.add("pages/pages.jsonl", _pages(index, "pages", "Start and finds"))
        wacz.add("pages/extraPages.jsonl", _pages(index, "extraPages", "Other pages"))
        wacz.describe(_about(rows, next(filter(None, mains), None), at))


def _last(run_path: Path) -> datetime:
    with readonly.reading(run_path) as ledger:
        return last_answer(ledger)


class _Package:
    """Files of a zip file, each with its hash and its size in datapackage.json; at: their date."""

    def __init__(self, package: zipfile.ZipFile, at: datetime) -> None:
        self._package = package
        self._date = max(_FIRST, at.timetuple()[:6])
        self._resources: list[dict[str, object]] = []

    def open(self, path: str, *, packed: bool = False) -> Any:
        """Begin a file, which may grow beyond 4 GB."""
        info = zipfile.ZipInfo(path, self._date)
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        return self._package.open(info, "w", force_zip64=True)

    def note(self, path: str, written: Counted) -> None:
        """Put a file that is whole on the list."""
        # A data package has names in small letters.
        name, digest = path.rpartition("/")[2].lower(), f"sha256:{written.sha256}"
        size_bytes = written.size_bytes
        self._resources.append({"name": name, "path": path, "hash": digest, "bytes": size_bytes})

    def add(self, path: str, lines: Iterable[str]) -> None:
        """Write a file of lines."""
        with self.open(path, packed=True) as file:
            counted = Counted(file)
            for line in lines:
                counted.write(f"{line}\n".encode())
        self.note(path, counted)

    def describe(self, about: dict[str, object]) -> None:
        """Write datapackage.json, and its hash."""
        described = json.dumps({**about, "resources": self._resources}, indent=2).encode()
        digest = f"sha256:{hashlib.sha256(described).hexdigest()}"
        signed = json.dumps({"path": "datapackage.json", "hash": digest}, indent=2).encode()
        for path, data in (("datapackage.json", described), ("datapackage-digest.json", signed)):
            with self.open(path) as file:
                file.write(data)


def _archive(run_path: Path, warc: str, wacz: _Package, index: sqlite3.Connection) -> Answer | None:
    """Write the WARC file of a run and note what is where; return the page to begin with."""
    main: Answer | None = None
    with wacz.open(f"archive/{warc}") as file:
        counted = Counted(file)
        for answer in write_answers(run_path, counted, warc):
            if main is None and answer.status == 200 and answer.kind != "robots":
                main = answer
            index.execute("INSERT INTO found VALUES (?, ?, ?, ?, ?)", _entry(answer, warc))
    wacz.note(f"archive/{warc}", counted)
    return main


def _entry(answer: Answer, warc: str) -> tuple[str, str, str, str, str]:
    entry = {
        "url": answer.url,
        "mime": answer.mime or "unk",
        "status": str(answer.status),
        "digest": answer.digest,
        "length": str(answer.size_bytes),
        "offset": str(answer.offset),
        "filename": warc,
    }
    shelf = ""
    if 200 <= answer.status < 300:
        is_main = answer.name is not None or answer.kind == "start"
        shelf = "pages" if is_main else "extraPages" if answer.mime in _HTML else ""
    number = warc.removeprefix("data").removesuffix(".warc.gz").lstrip("-")
    page = {
        "id": f"{number}{'-' if number else ''}{answer.offset:x}",
        "url": answer.url,
        "ts": _moment(answer.at),
    }
    page["title"] = answer.name or answer.url
    return surt(answer.url), f"{answer.at:%Y%m%d%H%M%S}", json.dumps(entry), shelf, json.dumps(page)


def _pages(index: sqlite3.Connection, shelf: str, title: str) -> Iterator[str]:
    yield json.dumps({"format": "json-pages-1.0", "id": shelf, "title": title})
    for (page,) in index.execute(_PAGES, (shelf,)):
        yield page


def _about(rows: Rows, main: Answer | None, at: datetime) -> dict[str, object]:
    name, verb = rows.run_path.name, readonly.config(rows.run_path).get("verb", "")
    what = "a run" if rows.parts is None else f"{len(rows.parts):,} runs"
    about: dict[str, object] = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": f"filon {verb}: {name}" if rows.parts is None else f"filon catalog: {name}",
        "description": f"What {what} of Filon was answered: pages, and the files that it found.",
        "created": _moment(at),
        "modified": _moment(at),
        "software": f"filon/{__version__}",
    }
    if main:
        about |= {"mainPageUrl": main.url, "mainPageDate": _moment(main.at)}
    return about


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
