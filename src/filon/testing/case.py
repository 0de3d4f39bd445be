"""A strategy and the small web it is tried on: what the checks of strategies are given."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from filon.core import Account, Budget, Find, Request, Response, Step, Strategy, Web
from filon.core.loop import drive
from filon.page.types import Types
from filon.page.url import Site
from filon.testing.discovery import ToyDiscovery, discover_brief
from filon.testing.site import HOST, ToySite
from filon.testing.table import ToyTable
from filon.verbs.discover.strategies import Brief as DiscoverBrief
from filon.verbs.enrich.strategies import Brief as EnrichBrief
from filon.verbs.harvest.strategies.brief import Brief


def may_bring(response: Response) -> bool:
    """Say whether an answer may hold a find: it came whole, and there is something in it."""
    return response.ok and not response.cut and bool(response.body)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A strategy and its web.

    make: returns the strategy, from a web (which oracles know) and a seed.
    web: returns the web, new and always the same, which answers at once: its `fetch` awaits
        nothing. small: the same with less in it, for checks that are done many times.
    again: "module:function" and a text; in a fresh process the function makes this case of it.
    allows: says whether a URL may be asked for at all.
    brings: says whether an answer may hold a find.
    wrong: further answers to survive, as in filon.testing.answers.
    repeats: the strategy means to ask the same thing again.
    ends: it has no more to ask after so many answers that are all wrong; 0: nobody asks it to.
    at_once: how many finds one answer can bring; a budget of finds may be passed by one less.
    retries: it asks again itself for what failed in passing; else that is a guard's affair.
    """

    make: Callable[[Any, int], Strategy]
    web: Callable[[], Web]
    small: Callable[[], Web] | None = None
    again: tuple[str, str] = ("", "")
    allows: Callable[[str], bool] = lambda url: True
    brings: Callable[[Response], bool] = may_bring
    wrong: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    repeats: bool = False
    ends: int = 500
    at_once: int = 1
    retries: bool = False


def harvest_case(make: str | Callable[[Brief], Strategy]) -> Case:
    """Return a case for a strategy that harvests, on a small site.

    make: the class, or its path "package.module:Class".
    """
    build: Callable[[Brief], Strategy] = named(make) if isinstance(make, str) else make
    return Case(
        make=lambda web, seed: build(harvest_brief(seed)),
        web=ToySite,
        small=partial(ToySite, topics=2, datasets=2, news=4),
        again=("filon.testing.case:harvest_case", make if isinstance(make, str) else path_of(make)),
        allows=Site(HOST).__contains__,
        brings=lambda response: may_bring(response) and response.mime not in ("text/html", "///"),
    )


def enrich_case(make: str | Callable[[EnrichBrief], Strategy]) -> Case:
    """Return a case for a strategy that enriches, on a small table and a service for it.

    make: the class, or its path "package.module:Class". The seed is the run's, and no part of a
    state: it may order what is worth the same.
    """
    build: Callable[[EnrichBrief], Strategy] = named(make) if isinstance(make, str) else make
    return Case(
        make=lambda table, seed: build(table.brief()),
        web=ToyTable.made,
        small=partial(ToyTable.made, rows=8, hidden=16),
        again=("filon.testing.case:enrich_case", make if isinstance(make, str) else path_of(make)),
        brings=lambda response: False,
        ends=1500,
        at_once=10,
    )


def discover_case(make: str | Callable[[DiscoverBrief], Strategy]) -> Case:
    """Return a case for a strategy that discovers, on a small web with a search service.

    make: the class, or its path "package.module:Class".
    """
    build: Callable[[DiscoverBrief], Strategy] = named(make) if isinstance(make, str) else make
    path = make if isinstance(make, str) else path_of(make)
    return Case(
        make=lambda web, seed: build(discover_brief(seed)),
        web=ToyDiscovery,
        small=partial(ToyDiscovery, quota=8),
        again=("filon.testing.case:discover_case", path),
        brings=lambda response: response.ok and not response.cut,  # a site, whatever it says
        at_once=20,
    )


def harvest_brief(seed: int = 1) -> Brief:
    """Return what a strategy is asked to harvest there."""
    return Brief(start=f"{HOST}/", types=Types.parse("data"), seed=seed)


def named(path: str) -> Any:
    """Return what a module holds, by "module:name"."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def path_of(thing: Any) -> str:
    """Return the path of a class or function."""
    return f"{thing.__module__}:{thing.__qualname__}"


@dataclass
class Memory:
    """A Store that remembers."""

    steps: list[Step] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)

    def begin(self, step: Step, number: int = 0) -> int:
        """Take note of a step; return its number."""
        self.steps.append(step)
        return len(self.steps)

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Take note of what was found."""
        self.finds.extend(finds)

    def hold(self, number: int, response: Response) -> None:
        """Nothing is written."""

    def commit(self) -> None:
        """Nothing has to last."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Nothing is written."""


def answer(web: Web, request: Request) -> Response:
    """Return the answer of a web that answers at once."""
    try:
        web.fetch(request).__await__().send(None)
    except StopIteration as ended:
        response: Response = ended.value
        return response
    raise TypeError("The web of a case must answer without waiting.")


def run(case: Case, budget: str = "2000", parallel: int = 1, seed: int = 1) -> Memory:
    """Drive a case to its end as a run does; return what it did."""
    import asyncio

    memory, web = Memory(), case.web()
    account = Account(Budget.parse(budget), parallel)
    asyncio.run(drive(case.make(web, seed), web, account, memory, parallel=parallel))
    return memory
