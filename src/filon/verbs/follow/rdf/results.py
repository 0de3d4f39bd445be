"""Triples in the results of a SPARQL query, as JSON: rows of ?s ?p ?o."""

import re
from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox

_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9_])?")
_COUNTED = re.compile(r"[A-Za-z_.-]{0,12}\d{0,6}")


def is_counted(label: str) -> bool:
    """Say whether a blank node's label is but a number, which begins anew in every answer.

    >>> is_counted("b12"), is_counted("genid3"), is_counted("7f3d9a0c41be"), is_counted("node1x42")
    (True, True, False, False)
    """
    return _COUNTED.fullmatch(label) is not None


def is_results(value: Any) -> bool:
    """Say whether JSON holds rows that are triples."""
    head = value.get("head") if isinstance(value, dict) else None
    names = head.get("vars") if isinstance(head, dict) else None
    return isinstance(names, list) and {"s", "p", "o"} <= {str(name) for name in names}


def rows(value: Any) -> Iterator[ox.Triple]:
    """Return the triples of SPARQL results; a row that is none is passed over.

    >>> row = {name: {"type": "uri", "value": f"http://a.org/{name}"} for name in "spo"}
    >>> len(list(rows({"results": {"bindings": [row, {}]}})))
    1
    """
    results = value.get("results")
    bindings = results.get("bindings") if isinstance(results, dict) else None
    for row in bindings if isinstance(bindings, list) else ():
        try:
            subject, predicate, object_ = (_term(row[name]) for name in "spo")
            yield ox.Triple(subject, predicate, object_)
        except (KeyError, TypeError, ValueError):
            continue


def _term(binding: dict[str, str]) -> Any:
    kind, value = binding["type"], binding["value"]
    if kind == "uri":
        return ox.NamedNode(value)
    if kind == "bnode":
        # A label is any text there: "nodeID://b1", "b-1" and "b1" are three.
        label = value.removeprefix("_:")
        is_plain = _LABEL.fullmatch(label) is not None
        return ox.BlankNode(label if is_plain else f"x{label.encode('utf-8', 'replace').hex()}")
    if "xml:lang" in binding:
        return ox.Literal(value, language=binding["xml:lang"])
    datatype = binding.get("datatype")
    return ox.Literal(value, datatype=ox.NamedNode(datatype) if datatype else None)
