"""What a search service is besides its questions and answers: who may ask it, where, how fast.

All are asked by a request and a parse. Some are at hand (the user's own archives): their requests
go to a host that does not exist and are answered on this machine (web/split.py), so that they
stand in the ledger with the others and cost nothing.
"""

from typing import Protocol

from filon.core.service import Hit, Searcher
from filon.services.meter import HeaderMeter
from filon.services.shape import Key


class SearchService(Searcher, Protocol):
    """A searcher with its terms.

    page_size: how many hits an answer brings at most, or usually where the service decides.
    secrets: the names of the secrets that it wants; key says more about them.
    origin: where its requests go: a scheme and a host, and the only place for its secrets.
    meter: what it allows, as guards want to know it.
    """

    cost: float
    page_size: int
    secrets: tuple[str, ...]
    key: Key
    origin: str
    meter: HeaderMeter


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
