"""What is known of the files as four tables of a database: files, sightings, tables, columns.

They are those of `filon catalog sql`, with names in place of numbers: a file is its id.
"""

from collections.abc import Collection as Names
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.package import table_name
from filon.run.frame import Frame

#: Of each relation the columns; `table` is the name of a table that is there, "" where none is.
KINDS: dict[str, dict[str, type]] = {
    "files": {
        **dict.fromkeys(("id", "dataset", "title", "description", "site", "format", "media"), str),
        **dict.fromkeys(("url", "page", "name"), str),
        **dict.fromkeys(("size_bytes", "tables", "rows"), int),
        **dict.fromkeys(("since", "until", "places", "licence", "modified"), str),
        "found_at": datetime,
        **dict.fromkeys(("problem", "detail"), str),
    },
    "sightings": {"file": str, "url": str},
    "tables": {
        **dict.fromkeys(("file", "table"), str),
        "number": int,
        "name": str,
        "rows": int,
        **dict.fromkeys(("since", "until", "places"), str),
    },
    "columns": {
        **dict.fromkeys(("file", "table"), str),
        **dict.fromkeys(("table_number", "number"), int),
        **dict.fromkeys(("name", "label", "kind", "unit", "least", "most", "examples"), str),
    },
}


def relations(collection: Collection, there: Names[str]) -> dict[str, Frame]:
    """Return the relations by name. there: the names of the tables that are handed on with them."""
    readers = {"files": _files, "sightings": _sightings, "tables": _tables, "columns": _columns}
    return {
        name: Frame(kinds, lambda read=readers[name]: read(collection, there))  # type: ignore[misc]
        for name, kinds in KINDS.items()
    }


Rows = Iterator[tuple[Any, ...]]


def _files(collection: Collection, there: Names[str]) -> Rows:
    for dataset, file in collection.files():
        years = [year for table in file.tables for year in (table.since, table.until) if year]
        places = dict.fromkeys(place for table in file.tables for place in table.places)
        yield (
            *(file.id, dataset.id, file.title, dataset.description, dataset.site, file.format),
            *(file.media, file.url, file.page, file.name, file.size_bytes, len(file.tables)),
            sum(table.rows for table in file.tables),
            *(min(years, default=""), max(years, default=""), " · ".join(places)),
            *(file.licence, file.modified, file.found_at, file.problem, file.detail),
        )


def _sightings(collection: Collection, there: Names[str]) -> Rows:
    for _, file in collection.files():
        yield from ((file.id, url) for url in file.urls)


def _tables(collection: Collection, there: Names[str]) -> Rows:
    for _, file in collection.files():
        for table in file.tables:
            name = table_name(file, table)
            yield (
                *(file.id, name if name in there else "", table.number, table.name, table.rows),
                *(table.since, table.until, " · ".join(table.places)),
            )


def _columns(collection: Collection, there: Names[str]) -> Rows:
    for _, file in collection.files():
        for table in file.tables:
            name = table_name(file, table)
            for number, one in enumerate(table.columns, start=1):
                yield (
                    *(file.id, name if name in there else "", table.number, number, one.name),
                    *(one.label, one.kind, one.unit, one.least, one.most),
                    " · ".join(one.examples),
                )
