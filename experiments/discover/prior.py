"""What portals look like, learnt from a registry of catalogues and from plain sites.

    python -m experiments.discover.prior ../shared/data/discover OUT.json

Makes the weights that ship with DSDD. Positives are descriptions of catalogues, negatives pages of
computer science departments: of each only the half that `bench.discover.web` leaves alone, so that
nothing is measured on what was learnt from.
"""

import argparse
import gzip
import hashlib
import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from filon.learn.rank.augmented import LinearModel
from filon.learn.rank.vectors import Vocabulary, tokens
from filon.page.text import page_text

EACH = 400
#: Words that are kept, and of these the commonest of portals: no topic is searched for by them.
WORDS, STOP_WORDS = 1_500, 60
#: Texts that must have a word: below that it is a name more often than a sign.
COMMON = 8


def order(names: Iterable[str], seed: str) -> list[str]:
    """Return names in an order that depends on nothing else."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())


def halves(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return names to learn from, and names to measure on."""
    shuffled = order(names, "prior")
    return shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]


def catalogues(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the active catalogues with an English description of some length, by id."""
    return {
        one["id"]: one
        for one in _active(folder)
        if "EN" in one["langs"] and len(one["description"]) >= 150
    }


def abroad(folder: Path) -> list[dict[str, Any]]:
    """Return the active catalogues of which none is in English: nothing was learnt from them."""
    return [one for one in _active(folder) if one["langs"] and "EN" not in one["langs"]]


def _active(folder: Path) -> list[dict[str, Any]]:
    with gzip.open(folder / "catalogues.jsonl.gz", "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for line in lines]
    return [one for one in read if one["status"] == "active"]


def plain_pages(folder: Path) -> list[str]:
    """Return texts of pages of the four universities that the measured web leaves out."""
    database = sqlite3.connect(f"file:{folder / 'webkb.sqlite'}?mode=ro&immutable=1", uri=True)
    query = "SELECT url, body, mime FROM page WHERE university != 'misc'"
    rows = {url: (body, mime) for url, body, mime in database.execute(query)}
    database.close()
    chosen = order(rows, "prior")[:EACH]
    read = (page_text(zlib.decompress(rows[url][0]), rows[url][1]) for url in chosen)
    return [f"{told.meta} {told.text}" for told in read]


def letters(text: str) -> list[str]:
    """Return the words that are made of letters, as the paper takes them."""
    return [word for word in tokens(text) if word.isalpha()]


def learn(positives: Sequence[str], negatives: Sequence[str]) -> dict[str, Any]:
    """Return the model and the commonest words of the positives as plain data."""
    texts = [letters(text) for text in (*positives, *negatives)]
    labels = [True] * len(positives) + [False] * len(negatives)
    first = LinearModel.fit(texts, labels, vocabulary=Vocabulary.learn(texts, COMMON))
    names = np.array(list(first.vocabulary.numbers))
    heavy = sorted(names[np.argsort(-np.abs(first.weights), kind="stable")[:WORDS]].tolist())
    numbers = first.vocabulary.numbers
    idf = np.array([first.vocabulary.idf[numbers[word]] for word in heavy])
    kept = Vocabulary({word: number for number, word in enumerate(heavy)}, idf)
    model = LinearModel.fit(texts, labels, vocabulary=kept)
    common = Counter(word for text in texts[: len(positives)] for word in set(text))
    ranked = sorted(common.items(), key=lambda one: (-one[1], one[0]))[:STOP_WORDS]
    return {"version": 1, **model.pack(), "stop": [word for word, _ in ranked]}


def portals(folder: Path) -> dict[str, Any]:
    """Return what ships, learnt anew."""
    known = catalogues(folder)
    chosen = halves(known)[0][:EACH]
    texts = [f"{known[one]['name']} {known[one]['description']}" for one in chosen]
    return learn(texts, plain_pages(folder))


def main() -> None:
    """Write the weights."""
    parser = argparse.ArgumentParser(prog="experiments.discover.prior", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    wanted = parser.parse_args()
    told = portals(wanted.folder)
    wanted.out.write_text(json.dumps(told, separators=(",", ":"), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
