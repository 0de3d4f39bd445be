"""vocabulary.test: two documents, in RDF/XML, whatever is asked for: the words, and the topics."""

from functools import cache

from filon.demo.answer import Answer, text
from filon.demo.linked.things import VOCABULARY, WORDS, Thing, rdfxml
from filon.demo.subjects import TOPICS

_CLASSES = ("Catalogue", "Dataset", "Edition", "Region", "Town", "Person", "Topic", "Class")


def answer(where: str, accept: str) -> Answer:
    """Show a document."""
    found = documents().get(where)
    if found is None:
        return text("text/plain", "No such vocabulary.\n", 404)
    return text("application/rdf+xml; charset=utf-8", rdfxml(found))


@cache
def documents() -> dict[str, list[Thing]]:
    """Return what each document says."""
    classes = [Thing(WORDS + name, "Class", name) for name in _CLASSES]
    topics = [
        Thing(f"http://{VOCABULARY}/topics#{topic.key}", "Topic", topic.name.en) for topic in TOPICS
    ]
    return {"/words": classes, "/topics": topics}


def truth() -> dict[str, int]:
    """Return the documents with RDF and their triples."""
    return {
        f"http://{VOCABULARY}{where}": sum(len(thing.triples()) for thing in things)
        for where, things in documents().items()
    }
