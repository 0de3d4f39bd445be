"""The records of an enrichment and the rows they are about, as tables that other tools read."""

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from filon.core import UserError
from filon.run.export.format import Export
from filon.run.text import cell
from filon.verbs.enrich.records import FILE, known_fields, reading_book, records

_OWN = ("row", "filon_score", "filon_id", "filon_url", "filon_fetched_at", "filon_evidence", "sure")
_GROUP = 20_000


def _lines(run_path: Path) -> Iterator[dict[str, Any]]:
    with reading_book(run_path) as book:
        for found in records(book):
            at = datetime.fromtimestamp(found["at_s"], UTC).isoformat(timespec="seconds")
            own = (found["row"], found["score"], found["id"], found["url"], at)
            marks = dict(zip(_OWN, (*own, found["evidence"], found["sure"]), strict=True))
            yield {"marks": marks, "fields": found["fields"]}


def _names(run_path: Path) -> list[str]:
    return known_fields(_lines(run_path))


def write_csv(run_path: Path, out: Path) -> None:
    """Write a CSV table, a row a record and row of the table that it may be about."""
    names = _names(run_path)
    with out.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*_OWN, *names])
        for line in _lines(run_path):
            fields = [cell(line["fields"].get(name, "")) for name in names]
            marks = (cell(m) if isinstance(m, str) else m for m in line["marks"].values())
            writer.writerow([*marks, *fields])


def write_jsonl(run_path: Path, out: Path) -> None:
    """Write a JSON object a line."""
    with out.open("x", encoding="utf-8", newline="\n") as file:
        for line in _lines(run_path):
            told = {**line["marks"], "fields": line["fields"]}
            file.write(json.dumps(told, ensure_ascii=False) + "\n")


def write_sqlite(run_path: Path, out: Path) -> None:
    """Write a SQLite database with the tables records, matches, rows and conflicts."""
    with reading_book(run_path):  # says what is wrong better than a copy would
        pass
    source = f"{(run_path / FILE).resolve().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(source, uri=True)) as book,
        closing(sqlite3.connect(out)) as copy,
    ):
        book.backup(copy)


def write_parquet(run_path: Path, out: Path) -> None:
    """Write a Parquet table like the CSV table."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        raise UserError(
            "The export to parquet needs the extra 'parquet': pip install 'filon[parquet]'."
        ) from None
    names = _names(run_path)
    types = {"row": "int64", "filon_score": "float64", "sure": "int64"}
    kinds = [(name, pyarrow.type_for_alias(types.get(name, "string"))) for name in _OWN]
    kinds += [(f"field_{n}" if n in _OWN else n, pyarrow.string()) for n in names]
    schema = pyarrow.schema(kinds)
    lines = _lines(run_path)
    with ParquetWriter(out, schema, compression="zstd") as writer:
        while group := list(islice(lines, _GROUP)):
            rows = [[*g["marks"].values(), *(g["fields"].get(n) for n in names)] for g in group]
            arrays = [
                pyarrow.array(column, field.type)
                for column, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


#: What becomes of its records, which are no files.
RECORDS: dict[str, Export] = {
    "csv": Export(write_csv, ".csv"),
    "parquet": Export(write_parquet, ".parquet"),
    "sqlite": Export(write_sqlite, ".sqlite"),
    "jsonl": Export(write_jsonl, ".jsonl"),
}
