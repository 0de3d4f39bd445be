"""The Linked Data of the small web: the office's datasets, the places and people they mention.

Four hosts that publish as real ones do: one sends you on to Turtle or to a page, as you ask; one
has its data in the pages; one calls Turtle plain text; one has a vocabulary in RDF/XML. Beside
them is what such data mentions in vain: pages, files, maps, pictures, and what is gone.
"""

from collections.abc import Callable

from filon.demo.answer import Answer, text
from filon.demo.linked import atlas, figures, people, vocabulary
from filon.demo.linked.things import ATLAS, DATA, PEOPLE, VOCABULARY

__all__ = ["SEED", "SITES", "truth"]

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
