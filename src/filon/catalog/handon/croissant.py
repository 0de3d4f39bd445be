"""Croissant 1.0, for machine learning: the tables as Parquet, each with its fields and types.

One dataset of all files: those as found, and of each table a Parquet file with a record set, so
that `mlcroissant` loads any of them by its name, from the folder alone.
"""

import re
from pathlib import Path
from typing import Any

from filon.catalog.handon.dataset import Collection, Dataset, File, Table
from filon.catalog.handon.package import (
    AGENT,
    filled,
    keep,
    read,
    table_name,
    told,
    write_json,
    write_parquet,
)
from filon.profile.parquet import kinds
from filon.profile.shape import Column
from filon.profile.values import distinct
from filon.run.export.dcat import licence

_SPECIFICATION = "http://mlcommons.org/croissant/1.0"
_OWN = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
    *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
    *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
#: As the specification has it, word for word.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    **{name: f"cr:{name}" for name in _OWN},
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
}
_TYPES = {
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "date": "sc:Date",
    "datetime": "sc:DateTime",
    "text": "sc:Text",
}
_NOT_IN_AN_ID = re.compile(r"[^\w.-]+")
_LONGEST_ID = 60


def write_croissant(collection: Collection, out: Path) -> None:
    """Write a folder for machine learning: croissant.json, files as found, tables as Parquet."""
    out.mkdir()
    (out / "tables").mkdir()
    objects: list[dict[str, Any]] = []
    sets: list[dict[str, Any]] = []
    sites: dict[str, None] = {}
    licences: dict[str, None] = {}
    for dataset, file in collection.files():
        sites[dataset.site] = None
        licences[file.licence] = None
        objects.append(_file(dataset, file, keep(file, out)))
        for table, made in read(collection, file):
            objects.append(_object(file, table, made, out))
            sets.append(_records(dataset, file, table, made))
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _SPECIFICATION,
        "name": collection.name,
        "description": f"{len(collection):,} files of {collection.name}, found in the web.",
        "version": f"{collection.at.year}.{collection.at.month}.{collection.at.day}",
        "datePublished": f"{collection.at:%Y-%m-%d}",
        "isLiveDataset": False,
        "license": [licence(text)[1] for text in licences if text],
        "publisher": [{"@type": "sc:Organization", "name": site} for site in sites],
        "rai:dataCollection": f"Found in the web and downloaded by {AGENT}.",
        "distribution": iter(objects),
        "recordSet": iter(sets),
    }
    write_json(filled(document), out / "croissant.json")


def _file(dataset: Dataset, file: File, path: str) -> dict[str, Any]:
    return filled(
        {
            "@type": "cr:FileObject",
            "@id": f"file-{file.short}",
            "name": file.name or file.short,
            "description": dataset.description,
            "contentUrl": path or file.url,
            "contentSize": f"{file.size_bytes} B",
            "encodingFormat": file.media,
            "sha256": file.id,
            "sameAs": list(file.urls),
            "license": licence(file.licence)[1],
        }
    )


def _object(file: File, table: Table, made: Any, out: Path) -> dict[str, Any]:
    name = f"{table_name(file, table)}.parquet"
    written = write_parquet(file, table, made, out / "tables" / name)
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": f"A table of {file.name or file.short}, in types.",
        "contentUrl": f"tables/{name}",
        "contentSize": f"{written.size_bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": written.sha256,
    }


def _records(dataset: Dataset, file: File, table: Table, made: Any) -> dict[str, Any]:
    name = table_name(file, table)
    names = made.column_names
    ids = distinct([_NOT_IN_AN_ID.sub("_", one).strip("_")[:_LONGEST_ID] for one in names])
    fields = zip(ids, zip(names, kinds(made.schema), told(table, made), strict=True), strict=True)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{dataset.title}: {table.name}" if table.name else dataset.title,
        "field": [_field(name, id.replace(" ", "_"), *each) for id, each in fields],
    }


def _field(table: str, id: str, name: str, kind: str, column: Column) -> dict[str, Any]:
    unit = f"in {column.unit}" if column.unit else ""
    return filled(
        {
            "@type": "cr:Field",
            "@id": f"{table}/{id}",
            "name": name,
            "description": " ".join(filter(None, (column.label, unit))),
            "dataType": _TYPES[kind],
            "source": {
                "fileObject": {"@id": f"{table}.parquet"},
                "extract": {"column": name},
            },
        }
    )
