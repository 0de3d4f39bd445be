"""What parsers must be kept from: they take far too long over it, or end the whole process.

Their time grows with the square of how deep elements nest, and triples within triples overflow
their stack. What lies before the limit is read. All is linear here.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from xml.parsers import expat

#: Elements within elements (what people write has some dozens, browsers take 512), those of a page
#: that have attributes, and triples within triples.
DEEPEST, DEEPEST_PAGE, DEEPEST_TRIPLE = 512, 2_000, 500
#: Attributes of one element of XML; tags of one page: so many take three seconds, in which nothing
#: else is done.
MOST_ATTRIBUTES, MOST_TAGS = 5_000, 200_000
#: The text of a page's properties is so many times as long as the page, at most, and a bit.
GROWTH, SPARE_CHARS = 4, 1_000_000
#: The longest text that an entity may stand for, and all that its uses may add up to.
MAX_CHARS, MAX_ADDED = 10_000, 50_000_000
_ENTITY = re.compile(rb"<!ENTITY\s+([^\s%\"']+)\s+(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_USE = re.compile(rb"&([^;#&\s]+);")
_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
#: Elements that hold nothing, or that need not be closed: a thousand of them may stand in a row.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    b"thead tbody tfoot option optgroup colgroup rp rt html head body".split()
)
#: Elements that mean nothing unless they have attributes.
_PLAIN = frozenset(b"div span b i u em strong small big center font section article main".split())
#: What may hide brackets in Turtle: IRIs, texts on one line.
_HIDING = re.compile(rb"<[^<>]*>|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_TRIPLE, _END = b"<<(", b")>>"


class Shallow:
    """The pieces of a document of RDF, up to where it nests too deep; `fault` says that it does.

    >>> deep = Shallow(iter([b"<a>" * 1000]), "rdfxml")
    >>> sum(map(len, deep)), deep.fault
    (1536, 'elements nest more than 512 deep')
    """

    def __init__(self, pieces: Iterator[bytes], syntax: str) -> None:
        self.fault = ""
        self._pieces, self._depth = pieces, 0
        self._is_xml = syntax == "rdfxml"

    def __iter__(self) -> Iterator[bytes]:
        return self._elements() if self._is_xml else self._triples()

    def _elements(self) -> Iterator[bytes]:
        parser, passed = expat.ParserCreate("utf-8"), 0
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        self._parser = parser
        for piece in self._pieces:
            try:
                parser.Parse(piece, False)
            except expat.ExpatError:
                yield piece  # who reads it will say what is wrong
                return
            except _TooMuchError as error:
                self.fault = str(error)
                yield piece[: max(0, error.at - passed)]
                return
            passed += len(piece)
            yield piece

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            self._stop(f"elements nest more than {DEEPEST} deep")
        if len(attributes) > MOST_ATTRIBUTES:
            self._stop(f"an element has more than {MOST_ATTRIBUTES:,} attributes")

    def _stop(self, fault: str) -> None:
        raise _TooMuchError(fault, self._parser.CurrentByteIndex)

    def _end(self, name: str) -> None:
        self._depth -= 1

    def _triples(self) -> Iterator[bytes]:
        held = b""
        for piece in self._pieces:
            lines, end, rest = (held + piece).rpartition(b"\n")
            if self._nests(lines):
                return
            yield lines + end
            held = rest
        if not self._nests(held):
            yield held

    def _nests(self, lines: bytes) -> bool:
        """Say whether triples nest too deep by the end of some lines."""
        for line in lines.split(b"\n") if _TRIPLE in lines else ():
            bare = _HIDING.sub(b"", line)
            self._depth += bare.count(_TRIPLE)
            if self._depth > DEEPEST_TRIPLE:
                self.fault = f"triples nest more than {DEEPEST_TRIPLE} deep"
                return True
            # An end that stands in a comment or in a longer text is none.
            if not re.search(rb"[#\"']", bare):
                self._depth = max(0, self._depth - bare.count(_END))
        return False


class _TooMuchError(Exception):
    """Stops the parser. at: where the element begins."""

    def __init__(self, fault: str, at: int) -> None:
        super().__init__(fault)
        self.at = at


class Allowance:
    """How much text the properties of a page may hold together.

    A property's text is that of all elements within, so that of properties within properties grows
    with the square of their depth. size_bytes: of the page.

    >>> allowance = Allowance(10)
    >>> allowance.text(lambda: "abc"), allowance.text(lambda: "x" * 2_000_000), allowance.fault
    ('abc', None, 'properties within properties hold too much text')
    """

    def __init__(self, size_bytes: int) -> None:
        self.fault = ""
        self._left = SPARE_CHARS + GROWTH * size_bytes

    def text(self, read: Callable[[], str]) -> str | None:
        """Return a text that is read if there is room for it."""
        if self.fault:
            return None
        text = read()
        self._left -= len(text)
        if self._left < 0:
            self.fault = "properties within properties hold too much text"
            return None
        return text


def shallow_page(body: bytes) -> tuple[bytes, str]:
    """Return a page that does not nest too deep, and the fault where some of it is missing.

    Elements without attributes say nothing in RDF: deep down they go, and what is in them stays.

    >>> page, fault = shallow_page(b"<div>" * 5000 + b"<p property=p>x")
    >>> len(page), fault
    (2575, '')
    """
    if body.count(b"<") <= DEEPEST:
        return body, ""
    kept: list[bytes] = []
    at = 0
    opened: Counter[bytes] = Counter()
    dropped: Counter[bytes] = Counter()
    depth = 0
    for number, tag in enumerate(_TAG.finditer(body)):
        name = tag[2].lower()
        if number >= MOST_TAGS:
            return b"".join([*kept, body[at : tag.start()]]), f"it has more than {MOST_TAGS:,} tags"
        if name in _FLAT:
            continue
        is_end, is_plain = bool(tag[1]), name in _PLAIN and body[tag.end() : tag.end() + 1] == b">"
        if is_plain and (dropped[name] if is_end else depth >= DEEPEST):
            dropped[name] += -1 if is_end else 1
            kept.append(body[at : tag.start()])
            at = tag.end() + 1
        elif not is_end:
            opened[name] += 1
            depth += 1
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
        if depth > DEEPEST_PAGE:
            fault = f"elements nest more than {DEEPEST_PAGE:,} deep"
            return b"".join([*kept, body[at : tag.start()]]), fault
    return b"".join([*kept, body[at:]]), ""


def explode(body: bytes) -> bool:
    """Say whether the entities of a document stand for far more text than it has itself.

    >>> explode(b'<!DOCTYPE r [<!ENTITY owl "http://www.w3.org/2002/07/owl#">]><r a="&owl;x"/>')
    False
    """
    if b"<!ENTITY" not in body and b"<!entity" not in body:
        return False
    defined = {name: double or single for name, double, single in _ENTITY.findall(body)}
    uses = {name: _USE.findall(text) for name, text in defined.items()}
    lengths: dict[bytes, int] = {}
    for first in defined:
        pending = [first]
        while pending:
            name = pending[-1]
            missing = [use for use in uses[name] if use in defined and use not in lengths]
            if missing and len(pending) > MAX_CHARS:
                return True  # in circles, or nearly
            if missing:
                pending.append(missing[0])
                continue
            pending.pop()
            lengths[name] = len(defined[name]) + sum(lengths.get(use, 0) for use in uses[name])
            if lengths[name] > MAX_CHARS:
                return True
    return sum(lengths.get(use, 0) for use in _USE.findall(body)) > MAX_ADDED
