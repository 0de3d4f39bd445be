"""How well rankers find more of a kind: Figures 2 to 5 of DISCO, on two real corpora.

    python -m experiments.discover.ranking ../shared/data/discover

Fifteen examples and thirty others are shown; sixty of the kind are hidden among 1,260 candidates.
"""

import argparse
import gzip
import hashlib
import json
import re
import sqlite3
import statistics
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from filon.learn.rank import RANKERS, Ensemble, Fusion, Ranker
from filon.learn.rank.ensemble import positions
from filon.learn.rank.vectors import grams

K = 60
#: Of Figure 5: how many examples are shown, with twice as many others, and to whom.
NUMBERS = (3, 5, 7, 9, 11, 13, 15)
SHOWN_TO = ("ensemble (mean rank)", "ensemble (raw mean)", "fusion")
TOPICS = (
    "iso19115:Oceans",
    "iso19115:Climatology / Meteorology / Atmosphere",
    "eudatatheme:ENER",
    "eudatatheme:HEAL",
    "eudatatheme:TRAN",
    "eudatatheme:EDUC",
)
TYPES = ("Indicators catalog", "Scientific data repository")
LABELS = ("project", "course", "faculty", "department")
ALL: dict[str, Ranker] = {
    **RANKERS,
    "ensemble (mean rank)": Ensemble("mean-rank"),
    "ensemble (raw mean)": Ensemble("mean-raw"),
    "ensemble (reciprocal)": Ensemble("rrf"),
    "fusion": Fusion(),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """Names of texts that are of a kind, and of those that are not."""

    name: str
    positives: tuple[str, ...]
    negatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Precision among the first 60, and the mean and median place of what was hidden."""

    precision: float
    mean_rank: float
    median_rank: float


class Corpus:
    """Texts by name, read into grams once."""

    def __init__(self, texts: dict[str, str], kinds: Sequence[Kind]) -> None:
        self.kinds = kinds
        self._texts = texts
        self._grams: dict[str, list[str]] = {}

    def grams(self, names: Iterable[str]) -> list[list[str]]:
        """Return the texts of names."""
        for name in names:
            if name not in self._grams:
                self._grams[name] = grams(self._texts[name])
        return [self._grams[name] for name in names]

    def measure(self, ranker: Ranker, kind: Kind, seed: int, examples: int = 15) -> Result:
        """Show a ranker some of a kind and see where it puts the rest."""
        good, bad = _order(kind.positives, seed), _order(kind.negatives, seed)
        hidden, rest = good[15:75], bad[30:1230]
        # Candidates that score alike are taken in this order: the hidden ones last.
        shown, others = good[:examples], bad[: 2 * examples]
        scores = ranker(self.grams(shown), self.grams(others), self.grams(rest + hidden))
        top = np.argsort(-scores, kind="stable")[:K]
        places = positions(scores)[len(rest) :]
        found = float((top >= len(rest)).sum()) / K
        return Result(found, float(places.mean()), float(np.median(places)))


def catalogues(folder: Path) -> Corpus:
    """Descriptions of data catalogues, by topic and by type."""
    with gzip.open(folder / "catalogues.jsonl.gz", "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for line in lines]
    pool = [
        one
        for one in read
        if one["status"] == "active" and "EN" in one["langs"] and len(one["description"]) >= 150
    ]
    kinds = [
        _kind(f"topic {topic}", pool, lambda one, t=topic: t in one["topics"]) for topic in TOPICS
    ]
    kinds += [_kind(f"type {name}", pool, lambda one, n=name: one["type"] == n) for name in TYPES]
    return Corpus({one["id"]: f"{one['name']} {one['description']}" for one in pool}, kinds)


def webkb(folder: Path) -> Corpus:
    """Pages of computer science departments, by label."""
    database = sqlite3.connect(f"file:{folder / 'webkb.sqlite'}?mode=ro&immutable=1", uri=True)
    rows = database.execute("SELECT url, label, body FROM page").fetchall()
    database.close()
    texts = {
        url: re.sub(r"<[^>]*>", " ", zlib.decompress(body).decode("latin-1"))
        for url, _, body in rows
    }
    kinds = [
        Kind(
            f"WebKB {label}",
            tuple(url for url, told, _ in rows if told == label),
            tuple(url for url, told, _ in rows if label not in told.split("+")),
        )
        for label in LABELS
    ]
    return Corpus(texts, kinds)


def _kind(name: str, pool: list[dict[str, object]], belongs) -> Kind:  # type: ignore[no-untyped-def]
    inside = tuple(str(one["id"]) for one in pool if belongs(one))
    return Kind(name, inside, tuple(str(one["id"]) for one in pool if not belongs(one)))


def _order(names: Iterable[str], seed: int) -> list[str]:
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())


def main() -> None:
    """Print a table of all rankers and kinds."""
    parser = argparse.ArgumentParser(prog="experiments.discover.ranking", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    wanted = parser.parse_args()
    print(f"| kind | {' | '.join(ALL)} |")
    print("|---" * (len(ALL) + 1) + "|")
    means: dict[str, list[float]] = {name: [] for name in ALL}
    for corpus in (catalogues(wanted.folder), webkb(wanted.folder)):
        for kind in corpus.kinds:
            cells = []
            for name, ranker in ALL.items():
                runs = [
                    corpus.measure(ranker, kind, seed).precision for seed in range(wanted.seeds)
                ]
                means[name].append(statistics.fmean(runs))
                cells.append(f"{means[name][-1]:.3f}")
            print(f"| {kind.name} | {' | '.join(cells)} |", flush=True)
    print(f"| mean | {' | '.join(f'{statistics.fmean(each):.3f}' for each in means.values())} |")


if __name__ == "__main__":
    main()
