"""Rows as CSV, for spreadsheets, and as JSON, for programs."""

import csv
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from filon.run.export.format import Rows
from filon.run.text import cell


def write_csv(rows: Rows, out: Path) -> None:
    """Write a CSV table in which no cell is a formula."""
    write_table(rows.frame.columns, (row.values() for row in rows.frame), out)


def write_table(columns: Sequence[str], rows: Iterable[Iterable[Any]], out: Path) -> None:
    """Write rows as CSV."""
    with out.open("x", encoding="utf-8", errors="replace", newline="") as file:
        # With its usual "\r\n" the writer quotes a lone carriage return too: no row can be forged.
        writer = csv.writer(file)
        writer.writerow([cell(name) for name in columns])
        writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        value = " ".join(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return cell(value) if isinstance(value, str) else value


def write_jsonl(rows: Rows, out: Path) -> None:
    """Write a JSON object a line, values as they are."""
    with out.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
        for row in rows.objects():
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_json(rows: Rows, out: Path) -> None:
    """Write one JSON array, an object a row."""
    with out.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write("[")
        before = "\n"
        for row in rows.objects():
            text = json.dumps(row, ensure_ascii=False, indent=1).replace("\n", "\n ")
            file.write(f"{before} {text}")
            before = ",\n"
        file.write("]\n" if before == "\n" else "\n]\n")
