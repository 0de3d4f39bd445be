"""The seam to a search service: how a query becomes a request, and an answer records."""

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One result. Fields are flat text; several values are joined by "; "."""

    id: str
    fields: Mapping[str, str] = field(default_factory=dict)
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a service said to one query, or to the next page of one.

    total: how many records match, as the service reports it; None where it does not.
    more: what to hand to `Provider.request` for the next page; "" where there is none in reach.
    problem, detail: one of PROBLEMS; more of it, for people.
    """

    records: tuple[Record, ...] = ()
    total: int | None = None
    more: str = ""
    problem: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        if self.problem not in PROBLEMS:
            raise ValueError(f"unknown problem: {self.problem!r}")


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
