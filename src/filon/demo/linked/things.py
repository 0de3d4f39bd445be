"""What the small web says in triples, and the ways in which it is written down."""

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

DATA, ATLAS = "data.statistics.test", "atlas.test"
PEOPLE, VOCABULARY = "people.test", "vocabulary.test"
#: Where the words are explained; all of them are of the small web, so that nobody else is asked.
WORDS = f"http://{VOCABULARY}/words#"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


@dataclass(slots=True)
class Thing:
    """A thing and what is said of it.

    links: property and URI; texts: property and text. The properties are words of WORDS.
    """

    uri: str
    kind: str
    title: str
    links: list[tuple[str, str]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)

    def triples(self) -> list[ox.Triple]:
        """Return all of it; the title and the type included."""
        me = ox.NamedNode(self.uri)
        triples = [ox.Triple(me, ox.NamedNode(_TYPE), ox.NamedNode(WORDS + self.kind))]
        for name, value in [("title", self.title), *self.texts]:
            triples.append(ox.Triple(me, ox.NamedNode(WORDS + name), ox.Literal(value)))
        for name, uri in self.links:
            triples.append(ox.Triple(me, ox.NamedNode(WORDS + name), ox.NamedNode(uri)))
        return triples


def turtle(things: Sequence[Thing]) -> str:
    """Write things as Turtle."""
    return _written(things, ox.RdfFormat.TURTLE)


def rdfxml(things: Sequence[Thing]) -> str:
    """Write things as RDF/XML."""
    return _written(things, ox.RdfFormat.RDF_XML)


def _written(things: Sequence[Thing], syntax: ox.RdfFormat) -> str:
    quads = [ox.Quad(*triple) for thing in things for triple in thing.triples()]
    prefixes = {"w": WORDS}
    body = ox.serialize(quads, format=syntax, prefixes=prefixes)
    return (body or b"").decode()


def jsonld_page(thing: Thing) -> str:
    """Write a page that has a thing as JSON-LD in its head."""
    value: dict[str, object] = {
        "@context": {"@vocab": WORDS},
        "@id": thing.uri,
        "@type": thing.kind,
        "title": thing.title,
        **dict(thing.texts),
    }
    names = dict.fromkeys(name for name, _ in thing.links)
    for name in names:
        value[name] = [{"@id": uri} for label, uri in thing.links if label == name]
    script = json.dumps(value, ensure_ascii=False, indent=1).replace("</", "<\\/")
    head = f'<script type="application/ld+json">\n{script}\n</script>'
    return page(thing.title, f"<p>{html.escape(thing.title)}</p>", head)


def rdfa_page(thing: Thing) -> str:
    """Write a page whose marks say the thing: RDFa."""
    items = [
        f'<p property="{name}">{html.escape(value)}</p>'
        for name, value in [("title", thing.title), *thing.texts]
    ]
    items += [
        f'<li><a property="{name}" href="{html.escape(uri)}">{name}</a></li>'
        for name, uri in thing.links
    ]
    marks = f'vocab="{WORDS}" resource="{thing.uri}" typeof="{thing.kind}"'
    return page(thing.title, f"<div {marks}>{''.join(items)}</div>")


def page(title: str, body: str, head: str = "") -> str:
    """Return a page round its body."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>{head}</head>"
        f"<body><h1>{html.escape(title)}</h1>{body}</body></html>\n"
    )


def wants_rdf(accept: str) -> bool:
    """Say whether a visitor asks for data rather than for a page."""
    first = accept.partition(",")[0].partition(";")[0].strip().lower()
    return first in ("text/turtle", "application/n-triples", "application/rdf+xml")
