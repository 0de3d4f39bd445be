"""An index of links for the generated web: who links to a page.

No service that is spoken to elsewhere fits: a wiki knows the links of its own pages only. So this
has a form of its own, near that of the commercial ones: `GET /links?target=URL&page=N` is answered
with `{"target", "total", "links": [{"source"}], "next"}`, the last 0 where there is no more.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from filon.core import Request, Response
from filon.core.service import Hit, Hits
from filon.services.search.service import number

HOME = "http://links.example/links"
EACH = 10
_PROBLEMS = {429: "quota", 401: "key", 403: "key"}


def told(sources: Sequence[str], asked: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the answer for a target."""
    page = int(asked.get("page", ["1"])[0])
    links = [{"source": url} for url in sources[EACH * (page - 1) : EACH * page]]
    more = page + 1 if EACH * page < len(sources) else 0
    return {"target": asked["target"][0], "total": len(sources), "links": links, "next": more}


class LinkIndex:
    """Asks it."""

    name = "links"
    operators = frozenset({"backlinks"})
    cost = 0.0

    def takes(self, operator: str, query: str) -> bool:
        """Say whether this can be asked."""
        return operator in self.operators and bool(query)

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for a page of links."""
        return Request(url=f"{HOME}?target={quote(query, safe='')}&page={page or 1}")

    def parse(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        if not response.ok:
            return Hits(problem=_PROBLEMS.get(response.status, "down"))
        said = json.loads(response.body)
        hits = [Hit(url=str(one["source"])) for one in said["links"]]
        more = str(said["next"]) if said["next"] else ""
        return Hits(hits=number(hits), total=said["total"], more=more)
