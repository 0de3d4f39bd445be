"""A small library to fill a table from, and the command that does it."""

import csv
import random
from pathlib import Path

from command import Ended, filon
from searchbox import Row, SearchBox, books, write_table

HIDDEN = books(400)
LOCAL = random.Random(7).sample(HIDDEN, 60)
ABSENT = [{"title": f"Nothing like volume {n}", "author": "Nemo"} for n in range(10)]
QUICK = ("--delay", 0, "--strategy", "simple")
WISH = ("--match", "title,author", "--add", "year,isbn")


def enrich(folder: Path, box: SearchBox, *more: object, out: str = "run") -> Ended:
    if not (folder / "box.toml").exists():
        box.source(folder)
    if not (folder / "t.csv").exists():
        write_table(folder / "t.csv", LOCAL + ABSENT)
    return filon(
        folder,
        "enrich",
        "t.csv",
        "--from",
        "box.toml",
        *WISH,
        *QUICK,
        "--out",
        out,
        "--json",
        *more,
    )


def rows_of(path: Path, encoding: str = "utf-8") -> list[Row]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))
