"""A folder for Datasette: `datasette FOLDER` shows the tables and searches what is known of them.

catalog.db      SQLite: every table, and files, sightings, tables and columns with an index
metadata.json   titles, sources and licences, as Datasette shows them
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

from filon.catalog.handon.dataset import Collection
from filon.catalog.handon.package import AGENT, filled, read, rows, table_name, told, write_json
from filon.catalog.handon.relations import KINDS, relations
from filon.profile.parquet import kinds
from filon.profile.shape import Column
from filon.run.export.dcat import licence

_TYPES = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER", int: "INTEGER"}
#: What SQLite takes, unless it was built otherwise.
_MOST_COLUMNS = 2000
_KEYS = {
    "files": 'PRIMARY KEY ("id")',
    "sightings": 'FOREIGN KEY ("file") REFERENCES "files" ("id")',
    "tables": 'FOREIGN KEY ("file") REFERENCES "files" ("id")',
    "columns": 'FOREIGN KEY ("file") REFERENCES "files" ("id")',
}
_INDEX = """
CREATE INDEX sightings_file ON sightings (file);
CREATE INDEX tables_file ON tables (file);
CREATE INDEX columns_file ON columns (file);
CREATE VIRTUAL TABLE files_fts USING fts5(
    title, description, site, url, content="files",
    tokenize = "porter unicode61 remove_diacritics 2"
);
INSERT INTO files_fts (files_fts) VALUES ('rebuild');
"""


def write_datasette(collection: Collection, out: Path) -> None:
    """Write a folder for Datasette: a SQLite database to search, and its metadata."""
    out.mkdir()
    tables: dict[str, dict[str, Any]] = {}
    with closing(sqlite3.connect(out / "catalog.db", isolation_level=None)) as database:
        database.execute("BEGIN")
        for dataset, file in collection.files():
            for table, made in read(collection, file):
                if made.num_columns > _MOST_COLUMNS:
                    continue
                name = table_name(file, table)
                types = [_TYPES.get(kind, "TEXT") for kind in kinds(made.schema)]
                columns = list(zip(made.column_names, types, strict=True))
                _create(database, name, columns, rows(made))
                tables[name] = filled(
                    {
                        "title": f"{dataset.title}: {table.name}" if table.name else dataset.title,
                        "description": dataset.description,
                        "source": dataset.site,
                        "source_url": file.url,
                        "license": file.licence,
                        "license_url": _address(file.licence),
                        "columns": _columns(made.column_names, told(table, made)),
                    }
                )
        for name, frame in relations(collection, tables).items():
            columns = [(each, _TYPES.get(kind, "TEXT")) for each, kind in KINDS[name].items()]
            _create(database, name, columns, (row.values() for row in frame), _KEYS[name])
        database.execute("COMMIT")
        database.executescript(_INDEX)
    about = {"title": collection.name, "source": AGENT}
    write_json({**about, "databases": {"catalog": {"tables": tables}}}, out / "metadata.json")


def _create(
    database: sqlite3.Connection,
    name: str,
    kinds: Sequence[tuple[str, str]],
    rows: Iterable[Iterable[Any]],
    key: str = "",
) -> None:
    columns = [f"{_quoted(column)} {kind}" for column, kind in kinds] + ([key] if key else [])
    database.execute(f"CREATE TABLE {_quoted(name)} ({', '.join(columns)})")
    marks = ", ".join("?" * len(kinds))
    database.executemany(
        f"INSERT INTO {_quoted(name)} VALUES ({marks})",
        ([_cell(one) for one in row] for row in rows),
    )


def _cell(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _columns(names: Sequence[str], known: Sequence[Column]) -> dict[str, str]:
    """Return what is said of columns, by their names."""
    said = (filter(None, (one.label, one.unit and f"in {one.unit}")) for one in known)
    texts = zip(names, map(", ".join, said), strict=True)
    return {name: text for name, text in texts if text}


def _address(text: str) -> str:
    name, value = licence(text)
    return value if name == "dct:license" else ""


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
