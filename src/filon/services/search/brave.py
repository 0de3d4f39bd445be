"""Brave counts in two windows at once, a second and a month: its headers hold a number for each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from filon.core import Response
from filon.core.searcher import Hits
from filon.services.meter import HeaderMeter
from filon.services.search.described import Described
from filon.services.source import Source

#: Pages of a query that can be had: offset goes from 0 to 9.
LAST_OFFSET = 9


class Windows(HeaderMeter):
    """Reads "1, 1000": what is left now, and what is left this month."""

    def left(self, response: Response) -> int | None:
        """Return the calls left in the window that has fewest; None where nothing is told."""
        return min(_numbers(response, "x-ratelimit-remaining"), default=None)

    def resets_at_s(self, response: Response) -> float | None:
        """Return when the last of the spent windows is renewed."""
        left = _numbers(response, "x-ratelimit-remaining")
        waits = _numbers(response, "x-ratelimit-reset")
        spent = [wait for count, wait in zip(left, waits, strict=False) if count <= 0]
        return response.at_s + max(spent) if spent else None


class Brave(Described):
    """Brave's web search: it says itself whether there is another page."""

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        super().__init__(name, sources)
        limits = sources["keyword"].description.limits
        self.meter = Windows(name, limits, self.meter.judge)

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        hits = super().read(operator, response)
        if hits.problem or hits.more or not hits.hits:
            return hits
        at = _offset(response.url)
        goes_on = at < LAST_OFFSET and _has_more(self.sources[operator].tree(response))
        return replace(hits, more=str(at + 1)) if goes_on else hits


def _has_more(answer: Any) -> bool:
    query = answer.get("query")
    return isinstance(query, dict) and query.get("more_results_available") is True


def _offset(url: str) -> int:
    told = url.partition("&offset=")[2].partition("&")[0]
    return int(told) if told.isascii() and told.isdigit() else 0


def _numbers(response: Response, header: str) -> list[int]:
    parts = [part.strip() for part in response.header(header).split(",")]
    return [int(part) for part in parts if part.isascii() and part.isdigit()]
