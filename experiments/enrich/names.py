"""Names as a reconciliation client sends them, one by one, to all records of a hidden table.

`python -m experiments.enrich.names FOLDER` asks for a sample of the rows whose matches are known,
by their title alone and with the other columns, as `filon reconcile serve` would answer.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.enrich.golden import Golden, acl, bulletins, dblp_scholar
from filon.verbs.enrich.reconciler import Reconciler, question

HEAD = ("records", "asked by", "names", "best is right", "told as a match", "of these right")
#: Rows of a table that are asked for, and the seed of the sample.
NAMES, SEED = 400, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Of the names: how many have a record, whose best is right, that are told as a match."""

    names: int
    matchable: int
    best: int
    told: int
    right: int


def measure(golden: Golden, others: Sequence[str], names: int = NAMES) -> Figures:
    """Ask for names, and hold the answers against the gold."""
    service = Reconciler(golden.records, title=golden.name, name_field="title", space="")
    size = len(golden.gold)
    rows = random.Random(SEED).sample(range(size), min(names, size))
    best = told = right = 0
    for row in rows:
        facts = [{"pid": name, "v": golden.columns[name][row]} for name in others]
        asked = question({"query": golden.columns["title"][row], "properties": facts})
        first = next(iter(service.candidates(asked)), None)
        if first is None:
            continue
        is_right = first["id"] in golden.gold[row]
        best += is_right
        told += first["match"]
        right += first["match"] and is_right
    matchable = sum(bool(golden.gold[row]) for row in rows)
    return Figures(names=len(rows), matchable=matchable, best=best, told=told, right=right)


def lines(data: Path) -> Iterator[tuple[str, ...]]:
    """Yield the lines of the table."""
    two = ("title", "authors")
    cases = (
        (bulletins(rows=400, hidden=1500, absent=0.4, seed=1), ("authors",)),
        (dblp_scholar(data), ("authors", "venue", "year")),
        (acl(data, absent=0.7, errors=0.5, columns=two, seed=1), ("authors",)),
    )
    for golden, columns in cases:
        for others in ((), columns):
            made = measure(golden, others)
            best = f"{made.best} of {made.matchable}"
            right = f"{made.right / max(1, made.told):.3f}"
            asked = ", ".join(("title", *others))
            yield golden.name, asked, str(made.names), best, str(made.told), right


def main(data: Path) -> None:
    """Print the table of docs/experiments.md."""
    print("|", " | ".join(HEAD), "|")
    print("|", " | ".join("---" for _ in HEAD), "|")
    for line in lines(data):
        print("|", " | ".join(line), "|", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
