"""SearXNG asks other engines: some may be silent while others answer."""

from dataclasses import replace
from typing import Any

from filon.core import Response
from filon.core.searcher import Hits
from filon.services.search.described import Described


class Searxng(Described):
    """An instance; a warning tells which of its engines did not answer."""

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        hits = super().read(operator, response)
        if hits.problem or not hits.hits:
            return hits
        silent = _silent(self.sources[operator].tree(response))
        return replace(hits, detail=f"No answer from {silent}.") if silent else hits


def _silent(said: Any) -> str:
    told = said.get("unresponsive_engines") if isinstance(said, dict) else None
    if not isinstance(told, list):
        return ""
    return ", ".join(
        f"{pair[0]} ({pair[1]})" if isinstance(pair, list) and len(pair) > 1 else str(pair)
        for pair in told
    )
