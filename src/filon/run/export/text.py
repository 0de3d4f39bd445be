"""Finds as CSV, for spreadsheets, and as JSON lines, for programs."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from filon.run.export.rows import Row, rows
from filon.run.text import cell


def write_csv(run_path: Path, out: Path) -> None:
    """Write a CSV table, a row a find."""
    write_rows(rows(run_path), out)


def write_rows(table: Iterable[Row], out: Path) -> None:
    """Write rows as CSV in which no cell is a formula."""
    with out.open("x", encoding="utf-8", newline="") as file:
        # With its usual "\r\n" the writer quotes a lone carriage return too: no row can be forged.
        writer = csv.writer(file)
        writer.writerow(Row._fields)
        for row in table:
            shown = row._replace(found_at=row.found_at.isoformat())  # type: ignore[arg-type]
            writer.writerow([cell(v) if isinstance(v, str) else v for v in shown])


def write_jsonl(run_path: Path, out: Path) -> None:
    """Write a JSON object a line, a line a find, values as they are in the ledger."""
    with out.open("x", encoding="utf-8", newline="\n") as file:
        for row in rows(run_path):
            shown = {**row._asdict(), "found_at": row.found_at.isoformat()}
            file.write(json.dumps(shown, ensure_ascii=False) + "\n")
