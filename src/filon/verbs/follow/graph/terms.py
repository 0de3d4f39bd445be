"""Terms as N-Quads has them, so that any store takes them.

Readers are lenient: an IRI may hold a space. A store that is not would refuse the whole file, so
what must not stand in an IRI is written as a URL would have it.
"""

import re
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

_NEVER = re.compile(r"[\x00-\x20<>\"{}|^`\\\ud800-\udfff]")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")


class Terms:
    """Writes the terms of one document; its blank nodes get names that no other document has.

    mark: what the names of its blank nodes begin with.
    steady: number them as they appear, which needs a table of them; else their own labels are
        kept behind the mark, as for a dump of any length.
    skolem: where given, blank nodes are IRIs that begin so.
    """

    def __init__(self, mark: str, *, steady: bool = True, skolem: str = "") -> None:
        self._mark, self._steady, self._skolem = mark, steady, skolem
        self._numbers: dict[str, int] = {}

    def triple(self, triple: ox.Triple) -> str:
        """Return subject, predicate and object; "" where one cannot be mended."""
        subject = self._node(triple.subject)
        predicate = iri(triple.predicate.value)
        object_ = self._node(triple.object)
        return f"{subject} {predicate} {object_}" if subject and predicate and object_ else ""

    def _node(self, term: Any) -> str:
        if isinstance(term, ox.NamedNode):
            return iri(term.value)
        if isinstance(term, ox.Literal):
            return literal(term)
        if isinstance(term, ox.BlankNode):
            return self._blank(term.value)
        return ""  # a triple as a term: few stores take it

    def _blank(self, label: str) -> str:
        if self._steady:
            label = str(self._numbers.setdefault(label, len(self._numbers) + 1))
        elif not label.isalnum():
            label = label.encode("utf-8", "replace").hex()
        name = f"{self._mark}b{label}"
        return f"<{self._skolem}{name}>" if self._skolem else f"_:{name}"


def iri(value: str) -> str:
    """Return an IRI in its brackets; "" where it is relative.

    >>> iri("http://a.org/b c"), iri("b")
    ('<http://a.org/b%20c>', '')
    """
    if not _ABSOLUTE.match(value):
        return ""
    if _NEVER.search(value):
        value = _NEVER.sub(lambda match: quote(match[0], safe="", errors="replace"), value)
    return f"<{value}>"


def literal(term: ox.Literal) -> str:
    """Return a literal; without its language or type where these cannot be."""
    if term.language:
        if not _LANGUAGE.fullmatch(term.language):
            return str(ox.Literal(term.value))
    elif _NEVER.search(term.datatype.value) or not _ABSOLUTE.match(term.datatype.value):
        return str(ox.Literal(term.value))
    return str(term)
