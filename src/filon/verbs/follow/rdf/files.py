"""Files of RDF: the parser of each syntax, and what a parser must be kept from."""

import re
from collections.abc import Iterator

import pyoxigraph as ox

#: What a parser says to a document that it cannot read: MemoryError where a single literal or
#: name is longer than its own buffer of 16 MiB.
FAULTS = (SyntaxError, ValueError, MemoryError)
FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
    "n3": ox.RdfFormat.N3,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
#: How the parser complains of a statement that is N3 but not RDF; it goes on after it.
_VARIABLES = "variables are not allowed"
#: The longest text that an entity may stand for, and all that its uses may add up to.
MAX_CHARS, MAX_ADDED = 10_000, 50_000_000
_ENTITY = re.compile(rb"<!ENTITY\s+([^\s%\"']+)\s+(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_USE = re.compile(rb"&([^;#&\s]+);")


def explode(body: bytes) -> bool:
    """Say whether the entities of a document stand for far more text than it has itself.

    >>> explode(b'<!DOCTYPE r [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]><r a="&owl;x"/>')
    False
    """
    if b"<!ENTITY" not in body and b"<!entity" not in body:
        return False
    defined = {name: double or single for name, double, single in _ENTITY.findall(body)}
    lengths: dict[bytes, int] = {}
    for _ in range(len(defined) + 1):
        before = dict(lengths)
        for name, text in defined.items():
            uses = _USE.findall(text)
            lengths[name] = len(text) + sum(lengths.get(use, 0) for use in uses)
            if lengths[name] > MAX_CHARS:
                return True
        if lengths == before:
            break
    return sum(lengths.get(use, 0) for use in _USE.findall(body)) > MAX_ADDED


def asserted(quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the statements of N3 that are made: rules and quoted formulas are no triples."""
    while True:
        try:
            quad = next(quads)
        except StopIteration:
            return
        except SyntaxError as error:
            if _VARIABLES not in str(error):
                raise
            continue
        if isinstance(quad.graph_name, ox.DefaultGraph):
            yield quad
