"""`python -m experiments.priors`: `vein` with a prior learnt without the site, and without any.

The links of each page are in an order of its own for each seed; seed 0 has the page's. A run ends
with 90 % of the targets. `--ship` learns the prior that comes with Filon, from all sites and the
demo: it has seen them, so no figure may be taken with it.
"""

import argparse
import asyncio
import math
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from experiments.decision import Nowhere, Timed
from filon.compare.metrics import SHARE
from filon.compare.oracles.clairvoyant import plan
from filon.compare.prior import Examples, examples, learn
from filon.compare.replica import Replica
from filon.compare.source import Body, Head
from filon.core import Account, Budget, Find, Response, Step, Strategy, drive
from filon.demo import blog, ngo, portal
from filon.demo.sites import answer
from filon.page.links import Link, Wanted
from filon.page.types import Types
from filon.verbs.harvest import SHIPPED
from filon.verbs.harvest.prior import save
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState
from filon.verbs.harvest.strategies.vein.site_prior import SitePrior

DATA = Path("../shared/data/harvest/replicas")
TYPES = Types.parse("paper")


class Demo:
    """A site of the demo as the source of a replica."""

    def __init__(self, start: str) -> None:
        self.name = self.start = start

    def look(self, url: str) -> Head:
        """Answer all but the body."""
        found = answer(url)
        headers = {name.lower(): value for name, value in found.headers}
        location = headers.get("location", "")
        return Head(found.status, headers.get("content-type", ""), location, url)

    def load(self, head: Head) -> Body:
        """Answer the body."""
        body = answer(head.path).body
        return Body(body, len(body), head.mime)

    def close(self) -> None:
        """Nothing is held open."""


class Until(Timed):
    """A strategy that ends with so many of some targets."""

    def __init__(self, inner: Strategy, targets: Sequence[str], enough: int) -> None:
        super().__init__(inner, sys.maxsize)
        self._targets, self._enough = set(targets), enough
        self._found: set[str] = set()
        self.requests = 0

    @property
    def is_done(self) -> bool:
        """Tell whether there are enough."""
        return len(self._found) >= self._enough

    def propose(self) -> Step | None:
        """Ask the strategy, until there are enough."""
        return None if self.is_done else super().propose()

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Tell the strategy, and count."""
        self.requests += 1
        if response.ok and step.request.url in self._targets:
            self._found.add(step.request.url)
        return super().observe(step, response)


class Shuffled:
    """Reads the links of a page in an order of its own."""

    def __init__(self, replica: Replica, seed: int) -> None:
        self._replica, self._seed = replica, seed

    def __call__(
        self, response: Response, *, wanted: Wanted | None = None, **how: Any
    ) -> list[Link]:
        """Return the links of a page."""
        found = list(self._replica.memory.read(response, **how))
        if self._seed:
            Random(f"{self._seed} {response.url}").shuffle(found)
        return [link for link in found if wanted(link.url)] if wanted else found


def requests(replica: Replica, prior: SitePrior | None, seed: int) -> float:
    """Return the requests that `vein` needs for 90 % of the targets."""
    brief = Brief(
        start=replica.start,
        types=TYPES,
        stop="never",
        read=Shuffled(replica, seed),
        prior=(lambda: prior) if prior else None,
    )
    targets = replica.targets()
    run = Until(build("vein", brief), targets, _enough(targets))
    asyncio.run(drive(run, replica.fresh(), Account(Budget()), Nowhere()))
    return run.requests if run.is_done else math.inf


def floor(replica: Replica) -> int:
    """Return the requests that `clairvoyant` needs for as many."""
    targets = set(replica.targets())
    steps = plan(replica.start, replica, SiteState(Brief(start=replica.start, types=TYPES)))
    found = (number for number, (url, _) in enumerate(steps, 1) if url in targets)
    return list(found)[_enough(replica.targets()) - 1]


def _enough(targets: Sequence[str]) -> int:
    return math.ceil(round(SHARE * len(targets), 6))


def compared(sites: dict[str, Path], seeds: int, only: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table, in units of `clairvoyant` and in % of a full crawl."""
    taught = {name: examples(Replica.open(path, TYPES), TYPES) for name, path in sites.items()}
    yield "| site | clairvoyant | without a prior | ratio | with one of the others | ratio |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    logs: list[list[float]] = [[], []]
    for name in only or sites:
        replica = Replica.open(sites[name], TYPES)
        prior = _without(taught, name)
        whole, least = replica.census.requests, floor(replica)
        line = [name, f"{100 * least / whole:.1f}"]
        for one, kept in zip((None, prior), logs, strict=True):
            needed = [requests(replica, one, seed) for seed in range(seeds)]
            mean = statistics.fmean(needed)
            spread = 100 * statistics.pstdev(needed) / whole
            line += [f"{100 * mean / whole:.1f} ± {spread:.1f}", f"{mean / least:.3f}"]
            kept.append(math.log(mean / least))
        yield f"| {' | '.join(line)} |"
    means = [f"{math.exp(statistics.fmean(kept)):.3f}" for kept in logs]
    yield f"| geometric mean | | | {means[0]} | | {means[1]} |"


def _without(taught: dict[str, Examples], name: str) -> SitePrior:
    weights = learn([each for other, each in taught.items() if other != name])
    return SitePrior(lambda: weights)


def ship(sites: dict[str, Path], path: Path) -> None:
    """Learn a prior from all sites and the demo, and write it."""
    replicas = [Replica.open(site, TYPES) for site in sites.values()]
    starts = (portal.START, ngo.START, blog.START)
    replicas += [Replica(Demo(start), TYPES) for start in starts]
    save(learn([examples(replica, TYPES) for replica in replicas]), path)


def main() -> int:
    """Print the table, or write the prior; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.priors", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("--seeds", type=int, default=5, help="orders of the links")
    parser.add_argument("--ship", action="store_true", help="only write the prior of Filon")
    parser.add_argument("sites", nargs="*", help="those to harvest; by default all")
    wanted = parser.parse_args()
    sites = {path.stem: path for path in sorted(wanted.data.glob("*.sqlite"))}
    if wanted.ship:
        ship(sites, Path("src/filon/verbs/harvest") / SHIPPED)
        return 0
    for line in compared(sites, wanted.seeds, wanted.sites):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
