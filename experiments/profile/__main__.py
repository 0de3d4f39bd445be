"""`python -m experiments.profile`: profiles against a hand check, beside two other readers.

    python -m experiments.profile score      header, delimiter, encoding and kinds of columns
    python -m experiments.profile draw FOLDER    the drawn files, to be looked at
    python -m experiments.profile cut        recorded binaries that are cut: none may be a table
    python -m experiments.profile speed      small files a second

The answers were written from the bytes, by other libraries, before any profile was looked at. A
kind is a letter: t text, i integer, n number, d date, D datetime, c time of day, b boolean, e no
value, w integer or number (whole values in a format that has but floats), ? anything, and [ab]
where both are right.
"""

import argparse
import bz2
import contextlib
import gzip
import io
import json
import lzma
import re
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments.profile import cut, speed
from experiments.profile.files import Drawn, draw
from experiments.profile.readers import READERS, Described

DATA = Path("../shared/data/harvest")
_HERE = Path(__file__).parent
_MEASURES = ("no table", "header", "delimiter", "encoding", "kinds", "columns")


def main() -> int:
    """Do what is asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.profile", description=__doc__)
    parser.add_argument("what", choices=("score", "draw", "cut", "speed"))
    parser.add_argument("folder", nargs="?", type=Path, help="where drawn files go")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("--packages", type=Path, default=Path("build/packages"), help="kept there")
    parser.add_argument("--wrong", action="store_true", help="tell each file that is not right")
    wanted = parser.parse_args()
    if wanted.what == "cut":
        return cut.show(wanted.data)
    if wanted.what == "speed":
        return speed.show(wanted.data)
    drawn = draw(wanted.data, wanted.packages)
    if wanted.what == "draw":
        for name, files in drawn.items():
            folder = wanted.folder / name
            folder.mkdir(parents=True, exist_ok=True)
            for one in files:
                (folder / f"{one.key} {one.name}").write_bytes(one.body)
        return 0
    for name, files in drawn.items():
        recorded = [one for one in files if "==" not in one.source]
        _score(name, "recorded sites", recorded, wrong=wanted.wrong)
        _score(name, "packages", [one for one in files if one not in recorded], wrong=wanted.wrong)
    return 0


def answers_of(draw: str) -> dict[str, dict[str, Any]]:
    """Return the answers of a draw, by the hashes of the files."""
    path = _HERE / f"answers-{draw}.json"
    answers: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return answers


def _score(name: str, part: str, files: list[Drawn], *, wrong: bool) -> None:
    answers = answers_of(name)
    print(f"The {name} draw, {part}: {len(files)} files")
    print(f"  {'':14}" + "".join(f"{measure:>16}" for measure in _MEASURES))
    for reader in READERS:
        marks: dict[str, list[float]] = {measure: [] for measure in _MEASURES}
        for one in files:
            got = _marks(reader, one, answers[one.key])
            for measure, mark in got.items():
                marks[measure].append(mark)
            if wrong and any(mark < 1 for mark in got.values()):
                bad = {measure: mark for measure, mark in got.items() if mark < 1}
                print(f"    {reader}: {one.key} {one.name} {bad}", file=sys.stderr)
        print(f"  {reader:14}" + "".join(f"{_shown(m, marks[m]):>16}" for m in _MEASURES))


def _shown(measure: str, marks: list[float]) -> str:
    if not marks:
        return ""
    if measure == "columns":
        return f"{100 * sum(marks) / len(marks):.1f} %"
    return f"{sum(mark == 1 for mark in marks)} of {len(marks)}"


def _marks(reader: str, one: Drawn, answer: dict[str, Any]) -> dict[str, float]:
    sheets = list(answer.get("tables", {}))
    with _file(one) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = READERS[reader](path, sheets)
    if "none" in answer:
        return {"no table": float(not got.tables)}
    marks: dict[str, float] = {}
    if "encoding" in answer:
        body = _unpacked(one)
        text = _text(body, answer["encoding"])
        marks["encoding"] = float(bool(got.tables) and _text(body, got.encoding) == text)
    if "delimiter" in answer:
        right = answer["delimiter"]
        marks["delimiter"] = float(bool(got.tables) and right in ("any", got.delimiter))
    headers, shares = [], []
    for place, (sheet, (header, kinds)) in enumerate(answer["tables"].items()):
        found = _table(got, sheet, place)
        if header is not None:
            accepted = header if isinstance(header, list) else [header]
            headers.append(found is not None and found[0] in accepted)
        shares.append(_share(kinds, found[1] if found else ""))
    if headers:
        marks["header"] = float(all(headers))
    marks["columns"] = sum(shares) / len(shares)
    marks["kinds"] = float(marks["columns"] == 1)
    return marks


@contextlib.contextmanager
def _file(one: Drawn) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / one.name
        path.write_bytes(one.body)
        yield path


def _table(got: Described, sheet: str, place: int) -> tuple[int, str] | None:
    for name, table in got.tables.items():
        if name == sheet or (sheet and name.endswith(f": {sheet}")):
            return table
    tables = list(got.tables.values())
    return tables[place] if place < len(tables) else None


def _unpacked(one: Drawn) -> bytes:
    """Return the bytes of a text, whatever it is packed in."""
    if one.name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(one.body)) as archive:
            return archive.read(archive.namelist()[0])
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
    return unpack.get(Path(one.name).suffix, bytes)(one.body)


def _text(body: bytes, encoding: str) -> str | None:
    """Return the text: an encoding is right where it gives the right one."""
    try:
        return body.decode(encoding or "utf-8").removeprefix("\ufeff")
    except (UnicodeDecodeError, LookupError):
        return None


def _share(kinds: str, found: str) -> float:
    """Return which share of the columns is of the right kind.

    >>> _share("i[dD]w?", "iDnt"), _share("it", "itt")
    (1.0, 0.6666666666666666)
    """
    letters = re.findall(r"\[(\w+)\]|(.)", kinds)
    right = 0
    for (several, one), kind in zip(letters, found, strict=False):
        accepted = {"w": "in", "?": kind, "e": kind}.get(one, several or one)
        right += kind in accepted
    return right / max(len(letters), len(found), 1)


if __name__ == "__main__":
    sys.exit(main())
