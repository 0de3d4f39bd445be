"""The Linked Data of the small web: the office's datasets, the places and people they mention.

Four hosts that publish as real ones do: one sends you on to Turtle or to a page, as you ask; one
has its data in the pages; one calls Turtle plain text; one has a vocabulary in RDF/XML. Beside
them is what such data mentions in vain: pages, files, maps, pictures, and what is gone.
"""

from collections.abc import Callable
from dataclasses import replace

from filon.core import Request, Response, Strategy
from filon.demo.answer import Answer, text
from filon.demo.linked import atlas, figures, people, vocabulary
from filon.demo.linked.things import ATLAS, DATA, PEOPLE, VOCABULARY
from filon.page.url import split

__all__ = ["SEED", "SITES", "requests", "truth"]

#: Where a person would begin.
SEED = f"http://{DATA}/id/catalogue"
SITES: dict[str, Callable[[str, str], Answer]] = {
    DATA: figures.answer,
    ATLAS: atlas.answer,
    PEOPLE: people.answer,
    VOCABULARY: vocabulary.answer,
}
_ROBOTS = "User-agent: *\nDisallow: /private/\n"


def answer(host: str, path: str, accept: str) -> Answer:
    """Answer for a host: what it publishes depends on what is asked for."""
    if path == "/robots.txt":
        return text("text/plain", _ROBOTS)
    return SITES[host](path, accept)


def truth() -> dict[str, int]:
    """Return every document with RDF by its URL, and how many triples it holds."""
    return {
        **figures.truth(),
        **atlas.truth(),
        **people.truth(),
        **vocabulary.truth(),
    }


def requests(strategy: Strategy, documents: int) -> int:
    """Return how many requests a strategy needs for so many documents with RDF, or to its end.

    There is no network: examples of strategies print this figure.
    """
    found = sent = 0
    while found < documents and (step := strategy.propose()):
        found += len(strategy.observe(step, _respond(step.request)))
        sent += 1
    return sent


def _respond(request: Request) -> Response:
    place = split(request.url)
    if place.netloc not in SITES:
        return Response(url=request.url, status=404)
    found = answer(place.netloc, place.path, dict(request.headers)["Accept"])
    head = Response(url=request.url, status=found.status, headers=found.headers)
    if request.method == "HEAD" or request.refuses(head.mime):
        return head if request.method == "HEAD" else replace(head, cut="type")
    return replace(head, body=found.body, size_bytes=len(found.body))
