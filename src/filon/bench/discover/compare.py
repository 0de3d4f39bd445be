"""Harvest rate and coverage of discovery: Figures 6 to 8 of DISCO, 2 and 3 of DSDD.

    python -m filon.bench.discover.compare ../shared/data --seeds 5

A page counts when it is asked for, dead or not, verification included. What is found is judged by
the truth that the web had before the run, not by the strategy.
"""

import argparse
import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from filon.bench.discover.engine import EngineSearcher, share
from filon.bench.discover.web import TOPICS, DiscoverWeb
from filon.page.text import page_text
from filon.page.url import host
from filon.strategies.discover import STRATEGIES, Brief, Limits, build

#: Pages that are shown as examples, and pages of other kinds.
EXAMPLES, OTHERS = 15, 30
LABEL = "course"
#: For DSDD: the web here is a fiftieth of what the paper read, and each candidate is looked at;
#: with its limits the first pull would be all. DISCO runs with the paper's own.
SMALL = Limits(k=5, terms=5, keyword=20, related=10, backlinks=5, links=10)


@dataclass(slots=True)
class Trial:
    """One run. found: after how many pages each relevant site or repository was in."""

    name: str
    true: int
    pages: int = 0
    calls: int = 0
    took_s: float = 0.0
    found: list[int] = field(default_factory=list)
    sites: set[str] = field(default_factory=set)

    @property
    def rate(self) -> float:
        """Relevant ones per hundred pages."""
        return 100 * len(self.found) / max(1, self.pages)

    @property
    def coverage(self) -> float:
        """The share of all relevant ones that was found."""
        return len(self.found) / self.true


def sites(web: DiscoverWeb, mode: str, pages: int, seed: int) -> Trial:
    """Run DISCO in a mode: hosts with pages of the label, beyond those of the examples."""
    truth = web.labelled(LABEL)
    ordered = sorted(
        (u for urls in truth.values() for u in urls), key=lambda u: share(seed, "s", u)
    )
    seeds = ordered[:EXAMPLES]
    wanted = truth.keys() - {_site(url) for url in seeds}
    rest = sorted(
        (u for u in web.labels if LABEL not in web.labels[u]), key=lambda u: share(seed, "o", u)
    )
    others = [page_text(web.body(url)).text for url in rest[:OTHERS]]
    brief = Brief(
        topic=LABEL,
        seeds=tuple(seeds),
        searchers=(EngineSearcher(),),
        seed=seed,
        limits=Limits(pages=pages),
        others=others,
        sites="host",
        options={"mode": mode},
    )
    relevant = {url for name in wanted for url in truth[name]}
    return _run(web, "disco", brief, Trial(f"disco {mode}", len(wanted)), relevant)


def repositories(web: DiscoverWeb, mode: str, pages: int, seed: int, topic: str) -> Trial:
    """Run DSDD in a mode on a topic: hosts that are repositories, of any topic."""
    brief = Brief(
        topic=topic,
        searchers=(EngineSearcher(),),
        seed=seed,
        limits=replace(SMALL, pages=pages),
        sites="host",
        options={"mode": mode, "collect": 0},
    )
    return _run(web, "dsdd", brief, Trial(f"dsdd {mode}", len(web.repositories)), set())


def _run(web: DiscoverWeb, name: str, brief: Brief, trial: Trial, relevant: set[str]) -> Trial:
    """Run to the end; relevant: pages that count (sites), none: repositories that do."""
    web.renew()
    strategy = build(name, brief)
    began = time.monotonic()
    while step := strategy.propose():
        trial.pages += step.reason.kind != "search"
        response = web.answer(step.request)
        finds = strategy.observe(step, response)
        told = [find.url for find in finds if find.kind == "repository"]
        _count(web, trial, [response.url] if relevant else told, relevant)
    trial.calls, trial.took_s = web.calls, time.monotonic() - began
    return trial


def _count(web: DiscoverWeb, trial: Trial, urls: Iterable[str], relevant: set[str]) -> None:
    for url in urls:
        counts = url in relevant if relevant else host(url) in web.repositories
        if counts and _site(url) not in trial.sites:
            trial.sites.add(_site(url))
            trial.found.append(trial.pages)


def _site(url: str) -> str:
    return host(url).removeprefix("www.")


def table(trials: list[Trial]) -> str:
    """Return means over all runs of a name, and what each found alone, as Markdown."""
    lines = [
        "| run | pages | calls | found | of | per 100 pages | coverage | s |",
        "|---" * 8 + "|",
    ]
    for name in dict.fromkeys(trial.name for trial in trials):
        mine = [trial for trial in trials if trial.name == name]
        mean = statistics.fmean
        lines.append(
            f"| {name} | {mean(t.pages for t in mine):.0f} | {mean(t.calls for t in mine):.0f} "
            f"| {mean(len(t.found) for t in mine):.1f} | {mean(t.true for t in mine):.0f} "
            f"| {mean(t.rate for t in mine):.2f} | {mean(t.coverage for t in mine):.3f} "
            f"| {mean(t.took_s for t in mine):.0f} |"
        )
    return "\n".join(lines)


def _modes(name: str, only: str, modes: str) -> list[str]:
    """Return the modes of a strategy that are wanted."""
    chosen = modes.split(",") if modes else STRATEGIES[name].modes
    return [mode for mode in STRATEGIES[name].modes if mode in chosen and only in ("", name)]


def main() -> None:
    """Print a table of all modes of both strategies."""
    parser = argparse.ArgumentParser(prog="filon.bench.discover.compare", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=100, help="below 100: for development")
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--only", choices=list(STRATEGIES), default="")
    parser.add_argument("--topics", default=",".join(TOPICS))
    parser.add_argument("--modes", default="", help="names with commas; all if none")
    wanted = parser.parse_args()
    trials = []
    for seed in range(wanted.first, wanted.first + wanted.seeds):
        web = DiscoverWeb(wanted.data, seed)
        for mode in _modes("dsdd", wanted.only, wanted.modes):
            for topic in wanted.topics.split(","):
                trials.append(repositories(web, mode, wanted.pages, seed, topic))
                print(seed, topic, table(trials[-1:]).splitlines()[-1], flush=True)
        for mode in _modes("disco", wanted.only, wanted.modes):
            trials.append(sites(web, mode, wanted.pages, seed))
            print(seed, table(trials[-1:]).splitlines()[-1], flush=True)
    print(table(trials))


if __name__ == "__main__":
    main()
