"""Real graphs: what is said of each thing, and by whom it is mentioned."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox

#: Triples in which a thing is the object, that its own description repeats.
INVERSE = 60
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RESERVED = frozenset(
    f"{_RDF}{name}"
    for name in (
        "RDF",
        "ID",
        "about",
        "parseType",
        "resource",
        "nodeID",
        "datatype",
        "li",
        "Description",
        "aboutEach",
        "aboutEachPrefix",
        "bagID",
    )
)


def descriptions(folder: Path) -> dict[str, list[ox.Triple]]:
    """Return the things that the graphs of ../shared/data/follow describe, with their triples.

    A description holds what is said of a thing, of the blank nodes in it, and some of the
    triples that lead to it.
    """
    about: dict[str, list[ox.Triple]] = {}
    blank: dict[str, list[ox.Triple]] = {}
    leading: dict[str, list[ox.Triple]] = {}
    for triple in _triples(folder):
        if triple.predicate.value in _RESERVED:
            continue  # real, but no XML can say it
        subject, object_ = triple.subject, triple.object
        if isinstance(subject, ox.BlankNode):
            blank.setdefault(subject.value, []).append(triple)
        elif isinstance(subject, ox.NamedNode) and subject.value.startswith("http"):
            about.setdefault(subject.value, []).append(triple)
            if isinstance(object_, ox.NamedNode):
                leading.setdefault(object_.value, []).append(triple)
    return {
        thing: [*_with_blanks(triples, blank), *leading.get(thing, [])[:INVERSE]]
        for thing, triples in sorted(about.items())
    }


def _with_blanks(
    triples: list[ox.Triple], blank: dict[str, list[ox.Triple]]
) -> Iterator[ox.Triple]:
    pending, seen = list(triples), set[str]()
    while pending:
        triple = pending.pop(0)
        yield triple
        node = triple.object
        if isinstance(node, ox.BlankNode) and node.value not in seen:
            seen.add(node.value)
            pending.extend(blank.get(node.value, []))


def _triples(folder: Path) -> Iterator[ox.Triple]:
    sources = (
        ("sweet.zip", ".ttl", ox.RdfFormat.TURTLE),
        ("vocabularies.zip", ".nq", ox.RdfFormat.N_QUADS),
    )
    for name, ending, syntax in sources:
        with zipfile.ZipFile(folder / name) as files:
            for file in sorted(files.namelist()):
                if file.endswith(ending):
                    base = f"http://sweetontology.net/{Path(file).stem}"
                    yield from _parsed(files.read(file), syntax, base, file)
    body = (folder / "schemaorg/schemaorg-all-https.ttl").read_bytes()
    yield from _parsed(body, ox.RdfFormat.TURTLE, "https://schema.org/", "schemaorg")


def _parsed(body: bytes, syntax: ox.RdfFormat, base: str, name: str) -> Iterator[ox.Triple]:
    for quad in ox.parse(input=body, format=syntax, base_iri=base, lenient=True):
        triple = quad.triple
        # Blank nodes of two files are not the same.
        yield ox.Triple(_apart(triple.subject, name), triple.predicate, _apart(triple.object, name))


def _apart(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple, name: str):  # type: ignore[no-untyped-def]
    if isinstance(term, ox.BlankNode):
        mark = "".join(letter for letter in name if letter.isalnum())
        return ox.BlankNode(f"{mark}{term.value}")
    return term
