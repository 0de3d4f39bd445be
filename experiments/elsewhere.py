"""`vein` on webs that it was not made on, beside the papers' crawlers and `clairvoyant`.

    python -m experiments.elsewhere FOLDER [SITE ...] [--seeds 3]

The sites are those of `python -m experiments.manuals`, or any other replicas in a folder. `vein`
runs to the last link, with the prior that comes with Filon and with none; the links of each page
are in an order of its own for each seed (0: the page's). Along the runs with the prior it is noted
where `--stop auto` would have ended, and whether what it told of the files left was true.
"""

import argparse
import asyncio
import math
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.priors import Shuffled
from experiments.stopping import EVERY, Look, told
from filon.compare.metrics import SHARE
from filon.compare.oracles import build
from filon.compare.replica import Replica
from filon.compare.trial import Tally
from filon.core import Account, Budget, Find, Response, Step, UserError, drive
from filon.page.types import Types
from filon.verbs.harvest.prior import site_prior
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.vein.strategy import Vein
from filon.verbs.harvest.strategies.vein.value import SURE

#: What `vein` is held against, and that which knows all links beforehand.
OTHERS, FLOOR = ("bfs", "dfs", "focused", "sb"), "clairvoyant"
#: `vein` with the prior that comes with Filon, and without any.
SHIPPED, ALONE = "vein, prior", "vein"
#: The share of the files that a run should end with.
KEPT = 0.98
#: They draw at random, or are given the links of pages in another order: one run a seed.
REPEATED = ("sb", SHIPPED, ALONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A crawl to the last link: targets after each request, and what `vein` thought on the way.

    whole: requests of a full crawl. targets: of the site.
    """

    found: NDArray[np.int64]
    looks: tuple[Look, ...]
    whole: int
    targets: int

    @property
    def requests(self) -> float:
        """Requests to 90 % of the targets, as a share of a full crawl's."""
        at = int(np.searchsorted(self.found, math.ceil(round(SHARE * self.targets, 6))))
        return (at + 1) / self.whole if at < len(self.found) else math.inf

    @property
    def area(self) -> float:
        """The mean share of the targets that are missing along a full crawl."""
        found = self.found[: self.whole].sum() + max(self.whole - len(self.found), 0) * self.last
        return float(1 - found / (self.whole * self.targets))

    @property
    def last(self) -> int:
        """All targets that it found."""
        return int(self.found[-1])

    @property
    def stop(self) -> Look:
        """Where `--stop auto` would have ended."""
        return next((look for look in self.looks if look.is_over(SURE)), self.looks[-1])

    @property
    def bounds(self) -> list[bool]:
        """Whether each bound that was told on the way holds."""
        forecasts = ((look, told(look)) for look in self.looks)
        return [self.last - look.finds <= bound["most"] for look, bound in forecasts if bound]


class Watch(Tally):
    """A Store that keeps sums, and looks at what `vein` thinks is left."""

    def __init__(self, replica: Replica) -> None:
        super().__init__(replica)
        self.vein: Vein | None = None
        self.looks: list[Look] = []

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Count an answer, and look after every few of them."""
        super().record(number, step, response, finds, idle=idle)
        if self.vein and len(self.new) % EVERY == 0:
            self.looks.append(self._look(self.vein))

    @staticmethod
    def _look(vein: Vein) -> Look:
        forecast = vein.forecast
        waiting, left = len(vein.frontier), vein.kinds.left()
        return Look(forecast.requests, forecast.finds, waiting, left, forecast.drought)


def crawl(replica: Replica, name: str, seed: int, types: Types) -> Run:
    """Crawl a site to the last link."""
    brief = Brief(
        start=replica.start,
        types=types,
        seed=seed,
        stop="never",
        read=Shuffled(replica, seed) if name in (SHIPPED, ALONE) else replica.memory.read,
        prior=partial(site_prior, "") if name == SHIPPED else None,
    )
    strategy = build(ALONE if name == SHIPPED else name, brief, replica)
    watch = Watch(replica)
    watch.vein = strategy if isinstance(strategy, Vein) else None
    asyncio.run(drive(strategy, replica.fresh(), Account(Budget()), watch))
    found = np.cumsum(watch.new)
    return Run(
        found=found,
        looks=(*watch.looks, Look(len(found), int(found[-1]), 0, 0.0, 0)),
        whole=replica.census.requests,
        targets=len(replica.census.targets),
    )


def crawls(replica: Replica, seeds: int, types: Types) -> dict[str, list[Run]]:
    """Let each crawler visit a site, those that draw at random once a seed."""
    return {
        name: [
            crawl(replica, name, seed, types) for seed in range(seeds if name in REPEATED else 1)
        ]
        for name in (FLOOR, *OTHERS, ALONE, SHIPPED)
    }


Sites = Mapping[str, Mapping[str, Sequence[Run]]]


def figures(sites: Sites, what: str) -> Iterator[str]:
    """Yield a table of "requests" or "area" in percent; the last column is against the best."""
    names = (FLOOR, *OTHERS, ALONE, SHIPPED)
    yield f"| site | {' | '.join(names)} | against the best of the four |"
    yield "| --- |" + " ---: |" * (len(names) + 1)
    logs: dict[str, list[float]] = {name: [] for name in (*names, "best")}
    for site, runs in sites.items():
        means, cells = {}, []
        for name in names:
            values = [100 * getattr(run, what) for run in runs[name]]
            means[name] = statistics.fmean(values)
            spread = f" ± {statistics.pstdev(values):.1f}" if name in REPEATED else ""
            cells.append(f"{means[name]:.1f}{spread}")
        means["best"] = means[SHIPPED] / min(means[name] for name in OTHERS)
        yield f"| {site} | {' | '.join(cells)} | {means['best']:.3f} |"
        for name, mean in means.items():
            logs[name].append(math.log(mean))
    cells = [f"{math.exp(statistics.fmean(logs[name])):.1f}" for name in names]
    best = math.exp(statistics.fmean(logs["best"]))
    yield f"| geometric mean | {' | '.join(cells)} | {best:.3f} |"


def stops(sites: Sites) -> Iterator[str]:
    """Yield a table of where `--stop auto` ends, and of what is told of the files left."""
    yield "| site | files | full crawl | stops | most files missed | told | holds |"
    yield "| --- |" + " ---: |" * 6
    logs, kept, all_bounds = [], [], []
    for site, of in sites.items():
        runs = of[SHIPPED]
        ends = [run.stop for run in runs]
        shares = [end.requests / run.whole for end, run in zip(ends, runs, strict=True)]
        missed = [run.targets - end.finds for end, run in zip(ends, runs, strict=True)]
        bounds = [holds for run in runs for holds in run.bounds]
        cells = (
            f"{runs[0].targets}",
            f"{runs[0].whole:,}",
            f"{100 * statistics.fmean(shares):.1f} ± {100 * statistics.pstdev(shares):.1f}",
            f"{max(missed)} ({100 * max(missed) / runs[0].targets:.1f} %)",
            f"{100 * len(bounds) / sum(len(run.looks) for run in runs):.0f} %",
            f"{100 * statistics.fmean(bounds):.0f} %" if bounds else "",
        )
        yield f"| {site} | {' | '.join(cells)} |"
        logs.append(math.log(statistics.fmean(shares)))
        kept += [lost / run.targets for lost, run in zip(missed, runs, strict=True)]
        all_bounds += bounds
    yield f"\nGeometric mean of the requests: {100 * math.exp(statistics.fmean(logs)):.1f} %"
    enough = sum(lost <= 1 - KEPT for lost in kept)
    yield f"At least {KEPT:.0%} of the files: {enough} of {len(kept)} runs"
    if all_bounds:
        yield f"Bounds that hold: {sum(all_bounds)} of {len(all_bounds)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments.elsewhere", description=__doc__)
    parser.add_argument("folder", type=Path, help="with NAME.sqlite")
    parser.add_argument("sites", nargs="*", help="names; by default all")
    parser.add_argument("--seeds", type=int, default=3, help="orders of links, draws of sb")
    parser.add_argument("--types", default="paper", help="what counts as a target")
    asked = parser.parse_args(arguments)
    types, done = Types.parse(asked.types), {}
    try:
        paths = [asked.folder / f"{name}.sqlite" for name in asked.sites]
        for path in paths or sorted(asked.folder.glob("*.sqlite")):
            done[path.stem] = crawls(Replica.open(path, types), asked.seeds, types)
            print(path.stem, file=sys.stderr, flush=True)
        if not done:
            raise UserError(f"There are no recorded sites in {asked.folder}.")
    except UserError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return error.exit_code
    for table in (figures(done, "requests"), figures(done, "area"), stops(done)):
        print("\n".join(table), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
