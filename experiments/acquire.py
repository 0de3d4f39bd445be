"""`python -m experiments.acquire FOLDER`: files found by many sites that share a budget.

The sites are curves of `experiments.curves`: twelve recorded ones and thirty invented for each
seed. A budget is a share of the requests that full crawls of all would take. Every method asks one
site at a time and is told what the request brought:

- equal: one after the other; those that end give up their share
- proportional: by chance, each site in proportion to its mean rate so far
- greedy: the highest rate of late, each site with a little benefit of the doubt
- allocation: filon.learn.allocation; "8 at once": rounds in which each host may be asked once and
  eight requests leave, after which all are answered
- oracle: knows each curve; the best split is taken from their concave envelopes, which is at least
  the true best (`--exact` compares with all splits, by dynamic programming)

With --small budgets are of few requests, eight at once, waiting for who is better or not. With
--choose the constants of the allocation are chosen on one half of the sites and played on the
other, and the other way round.
"""

import argparse
import heapq
import itertools
import math
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from experiments.curves import Curve, load
from filon.learn import allocation

SHARES = (0.05, 0.1, 0.2)
SMALL = (50, 100, 150, 200)
#: Constants that are tried, by their names.
NAMES = ("DOUBT", "BEST", "MENUS")
CHOICES = tuple(itertools.product((5.0, 10.0, 20.0), (1.25, 1.5, 2.0), (12.0, 16.0, 20.0)))
CHOSEN = (allocation.DOUBT, allocation.BEST, allocation.MENUS)
#: Finds of a budget.
Method = Callable[[Sequence[Curve], int], float]


def equal(curves: Sequence[Curve], budget: int) -> float:
    """Ask one after the other."""
    turns = itertools.chain.from_iterable(
        (curve.finds[turn] for curve in curves if turn < len(curve))
        for turn in range(max(map(len, curves)))
    )
    return float(sum(itertools.islice(turns, budget)))


def proportional(curves: Sequence[Curve], budget: int) -> float:
    """Draw a site in proportion to its mean rate, one find in two requests being given to each."""
    random, asked = Random(0), [0] * len(curves)
    found = [0.0] * len(curves)
    for _ in range(budget):
        alive = [at for at, curve in enumerate(curves) if asked[at] < len(curve)]
        if not alive:
            break
        weights = [(found[at] + 1) / (asked[at] + 2) for at in alive]
        at = random.choices(alive, weights)[0]
        found[at] += curves[at].finds[asked[at]]
        asked[at] += 1
    return sum(found)


def greedy(curves: Sequence[Curve], budget: int, fade: float = 0.95, doubt: float = 5.0) -> float:
    """Ask the site with the highest rate of late."""
    queue = [(-0.5, at, 0, 0.0, 0.0) for at in range(len(curves))]
    found = 0.0
    while budget and queue:
        _, at, asked, gain, cost = queue[0]
        find = float(curves[at].finds[asked])
        found, budget, asked = found + find, budget - 1, asked + 1
        gain, cost = gain * fade + find, cost * fade + 1
        if asked < len(curves[at]):
            rate = (gain + doubt / 2) / (cost + doubt)
            heapq.heapreplace(queue, (-rate, at, asked, gain, cost))
        else:
            heapq.heappop(queue)
    return found


def allocated(curves: Sequence[Curve], budget: int, at_once: int = 0) -> float:
    """Ask whom the allocation says; at_once: requests of a round, one a host."""
    return in_rounds(curves, budget, at_once)[0]


def in_rounds(
    curves: Sequence[Curve], budget: int, at_once: int, *, patient: bool = True
) -> tuple[float, int]:
    """Ask whom the allocation says; return the files, and the rounds that it took."""
    arms = {str(at): iter(curve.finds.tolist()) for at, curve in enumerate(curves)}
    chooser, found, rounds = allocation.Allocation(patient=patient), 0.0, 0
    left = {name: len(curves[int(name)]) for name in arms}
    for name in arms:
        chooser.add(name)
    while budget and left:
        sent: list[str] = []
        while len(sent) < min(budget, at_once or 1):
            free = [name for name in left if name not in sent]
            chosen = chooser.choose(free, left=budget, soon=sent)
            if chosen is None:
                break
            chooser.sent(chosen)
            sent.append(chosen)
        rounds += 1
        for name in sent:
            find = next(arms[name])
            chooser.learn(name, 1, find)
            found, budget, left[name] = found + find, budget - 1, left[name] - 1
            if not left[name]:
                chooser.end(name)
                del left[name]
    return found, rounds


def oracle(curves: Sequence[Curve], budget: int) -> float:
    """Take the steepest parts of the curves' concave envelopes."""
    found = 0.0
    for rate, length in sorted(itertools.chain(*map(_slopes, curves)), reverse=True):
        taken = min(length, budget)
        found, budget = found + rate * taken, budget - taken
    return found


def _slopes(curve: Curve) -> Iterator[tuple[float, int]]:
    """Yield the parts of an envelope: finds for a request, and requests."""
    hull = [(0, 0)]
    for found, at in enumerate(np.flatnonzero(curve.finds), 1):
        point = (int(at) + 1, found)
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-2], point):
            hull.pop()
        hull.append(point)
    for one, other in itertools.pairwise(hull):
        yield _slope(one, other), other[0] - one[0]


