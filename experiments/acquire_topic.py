"""`python -m experiments.acquire_topic WEB`: files on a topic, with discovery as one of the arms.

WEB is the small web of experiments.discover.real, whose truth says which hosts are on a topic: a
data file of one of those (three data files or more) counts, once. The whole budget goes to

- acquire: the allocation chooses between discovery and the sites that it has found, as
  `filon acquire` does; pages that discovery has read cost no second request, and a harvest begins
  with those of its site
- 20/80 to 80/20: discovery has the first part, and the sites on its list the rest, by the same
  allocation among them; pages cost as often as they are asked for (with --free: once)

Requests are answered in process, one at a time; robots.txt is asked for and counted. Nothing that
is measured here is drawn by chance, so seeds alone tell little: with --without 0.1 each leaves
out another tenth of the hosts, the same for all that is compared, and who has more is told by the
differences on the same web.
"""

import argparse
import statistics
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from experiments.discover.real import AGENT, RealWeb, searchers
from filon.core import Find, Request, Response, Strategy
from filon.core.abilities import TellsTopic, able
from filon.guards.stack import guarded
from filon.learn.allocation import Allocation
from filon.page.types import Types
from filon.page.url import Site, host
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.verbs.acquire.known import MOST_PAGES
from filon.verbs.acquire.scope import Sites
from filon.verbs.acquire.weighed import Weighed
from filon.verbs.acquire.worth import promised
from filon.verbs.discover.listing import ranked
from filon.verbs.discover.strategies import Brief, build
from filon.verbs.harvest.prior import site_prior
from filon.verbs.harvest.strategies import Brief as HarvestBrief
from filon.verbs.harvest.strategies import build as build_harvest

DISCOVERY = "discover"
SPLITS = (20, 40, 60, 80)
BUDGETS = (500, 1000, 2000)


class Acquisition:
    """Discovery and harvests within one budget.

    first: requests that are discovery's; it ends with them. None: it is one of the arms.
    """

    def __init__(
        self, web: RealWeb, topic: str, seed: int, first: int | None, *, free: bool
    ) -> None:
        self._web, self._topic, self._seed = web, topic, seed
        self._first, self._free = first, free
        self._truth = {name for name, kind in web.kinds(topic).items() if kind == "TRUE"}
        self._sites, self._allocation = Sites(), Allocation()
        self._arms: dict[str, Strategy] = {DISCOVERY: self._discovery}
        self._names: dict[str, str] = {}
        self._starts: dict[str, str] = {}
        self._weighed = Weighed(web.queries[topic])
        self._known: dict[str, Response] = {}
        self._allocation.add(DISCOVERY, kind="discovery")
        self.spent: dict[str, int] = {}
        self.found: set[str] = set()
        self.off = 0

    @cached_property
    def _scout(self) -> Strategy:
        web = self._web
        brief = Brief(
            topic=web.queries[self._topic],
            searchers=searchers(False),
            seed=self._seed,
            calls=2000,
            portals=ADAPTERS,
            recognise=lambda response: places(guess(response)),
        )
        return build("scout", brief)

    @cached_property
    def _discovery(self) -> Strategy:
        return guarded(
            self._scout, robots=AGENT, unasked=["search"], host_backoff=True, questions=["search"]
        )

    def run(self, budget: int) -> None:
        """Spend a budget."""
        left = budget
        while left > 0:
            own = self._first is not None and self.spent.get(DISCOVERY, 0) < self._first
            ready = [DISCOVERY] if own else self._allocation.alive()
            arm = self._allocation.choose(ready, left=left)
            if arm is None and own:
                self._first = 0
                continue
            if arm is None:
                return
            left -= self._step(arm)
            if self._first is not None and self.spent.get(DISCOVERY, 0) >= self._first:
                self._allocation.end(DISCOVERY)

    def _step(self, arm: str) -> int:
        """Send a request of an arm; return what it cost."""
        strategy = self._arms.get(arm) or self._begin(arm)
        step = strategy.propose()
        if step is None:
            self._allocation.end(arm)
            return 0
        response = self._answer(arm, step.request)
        cost = int(response.sent == "yes")
        self._allocation.sent(arm)
        self.spent[arm] = self.spent.get(arm, 0) + cost
        finds = strategy.observe(step, response)
        if arm == DISCOVERY:
            self._allocation.learn(arm, cost, 0.0)
            if finds:
                self._hear()
        else:
            counts = [self._count(arm, find) for find in finds if find.kind == "file"]
            self._allocation.learn(arm, cost, sum(counts), number=len(counts))
        return cost

    def _count(self, arm: str, find: Find) -> float:
        if host(find.url) in self._truth:
            self.found.add(find.url)
        else:
            self.off += 1
        return self._weighed.take(arm, find)

    def _answer(self, arm: str, request: Request) -> Response:
        known = self._known.get(request.url) if arm != DISCOVERY and self._free else None
        if known:
            return replace(known, sent="cached")
        response = self._web.answer(request, float(sum(self.spent.values())))
        size = len(response.body)
        response = replace(response, size_bytes=size, wire_bytes=size)
        if arm == DISCOVERY and request.method == "GET" and 0 < response.status < 500:
            self._known[request.url] = response
        return response

    def _hear(self) -> None:
        teller = able(self._scout, TellsTopic)
        if teller and self._weighed.learn(teller.telling()):
            for arm, counts in self._weighed.means():
                self._allocation.weigh(arm, counts)
        rows = [site.row() for site in ranked(self._scout)]
        sure = teller.promises() if teller else {}
        new = 0
        for row, promise in zip(rows, promised(rows, sure), strict=True):
            if name := self._names.get(row["url"]):
                self._allocation.add(name, promise=promise)
            elif site := self._sites.found(row, promise):
                self._names[site.url] = site.name
                self._starts[site.name] = site.url
                self._allocation.add(site.name, promise=site.promise)
                new += 1
        if new:
            self._allocation.learn(DISCOVERY, 0, 0.0, new)

    def _begin(self, arm: str) -> Strategy:
        """Begin a harvest, with the pages of its site that are at hand."""
        url = self._starts[arm]
        site = Site(url)
        at_hand = [
            known
            for known, response in self._known.items()
            if known in site and known != url and response.ok and "html" in response.mime
        ]
        brief = HarvestBrief(
            start=url,
            more=tuple(at_hand[:MOST_PAGES]) if self._free else (),
            types=Types.parse("data"),
            prior=lambda: site_prior(""),
        )
        self._arms[arm] = guarded(build_harvest("vein", brief), robots=AGENT, homes=[url])
        return self._arms[arm]


