"""The seam to services that are searched: how a question becomes a request, and an answer results.

A Provider gives records to fill a table with, a Searcher hits on the web; a Meter is what a service
allows, for the guards. A service that fails says so in `problem`; no results and no problem means
that it looked and found nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from filon.core.request import Request
from filon.core.response import Response

#: Why an answer brings no records although it should.
PROBLEMS = frozenset(
    {
        "",
        "down",  # no answer, or an error of the server's own
        "key",  # the key is missing, wrong or not allowed to do this
        "query",  # the service does not take this query
        "quota",  # no more calls for now
        "schema",  # not what the service's description says: a captcha page, other fields
    }
)
#: What can be asked: pages for keywords; pages like a page; pages that link to a site or page;
#: the links of a page to other sites; entry pages of sites for keywords or a pattern.
OPERATORS = frozenset({"keyword", "related", "backlinks", "outlinks", "seeds"})
#: The operators whose question is a URL.
OF_URLS = frozenset({"related", "backlinks", "outlinks"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One result. Fields are flat text; several values are joined by "; "."""

    id: str
    fields: Mapping[str, str] = field(default_factory=dict)
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What whatever lists results says of them.

    total: how many there are, as it reports; None where it does not.
    problem, detail: one of PROBLEMS; more of it, for people.
    """

    total: int | None = None
    problem: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        if self.problem not in PROBLEMS:
            raise ValueError(f"unknown problem: {self.problem!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Reply):
    """What a service said to one query, or to the next page of one.

    more: what to hand to `Provider.request` for the next page; "" where there is none in reach.
    """

    records: tuple[Record, ...] = ()
    more: str = ""


class Provider(Protocol):
    """A search service as two pure functions.

    page_size: how many records one answer brings at most.
    joins: "and" where a record must hold all words of a query, "or" where one will do, "" unknown.
    """

    @property
    def name(self) -> str:
        """What people call the service."""

    @property
    def page_size(self) -> int:
        """How many records one answer brings at most."""

    @property
    def joins(self) -> str:
        """How the words of a query are joined: "and", "or", or "" where that is unknown."""

    def takes(self, query: str) -> bool:
        """Say whether the service takes a query of that length and these words."""

    def request(self, query: str, page: str = "") -> Request:
        """Return the request for the first page of a query's results, or for `Answer.more`."""

    def parse(self, response: Response) -> Answer:
        """Return what an answer holds."""


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
class Hits(Reply):
    """What a service said to one question, or to the next page of one.

    hits: the results, best first.
    more: what to hand to `Searcher.request` for the next page; "" where there is none in reach.
    A detail without a problem is a warning: some engines behind a service did not answer.
    """

    hits: tuple[Hit, ...] = ()
    more: str = ""


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


class Meter(Protocol):
    """The rate and the quota of a service.

    delay_s: the least time between two calls. quota, window_s: calls in so many seconds, or 0.
    """

    name: str
    delay_s: float
    quota: int
    window_s: float

    def judge(self, response: Response) -> tuple[str, str]:
        """Return one of PROBLEMS, and a sentence about it."""

    def left(self, response: Response) -> int | None:
        """Return how many calls are left, as the answer says."""

    def resets_at_s(self, response: Response) -> float | None:
        """Return the Unix time from which there are calls again, as the answer says."""

    def pace_s(self, response: Response) -> float | None:
        """Return the least time between calls, as the answer says."""
