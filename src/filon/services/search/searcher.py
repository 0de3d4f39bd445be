"""Search services for `filon discover`: what can be asked of one, and what it answers.

All are asked by a request and a parse. Some are at hand (the user's own archives): their requests
go to a host that does not exist and are answered on this machine (web/local.py), so that they
stand in the ledger with the others and cost nothing. A service that fails says so in
`Hits.problem`; no hits and no problem means that it looked and found nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from filon.core import Request, Response
from filon.core.provider import PROBLEMS
from filon.services.meter import Meter
from filon.services.shape import Key

#: What can be asked: pages for keywords; pages like a page; pages that link to a site or page;
#: the links of a page to other sites; entry pages of sites for keywords or a pattern.
OPERATORS = frozenset({"keyword", "related", "backlinks", "outlinks", "seeds"})
#: The operators whose question is a URL.
OF_URLS = frozenset({"related", "backlinks", "outlinks"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result.

    rank: its place in its answer, from 1.
    extra: what else the service tells, as flat text: an engine, a number of datasets.
    """

    url: str
    title: str = ""
    snippet: str = ""
    rank: int = 1
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What a service said to one question, or to the next page of one.

    total: how many there are, as the service reports it; None where it does not.
    more: what to hand to `Searcher.request` for the next page; "" where there is none in reach.
    problem, detail: one of core.provider.PROBLEMS; more of it, for people. A detail without a
        problem is a warning: some of the engines behind a service did not answer.
    """

    hits: tuple[Hit, ...] = ()
    total: int | None = None
    more: str = ""
    problem: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        if self.problem not in PROBLEMS:
            raise ValueError(f"unknown problem: {self.problem!r}")


class Searcher(Protocol):
    """A search service.

    operators: those of OPERATORS that it has.
    cost: the price of a call in USD; calls that need no request cost nothing.
    page_size: how many hits an answer brings at most, or usually where the service decides.
    secrets: the names of the secrets that it wants; key says more about them.
    origin: where its requests go: a scheme and a host, and the only place for its secrets.
    meter: what it allows, as strategies.metered wants to know it.
    """

    name: str
    operators: frozenset[str]
    cost: float
    page_size: int
    secrets: tuple[str, ...]
    key: Key
    origin: str
    meter: Meter

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked: the operator is there, and the query not too long."""

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for the first page of an answer, or for `Hits.more`.

        query: keywords, or a URL for the operators of OF_URLS.
        """

    def parse(self, operator: str, response: Response) -> Hits:
        """Return what the answer to such a request holds."""


def number(hits: list[Hit]) -> tuple[Hit, ...]:
    """Return hits with their ranks, each URL once: the first counts."""
    once: dict[str, Hit] = {}
    for hit in hits:
        once.setdefault(hit.url, hit)
    return tuple(
        Hit(url=hit.url, title=hit.title, snippet=hit.snippet, rank=rank, extra=hit.extra)
        for rank, hit in enumerate(once.values(), 1)
    )


def check(searcher: Searcher, operator: str) -> None:
    """Refuse an operator that a service has not: a mistake of who asks."""
    if operator not in searcher.operators:
        raise ValueError(f"{searcher.name} has no operator {operator!r}")
