"""Terms as N-Quads has them, so that any store takes them.

Readers are lenient: an IRI may hold a space, two fragments or no host, and a language be none. A
store that is not would refuse the whole file, so each term is held to the grammars (RFC 3987, BCP
47) and what must not stand in an IRI is written as a URL would have it, percent-encoded.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Self
from urllib.parse import quote

import pyoxigraph as ox

from filon.verbs.follow.rdf.names import RDF
from filon.verbs.follow.rdf.results import is_counted

_IRI = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]*:)(?:(//)(?:([^/?#@]*)@)?([^/?#]*?)(:\d*)?(?=[/?#]|$))?"
    r"([^?#]*)(?:(\?)([^#]*))?(?:(#)(.*))?",
    re.DOTALL,
)
#: What may stand in each part of an IRI besides letters, digits, "-._~" and sub-delimiters, in the
#: order of the groups of _IRI; None: the part is right as it is.
_EXTRA = (None, None, ":", "", None, ":@/", None, ":@/?", None, ":@/?")
_ALWAYS = "!$&'()*+,;=-._~"
_HEX = re.compile("[0-9A-Fa-f]{2}")
#: Datatypes that only a literal with a language has.
_WITH_LANGUAGE = (f"{RDF}langString", f"{RDF}dirLangString")


class Terms:
    """Writes the terms of one document; its blank nodes get names that no other document has.

    mark: what the names of its blank nodes begin with.
    steady: number them as they appear, which needs a table of them; else their own labels are
        kept behind the mark, as for a dump of any length.
    skolem: where given, blank nodes are IRIs that begin so.
    shared: the terms of all pages of an endpoint, where this is one. A label that no counter makes
        is the store's own, and means the same node on every page.
    """

    def __init__(
        self, mark: str, *, steady: bool = True, skolem: str = "", shared: Self | None = None
    ) -> None:
        self._mark, self._steady, self._skolem = mark, steady, skolem
        self._shared = shared
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

    def graph(self, name: ox.NamedNode | ox.BlankNode) -> str:
        """Return the name of a graph; "" where it cannot be mended."""
        return self._node(name)

    def _blank(self, label: str) -> str:
        if self._shared and not is_counted(label):
            return self._shared._blank(label)
        if self._steady:
            label = str(self._numbers.setdefault(label, len(self._numbers) + 1))
        name = f"{self._mark}b{label}"
        if not (label.isascii() and label.isalnum()):
            name = f"{self._mark}x{label.encode('utf-8', 'replace').hex()}"
        return f"<{self._skolem}{name}>" if self._skolem else f"_:{name}"


@lru_cache(maxsize=65_536)
def iri(value: str) -> str:
    """Return an IRI in its brackets; "" where it is relative.

    >>> iri("http://a.org/b c"), iri("http://a.org/#b#c"), iri("b")
    ('<http://a.org/b%20c>', '<http://a.org/#b%23c>', '')
    """
    if _is_valid(value):
        return f"<{value}>"
    parts = _IRI.fullmatch(value)
    if parts is None:
        return ""
    for keep in (str.isprintable, lambda text: False):  # letters of any script, else ASCII alone
        mended = "".join(
            part if extra is None else _encoded(part, extra, keep)
            for part, extra in zip(parts.groups(""), _EXTRA, strict=True)
        )
        if _is_valid(mended):
            return f"<{mended}>"
    return ""


def _is_valid(value: str) -> bool:
    try:
        ox.NamedNode(value)
    except ValueError:
        return False
    return True


def _encoded(part: str, extra: str, keep: Callable[[str], bool]) -> str:
    """Return a part of an IRI with what it must not hold percent-encoded."""
    allowed = _ALWAYS + extra
    out = []
    for at, one in enumerate(part):
        if one.isascii():
            fits = one.isalnum() or one in allowed or (one == "%" and _HEX.match(part, at + 1))
        else:
            fits = keep(one)
        out.append(one if fits else quote(one, safe="", errors="replace"))
    return "".join(out)


def literal(term: ox.Literal) -> str:
    """Return a literal; without its language or type where these cannot be.

    Base directions are RDF 1.2, which few stores read: they are left out.
    """
    if term.language:
        try:
            return str(ox.Literal(term.value, language=term.language))
        except ValueError:
            return str(ox.Literal(term.value))
    datatype = term.datatype.value
    if datatype in _WITH_LANGUAGE or not _is_valid(datatype):
        return str(ox.Literal(term.value))
    return str(term)
