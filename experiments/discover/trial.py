"""One run of a strategy on the generated web, judged by what the web knew before.

A page counts when it is asked for, dead or not, verification and calls of portals' APIs included;
a request is a page or a call of a search service. What is at hand on the machine costs nothing.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from experiments.discover.engine import share
from experiments.discover.known import searchers
from experiments.discover.web import DiscoverWeb
from filon.core import Find, Request, Response
from filon.page.text import page_text
from filon.page.url import host
from filon.portals import ADAPTERS
from filon.portals.fingerprint import guess, places
from filon.portals.markup import Markup
from filon.verbs.discover.strategies import Brief, Limits, build
from filon.verbs.discover.strategies.reasons import why
from filon.verbs.discover.strategies.tasks import Task

#: Pages that are shown as examples, and pages of other kinds.
EXAMPLES, OTHERS = 15, 30
LABEL = "course"
#: For repositories: the web here is a fiftieth of what the paper read, and each candidate is
#: looked at; with its limits the first pull would be all. Sites are looked for with the paper's.
SMALL = Limits(k=5, terms=5, keyword=20, related=20, backlinks=5, links=10)
#: Strategies that know of the registry of catalogues; the papers' do not.
WITH_REGISTRY = frozenset({"scout"})
#: Of a variant: "scout:registry=off" is not told of it.
REGISTRY = "registry"
_MARKUP = Markup()
#: How the reason of a step of the second phase ends: its pages count for nothing else.
_COLLECTS = why(Task(kind="collect")).rpartition(",")[2]
Judge = Callable[[Response, Sequence[Find]], list[tuple[str, bool, bool]]]


@dataclass(frozen=True, slots=True)
class Spot:
    """What was found, and after how many pages and requests.

    html: it can be found by links alone (or is a site). topical: it is of the topic.
    """

    name: str
    pages: int
    requests: int
    html: bool = True
    topical: bool = True


@dataclass(slots=True)
class Trial:
    """One run. true: how many there are to find, by column: see COLUMNS.

    claims: repositories that the strategy named, right or wrong.
    datasets: pages of datasets, and whether they have markup.
    """

    strategy: str
    seed: int
    topic: str
    true: dict[str, int]
    pages: int = 0
    calls: int = 0
    took_s: float = 0.0
    claims: int = 0
    found: list[Spot] = field(default_factory=list)
    datasets: dict[str, bool] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        """Pages and calls."""
        return self.pages + self.calls

    @property
    def rate(self) -> float:
        """Relevant ones per hundred pages."""
        return 100 * len(self.found) / max(1, self.pages)

    def count(self, column: str = "any") -> int:
        """Return how many were found that a column counts."""
        return sum(COLUMNS[column](spot) for spot in self.found)

    def coverage(self, column: str = "any") -> float:
        """Return the share of all that a column counts."""
        return self.count(column) / max(1, self.true[column])

    def after(self, most: int, by: str = "pages", column: str = "any") -> int:
        """Return how many were found within so many pages or requests."""
        return sum(COLUMNS[column](s) for s in self.found if getattr(s, by) <= most)


#: What counts: any repository, those by Definition 2 of DSDD, those of the topic.
COLUMNS: dict[str, Callable[[Spot], bool]] = {
    "any": lambda spot: True,
    "html": lambda spot: spot.html,
    "topic": lambda spot: spot.topical,
}


def split(variant: str) -> tuple[str, dict[str, str | float]]:
    """Return the name and the options of NAME:option=value:option=value.

    >>> split("dsdd:mode=kw+ol:audit=0.1")
    ('dsdd', {'mode': 'kw+ol', 'audit': '0.1'})
    """
    name, *pairs = variant.split(":")
    return name, {pair.partition("=")[0]: pair.partition("=")[2] for pair in pairs}


def sites(web: DiscoverWeb, variant: str, seed: int, pages: int = 0, requests: int = 0) -> Trial:
    """Look for hosts with pages of the label, beyond those of the examples."""
    truth = web.labelled(LABEL)
    ordered = sorted(
        (u for urls in truth.values() for u in urls), key=lambda u: share(seed, "s", u)
    )
    seeds = ordered[:EXAMPLES]
    wanted = truth.keys() - {_site(url) for url in seeds}
    rest = sorted(
        (u for u in web.labels if LABEL not in web.labels[u]), key=lambda u: share(seed, "o", u)
    )
    name, options = split(variant)
    options.pop(REGISTRY, None)  # there is none of these sites
    brief = Brief(
        topic=LABEL,
        seeds=tuple(seeds),
        searchers=searchers(),
        seed=seed,
        limits=Limits(pages=pages or requests),
        others=[page_text(web.body(url)).text for url in rest[:OTHERS]],
        sites="host",
        calls=requests,
        options=options,
    )
    relevant = {url for one in wanted for url in truth[one]}

    def judge(response: Response, finds: Sequence[Find]) -> list[tuple[str, bool, bool]]:
        url = response.url
        return [(_site(url), True, True)] if url in relevant else []

    trial = Trial(variant, seed, "", dict.fromkeys(COLUMNS, len(wanted)))
    return _run(web, name, brief, trial, judge)


def repositories(
    web: DiscoverWeb,
    variant: str,
    seed: int,
    topic: str,
    pages: int = 0,
    requests: int = 0,
    collect: int = 0,
) -> Trial:
    """Look for repositories of a topic; those of any other count too, in a column of their own.

    collect: pages of a second phase, for strategies that have one; they are not counted.
    """
    name, options = split(variant)
    registry = options.pop(REGISTRY, "on") == "on" and name in WITH_REGISTRY
    if name == "dsdd":
        options = {"collect": collect, **options}
    brief = Brief(
        topic=topic,
        searchers=searchers(web.registry if registry else None),
        seed=seed,
        limits=replace(SMALL, pages=pages or requests),
        sites="host",
        calls=requests,
        portals=ADAPTERS,
        recognise=lambda response: places(guess(response)),
        options=options,
    )
    names = {one.removeprefix("www."): one for one in web.truth}
    truth = web.truth
    true = {
        "any": len(truth),
        "html": sum(told.html for told in truth.values()),
        "topic": sum(topic in told.topics for told in truth.values()),
    }
    trial = Trial(variant, seed, topic, true)

    def judge(response: Response, finds: Sequence[Find]) -> list[tuple[str, bool, bool]]:
        kept = []
        for find in finds:
            if find.kind == "dataset":
                trial.datasets[find.url] = _marked(web, find.url)
            if find.kind == "repository":
                trial.claims += 1
                own = names.get(web.original(host(find.url)).removeprefix("www."))
                if own:
                    kept.append((own, truth[own].html, topic in truth[own].topics))
        return kept

    return _run(web, name, brief, trial, judge)


def _run(web: DiscoverWeb, name: str, brief: Brief, trial: Trial, judge: Judge) -> Trial:
    """Run until the strategy ends, or as many requests are spent as the brief allows."""
    web.renew()
    began, known = time.monotonic(), set()
    strategy = build(name, brief)
    while (not brief.calls or trial.requests < brief.calls) and (step := strategy.propose()):
        response = web.answer(step.request)
        if response.sent == "yes" and not step.reason.text.endswith(_COLLECTS):
            searches = step.reason.kind == "search"
            trial.calls, trial.pages = trial.calls + searches, trial.pages + (not searches)
        for found, html, topical in judge(response, strategy.observe(step, response)):
            if found not in known:
                known.add(found)
                trial.found.append(Spot(found, trial.pages, trial.requests, html, topical))
    trial.took_s, trial.told = time.monotonic() - began, strategy.summary()
    return trial


def _marked(web: DiscoverWeb, url: str) -> bool:
    return bool(_MARKUP.read(web.answer(Request(url=url))).datasets)


def _site(url: str) -> str:
    return host(url).removeprefix("www.")
