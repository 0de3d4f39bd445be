"""When `vein` stops by itself: what it saves, what it misses, and how sure it said to be.

    python -m experiments.stopping [--data FOLDER] [SITE ...]

Each site, recorded or invented, is harvested once to the last link; along the run it is noted how
many files were left by estimate. From that follows where any rule would have stopped, so the one
constant of the rule (`SURE`: how many times the estimate may be left) can be chosen for each site
on all the others.
"""

import argparse
import math
import statistics
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.invented import Invented, sites
from experiments.rebuild import SITES
from filon.compare.memory import LinkMemory
from filon.compare.replica import Replica
from filon.core import UserError
from filon.page.types import Types
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.vein.strategy import Vein
from filon.verbs.harvest.strategies.vein.value import FEW, FIRST, ONE, SHARE, SILENT, SURE, Forecast

DATA = Path("../shared/data/harvest")
#: Requests between two looks at the estimate.
EVERY = 5
#: What may be chosen, and the share of the other sites that must keep enough of their files.
CHOICES, KEEP = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0), 0.95


@dataclass(frozen=True, slots=True)
class Look:
    """After so many requests: finds, links that wait, files left by estimate, and the drought."""

    requests: int
    finds: int
    waiting: int
    left: float
    drought: int

    def is_over(self, sure: float) -> bool:
        """Tell whether a rule would stop here."""
        silent = self.requests >= FIRST and self.drought >= SILENT
        worthwhile = silent and self.waiting >= FEW * self.requests
        return worthwhile and sure * self.left <= max(ONE, SHARE * self.finds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A harvest to the last link.

    whole: requests of a full crawl. last: those with which the last file came.
    """

    site: str
    recorded: bool
    whole: int
    targets: int
    last: int
    looks: tuple[Look, ...]

    def stop(self, sure: float) -> Look:
        """Return where a rule would have stopped."""
        return next((look for look in self.looks if look.is_over(sure)), self.looks[-1])

    def keeps(self, sure: float) -> bool:
        """Tell whether it would have kept 98 % of the files; one may be missing of under 50."""
        missed = self.targets - self.stop(sure).finds
        return missed <= (1 if self.targets < 50 else SHARE * self.targets)

    @property
    def covered(self) -> float:
        """Of the looks at which it told a bound, the share at which no more was left."""
        bounds = [(look, bound["most"]) for look in self.looks if (bound := told(look))]
        return statistics.fmean(self.targets - look.finds <= most for look, most in bounds)

    @property
    def told(self) -> float:
        """The share of looks at which it told a bound: elsewhere it was too early."""
        return statistics.fmean(told(look) is not None for look in self.looks)


def told(look: Look) -> dict[str, float] | None:
    """Return what the strategy said of the files left, if it was not too early to."""
    forecast = Forecast()
    forecast.requests, forecast.finds = look.requests, look.finds
    return forecast.tell(look.left)


def follow(site: Replica | Invented, whole: int) -> Course:
    """Harvest a site to the last link."""
    read = (site.memory if isinstance(site, Replica) else LinkMemory()).read
    vein = Vein(Brief(start=site.start, types=Types.parse("paper"), stop="never", read=read))
    looks: list[Look] = []
    requests = finds = last = 0
    while step := vein.propose():
        found = len(vein.observe(step, site.answer(step.request)))
        requests, finds = requests + 1, finds + found
        last = requests if found else last
        if requests % EVERY == 0:
            waiting, left = len(vein.frontier), vein.kinds.left()
            looks.append(Look(requests, finds, waiting, left, vein.forecast.drought))
    looks.append(Look(requests, finds, 0, 0.0, SILENT))
    recorded = isinstance(site, Replica)
    return Course(
        site=site.name,
        recorded=recorded,
        whole=whole,
        targets=finds,
        last=last,
        looks=tuple(looks),
    )


def _courses(data: Path, wanted: Sequence[str]) -> Iterator[Course]:
    known = tomllib.loads(SITES.read_text("utf-8"))
    paths = sorted((data / "replicas").glob("*.sqlite"))
    if not paths:
        raise UserError(f"There are no recorded sites in {data}.")
    for path in paths:
        if not wanted or path.stem in wanted:
            replica = Replica.open(path)
            yield follow(replica, known[replica.name]["requests"])
    for site in sites():
        if not wanted or site.name in wanted:
            yield follow(site, site.requests)


def choose(courses: Sequence[Course], without: Course) -> float:
    """Return the least constant with which nearly all other sites keep enough of their files."""
    others = [course for course in courses if course is not without]
    for sure in CHOICES:
        if sum(course.keeps(sure) for course in others) >= KEEP * len(others):
            return sure
    return CHOICES[-1]


def show(courses: Sequence[Course]) -> None:
    """Print the table, and the means over the recorded sites."""
    print(
        "| site | files | full crawl | last file | stops | missed | said: about, at most | told "
        "| covered | chosen without it | stops | missed |"
    )
    print("| --- |" + " ---: |" * 11)
    for course in courses:
        sure = choose(courses, course)
        ours, other = course.stop(SURE), course.stop(sure)
        cells = [
            course.site,
            str(course.targets),
            f"{course.whole:,}",
            _percent(course.last, course.whole),
            _percent(ours.requests, course.whole),
            str(course.targets - ours.finds),
            f"{ours.left:.1f}, {SURE * ours.left:.1f}",
            f"{100 * course.told:.0f}",
            f"{100 * course.covered:.0f}",
            f"{sure:g}",
            _percent(other.requests, course.whole),
            str(course.targets - other.finds),
        ]
        print("| " + " | ".join(cells) + " |")
    recorded = [course for course in courses if course.recorded]
    if recorded:
        for name, stops in (
            ("stops", [course.stop(SURE) for course in recorded]),
            ("chosen without", [course.stop(choose(courses, course)) for course in recorded]),
        ):
            ratios = [stop.requests / c.whole for stop, c in zip(stops, recorded, strict=True)]
            print(f"\nGeometric mean, recorded sites, {name}: {_mean(ratios):.3f}")
    kept = sum(course.keeps(SURE) for course in courses)
    print(f"98 % kept (one missing of under 50): {kept} of {len(courses)} sites")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}"


def _mean(ratios: Sequence[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.stopping", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("sites", nargs="*", help="names; by default all")
    asked = parser.parse_args()
    courses: list[Course] = []
    try:
        for course in _courses(asked.data, asked.sites):
            courses.append(course)
            print(f"{course.site}: {course.looks[-1].requests} requests", file=sys.stderr)
    except UserError as error:
        print(f"experiments.stopping: {error}", file=sys.stderr)
        return error.exit_code
    show(courses)
    return 0


if __name__ == "__main__":
    sys.exit(main())
