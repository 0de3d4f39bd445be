"""Dumps that catalogues name: asked for first, and in their place the endpoint if they fail."""

from filon.core import Response
from filon.core.forms import TUPLE, pairs
from filon.core.state import Stateful, stored
from filon.page.url import parse
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.rdf.dump import is_packed
from filon.verbs.follow.strategies.brief import Lead
from filon.verbs.follow.strategies.coverage import Coverage
from filon.verbs.follow.strategies.errands import Errands

#: Dumps of one run.
MOST = 20_000


class Dumps(Stateful):
    """Dumps, with the prefixes that they are said to describe, and what they have told."""

    STATE = ("coverage", stored("_spaces", pairs(TUPLE)), "_fallbacks")

    def __init__(self, errands: Errands) -> None:
        self.coverage = Coverage()
        self._errands = errands
        self._spaces: dict[str, tuple[str, ...]] = {}
        self._fallbacks: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._spaces)

    def expect(self, url: str, spaces: tuple[str, ...], origin: Lead, instead: str = "") -> None:
        """Ask for a dump; instead: the endpoint that serves the same data."""
        url = parse(url)
        if url and len(self._spaces) < MOST:
            self._spaces.setdefault(url, spaces)
            if instead:
                self._fallbacks[url] = instead
            self._errands.visit("dump", url, origin)

    def fallback(self, url: str) -> str:
        """Return the endpoint that serves what a dump did not; "" where none does."""
        return self._fallbacks.get(url, "")

    def read(self, response: Response, document: Document, lead: Lead) -> None:
        """Take note of what a document tells, if it is a dump or may turn out to be one."""
        if lead.uri in self._spaces or lead.document in self._spaces or is_packed(response.body):
            spaces = self._spaces.get(lead.uri) or self._spaces.get(lead.document, ())
            whole = not (document.full or document.broken or response.cut or response.spool)
            self.coverage.learn(document.triples, spaces, whole=whole)
        elif not document.full:
            self.coverage.offer(response.url, document.triples)
