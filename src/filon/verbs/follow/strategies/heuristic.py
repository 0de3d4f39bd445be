"""The rules of earlier crawlers: by extension before a request, by type after its headers.

One GET a document, cut after the headers where the type is none of RDF: so what stands in HTML,
plain text or JSON is never read.
"""

from dataclasses import replace

from filon.core import Step
from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.brief import Candidate
from filon.verbs.follow.strategies.easy import by_name

#: Types that these crawlers take for anything but RDF.
NOT_RDF = (
    "text/html",
    "text/plain",
    "text/xml",
    "text/csv",
    "text/css",
    "text/javascript",
    "application/json",
    "application/xml",
    "application/xhtml+xml",
    "application/pdf",
    "application/zip",
    "application/octet-stream",
)
_NAMES_OF_PAGES = (".html", ".htm", ".xhtml", ".txt", ".json", ".php", ".asp", ".jsp")


class Heuristic(BreadthFirst):
    """`heuristic`: breadth-first, less what the rules turn down.

    Requests for 120 documents with RDF of the bundled small web:

    >>> from filon.demo.sites import to_documents
    >>> to_documents(Heuristic, 120)
    438

    Reference: LDSpider's lists of suffixes and media types (R. Isele and others, "LDspider: An
    open-source crawling framework for the Web of Linked Data", ISWC 2010).
    """

    uses_shortcuts = False

    def takes(self, candidate: Candidate) -> bool:
        """Turn down what has the extension of a page or of a file."""
        if "seed" in candidate.roles:
            return True
        path = candidate.document.partition("?")[0].lower()
        return by_name(candidate.document) != "other" and not path.endswith(_NAMES_OF_PAGES)

    def step(self, candidate: Candidate) -> Step:
        """Ask for RDF, and for the body only if it is."""
        step = super().step(candidate)
        request = step.request
        return replace(step, request=replace(request, unwanted=(*request.unwanted, *NOT_RDF)))
