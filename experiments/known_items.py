"""A known-item test of the catalog's search: 200 questions, each with the files it asks for.

    python -m experiments.known_items build FOLDER

harvests the twelve recorded sites on loopback, breadth first and one request at a time, so that
the same files come each time, and takes the runs in. The files to ask for were drawn by a hash of
their URLs (`drawn`, the same bytes once); the questions in `known_items.json` were written by hand,
from titles, link texts, headings, names and columns, by someone who had seen neither the ranking
nor an answer of the search. Where a question fits several files equally (the same page as text and
as ZIP, or in two versions) all are accepted. Of the first 204 files four were left out, as nobody
could ask for them: nothing but a number, like `en/data/1-2-1.csv`, and columns that many have.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, get_args

from experiments.live import filon_command, serving
from filon.catalog.handle import Catalog
from filon.compare.replica import Replica
from filon.core import FilonError, UserError
from filon.page.url import split

#: Beside a checkout.
DATA = Path("../shared/data/harvest")
#: Of a site, so that one with thousands of tables is not most of the catalog.
MOST_FINDS = 400
LEAST_ASKED, MOST_ASKED = 8, 30
_SALT = "known items"

#: How a question differs from the text: not at all, in word forms, by a typo, by another word.
Kind = Literal["exact", "form", "typo", "paraphrase"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Words that somebody types who remembers a file; urls: where the files are that fit."""

    words: str
    urls: frozenset[str]
    kind: Kind


def questions() -> list[Question]:
    """Return the questions, in the order in which they were written."""
    rows = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return [
        Question(words=row["question"], urls=frozenset(row["urls"]), kind=row["kind"])
        for row in rows
    ]


def build(data: Path, folder: Path) -> Catalog:
    """Harvest each recorded site of data into a run of its own, and return their catalog."""
    sites = sorted((data / "replicas").glob("*.sqlite"))
    if not sites:
        raise UserError(f"There are no recorded sites in {data}.")
    folder.mkdir(parents=True, exist_ok=True)
    how = ["--strategy", "bfs", "--types", "paper", "--stop", "never"]
    for site in sites:
        with serving(data, site.stem) as server:
            more = [*how, "--budget", f"{MOST_FINDS}finds"]
            start = Replica.open(site).start
            command = filon_command(server, start, folder / site.stem, 1, more)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    return Catalog(folder)


def drawn(urls: Iterable[str]) -> list[str]:
    """Return URLs in an order that depends on nothing but themselves, at most 30 of a site.

    The first eight of each site come first, so that each of them is asked for.

    >>> drawn(["http://a.test/1.csv", "http://a.test/2.csv", "http://b.test/"])
    ['http://a.test/2.csv', 'http://a.test/1.csv', 'http://b.test/']
    """
    of_site: Counter[str] = Counter()
    first, then = [], []
    for url in sorted(urls, key=lambda url: sha256(f"{_SALT} {url}".encode()).digest()):
        host = split(url).netloc
        of_site[host] += 1
        if of_site[host] <= LEAST_ASKED:
            first.append(url)
        elif of_site[host] <= MOST_ASKED:
            then.append(url)
    return first + then


def main() -> int:
    """Build the catalog that is asked, and say how large it is; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.known_items", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("what", choices=["build"])
    parser.add_argument("folder", type=Path, help="for the runs and the catalog")
    wanted = parser.parse_args()
    try:
        catalog = build(wanted.data, wanted.folder)
    except FilonError as error:
        print(f"known_items: {error}", file=sys.stderr)
        return error.exit_code
    print(f"{len(catalog):,} files in {wanted.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
