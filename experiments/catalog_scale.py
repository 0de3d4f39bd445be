"""What a search of a catalog of many files costs: invented files, real code.

python -m experiments.catalog_scale [FILES]
"""

import random
import sys
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from filon.catalog.search import search
from filon.catalog.similar import joinable, unionable
from filon.catalog.store import CatalogStore
from filon.profile.columns import column
from filon.profile.shape import Profile, Table

QUESTIONS = 200


def words(rng: random.Random, number: int) -> list[str]:
    """Return invented words, as long as real ones are."""
    parts = ["ka", "re", "to", "mi", "sun", "pol", "gra", "ten", "vo", "lis", "che", "dar"]
    return ["".join(rng.choices(parts, k=rng.randint(2, 4))) for _ in range(number)]


def fill(store: CatalogStore, files: int, rng: random.Random) -> list[str]:
    """Put so many files into a catalog, as a run would; return a question for some of them."""
    vocabulary = words(rng, 20_000)
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    drawn = iter(rng.choices(vocabulary, weights, k=files * 16))
    pairs = zip(words(rng, 500), words(rng, 500), strict=True)
    columns = [column(f"{a} {b}", [a, b, "x", "y"]) for a, b in pairs]
    questions = []
    with store.transaction():
        for number in range(files):
            titles = [next(drawn) for _ in range(16)]
            table = Table(rows=10, header_row=1, columns=tuple(rng.sample(columns, 5)))
            hashed = sha256(str(number).encode()).hexdigest()
            profile = Profile(sha256=hashed, size_bytes=100, format="csv", tables=(table,))
            find = {
                "url": f"http://s{number % 50}.test/{titles[0]}/{number}.csv",
                "name": f"{titles[1]}-{number}.csv",
                "parent": "",
                "at_s": float(number),
                "link_text": " ".join(titles[2:7]),
                "around": "",
                "page_title": " ".join(titles[7:12]),
                "headings": " ".join(titles[12:]),
                "licence": "",
                "modified": "",
            }
            store.add("run", find, profile)
            if number % (files // QUESTIONS or 1) == 0:
                questions.append(" ".join(titles[2:5]))
        store.write_words("run")
    return questions


def report(
    store: CatalogStore, name: str, questions: Sequence[str], facets: Mapping[str, str]
) -> None:
    """Print the milliseconds of searches, the first apart: it loads the index."""
    took = []
    for question in (questions[0], *questions):
        began_s = time.process_time()
        search(store, question, facets)
        took.append(1000 * (time.process_time() - began_s))
    first, *warm = took
    print(f"{name}: {fmean(warm):.1f} ms, at most {max(warm):.1f} ms (the first {first:.0f} ms)")


def main(files: int) -> None:
    """Print milliseconds a search."""
    rng = random.Random(1)
    with TemporaryDirectory() as folder, CatalogStore(Path(folder)) as store:
        began_s = time.process_time()
        questions = fill(store, files, rng)
        each_ms = 1000 * (time.process_time() - began_s) / files
        print(f"{files:,} files taken in: {each_ms:.2f} ms each")
        common = [
            row[0]
            for row in store.db.execute(
                "SELECT word FROM postings GROUP BY word ORDER BY SUM(LENGTH(units)) DESC LIMIT 3"
            )
        ]
        rare = [question.split()[0] for question in questions]
        kinds = {
            "three words of a title": questions,
            "a word with a wrong letter": [f"{word[:-1]}x" for word in rare],
            "the three most common words": [" ".join(common)] * 20,
            "ten common words": [
                " ".join(common) + " " + " ".join(rare[n : n + 7]) for n in range(20)
            ],
        }
        for facets in ({}, {"site": "s7.test", "format": "csv"}):
            for name, asked in kinds.items():
                report(store, f"{name}{', of a site' if facets else ''}", asked, facets)
        for name, find in (("joins", joinable), ("unions", unionable)):
            began_s = time.process_time()
            find(store, 1)
            print(f"{name} of a table: {1000 * (time.process_time() - began_s):.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
