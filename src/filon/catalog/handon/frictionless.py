"""A Data Package (Frictionless, version 1): files as found, and their tables as CSV with a schema.

The tables are written anew in UTF-8, with commas and plain numbers and dates, so that the schema
holds for every cell, whatever the file was: a sheet, a member of a zip, a CSV in other notations.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from filon.catalog.handon import package
from filon.catalog.handon.dataset import Collection, Dataset, File, Table
from filon.profile.parquet import kinds
from filon.profile.shape import Column
from filon.run.export.dcat import licence
from filon.run.export.warc import Counted

_TYPES = {"text": "string"}
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9._-]+")
_NOT_IN_A_LICENCE = re.compile(r"[^A-Za-z0-9._-]+")


def write_frictionless(collection: Collection, out: Path) -> None:
    """Write a Frictionless data package: files as found, and their tables as CSV with a schema."""
    out.mkdir()
    (out / "tables").mkdir()
    at = f"{collection.at:%Y-%m-%dT%H:%M:%SZ}"
    document = {
        "profile": "data-package",
        "name": _NOT_IN_A_NAME.sub("-", collection.name.lower()).strip("-") or "filon",
        "title": collection.name,
        "description": f"{len(collection):,} files of {collection.name}, found in the web.",
        "created": at,
        "contributors": [{"title": package.AGENT, "role": "wrangler"}],
        "resources": _resources(collection, out),
    }
    package.write_json(document, out / "datapackage.json")


def _resources(collection: Collection, out: Path) -> Iterator[dict[str, Any]]:
    for dataset, file in collection.files():
        about = _about(dataset, file)
        if path := package.keep(file, out):
            yield _file(file, path, about)
        for table, made in package.read(collection, file):
            yield _table(file, table, made, about, out)


def _about(dataset: Dataset, file: File) -> dict[str, Any]:
    """Return what is the same of a file and of its tables."""
    source = {"title": file.page_title or dataset.site, "path": file.url}
    return {
        "title": dataset.title,
        "description": dataset.description,
        "sources": [package.filled(source)],
        "licenses": [_licence(file.licence)] if file.licence else [],
        "homepage": dataset.page,
        "modified": file.modified,
        "retrieved": f"{file.found_at:%Y-%m-%dT%H:%M:%SZ}",
        "version": file.version,
        "previousVersions": [f"sha256:{id}" for id in file.earlier],
        "vanished": file.gone,
    }


def _licence(text: str) -> dict[str, str]:
    """Return a licence: by its address, or by a name as the specification wants it.

    >>> _licence("https://creativecommons.org/licenses/by/4.0/")
    {'path': 'https://creativecommons.org/licenses/by/4.0/'}
    >>> _licence("CC BY 4.0")
    {'name': 'CC-BY-4.0', 'title': 'CC BY 4.0'}
    """
    name, value = licence(text)
    if name == "dct:license":
        return {"path": value}
    return {"name": _NOT_IN_A_LICENCE.sub("-", text).strip("-") or "other", "title": text}


def _file(file: File, path: str, about: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": f"file-{file.short}",
        "type": "file",  # as it is: no schema, no dialect
        "path": path,
        **package.filled(about),
        "format": file.ending,
        "mediatype": file.media,
        "bytes": file.size_bytes,
        "hash": f"sha256:{file.id}",
    }


def _table(file: File, table: Table, made: Any, about: dict[str, Any], out: Path) -> dict[str, Any]:
    name = package.table_name(file, table)
    path = f"tables/{name}.csv"
    rows, written = _write_csv(made, out / path)
    columns = zip(made.column_names, kinds(made.schema), package.told(table, made), strict=True)
    fields = [_field(*each) for each in columns]
    title = f"{about['title']}: {table.name}" if table.name else about["title"]
    return package.filled(
        {
            "name": name,
            "type": "table",
            "profile": "tabular-data-resource",
            "path": path,
            **about,
            "title": title,
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "bytes": written.size_bytes,
            "hash": f"sha256:{written.sha256}",
            "rows": rows,
            "temporal": package.filled({"start": table.since, "end": table.until}),
            "spatial": list(table.places),
            "schema": {"fields": fields},
        }
    )


def _field(name: str, kind: str, column: Column) -> dict[str, Any]:
    return package.filled(
        {
            "name": name,
            "type": _TYPES.get(kind, kind),
            "description": column.label,
            "unit": column.unit,
        }
    )


def _write_csv(made: Any, out: Path) -> tuple[int, Counted]:
    """Write the rows in which there is a value, as others are an error here; return how many."""
    with out.open("xb") as file:
        counted, rows = Counted(file), 0
        writer = csv.writer(_Encoded(counted))
        writer.writerow(made.column_names)
        for row in package.rows(made):
            cells = [_cell(value) for value in row]
            if any(cells):
                rows += 1
                writer.writerow(cells)
    return rows, counted


class _Encoded:
    """Takes text for a sink of bytes."""

    def __init__(self, sink: Counted) -> None:
        self._sink = sink

    def write(self, text: str) -> None:
        """Hand on."""
        self._sink.write(text.encode("utf-8", "replace"))


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str() | int():
            return str(value)
        case float():
            return repr(value)
    text: str = value.isoformat()
    return f"{text}Z" if "T" in text else text
