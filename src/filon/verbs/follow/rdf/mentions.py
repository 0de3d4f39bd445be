"""Which documents a graph mentions, and how: as subject, object, predicate or type."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox

from filon.verbs.follow.rdf.names import RDF

#: Properties that are remembered of one mention, and siblings.
MAX_PROPERTIES, MAX_SIBLINGS = 16, 16


@dataclass(slots=True)
class Mention:
    """A document that a graph mentions.

    uri: as first mentioned; document: the same without its fragment, which is what is asked for.
    roles: how it is mentioned; properties: that connect it; count: by how many triples.
    """

    uri: str
    document: str
    roles: list[str] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    count: int = 0


def mentions(triples: Iterable[ox.Triple], roles: Iterable[str]) -> list[Mention]:
    """Return the documents that triples mention in the given roles, in order of appearance."""
    wanted = frozenset(roles)
    found: dict[str, Mention] = {}
    for triple in triples:
        predicate = triple.predicate.value
        is_type = predicate == f"{RDF}type"
        places = (
            ("subject", triple.subject),
            ("type" if is_type else "object", triple.object),
            ("predicate", triple.predicate),
        )
        for role, term in places:
            if role in wanted and isinstance(term, ox.NamedNode):
                _note(found, term.value, role, "" if role == "predicate" else predicate)
    return list(found.values())


def _note(found: dict[str, Mention], uri: str, role: str, predicate: str) -> None:
    if not uri.startswith(("http://", "https://")):
        return
    document = uri.partition("#")[0]
    mention = found.get(document)
    if mention is None:
        mention = found[document] = Mention(uri, document)
    mention.count += 1
    if role not in mention.roles:
        mention.roles.append(role)
    properties = mention.properties
    if predicate and len(properties) < MAX_PROPERTIES and predicate not in properties:
        properties.append(predicate)


def siblings(triples: Iterable[ox.Triple], wanted: Iterable[str]) -> dict[str, list[str]]:
    """Return, for each wanted URI, others that share a property and a subject or object with it.

    Definition 9 of LDCOC.
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for triple in triples:
        subject, predicate, object_ = triple.subject, triple.predicate.value, triple.object
        if isinstance(subject, ox.NamedNode):
            groups.setdefault(("o", predicate, str(object_)), []).append(subject.value)
        if isinstance(object_, ox.NamedNode):
            groups.setdefault(("s", predicate, str(subject)), []).append(object_.value)
    found: dict[str, list[str]] = {uri: [] for uri in wanted}
    for members in groups.values():
        for uri in members:
            if uri in found and len(members) > 1:
                room = MAX_SIBLINGS - len(found[uri])
                others = [one for one in members[: MAX_SIBLINGS + 1] if one != uri]
                found[uri].extend(others[: max(0, room)])
    return found
