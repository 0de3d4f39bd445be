"""Run folders that an older Filon left half way, and what is made of them.

They are packed as they were: never write them anew, but add others where a later version leaves
folders of another form.
"""

import csv
import json
import re
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from golden.play import command, filon
from golden.trace import digest, number

PACKED = Path(__file__).parent / "folders"
KILLED = "enrich-killed"
#: The folders, and the budget that each is resumed with.
FOLDERS = {
    "harvest": "4000req",
    "discover": "150req",
    "follow": "3000req",
    "enrich": "40req",
    "replicate": "300req",
    KILLED: "40req",  # after its calls, before its table was written
}
FORMATS = ("csv", "parquet", "sqlite", "jsonl", "files", "json", "dcat", "nquads", "oxigraph")
#: Formats whose text is held, its lines in any order.
_TEXTS = ("csv", "jsonl", "json", "dcat", "nquads")
_STEPS = """
SELECT method, url, parent, kind, arm, score, expected, why, status, size_bytes, sha256
FROM steps ORDER BY step
"""


#: A round lies within its run.
WITHIN = {"refresh": "rounds/0001"}


def unpack(name: str, to: Path) -> Path:
    """Unpack a folder; return where it is."""
    with tarfile.open(PACKED / f"{name}.tar.gz") as packed:
        packed.extractall(to, filter="data")
    return to / name / WITHIN.get(name, "")


def say(*words: object) -> tuple[int, str]:
    """Run a command in this process; return its exit code and what it printed."""
    with redirect_stdout(StringIO()) as said:
        code = command([str(word) for word in words])
    return code, said.getvalue()


def looks(run: Path) -> dict[str, Any]:
    """Return what every command that only looks makes of a run."""
    first = _asked(run)
    told: dict[str, Any] = {"report": say("report", run)[0], "headings": headings(run)}
    told["why"] = [say("why", run, first)[0], digest(say("why", run, first)[1].splitlines())]
    told["exports"] = {to: _export(run, to) for to in FORMATS}
    with filon.open_run(run) as opened:
        told["python"] = [opened.stopped, len([*opened])]
    return told


def steps(run: Path) -> list[str]:
    """Return all steps and finds of a ledger as lines."""
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        rows = [
            [number(cell) if isinstance(cell, float) else cell for cell in row]
            for row in ledger.execute(_STEPS)
        ]
        rows += [
            [*row] for row in ledger.execute("SELECT kind, url, name FROM finds ORDER BY find")
        ]
    return [json.dumps(row, ensure_ascii=False) for row in rows]


def headings(run: Path) -> list[str]:
    """Return the headings of a report."""
    page = (run / "report.html").read_text("utf-8")
    return [re.sub(r"<[^>]*>", "", found) for found in re.findall(r"<h[1-3][^>]*>(.*?)</h", page)]


def _asked(run: Path) -> str:
    """Return what is asked for: the last find that was made, or the first row of a table."""
    with closing(sqlite3.connect(run / "ledger.sqlite")) as ledger:
        kind, url = ledger.execute("SELECT kind, url FROM finds ORDER BY find DESC").fetchone()
    return "1" if kind == "record" else str(url)


def _export(run: Path, to: str) -> object:
    out = run.parent / f"{run.name}-as-{to}"
    code, _ = say("export", run, "--to", to, "--out", out)
    if code:
        return [code]
    told: list[object] = [code, *_SHAPES[to](out)]
    if to in _TEXTS:
        text = out.read_text("utf-8").replace(str(run.resolve()), "")
        text = text.replace(filon.__version__, "")
        told.append({"sha256": digest(sorted(text.splitlines()))})
    return told


def _csv(path: Path) -> Iterator[object]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = [*csv.reader(file)]
    yield from (rows[0], len(rows) - 1)


def _jsonl(path: Path) -> Iterator[object]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    yield from ([*rows[0]] if rows else [], len(rows))


def _json(path: Path) -> Iterator[object]:
    told = json.loads(path.read_text("utf-8"))
    yield from ([*told] if isinstance(told, dict) else [*told[0]], len(told))


def _parquet(path: Path) -> Iterator[object]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    yield from (table.column_names, table.num_rows)


def _sqlite(path: Path) -> Iterator[object]:
    with closing(sqlite3.connect(path)) as database:
        names = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        for (name,) in database.execute(names).fetchall():
            columns = database.execute("SELECT name, type FROM pragma_table_info(?)", (name,))
            told = [" ".join(column) for column in columns]
            yield [name, told, database.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]]


def _files(path: Path) -> Iterator[object]:
    names = sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())
    yield from (len(names), digest(names))


def _lines(path: Path) -> Iterator[object]:
    yield len(path.read_text("utf-8").splitlines())


def _there(path: Path) -> Iterator[object]:
    yield path.is_dir()


_SHAPES: dict[str, Callable[[Path], Iterator[object]]] = {
    "csv": _csv,
    "parquet": _parquet,
    "sqlite": _sqlite,
    "jsonl": _jsonl,
    "files": _files,
    "json": _json,
    "dcat": _lines,
    "nquads": _lines,
    "oxigraph": _there,
}
