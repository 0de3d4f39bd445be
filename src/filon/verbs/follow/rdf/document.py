"""What a document says in RDF."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

Graph = ox.NamedNode | ox.BlankNode
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

    graphs: by the place of a triple, the name of its graph, where it has one.
    syntaxes: where triples came from: "turtle", "rdfxml", "jsonld", "rdfa", "microdata", …
    strict: there is a triple that somebody meant; any: there is one at all, if by accident.
    unnamed: plain JSON, whose keys a parser of JSON-LD takes for names: of no use, so not kept.
    broken: why a parser stopped; what came before is kept.
    mended: broken JSON-LD was repaired.
    contexts: remote JSON-LD contexts that were not at hand.
    full: there were more triples than are wanted; the rest was not read.
    """

    triples: list[ox.Triple] = field(default_factory=list)
    graphs: dict[int, Graph] = field(default_factory=dict)
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

    def quads(self) -> Iterator[tuple[ox.Triple, Graph | None]]:
        """Yield the triples, each with the name of its graph, None where it has none."""
        for place, triple in enumerate(self.triples):
            yield triple, self.graphs.get(place)

    def add_quads(self, quads: Iterable[ox.Quad], syntax: str, *, meant: bool = True) -> None:
        """Take quads of one syntax, as `add` does."""
        before = len(self.triples)
        kept = list(quads)
        for place, quad in enumerate(kept, before):
            if not isinstance(quad.graph_name, ox.DefaultGraph):
                self.graphs[place] = quad.graph_name
        self.add((quad.triple for quad in kept), syntax, meant=meant)

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
