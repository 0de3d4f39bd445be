"""people.test: who works at the office. Half have a page with RDFa, half Turtle as plain text."""

from functools import cache

from filon.demo.answer import Answer, page, text
from filon.demo.choice import draw, pick
from filon.demo.linked.things import PEOPLE, Thing, rdfa_page, turtle
from filon.demo.linked.things import page as frame
from filon.demo.words import FIRST_NAMES, LAST_NAMES

COUNT = 40


def uri(number: int) -> str:
    """Return the address of a person: a part of the document about her or him."""
    return f"{_document(number)}#me"


def _document(number: int) -> str:
    folder = "card" if number % 2 else "person"
    return f"http://{PEOPLE}/{folder}/{number}"


#: The names that somebody has: what else is typed there may be of any length.
_NUMBERS = frozenset(map(str, range(COUNT)))


def answer(where: str, accept: str) -> Answer:
    """Show a person, or a homepage, which says nothing to machines."""
    kind, _, name = where.removeprefix("/").partition("/")
    number = int(name) if name in _NUMBERS else -1
    if number >= 0 and f"http://{PEOPLE}{where}" == _document(number):
        if kind == "card":
            return text("text/plain; charset=utf-8", turtle([things()[number]]))
        return page(rdfa_page(things()[number]))
    if kind == "home" and number >= 0:
        return page(frame(things()[number].title, "<p>Welcome to my homepage.</p>"))
    return text("text/plain", "Nobody of that name.\n", 404)


@cache
def things() -> tuple[Thing, ...]:
    """Return the people by number."""
    return tuple(_person(number) for number in range(COUNT))


def truth() -> dict[str, int]:
    """Return the documents with RDF and their triples; RDFa says which words it uses."""
    return {
        _document(number): len(thing.triples()) + (number % 2 == 0)
        for number, thing in enumerate(things())
    }


def _person(number: int) -> Thing:
    first, last = pick(FIRST_NAMES, "person", number), pick(LAST_NAMES, "person", number)
    known = sorted({(number + 1) % COUNT, draw(COUNT, "knows", number)} - {number})
    links = [
        ("homepage", f"http://{PEOPLE}/home/{number}"),
        ("photo", f"http://{PEOPLE}/photos/{number}.jpg"),
        *(("knows", uri(other)) for other in known),
    ]
    return Thing(uri(number), "Person", f"{first} {last}", links)
