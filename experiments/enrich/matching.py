"""How well records are matched to rows: `python -m experiments.enrich.matching FOLDER`.

A filled row is right if its record is one of those that the gold gives the row. Recall is over
the rows that have a match in the gold: among the records fetched, and among all.

What was chosen by hand was chosen on the first half of the rows of DBLP-Scholar and
Walmart-Amazon, and on ACL samples of another seed; docs/experiments.md names what came later.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.enrich.golden import Golden, acl, dblp_scholar, halves, walmart_amazon
from experiments.enrich.hidden import Hidden
from filon.core import Record
from filon.verbs.enrich.match import Matches, Prefilter, align
from filon.verbs.enrich.match.review import Review


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Rows that were filled; of these right; of the filled those that the gold knows of; rows that
    have a match among the records fetched; and at all.
    """

    filled: int
    right: int
    known: int
    reachable: int
    matchable: int

    @property
    def precision(self) -> float:
        """The part of the filled rows that is right."""
        return self.right / max(1, self.filled)

    @property
    def recall(self) -> float:
        """The part of the rows with a match that was filled rightly."""
        return self.right / max(1, self.matchable)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, over all rows with a match."""
        return 2 * self.right / max(1, self.filled + self.matchable)

    @property
    def f1_fetched(self) -> float:
        """The same over the rows with a match among the records fetched."""
        return 2 * self.right / max(1, self.filled + self.reachable)

    @property
    def precision_known(self) -> float:
        """The part that is right of the filled rows that the gold knows of."""
        return self.right / max(1, self.known)


def measure(golden: Golden, matches: Matches) -> Figures:
    """Hold the filled rows against the gold."""
    filled = [(match.row, match.record) for match in matches if match.fate == "matched"]
    fetched = {record.id for record in matches.candidates.pool}
    return Figures(
        filled=len(filled),
        right=sum(bool(record and record.id in golden.gold[row]) for row, record in filled),
        known=sum(golden.known[row] for row, _ in filled),
        reachable=sum(bool(ids & fetched) for ids in golden.gold),
        matchable=sum(map(bool, golden.gold)),
    )


def match(golden: Golden, records: Sequence[Record]) -> Matches:
    """Match without being told anything."""
    return Matches(golden.columns, records, align(golden.columns, records, {}))


def fetch(golden: Golden, column: str = "title", page_size: int = 10) -> list[Record]:
    """Return what a search for each row's words brings: the record, and what looks like it."""
    hidden = Hidden(golden.records, page_size=page_size, joins="or")
    found = (hidden.matches(text)[:page_size] for text in golden.columns[column])
    rows = dict.fromkeys(int(row) for page in found for row in page)
    return [golden.records[row] for row in rows]


def review(golden: Golden, matches: Matches, most: int = 50) -> int:
    """Answer as the gold does, and not where it does not know; return the questions asked."""
    asking = Review(matches, most)
    asked = 0
    while pair := asking.next():
        same = pair.record.id in golden.gold[pair.row]
        asking.answer(pair, same if golden.known[pair.row] else None)
        asked += 1
    return asked


def quick(golden: Golden) -> tuple[float, float]:
    """Return precision and recall of the decision while crawling, over pairs."""
    matcher = Prefilter(golden.columns, align(golden.columns, golden.records, {}))
    pairs = [(row, record.id) for record in golden.records for row in matcher.rows(record)]
    right = sum(record in golden.gold[row] for row, record in pairs)
    return right / max(1, len(pairs)), right / max(1, sum(map(len, golden.gold)))


HEAD = (
    "table",
    "records",
    "labels",
    "filled",
    "precision",
    "known rows",
    "recall",
    "F1",
    "fetched F1",
)


def lines(golden: Golden, records: Sequence[Record], what: str) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table without labels, and one with."""
    matches = match(golden, records)
    yield _line(golden, measure(golden, matches), what, 0)
    asked = review(golden, matches)
    yield _line(golden, measure(golden, matches), what, asked)


def _line(golden: Golden, found: Figures, what: str, asked: int) -> tuple[str, ...]:
    parts = (found.precision, found.precision_known, found.recall, found.f1, found.f1_fetched)
    return (golden.name, what, str(asked), str(found.filled), *(f"{part:.3f}" for part in parts))


def tables(data: Path) -> Iterator[Golden]:
    """Yield every table that is reported."""
    for whole in (dblp_scholar(data), walmart_amazon(data)):
        first, second = halves(whole.columns["id"])
        yield whole.part(first, "first half")
        yield whole.part(second, "second half")
        yield whole
    yield acl(data, absent=0.3, errors=0.5, seed=1)
    yield acl(data, absent=0.7, errors=0.5, columns=("title", "authors"), seed=1)
    yield acl(data, absent=0.7, errors=0.5, columns=("title",), seed=1)


def main(data: Path) -> None:
    """Print the table of docs/experiments.md."""
    print("|", " | ".join(HEAD), "|")
    print("|", " | ".join("---" for _ in HEAD), "|")
    for golden in tables(data):
        sides = [(golden.records, "all")]
        if golden.name == "DBLP-Scholar":
            sides.append((fetch(golden), "fetched"))
        for records, what in sides:
            for line in lines(golden, records, what):
                print("|", " | ".join(line), "|", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
