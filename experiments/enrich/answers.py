"""What the matcher makes of tables by itself, and of a person's answers.

`python -m experiments.enrich.answers FOLDER [--save FILE] [--before FILE] [--pairs NAME]` prints
F1 of each pair of tables without labels, and after 10 and 50 answers that the gold gives to the
questions of a review; over several seeds, which draw a part of the rows, or make the tables. With
--before a file that another version saved stands beside it. --choose tries values of the constant
that decides between precision and recall where the usual scorer breaks down, on the one half of
these pairs, and tells what the value chosen there does on the other half.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from experiments.enrich.golden import (
    Golden,
    acl,
    dblp_scholar,
    dbpedia_imdb,
    imdb_tmdb,
    walmart_amazon,
)
from experiments.enrich.matching import measure
from experiments.enrich.shops import electronics, software
from experiments.enrich.spoilt import identified, plain, suffixed
from filon.verbs.enrich.match import Matches, align, anchored
from filon.verbs.enrich.match.review import Review

#: After so many answers.
ANSWERS = (0, 10, 50)
SEEDS = 3
#: The part of the rows of a real pair that a seed draws.
PART = 0.4

Said = Mapping[str, str]
Pair = tuple[Callable[[Path, int], Golden], Said]
_FILM = {"title": "title", "actor_name": "starring", "director_name": "writer"}


def _drawn(load: Callable[[Path], Golden]) -> Callable[[Path, int], Golden]:
    """Return what draws rows of a real pair."""

    def draw(data: Path, seed: int) -> Golden:
        whole = load(data)
        size = len(whole.gold)
        rows = random.Random(f"answers {seed}").sample(range(size), int(PART * size))
        return whole.part(sorted(rows), str(seed))

    return draw


def _papers(absent: float, *columns: str) -> Callable[[Path, int], Golden]:
    return lambda data, seed: acl(
        data, absent=absent, errors=0.5, columns=columns, rows=1500, hidden=6000, seed=100 + seed
    )


def _films(data: Path, seed: int) -> Golden:
    return _drawn(dbpedia_imdb)(data, seed)


#: Name -> how it is drawn, and which columns are told; {}: found by the matcher. A and B: constants
#: were chosen on the one half and are reported on the other.
PAIRS: Mapping[str, Pair] = {
    "A DBpedia-IMDb, title": (_films, {"title": "title"}),
    "B DBpedia-IMDb, three columns": (_films, _FILM),
    "A IMDb-TMDb": (_drawn(imdb_tmdb), {}),
    "B IMDb-TMDb, title, name": (_drawn(imdb_tmdb), {"title": "title", "name": "name"}),
    "A DBLP-Scholar": (_drawn(dblp_scholar), {}),
    "B DBLP-Scholar, title": (_drawn(dblp_scholar), {"title": "title"}),
    "B Walmart-Amazon": (_drawn(walmart_amazon), {}),
    "A Walmart-Amazon, title": (_drawn(walmart_amazon), {"title": "title"}),
    "A ACL, 30 % absent": (_papers(0.3, "title", "authors", "venue", "year"), {}),
    "B ACL, 70 % absent, title, authors": (_papers(0.7, "title", "authors"), {}),
    "A ACL, 70 % absent, title": (_papers(0.7, "title"), {}),
    "B ACL, 90 % absent, title": (_papers(0.9, "title"), {}),
    "A electronics, name": (lambda _, seed: electronics(100 + seed), {"name": "name"}),
    "B electronics": (lambda _, seed: electronics(100 + seed), {}),
    "B software, name": (lambda _, seed: software(100 + seed), {"name": "name"}),
    "A software": (lambda _, seed: software(100 + seed), {}),
    "A electronics, half shared": (lambda _, seed: electronics(100 + seed, shared=0.5), {}),
    "B software, half shared": (lambda _, seed: software(100 + seed, shared=0.5), {}),
    "identifiers": (identified, {"number": "number"}),
    "small vocabulary": (plain, {"title": "title"}),
    "suffixes": (suffixed, {"title": "title"}),
}


def figures(golden: Golden, said: Said) -> list[tuple[float, float]]:
    """Return precision and F1 after so many answers."""
    matches = matched(golden, said)
    asking = Review(matches, max(ANSWERS))
    found = []
    for number in range(max(ANSWERS) + 1):
        if number in ANSWERS:
            told = measure(golden, matches)
            found.append((told.precision, told.f1))
        pair = asking.next() if number < max(ANSWERS) else None
        if pair is not None:
            same = pair.record.id in golden.gold[pair.row]
            asking.answer(pair, same if golden.known[pair.row] else None)
    return found


def measured(
    data: Path, names: Sequence[str], seeds: int
) -> Iterator[tuple[str, list[list[float]]]]:
    """Yield each pair with, for each number of answers, precision and F1 over the seeds."""
    for name in names:
        draw, said = PAIRS[name]
        runs = [figures(draw(data, seed), said) for seed in range(1, seeds + 1)]
        yield (
            name,
            [
                [fmean(each) for each in zip(*seeds, strict=True)]
                for seeds in zip(*runs, strict=True)
            ],
        )


#: The pairs on which the usual scorer breaks down.
BROKEN = ("DBpedia", "electronics", "software")
#: Of values of the constant that is right so often the one that finds most is chosen.
RIGHT = 0.92


def choose(data: Path, seeds: int) -> Iterator[str]:
    """Yield what each value of the constant does on either half, and the choice by the other."""
    scores: dict[str, dict[float, tuple[float, float]]] = {"A": {}, "B": {}}
    for value in (0.2, 0.5, 1.0):
        anchored.DECOYS = value
        for half, held in scores.items():
            names = [name for name in PAIRS if name[0] == half and name[2:].startswith(BROKEN)]
            runs = [alone(*PAIRS[name], data, seed + 10) for name in names for seed in range(seeds)]
            held[value] = fmean(each[0] for each in runs), fmean(each[1] for each in runs)
            yield f"{half}, {value}: precision {held[value][0]:.3f}, F1 {held[value][1]:.3f}"
    for half, other in (("A", "B"), ("B", "A")):
        tried = scores[half]
        right = [value for value in tried if tried[value][0] >= RIGHT] or [max(tried)]
        best = max(right, key=lambda value: tried[value][1])
        precision, f1 = scores[other][best]
        yield f"chosen on {half}: {best}; on {other} precision {precision:.3f}, F1 {f1:.3f}"


def alone(
    draw: Callable[[Path, int], Golden], said: Said, data: Path, seed: int
) -> tuple[float, float]:
    """Return precision and F1 without answers."""
    golden = draw(data, seed)
    told = measure(golden, matched(golden, said))
    return told.precision, told.f1


def matched(golden: Golden, said: Said) -> Matches:
    """Match the columns that are told, or all."""
    columns = {name: golden.columns[name] for name in said} if said else golden.columns
    return Matches(columns, golden.records, align(columns, golden.records, said))


def _line(name: str, now: list[list[float]], before: list[list[float]] | None) -> str:
    cells = []
    for at, (precision, f1) in enumerate(now):
        was = f"{before[at][1]:.3f} ({before[at][0]:.2f}) → " if before else ""
        cells.append(f"{was}{f1:.3f} ({precision:.2f})")
    return f"| {name} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.enrich.answers")
    parser.add_argument("data", type=Path)
    parser.add_argument("--save", type=Path, help="write the figures to a file as well")
    parser.add_argument("--before", type=Path, help="figures of another version, to stand beside")
    parser.add_argument("--pairs", default="", help="only those whose name holds this")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--choose", action="store_true", help="only choose the constant")
    wanted = parser.parse_args(arguments)
    if wanted.choose:
        for line in choose(wanted.data, wanted.seeds):
            print(line, flush=True)
        return 0
    before = json.loads(wanted.before.read_text()) if wanted.before else {}
    names = [name for name in PAIRS if wanted.pairs in name]
    print("| F1 (precision) |", " | ".join(f"{number} answers" for number in ANSWERS), "|")
    print("|", " | ".join("---" for _ in (0, *ANSWERS)), "|")
    found = {}
    for name, now in measured(wanted.data, names, wanted.seeds):
        print(_line(name, now, before.get(name)), flush=True)
        found[name] = now
        if wanted.save:
            wanted.save.write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
