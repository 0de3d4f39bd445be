"""`make bench`: what a decision, a live crawl and a million URLs cost, on this machine."""

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments import flights, forecast, imperfect
from experiments.capacity import known_urls
from experiments.decision import decision_cost
from experiments.live import Crawl, filon_crawl, rival_crawl, serving_alone
from filon.compare.replica import Replica
from filon.core import FilonError, UserError
from filon.page.types import Types
from filon.page.url import split

#: Beside a checkout.
DATA = Path("../shared/data/harvest")
#: Of each site: twelve of them have 1,000.
PAGES_A_SITE = 84


def main() -> int:
    """Print all figures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with recorded sites")
    parser.add_argument("--pages", type=int, default=1000, help="real pages to decide on")
    parser.add_argument("--site", default="feedfuture", help="the site to crawl live")
    parser.add_argument("--repeat", type=int, default=5, help="crawls of each, interleaved")
    parser.add_argument("--parallel", type=int, default=8, help="requests in flight")
    parser.add_argument("--urls", type=int, default=1_000_000, help="URLs to know")
    parser.add_argument(
        "--imperfect", metavar="STRATEGY", help="only harvest live, with the server's imperfections"
    )
    parser.add_argument(
        "--forecast", metavar="STRATEGY", help="only compare its forecasts with what came"
    )
    parser.add_argument("--types", default="paper", help="what counts as a target of a forecast")
    parser.add_argument("replicas", nargs="*", type=Path, help="by default all in --data")
    parser.add_argument(
        "--flights", metavar="STRATEGY", help="only harvest live, with one and several in flight"
    )
    parser.add_argument(
        "--decisions", metavar="STRATEGY", help="only what a decision costs, site by site"
    )
    wanted = parser.parse_args()
    try:
        if wanted.decisions:
            _by_site(wanted.replicas or _replicas(wanted.data), wanted.decisions, wanted.repeat)
            return 0
        if wanted.imperfect:
            imperfect.show(wanted.data, wanted.imperfect)
            return 0
        if wanted.forecast:
            sites = wanted.replicas or _replicas(wanted.data)
            forecast.show(sites, wanted.forecast, Types.parse(wanted.types))
            return 0
        if wanted.flights:
            flights.show(wanted.data, wanted.flights, wanted.parallel, wanted.repeat)
            return 0
        _decisions(wanted.data, wanted.pages)
        _crawls(wanted.data, wanted.site, wanted.repeat, wanted.parallel)
        _memory(wanted.urls)
    except FilonError as error:
        print(f"experiments: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _decisions(data: Path, pages: int) -> None:
    replicas = _replicas(data)
    costs = [decision_cost(replicas, pages) for _ in range(3)]
    vein = [decision_cost(replicas, pages, "vein") for _ in range(3)]
    print(f"Decision, over {costs[0].pages} real pages of {len(replicas)} sites: CPU ms a page")
    print(f"  parse only (the floor)       {_spread([cost.parse_ms for cost in costs])}")
    print(f"  parse and links              {_spread([cost.links_ms for cost in costs])}")
    print(f"  the whole decision of sb     {_spread([cost.decide_ms for cost in costs])}   bar: 3")
    print(f"  the whole decision of vein   {_spread([cost.decide_ms for cost in vein])}   bar: 1.2")


def _by_site(replicas: Sequence[Path], strategy: str, repeat: int) -> None:
    print(f"Decision of {strategy}, the first {PAGES_A_SITE} pages of a site: CPU ms a page")
    for replica in replicas:
        costs = [decision_cost([replica], PAGES_A_SITE, strategy) for _ in range(repeat)]
        print(f"  {replica.stem:12} {_spread([cost.decide_ms for cost in costs])}", flush=True)


def _replicas(data: Path) -> list[Path]:
    replicas = sorted((data / "replicas").glob("*.sqlite"))
    if not replicas:
        raise UserError(f"There are no recorded sites in {data}.")
    return replicas


def _crawls(data: Path, site: str, repeat: int, parallel: int) -> None:
    path = split(Replica.open(data / f"replicas/{site}.sqlite").start).path
    crawls: dict[str, list[Crawl]] = {}
    with serving_alone(data, site) as server:
        url = f"http://127.0.0.1:{server.port}{path}"
        for _ in range(repeat):  # in turn, so that a busy moment of the machine meets all
            for strategy in ("bfs", "vein"):
                crawl = filon_crawl(server, url, parallel, strategy)
                crawls.setdefault(f"filon harvest --strategy {strategy}", []).append(crawl)
            for name in ("scrapy", "crawlee"):
                crawls.setdefault(name, []).append(rival_crawl(name, server, url, parallel))
    print(f"Live crawl of {site}, {parallel} in flight, no proxy, whole process: CPU ms a page")
    for name, all_of_it in crawls.items():
        print(f"  {name:30} {_crawl_line(all_of_it)}")
    for strategy in ("bfs", "vein"):
        ours = crawls[f"filon harvest --strategy {strategy}"]
        for name in ("scrapy", "crawlee"):
            pairs = zip(ours, crawls[name], strict=True)
            ratios = [one.page_ms / other.page_ms for one, other in pairs]
            bar = "   bar: 0.6" if (strategy, name) == ("vein", "crawlee") else ""
            print(f"  {strategy} / {name:23} {_spread(ratios)}{bar}")


def _memory(urls: int) -> None:
    print("Memory of the whole process")
    for strategy in ("bfs", "sb", "vein"):
        told = known_urls(strategy, urls)
        print(f"  {strategy:4} {told['known']:,.0f} known URLs   {told['mib']:.0f} MiB   bar: 1024")


def _crawl_line(crawls: Sequence[Crawl]) -> str:
    spread = _spread([crawl.page_ms for crawl in crawls])
    return f"{spread}   ({crawls[0].requests} requests, {crawls[0].pages} pages)"


def _spread(values: Sequence[float]) -> str:
    return f"{statistics.fmean(values):6.2f} ± {statistics.pstdev(values):.2f}"


if __name__ == "__main__":
    sys.exit(main())
