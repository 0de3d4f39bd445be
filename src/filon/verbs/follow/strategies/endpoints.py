"""The SPARQL endpoints of a run: which are read, and what their answers are."""

from dataclasses import replace
from typing import TYPE_CHECKING

from filon.core import Find, Request, Response
from filon.core.forms import pairs
from filon.core.state import Stateful, stored
from filon.page.url import join
from filon.verbs.follow.strategies.brief import Lead
from filon.verbs.follow.strategies.coverage import Coverage
from filon.verbs.follow.strategies.errands import Errand, Errands, lead_to
from filon.verbs.follow.strategies.reading import Reading
from filon.verbs.follow.strategies.sparql import ENDPOINT, MOST_PAGES, Endpoint

if TYPE_CHECKING:
    from filon.verbs.follow.strategies.ground import Ground

#: Endpoints of one run, and how often one may have moved.
MOST, MOST_MOVES = 200, 3
#: The part of all requests that one endpoint may have: there are others, however large it is.
SHARE = 0.2


class Endpoints(Stateful):
    """Endpoints by the address under which they were met."""

    STATE = (stored("_known", pairs(ENDPOINT)),)

    def __init__(self, ground: "Ground", errands: Errands, coverage: Coverage) -> None:
        self._ground, self._errands, self._coverage = ground, errands, coverage
        self._known: dict[str, Endpoint] = {}

    def open(
        self, url: str, spaces: tuple[str, ...], origin: Lead, *, described: bool = False
    ) -> None:
        """Begin to read an endpoint: with its description, unless that was seen."""
        if url in self._known or len(self._known) >= MOST or not self._ground.admits(url):
            return
        calls = self._ground.brief.calls
        most = MOST_PAGES if calls is None else min(MOST_PAGES, max(10, int(calls * SHARE)))
        self._known[url] = Endpoint(url, spaces, most)
        if described or not self._errands.visit("endpoint", url, origin, url):
            self.begin(url, origin)

    def begin(self, url: str, origin: Lead) -> None:
        """Ask for the first page, whatever the description said: some have none."""
        self._errands.push(Errand("sparql", lead_to(url, "endpoint", origin), url))

    def request(self, url: str) -> Request:
        """Return the request for the next page of an endpoint."""
        return self._known[url].request()

    def page(self, errand: Errand, response: Response) -> Reading:
        """Take a page, and ask for the next."""
        endpoint = self._known[errand.name]
        reading = Reading("failed")
        moved = join(response.url, response.header("location")) if response.redirects else ""
        if moved and not endpoint.pages and errand.lead.hops < MOST_MOVES:
            endpoint.url = moved.partition("?")[0]
            errand = replace(errand, lead=replace(errand.lead, hops=errand.lead.hops + 1))
        elif not response.ok or response.cut:
            endpoint.refused(response)
        else:
            reading = self._told(endpoint, errand, response)
        if not endpoint.done:
            self._errands.push(errand)
        return reading

    def _told(self, endpoint: Endpoint, errand: Errand, response: Response) -> Reading:
        document, named = self._ground.document(response), endpoint.page_url
        is_page = response.mime == "text/html" and not document.strict
        if is_page or (document.broken and not document.triples):
            endpoint.refused(response)
            return Reading("failed", document)
        if not endpoint.take(document.triples):
            return Reading("nothing", document)
        self._coverage.learn(document.triples, endpoint.spaces)
        find = Find(kind="graph", url=named, name=endpoint.url, mime=response.mime)
        leads = self._ground.told(document, replace(response, url=named), errand.lead)
        self._ground.triples += len(document.triples)
        return Reading("graph", document, None, leads, [find])

    def told(self) -> dict[str, dict[str, int]]:
        """Say how far the first endpoints were read."""
        known = list(self._known.values())[:50]
        return {one.url: {"pages": one.pages, "triples": one.triples} for one in known}