def _slope(one: tuple[int, int], other: tuple[int, int]) -> float:
    return (other[1] - one[1]) / (other[0] - one[0])


def exact(curves: Sequence[Curve], budget: int) -> float:
    """Try all splits."""
    best = np.zeros(budget + 1)
    for curve in curves:
        with_it = best.copy()
        for found, at in enumerate(np.flatnonzero(curve.finds)[:budget], 1):
            asked = int(at) + 1
            if asked <= budget:
                np.maximum(with_it[asked:], best[:-asked] + found, out=with_it[asked:])
        best = with_it
    return float(best[-1])


METHODS: dict[str, Method] = {
    "equal": equal,
    "proportional": proportional,
    "greedy": greedy,
    "allocation": allocated,
    "8 at once": lambda curves, budget: allocated(curves, budget, at_once=8),
}


def worlds(folder: Path, seeds: int, first: int = 0) -> Iterator[list[Curve]]:
    """Yield the sites of each seed."""
    for seed in range(first, first + seeds):
        yield [load(path) for path in sorted(folder.glob(f"*-{seed}.npz"))]


def budget_of(curves: Sequence[Curve], share: float) -> int:
    """Return a share of what full crawls take."""
    return int(share * sum(curve.whole for curve in curves))


def show(sites: Sequence[Sequence[Curve]]) -> None:
    """Print, for each method, files against equal shares and against the oracle."""
    print("| method | budget | files / equal shares | files / oracle |")
    print("| --- | ---: | ---: | ---: |")
    best = {share: [oracle(each, budget_of(each, share)) for each in sites] for share in SHARES}
    even: dict[float, list[float]] = {}
    for name, method in METHODS.items():
        whole: list[list[float]] = [[], []]
        for share in SHARES:
            found = [method(each, budget_of(each, share)) for each in sites]
            even.setdefault(share, found)
            cells = []
            for kept, others in zip(whole, (even[share], best[share]), strict=True):
                ratios = [one / other for one, other in zip(found, others, strict=True)]
                kept += ratios
                cells.append(_told(ratios))
            print(f"| {name} | {share:.0%} | {' | '.join(cells)} |", flush=True)
        print(f"| {name} | all | {' | '.join(map(_told, whole))} |", flush=True)


def _told(ratios: Sequence[float]) -> str:
    return f"{_mean(ratios):.3f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _mean(ratios: Sequence[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def show_small(sites: Sequence[Sequence[Curve]]) -> None:
    """Print what small budgets find, eight requests at once, and in how many rounds."""
    print("| requests | patient: files | rounds | whoever is free: files | rounds |")
    print("| ---: |" + " ---: |" * 4)
    for budget in SMALL:
        cells = [f"{budget}"]
        for patient in (True, False):
            played = [in_rounds(each, budget, 8, patient=patient) for each in sites]
            for numbers in zip(*played, strict=True):
                cells.append(f"{statistics.fmean(numbers):.0f} ± {statistics.pstdev(numbers):.0f}")
        print(f"| {' | '.join(cells)} |", flush=True)


def rotate(sites: Sequence[Sequence[Curve]]) -> None:
    """Choose the constants on each half of the sites; print what they are worth on the other."""
    halves = [[each[half::2] for each in sites] for half in (0, 1)]
    print(f"| played on | {', '.join(NAMES)} | chosen by | files / oracle |")
    print("| --- | --- | --- | ---: |")
    for half, other in (halves, halves[::-1]):
        chosen = max(CHOICES, key=lambda constants: _mean(_played(constants, other)))
        number = halves.index(half) + 1
        for constants, how in ((chosen, "the other half"), (CHOSEN, "all")):
            told = _told(_played(constants, half))
            print(f"| half {number} | {', '.join(map(str, constants))} | {how} | {told} |")


def _played(constants: tuple[float, ...], sites: Sequence[Sequence[Curve]]) -> list[float]:
    for name, value in zip(NAMES, constants, strict=True):
        setattr(allocation, name, value)
    budgets = [(each, budget_of(each, share)) for each in sites for share in SHARES]
    return [allocated(each, budget) / oracle(each, budget) for each, budget in budgets]


def main() -> int:
    """Print a table; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.acquire",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="curves, made by experiments.curves")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--choose", action="store_true", help="rotate the choice of constants")
    parser.add_argument("--exact", action="store_true", help="check the oracle")
    parser.add_argument("--small", action="store_true", help="budgets of 50 to 200 requests")
    parser.add_argument("--recorded", action="store_true", help="only the twelve")
    wanted = parser.parse_args()
    sites = list(worlds(wanted.folder, wanted.seeds, wanted.first))
    if wanted.recorded:
        sites = [[curve for curve in each if "drawn" not in curve.site] for each in sites]
    if wanted.exact:
        for each, share in itertools.product(sites, SHARES):
            budget = budget_of(each, share)
            print(f"{share:.0%}: {exact(each, budget):.0f} of at most {oracle(each, budget):.1f}")
    elif wanted.choose:
        rotate(sites)
    elif wanted.small:
        show_small(sites)
    else:
        show(sites)
    return 0


if __name__ == "__main__":
    sys.exit(main())
