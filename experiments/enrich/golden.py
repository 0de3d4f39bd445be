"""Tables whose true matches are known: what a matcher is measured on."""

import csv
import gzip
import io
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from filon.core import Record

Cells = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """A table, the hidden records, and for each row the ids of those that it truly matches.

    known: rows of which the gold says whether and what they match. Where it is not complete
        these are the rows that have a match in it.
    """

    name: str
    columns: Mapping[str, Sequence[str]]
    records: Sequence[Record]
    gold: Sequence[frozenset[str]]
    known: Sequence[bool]

    def part(self, rows: Sequence[int], name: str) -> "Golden":
        """Return the same with some of the rows."""
        return Golden(
            name=f"{self.name}, {name}",
            columns={name: [cells[row] for row in rows] for name, cells in self.columns.items()},
            records=self.records,
            gold=[self.gold[row] for row in rows],
            known=[self.known[row] for row in rows],
        )


def dblp_scholar(data: Path) -> Golden:
    """DBLP against Google Scholar, among other records of DBLP."""
    folder = data / "dblp-scholar"
    strangers = [row for row in _read(folder / "distractors.csv.gz") if row["same_title"] != "1"]
    hidden = _read(folder / "scholar.csv") + strangers
    return _golden("DBLP-Scholar", _read(folder / "dblp.csv"), hidden, _read(folder / "gold.csv"))


def walmart_amazon(data: Path) -> Golden:
    """Walmart's products against Amazon's; the gold lacks many matches."""
    folder = data / "walmart-amazon"
    ours, hidden = _read(folder / "walmart.csv"), _read(folder / "amazon.csv.gz")
    return _golden("Walmart-Amazon", ours, hidden, _read(folder / "gold.csv"), complete=False)


def dbpedia_imdb(data: Path) -> Golden:
    """Films: every title of ours has its year behind, and many the article; names are inverted."""
    folder = data / "dbpedia-imdb"
    ours, hidden = _read(folder / "dbpedia.csv"), _read(folder / "imdb.csv")
    return _golden("DBpedia-IMDb", ours, hidden, _read(folder / "gold.csv"))


def imdb_tmdb(data: Path) -> Golden:
    """Persons, films, series and episodes; the pairs that the gold lacks count as right."""
    folder = data / "imdb-tmdb"
    ours, hidden = _read(folder / "imdb.csv"), _read(folder / "tmdb.csv")
    gold = _read(folder / "gold.csv") + _read(folder / "unlabelled.csv")
    return _golden("IMDb-TMDb", ours, hidden, gold)


def acl(
    data: Path,
    *,
    absent: float,
    errors: float,
    columns: Sequence[str] = ("title", "authors", "venue", "year"),
    rows: int = 3000,
    hidden: int = 12000,
    seed: int = 0,
) -> Golden:
    """Papers of the ACL against themselves: a part of them absent, a part of the rows misspelt."""
    dice = random.Random(seed)
    drawn = dice.sample(_read(data / "acl.csv.gz"), hidden)
    gone = int(absent * rows)
    ours = [_misspelt(row, dice) if dice.random() < errors else row for row in drawn[:rows]]
    gold = [{"ours": row["id"], "theirs": row["id"]} for row in drawn[gone:rows]]
    name = f"ACL, {absent:.0%} absent, {errors:.0%} misspelt, by {', '.join(columns)}"
    whole = _golden(name, ours, drawn[gone:], gold)
    return Golden(
        name=name,
        columns={column: whole.columns[column] for column in columns},
        records=whole.records,
        gold=whole.gold,
        known=whole.known,
    )


def papers(data: Path, count: int, seed: int) -> list[Cells]:
    """Draw papers of the ACL."""
    return random.Random(seed).sample(_read(data / "acl.csv.gz"), count)


_KINDS = ("Yearbook", "Survey", "Atlas", "Bulletin", "Register", "Census")
_SUBJECTS = ("births", "fisheries", "housing", "schools", "foreign trade", "wages", "forests")
_PLACES = ("Western Hills", "Middle Valley", "Outer Islands", "Southern Coast", "Old Harbour")
_FAMILIES = ("Kessel", "Ostrava", "Hollin", "Brune", "Esker", "Lormont", "Falk", "Ister")


def bulletins(*, rows: int, hidden: int, absent: float, seed: int) -> Golden:
    """Titles that follow a pattern, with one of few authors each: many differ by a word only.

    A row is another edition where its title, its author and its year are another's; the rows are
    typed in a hurry: a part without initials, a part with a slip in the title.
    """
    dice = random.Random(f"bulletins {seed}")
    made: dict[str, Cells] = {}
    while len(made) < hidden + int(absent * rows):
        first, second = dice.sample(_SUBJECTS, 2)
        title = f"{dice.choice(_KINDS)} of {first} and {second} in the {dice.choice(_PLACES)}"
        if hidden > 1000 or dice.random() < 0.3:
            title += f", {dice.choice(('part', 'volume'))} {dice.randrange(1, 9)}"
        author = f"{dice.choice('ABCDEF')}. {dice.choice(_FAMILIES)}"
        made.setdefault(title, {"id": f"b{len(made)}", "title": title, "authors": author})
    books = list(made.values())
    gone = int(absent * rows)
    ours = [_hurried(book, dice) for book in books[hidden:] + books[: rows - gone]]
    gold = [{"ours": book["id"], "theirs": book["id"]} for book in books[: rows - gone]]
    dice.shuffle(ours)
    return _golden(f"{rows} patterned titles, {absent:.0%} absent", ours, books[:hidden], gold)


def _hurried(book: Cells, dice: random.Random) -> Cells:
    row = dict(book)
    if dice.random() < 0.3:
        row["authors"] = row["authors"].rpartition(" ")[2]
    if dice.random() < 0.2:
        row["title"] = _slip(row["title"].split(), dice)
    return row


def halves(rows: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the rows to develop on and those to report on, told apart by a hash of their text."""
    even = [zlib.crc32(row.encode()) % 2 == 0 for row in rows]
    return [at for at, yes in enumerate(even) if yes], [
        at for at, yes in enumerate(even) if not yes
    ]


def _golden(
    name: str,
    ours: Sequence[Cells],
    hidden: Sequence[Cells],
    pairs: Sequence[Cells],
    complete: bool = True,
) -> Golden:
    gold: dict[str, set[str]] = {}
    for pair in pairs:
        mine, other = pair.values()
        gold.setdefault(mine, set()).add(other)
    names = list(ours[0])
    return Golden(
        name=name,
        columns={column: [row[column] for row in ours] for column in names},
        records=[_record(row) for row in hidden],
        gold=[frozenset(gold.get(row["id"], ())) for row in ours],
        known=[complete or row["id"] in gold for row in ours],
    )


def _record(row: Cells) -> Record:
    held = {name: value for name, value in row.items() if name not in ("id", "same_title")}
    return Record(id=row["id"], fields=held)


def _misspelt(row: Cells, dice: random.Random) -> Cells:
    """Two errors each in the title and the authors."""
    wrong = dict(row)
    for column in ("title", "authors", "title", "authors"):
        wrong[column] = _slip(wrong[column].split(), dice)
    return wrong


def _slip(words: list[str], dice: random.Random) -> str:
    if not words:
        return ""
    at = dice.randrange(len(words))
    word = words[at]
    swapped = word[:-2] + word[-1:] + word[-2:-1]
    words[at : at + 1] = dice.choice([[], [word, "new"], [swapped], [word[:-2] or word]])
    return " ".join(words)


def _read(path: Path) -> list[Cells]:
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))
