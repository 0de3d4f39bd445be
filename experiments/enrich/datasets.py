"""Tables whose matches are known, as the local and the hidden side of an enrichment."""

import csv
import gzip
import io
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from filon.core import Record, UserError
from filon.verbs.enrich.strategies import Sample

Rows = list[dict[str, str]]
#: How many of the ACL's papers are hidden; what is left serves as rows that nobody will find.
HIDDEN_PAPERS = 100_000
PAPER = ("title", "authors", "venue")
PRODUCT = ("title", "modelno", "brand")
#: Which of a table's columns are queried, where nothing else is asked for.
COLUMNS = {
    "acl": (*PAPER, "year"),
    "dblp-scholar": PAPER,
    "dblp-scholar+": PAPER,
    "walmart-amazon": PRODUCT,
    "dbpedia-imdb": ("title", "actor_name", "director_name"),
    "imdb-tmdb": ("title", "name"),
}
#: Pairs whose two sides have other columns: a search looks at all that the hidden side has.
APART = ("dbpedia-imdb", "imdb-tmdb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A local table, a hidden one in the order of its rank, and which records match which rows."""

    name: str
    columns: Mapping[str, Sequence[str]]
    hidden: Sequence[Record]
    gold: Mapping[str, Sequence[int]]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of local rows."""
        return len(next(iter(self.columns.values())))

    @property
    def matchable(self) -> frozenset[int]:
        """The rows that have a match in the hidden table: all that can be covered."""
        return frozenset(row for rows in self.gold.values() for row in rows)

    def rows(self, record: Record) -> Sequence[int]:
        """Return the rows that a record truly matches: a perfect matcher."""
        return self.gold.get(record.id, ())

    def sample(self, ratio: float, seed: int) -> Sample:
        """Return records drawn from the hidden table, as many as the ratio says."""
        dice = random.Random(f"sample {seed}")
        size = max(1, round(ratio * len(self.hidden)))
        return Sample(records=dice.sample(self.hidden, size), ratio=size / len(self.hidden))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which dataset to make.

    size: rows of the local table, where it is a sample.
    absent: how many of them are not hidden (|delta D|); ACL only.
    errors: the part of the rows that get an error as in section 7.1.1.
    columns: those that are queried and searched; none: what the table has by default.
    """

    table: str = "acl"
    size: int = 10_000
    absent: int = 0
    errors: float = 0.0
    columns: tuple[str, ...] = ()
    seed: int = 0


def load(folder: Path, wish: Wish) -> Dataset:
    """Make a dataset from the tables in a folder."""
    if wish.table not in COLUMNS:
        raise UserError(f"There is no dataset {wish.table!r}: known are {', '.join(COLUMNS)}.")
    columns = wish.columns or COLUMNS[wish.table]
    made = _acl(folder, wish, columns) if wish.table == "acl" else _pairs(folder, wish, columns)
    if not wish.errors:
        return made
    return replace(made, columns=with_errors(made.columns, wish.errors, wish.seed))


def with_errors(
    columns: Mapping[str, Sequence[str]], part: float, seed: int
) -> dict[str, list[str]]:
    """Remove, add or replace a word in a part of the rows, each with probability 1/3.

    A new word is one of another row: words that nobody else has would harm no query.
    """
    dice = random.Random(f"errors {seed}")
    spoilt = {name: list(cells) for name, cells in columns.items()}
    size = len(next(iter(columns.values())))
    for row in dice.sample(range(size), round(part * size)):
        name = dice.choice([name for name in spoilt if spoilt[name][row]] or list(spoilt))
        words = spoilt[name][row].split()
        other = spoilt[name][dice.randrange(size)].split() or ["x"]
        spoilt[name][row] = " ".join(_spoil(words, dice.choice(other), dice))
    return spoilt


def _spoil(words: list[str], new: str, dice: random.Random) -> list[str]:
    place = dice.randrange(len(words)) if words else 0
    kind = dice.randrange(3)
    if kind == 0:
        return words[:place] + words[place + 1 :]
    return [*words[:place], new, *words[place + (kind == 1) :]]


def _acl(folder: Path, wish: Wish, columns: Sequence[str]) -> Dataset:
    """Draw the local rows; the hidden table is the same for all seeds."""
    hidden, rest, records = _papers(folder, tuple(columns))
    if wish.size - wish.absent > len(hidden) or wish.absent > min(len(rest), wish.size):
        raise UserError("The ACL's table is too small for so many rows.")
    dice = random.Random(f"acl {wish.seed}")
    local = dice.sample(hidden, wish.size - wish.absent) + dice.sample(rest, wish.absent)
    dice.shuffle(local)
    here = {paper["id"] for paper in hidden}
    gold = {paper["id"]: (row,) for row, paper in enumerate(local) if paper["id"] in here}
    return Dataset(name="acl", columns=_columns(local, columns), hidden=records, gold=gold)


@lru_cache(maxsize=2)
def _papers(folder: Path, columns: tuple[str, ...]) -> tuple[Rows, Rows, list[Record]]:
    papers = _read(folder / "acl.csv.gz")
    random.Random("acl hidden").shuffle(papers)
    hidden, rest = papers[:HIDDEN_PAPERS], papers[HIDDEN_PAPERS:]
    return hidden, rest, _records(_by_year(hidden), columns)


def _pairs(folder: Path, wish: Wish, columns: Sequence[str]) -> Dataset:
    where = folder / wish.table.rstrip("+")
    local_name, hidden_name = where.name.split("-")
    local, hidden = _read(_file(where, local_name)), _read(_file(where, hidden_name))
    if wish.table.endswith("+"):
        more = _read(where / "distractors.csv.gz")
        hidden += [row for row in more if row["same_title"] != "1"]
    # Ids follow the text, so their order is no rank.
    random.Random(f"{wish.table} rank").shuffle(hidden)
    number = {row["id"]: at for at, row in enumerate(local)}
    gold: dict[str, list[int]] = {}
    for pair in _read(where / "gold.csv"):
        local_id, hidden_id = pair.values()
        gold.setdefault(hidden_id, []).append(number[local_id])
    searched = [name for name in hidden[0] if name != "id"] if wish.table in APART else columns
    return Dataset(
        name=wish.table,
        columns=_columns(local, columns),
        hidden=_records(_by_year(hidden), searched),
        gold=gold,
        others=_columns(local, [name for name in local[0] if name not in ("id", *columns)]),
    )


def _file(folder: Path, name: str) -> Path:
    plain = folder / f"{name}.csv"
    return plain if plain.exists() else folder / f"{name}.csv.gz"


def _read(file: Path) -> Rows:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UserError(f"The table {file} cannot be read: {error.strerror}.") from None
    text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _by_year(rows: Rows) -> Rows:
    """Return the newest first, as the paper's search engine does."""
    return sorted(rows, key=lambda row: -int(row.get("year") or 0))


def _records(rows: Rows, columns: Sequence[str]) -> list[Record]:
    return [
        Record(id=row["id"], fields={name: row.get(name, "") for name in columns}) for row in rows
    ]


def _columns(rows: Rows, columns: Sequence[str]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows] for name in columns}
