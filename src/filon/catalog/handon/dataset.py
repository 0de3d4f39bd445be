"""What is handed on: a dataset is a file, or the same in several formats.

Files are one dataset where one page links to them under the same headings, their names are the
same but for the format, no two have the same format, and their tables share a column. All else is a
dataset a file.
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from filon.catalog.store import CatalogStore
from filon.catalog.versions import earlier
from filon.core import MachineError
from filon.page.formats import mime_of, title
from filon.page.url import host, mask_url, parse
from filon.profile import shape
from filon.profile.shape import Column
from filon.run.text import count, plain, size

#: Extensions of the formats that a profile calls otherwise.
_ENDINGS = {
    "ndjson": "jsonl",
    "text": "txt",
    "fixed width": "txt",
    "gzip": "gz",
    "bzip2": "bz2",
    "zstd": "zst",
    "shapefile": "zip",
    "notebook": "json",
    "json-stat": "json",
    "jsonp": "txt",
    "zsav": "sav",
}
_UNKNOWN = "bin"
#: Problems of files that are whole.
_SOUND = ("", "no table")
_DATE = re.compile(
    r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?"
)
#: What browsers leave in a URL and RDF takes for none.
_NOT_IN_AN_IRI = re.compile(r'[\x00-\x20<>"{}|\\^`]')
#: Words that say in a name which format it is.
_FORMAT_WORD = re.compile(r"[-_. ]+(?:csv|tsv|xlsx?|excel|ods|json|xml|parquet|zip|gz)$", re.I)
_LONGEST_DESCRIPTION = 4000
_COLUMNS_TOLD = 20
_FIRST = """
SELECT * FROM (
    SELECT s.*, f.id, f.title, f.format,
           row_number() OVER (PARTITION BY s.file ORDER BY s.found_s, s.url) AS place
    FROM sightings s JOIN files f USING (file) WHERE f.newer = ''
) WHERE place = 1 ORDER BY site, url, id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(shape.Table):
    """A table of a file. number: among those of the file, from 1 on."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file: its bytes, where they are from, and the tables in it.

    id: the SHA-256 of the bytes. path: where they lie; None where they are gone.
    short: the first letters of the id, by which it is known among all that are handed on.
    name: what the web calls it. urls: where it was found, the first first.
    ending, media: extension and media type, by what the bytes are.
    page: that links to it. modified: an ISO date, "" where it is not known.
    earlier: the ids of what was at its addresses before, the oldest first.
    gone: the day on which nothing was there any more; "" where it is still there.
    problem, detail: why it has no tables, or not all.
    """

    id: str
    short: str
    title: str
    name: str
    urls: tuple[str, ...]
    format: str
    ending: str
    media: str
    encoding: str
    size_bytes: int
    path: Path | None
    run: str
    page: str
    page_title: str
    headings: str
    around: str
    tables: tuple[Table, ...]
    licence: str
    modified: str
    found_at: datetime
    earlier: tuple[str, ...]
    gone: str
    problem: str
    detail: str

    @property
    def version(self) -> str:
        """Which version of it this is; "" where no other is known."""
        return str(len(self.earlier) + 1) if self.earlier else ""

    @property
    def url(self) -> str:
        """Where it was found first; "" where that is no address of the web."""
        return self.urls[0] if self.urls else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """One file or the same in several formats.

    site: the host that it is from.
    """

    files: tuple[File, ...]
    title: str
    description: str
    site: str

    @property
    def id(self) -> str:
        """That of its first file."""
        return self.files[0].id

    @property
    def page(self) -> str:
        """Where a person reads about it: the page that links to it, else the file itself."""
        return self.files[0].page or self.files[0].url

    @property
    def licence(self) -> str:
        """The one licence of its files; "" where there is none, or more than one."""
        known = {file.licence for file in self.files}
        return known.pop() if len(known) == 1 else ""

    @property
    def modified(self) -> str:
        """When a file of it was last changed, as far as that is known."""
        return max(file.modified for file in self.files)

    @property
    def found_at(self) -> datetime:
        """When the last file of it was got."""
        return max(file.found_at for file in self.files)

    @property
    def covers(self) -> tuple[str, str]:
        """The first and the last year that its tables speak of; "" where none does."""
        tables = [table for file in self.files for table in file.tables if table.since]
        since = min((table.since for table in tables), default="")
        return since, max((table.until for table in tables), default="")

    @property
    def places(self) -> tuple[str, ...]:
        """The places that its tables name."""
        tables = (table for file in self.files for table in file.tables)
        return tuple(dict.fromkeys(place for table in tables for place in table.places))

    @property
    def box(self) -> tuple[float, ...]:
        """West, south, east and north of all that its tables have shapes or coordinates of."""
        boxes = [table.box for file in self.files for table in file.tables if table.box]
        if not boxes:
            return ()
        west, south, east, north = zip(*boxes, strict=True)
        return min(west), min(south), max(east), max(north)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its tables, each name once."""
        tables = (table for file in self.files for table in file.tables)
        found = {column.name: column for table in tables for column in reversed(table.columns)}
        return tuple(reversed(found.values()))


class Collection:
    """Files of a catalog that are handed on together.

    name: of the folder or the run that they are from.
    files: their numbers in the catalog; None: all.
    """

    def __init__(
        self, catalog: CatalogStore, name: str, files: Sequence[int] | None = None
    ) -> None:
        self.catalog = catalog
        self.name = _text(name)
        rows = catalog.db.execute(_FIRST).fetchall()
        chosen = None if files is None else frozenset(files)
        first = [row for row in rows if chosen is None or row["file"] in chosen]
        self._letters = _letters([row["id"] for row in first])
        self._groups = list(self._grouped(first))
        #: When the last of them came: the moment of all that is written, so that it is repeatable.
        self.at = datetime.fromtimestamp(max((row["found_s"] for row in first), default=0), UTC)

    def _grouped(self, rows: Sequence[sqlite3.Row]) -> Iterator[list[tuple[int, str]]]:
        """Yield the files of each dataset: their numbers and ids."""
        together: dict[tuple[str, ...], list[sqlite3.Row]] = {}
        for row in rows:
            alone = not (row["parent"] and _stem(row["name"]))
            key = (row["id"],) if alone else (row["parent"], row["headings"], _stem(row["name"]))
            together.setdefault(key, []).append(row)
        for group in together.values():
            formats = {row["format"] for row in group}
            if len(formats) == len(group) and (len(group) == 1 or self._alike(group)):
                yield [(row["file"], row["id"]) for row in group]
            else:
                yield from ([(row["file"], row["id"])] for row in group)

    def _alike(self, rows: Sequence[sqlite3.Row]) -> bool:
        """Say whether those of some files that have tables share a name of a column."""
        tables = (self.catalog.tables(row["file"]) for row in rows)
        names = [{c["name"].lower() for _, columns in each for c in columns} for each in tables]
        return bool(set.intersection(*filter(None, names))) if any(names) else True

    def __len__(self) -> int:
        """Return how many files there are."""
        return sum(map(len, self._groups))

    def datasets(self) -> Iterator[Dataset]:
        """Yield the datasets, in the order of their sites and addresses."""
        for group in self._groups:
            files = tuple(self._file(*known) for known in group)
            yield Dataset(
                title=_common_title(files),
                description=_description(files),
                site=host(files[0].url) or "unknown",
                files=files,
            )

    def files(self) -> Iterator[tuple[Dataset, File]]:
        """Yield the files, each with its dataset."""
        for dataset in self.datasets():
            for file in dataset.files:
                yield dataset, file

    def _file(self, file: int, id: str) -> File:
        row = self.catalog.find(id)
        seen = self.catalog.sightings(file)
        first = seen[0]
        try:
            path: Path | None = self.catalog.path(file)
        except MachineError:
            path = None  # its bytes are gone: what is known of it is not
        # What cannot be read is bytes: a reader need not try a damaged zip, or a bomb.
        ending = ending_of(row["format"] if row["problem"] in _SOUND else "")
        licences = (one["licence"] for one in seen)
        dates = (_date(one["modified"]) for one in seen)
        return File(
            id=id,
            short=id[: self._letters],
            run=first["run"],
            path=path,
            title=_text(row["title"]),
            name=_text(first["name"]),
            urls=tuple(dict.fromkeys(filter(None, (_address(one["url"]) for one in seen)))),
            format=row["format"],
            ending=ending,
            media=mime_of(ending),
            encoding=row["encoding"],
            size_bytes=row["size_bytes"],
            page=_address(first["parent"]),
            page_title=_text(first["page_title"]),
            headings=_text(first["headings"]),
            around=_text(first["around"]),
            licence=_text(next(filter(None, licences), "")),
            modified=next(filter(None, dates), ""),
            found_at=datetime.fromtimestamp(first["found_s"], UTC),
            earlier=tuple(earlier(self.catalog.db, file)),
            gone=row["gone"],
            problem=row["problem"],
            detail=_text(row["detail"]),
            tables=tuple(self._tables(file)),
        )

    def _tables(self, file: int) -> Iterator[Table]:
        for row, columns in self.catalog.tables(file):
            yield Table(
                number=row["number"] + 1,
                name=_text(row["name"]),
                rows=row["rows"],
                since=row["since"],
                until=row["until"],
                places=tuple(filter(None, map(_text, row["places"].split(" · ")))),
                box=tuple(map(float, row["box"].split())),
                columns=tuple(map(_column, columns)),
            )


def ending_of(format: str) -> str:
    """Return the extension of a format of a profile.

    >>> ending_of("csv"), ending_of("csv in gzip"), ending_of("fixed width"), ending_of("?")
    ('csv', 'gz', 'txt', 'bin')
    """
    whole = format.rpartition(" in ")[2]
    ending = _ENDINGS.get(whole, whole)
    return ending if mime_of(ending) else _UNKNOWN


def _column(row: sqlite3.Row) -> Column:
    return Column(
        name=_text(row["name"]),
        label=_text(row["label"]),
        kind=row["kind"],
        unit=_text(row["unit"]),
        least=_text(row["least"]),
        most=_text(row["most"]),
        examples=tuple(map(_text, json.loads(row["examples"]))),
    )


def _stem(name: str) -> str:
    """Return a name without what says its format.

    >>> _stem("Prices 2020.csv"), _stem("prices 2020_xlsx.XLSX"), _stem("prices 2020.csv.gz")
    ('prices 2020', 'prices 2020', 'prices 2020')
    """
    stem = name.lower()
    while (shorter := _FORMAT_WORD.sub("", stem)) != stem:
        stem = shorter
    return stem


def _letters(ids: Sequence[str]) -> int:
    """Return how many letters of the ids tell them apart: twelve, or as many as it takes."""
    letters = 12
    while letters < 64 and len({id[:letters] for id in ids}) < len(set(ids)):
        letters += 4
    return letters


def _common_title(files: Sequence[File]) -> str:
    titles = {file.title for file in files}
    if len(titles) > 1:  # the words of its links: "CSV", "Excel"
        above = files[0].headings.rpartition(" > ")[2] or files[0].page_title
        titles = {above or _stem(files[0].name)}
    return titles.pop() or files[0].name or files[0].url or files[0].short


def _description(files: Sequence[File]) -> str:
    """Return what the pages say of files, and what is in them: sentences, never none."""
    first = files[0]
    kinds = " and ".join(
        f"{title(file.media, file.name)} ({size(file.size_bytes)})" for file in files
    )
    day = f"{max(file.found_at for file in files):%Y-%m-%d}"
    parts = [f"{kinds}, found at {host(first.url) or 'an unknown place'} on {day}."]
    where = [f"the page “{first.page_title}”"] if first.page_title else []
    where += [f"under “{first.headings}”"] if first.headings else []
    parts += [f"Linked from {' '.join(where)}."] if where else []
    parts += [f"The page says: {first.around}"] if first.around else []
    parts += [_contents(table) for table in first.tables[:5]]
    if first.problem and not first.tables:
        parts.append(first.detail)
    return " ".join(parts)[:_LONGEST_DESCRIPTION]


def _contents(table: Table) -> str:
    named = f"Table “{table.name}”" if table.name else "A table"
    names = ", ".join(column.name for column in table.columns[:_COLUMNS_TOLD])
    more = len(table.columns) - _COLUMNS_TOLD
    others = f" and {count(more)} more" if more > 0 else ""
    return f"{named} of {count(table.rows)} rows: {names}{others}."


def _date(text: str) -> str:
    """Return a date that is one of ISO 8601; "" for one in other words.

    >>> _date("2020-01-02T03:04:05Z"), _date("2020-01-02 03:04"), _date("2020-13-40"), _date("May")
    ('2020-01-02T03:04:05Z', '2020-01-02T03:04:00', '', '')
    """
    dated = text.strip().replace(" ", "T", 1)
    if not _DATE.fullmatch(dated):
        return ""
    try:
        moment = datetime.fromisoformat(dated if len(dated) > 7 else f"{dated}-01-01"[:10])
    except ValueError:
        return ""
    return moment.isoformat().replace("+00:00", "Z") if "T" in dated else dated


def _address(url: str) -> str:
    """Return a URL as an IRI, without a password; "" where it is none.

    >>> _address("http://me:secret@a.test/?q={x}|y")
    'http://***@a.test/?q=%7Bx%7D%7Cy'
    """
    return _NOT_IN_AN_IRI.sub(lambda odd: quote(odd[0]), parse(mask_url(url)))


def _text(text: str) -> str:
    """Return a text that every format can hold: on one line, without what cannot be seen."""
    return plain(" ".join(text.split()))