def play(
    web: RealWeb, topic: str, budget: int, seed: int, split_at: int, *, free: bool
) -> Acquisition:
    """Spend a budget; split_at: percent that are discovery's, 0: as the allocation says."""
    first = budget * split_at // 100 if split_at else None
    acquired = Acquisition(web, topic, seed, first, free=free or not split_at)
    acquired.run(budget)
    return acquired


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.acquire_topic",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument(
        "--without", type=float, default=0.0, help="share of hosts left out by a seed"
    )
    parser.add_argument("--topics", default="")
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)))
    parser.add_argument("--splits", default=",".join(map(str, SPLITS)))
    parser.add_argument("--free", action="store_true", help="no page is paid for twice anywhere")
    parser.add_argument("--verbose", action="store_true", help="show who was asked")
    wanted = parser.parse_args(arguments)
    web = RealWeb(wanted.folder)
    splits = [int(at) for at in wanted.splits.split(",")]
    heads = ["topic", "budget", "acquire", *(f"{at}/{100 - at}" for at in splits), "more than"]
    print(f"| {' | '.join(heads)} |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    seeds = range(wanted.first, wanted.first + wanted.seeds)
    webs = [web.without(wanted.without, seed) for seed in seeds]
    for topic in wanted.topics.split(",") if wanted.topics else web.queries:
        for budget in map(int, wanted.budgets.split(",")):
            found: list[list[int]] = []
            for split_at in (0, *splits):
                runs = [
                    play(each, topic, budget, seed, split_at, free=wanted.free)
                    for each, seed in zip(webs, seeds, strict=True)
                ]
                found.append([len(run.found) for run in runs])
                if wanted.verbose:
                    print(split_at, runs[0].off, dict(sorted(runs[0].spent.items(), key=_most)))
            cells = [f"{statistics.fmean(one):.0f} ± {statistics.pstdev(one):.0f}" for one in found]
            cells.append(ahead(found[0], found[1:]))
            print(f"| {topic} | {budget:,} | {' | '.join(cells)} |", flush=True)
    return 0


def ahead(acquired: Sequence[int], splits: Sequence[Sequence[int]]) -> str:
    """Return how many more files than the best split in the mean, and in how many seeds more.

    >>> ahead([10, 12, 8], [[9, 9, 9], [1, 2, 3]])
    '+1 ± 1.6 (2 of 3)'
    """
    best = max(splits, key=statistics.fmean)
    more = [one - other for one, other in zip(acquired, best, strict=True)]
    won = sum(one > 0 for one in more)
    return f"{statistics.fmean(more):+.0f} ± {statistics.pstdev(more):.1f} ({won} of {len(more)})"


def _most(item: tuple[str, int]) -> int:
    return -item[1]


if __name__ == "__main__":
    sys.exit(main())
