"""How often the file that a question asks for is among the first five, beside plain FTS5.

    python -m experiments.known_items_score FOLDER

FOLDER holds the catalog of `experiments.known_items build`. Plain FTS5 has the same texts of the
same files, BM25 with its default weights, its own tokenizer, and any of the words of a question
(OR); once more with Porter's stemmer. The weights of the search were set before the questions were
written, and nothing is chosen by them. As a control each question is scored with the files of
another: what is found then is chance.
"""

import argparse
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from experiments.known_items import KINDS, Question, questions
from filon.catalog.index import FIELDS
from filon.catalog.intake import Intake
from filon.catalog.search import search
from filon.catalog.store import CatalogStore
from filon.catalog.titles import Titles

FIRST = 5
Asked = Callable[[str], Sequence[str]]


def plain(store: CatalogStore, tokenizer: str) -> Asked:
    """Return how plain FTS5 answers: the ids of the best files."""
    db = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name}"' for name in FIELDS)
    db.execute(
        f"CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, {names}, tokenize={tokenizer})"
    )
    intake = Intake(store)
    for run in [row["run"] for row in store.db.execute("SELECT run FROM runs")]:
        seen = store.db.execute("SELECT * FROM sightings WHERE run = ?", (run,)).fetchall()
        titles, of_file = Titles(seen), dict[int, list[sqlite3.Row]]()
        for row in seen:
            of_file.setdefault(row["file"], []).append(row)
        for file, rows in of_file.items():
            id = store.db.execute("SELECT id FROM files WHERE file = ?", (file,)).fetchone()[0]
            texts = intake.unit(file, rows, titles).texts
            db.execute("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?)", (id, *texts))

    def ask(words: str) -> list[str]:
        query = " OR ".join(f'"{word}"' for word in words.replace('"', " ").split())
        select = "SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?"
        return [row[0] for row in db.execute(select, (query, 4 * FIRST))]

    return ask


def ours(store: CatalogStore) -> Asked:
    """Return how the search answers."""
    return lambda words: [hit.id for hit in search(store, words, most=FIRST).hits]


def ranks(store: CatalogStore, asked: Sequence[Question], ask: Asked) -> list[int]:
    """Return of each question at which place one of its files is, 0 where not among the first."""
    urls = {
        row["url"]: row["id"]
        for row in store.db.execute("SELECT url, id FROM sightings JOIN files USING (file)")
    }
    found = []
    for question in asked:
        wanted = {urls[url] for url in question.urls if url in urls}
        first = list(dict.fromkeys(ask(question.words)))[:FIRST]
        found.append(next((place for place, id in enumerate(first, 1) if id in wanted), 0))
    return found


def tell(name: str, asked: Sequence[Question], found: Sequence[int]) -> None:
    """Print the share of all, and of each kind of question."""
    kinds = ", ".join(
        f"{kind} {fmean(bool(f) for q, f in zip(asked, found, strict=True) if q.kind == kind):.2f}"
        for kind in KINDS
        if any(question.kind == kind for question in asked)
    )
    first = Counter(found)[1] / len(found)
    share = fmean(map(bool, found))
    print(
        f"{name}: {share:.3f} of {len(asked)} among the first {FIRST}, {first:.3f} first ({kinds})"
    )


def main() -> int:
    """Print how often the right file is among the first; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.known_items_score")
    parser.add_argument("folder", type=Path, help="with the catalog")
    wanted = parser.parse_args()
    asked = questions()
    others = random.Random(3).sample(asked, len(asked))
    mixed = [replace(one, urls=other.urls) for one, other in zip(asked, others, strict=True)]
    with CatalogStore(wanted.folder) as store:
        store.update()
        for tokenizer in ("unicode61", "porter"):
            found = ranks(store, asked, plain(store, tokenizer))
            tell(f"plain FTS5, {tokenizer}", asked, found)
        found = ranks(store, asked, ours(store))
        tell("the search", asked, found)
        for half in (0, 1):
            tell(f"  half {half + 1}", asked[half::2], found[half::2])
        tell("control: the files of another question", mixed, ranks(store, mixed, ours(store)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
