"""The seam to a search service of discovery: what can be asked of one, and what it answers.

A service that fails says so in `Hits.problem`; no hits and no problem means that it looked and
found nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from filon.core.provider import PROBLEMS
from filon.core.request import Request
from filon.core.response import Response

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

    hits: the results, best first.
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
    """A search service as two pure functions."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def operators(self) -> Collection[str]:
        """Those of OPERATORS that it has."""

    @property
    def cost(self) -> float:
        """The price of a call in USD; calls that need no request cost nothing."""

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked: the operator is there, and the query not too long."""

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for the first page of an answer, or for `Hits.more`.

        query: keywords, or a URL for the operators of OF_URLS.
        """

    def parse(self, operator: str, response: Response) -> Hits:
        """Return what the answer to such a request holds."""
