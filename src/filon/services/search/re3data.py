"""re3data: the registry's list names repositories, and a record each tells where they are.

So the first answer has no hits but a total, and each next page is one repository.
"""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from filon.core import Request, Response
from filon.core.service import Hits
from filon.services.search.described import Described, explain, hits_of
from filon.services.search.searcher import check
from filon.services.source import Source

#: Records of one question that are looked up, a call each.
MOST = 100


class Re3data(Described):
    """The registry of research data repositories."""

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        self._record = sources["re3data-record"]
        super().__init__(name, {"seeds": sources["seeds"]})
        self.page_size = 1

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for the list, or for the first of the records that the page names."""
        check(self, operator)
        if not page:
            return super().request(operator, query)
        first, _, rest = page.partition(",")
        request = self._record.request(first)
        return replace(request, url=f"{request.url}#{rest}") if rest else request

    def read(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        check(self, operator)
        parts = urlsplit(response.url)
        if "/repository/" in parts.path:
            # One record that cannot be had is no reason to lose those after it.
            return replace(hits_of(self._record, response), total=None, more=parts.fragment)
        answer = self.sources[operator].parse(response)
        names = [record.id for record in answer.records][:MOST]
        return Hits(
            total=answer.total,
            more=",".join(names),
            problem=answer.problem,
            detail=explain(answer, response),
        )
