"""What a document says in RDF."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
#: What stands in pages by accident: nobody meant to publish these as data.
_ACCIDENTAL = (
    "http://www.w3.org/1999/xhtml/vocab#",
    "http://ogp.me/ns",
    "http://opengraphprotocol.org/schema/",
    "https://ogp.me/ns",
    "http://www.w3.org/ns/rdfa#",
    "http://creativecommons.org/ns#license",
    "http://www.facebook.com/2008/",
    "https://www.facebook.com/2008/",
)


@dataclass(slots=True)
class Document:
    """The triples of a document and how they stood in it.

    syntaxes: where triples came from: "turtle", "rdfxml", "jsonld", "rdfa", "microdata", …
    strict: there is a triple that somebody meant; any: there is one at all, if by accident.
    unnamed: plain JSON, whose keys a parser of JSON-LD takes for names: of no use, so not kept.
    broken: why a parser stopped; what came before is kept.
    mended: broken JSON-LD was repaired.
    contexts: remote JSON-LD contexts that were not at hand.
    full: there were more triples than are wanted; the rest was not read.
    """

    triples: list[ox.Triple] = field(default_factory=list)
    syntaxes: list[str] = field(default_factory=list)
    strict: bool = False
    unnamed: bool = False
    broken: str = ""
    mended: bool = False
    contexts: tuple[str, ...] = ()
    full: bool = False

    @property
    def any(self) -> bool:
        """Whether there is a triple at all."""
        return bool(self.triples) or self.unnamed

    def add(self, triples: Iterable[ox.Triple], syntax: str, *, meant: bool = True) -> None:
        """Take triples of one syntax; meant: all of them were, not only those with such names."""
        before = len(self.triples)
        self.triples.extend(triples)
        new = self.triples[before:]
        if not new:
            return
        self.syntaxes.append(syntax)
        self.strict = self.strict or meant or not all(is_accidental(triple) for triple in new)


def is_accidental(triple: ox.Triple) -> bool:
    """Say whether a triple stands in a page for other reasons than to be data."""
    return str(triple.predicate.value).startswith(_ACCIDENTAL)
