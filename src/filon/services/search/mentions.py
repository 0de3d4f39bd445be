"""Texts that are nowhere on the web stand for the addresses that they name.

A list of links in a file is found by its words; what a discovery can use of it are the links.
"""

from dataclasses import replace

from filon.core.searcher import Hit, Hits
from filon.services.search.athand import AtHand
from filon.services.search.searcher import number

#: Addresses that are taken of one text.
MOST = 50


class Mentions(AtHand):
    """An engine over one's own archives whose hits can all be fetched."""

    def __init__(self, engine: AtHand) -> None:
        super().__init__(engine.name, engine.index, engine.operators, engine.page_size)

    def answer(self, operator: str, query: str, page: str = "") -> Hits:
        """Return the hits, with the links of a file in its place."""
        hits = super().answer(operator, query, page)
        told = [each for hit in hits.hits for each in self._addresses(hit)]
        return replace(hits, hits=number(told))

    def _addresses(self, hit: Hit) -> list[Hit]:
        if not hit.url.startswith("file:"):
            return [hit]
        named = super().answer("outlinks", hit.url).hits[:MOST]
        return [replace(each, snippet=hit.title, extra={"file": hit.url}) for each in named]
