"""Reads answers by paths: JSONPath (RFC 9535) in JSON, XPath in XML and HTML.

A path starts at the whole answer or at one result. Nothing here knows what is looked for.
"""

import json
from collections.abc import Mapping
from typing import Any, Protocol

import jsonpath_rfc9535
from lxml import etree

from filon.page.charset import to_utf8
from filon.services.shape import Parts, Path

#: An answer that was read, and a node of it: JSON values or elements.
Node = Any


class UnreadableError(Exception):
    """The answer is not of its format; the text says why."""


class Reader(Protocol):
    """Knows one format."""

    def open(self, body: bytes, content_type: str = "") -> Node:
        """Return the answer as a whole. content_type: as the header says it."""

    def compile(self, path: str) -> Any:
        """Return a path made ready; ValueError where it is none."""

    def find(self, node: Node, path: Any) -> list[Node]:
        """Return what is there; several values where the path allows them."""

    def text(self, node: Node) -> str:
        """Return a value as plain text."""

    def members(self, node: Node) -> dict[str, str]:
        """Return all that a result has to say, by its own names."""


class _Opener:
    """Keeps the last answer open: judge, records and paging look at it one after the other."""

    def __init__(self) -> None:
        self._last: tuple[bytes, str, Node] = (b"", "", None)

    def open(self, body: bytes, content_type: str = "") -> Node:
        """Return the answer as a whole. content_type: as the header says it."""
        held, held_type, node = self._last
        if held is not body or held_type != content_type or node is None:
            node = self._read(body, content_type)
            self._last = body, content_type, node
        return node

    def _read(self, body: bytes, content_type: str) -> Node:
        raise NotImplementedError


class Json(_Opener):
    """JSON, by JSONPath."""

    def _read(self, body: bytes, content_type: str) -> Node:
        """Return the values. JSON is UTF-8, but not everybody knows."""
        try:
            return json.loads(to_utf8(body, content_type) if "charset" in content_type else body)
        except (ValueError, RecursionError) as error:
            raise UnreadableError(f"not JSON ({_short(body)})") from error

    def compile(self, path: str) -> jsonpath_rfc9535.JSONPathQuery:
        """Return the query."""
        try:
            return jsonpath_rfc9535.compile(path)
        except jsonpath_rfc9535.JSONPathError as error:
            # Newer versions of the library draw the place below, in lines of their own.
            raise ValueError(f"not a JSONPath: {str(error).partition(chr(10))[0]}") from None

    def find(self, node: Node, path: Any) -> list[Node]:
        """Return the values that are not null."""
        return [value for value in path.find(node).values() if value is not None]

    def text(self, node: Node) -> str:
        """Return a value as text; what is in a list stands one after the other."""
        match node:
            case str():
                return " ".join(node.split())
            case bool():
                return "true" if node else "false"
            case int() | float():
                return str(node)
            case list():
                return "; ".join(filter(None, map(self.text, node)))
            case dict():
                return json.dumps(node, ensure_ascii=False, sort_keys=True)
        return ""

    def members(self, node: Node) -> dict[str, str]:
        """Return the members of an object."""
        return {k: self.text(v) for k, v in node.items()} if isinstance(node, dict) else {}


class Xml(_Opener):
    """XML, by XPath. Entities are not resolved and nothing is fetched."""

    def __init__(self, namespaces: Mapping[str, str]) -> None:
        super().__init__()
        self._namespaces = dict(namespaces)

    def _read(self, body: bytes, content_type: str) -> Node:
        """Return the root."""
        try:
            root = etree.fromstring(self._bytes(body, content_type), self._parser())
        except (etree.XMLSyntaxError, ValueError) as error:
            raise UnreadableError(f"{self._called} ({_short(body)})") from error
        if root is None:
            raise UnreadableError(f"{self._called} (it is empty)")
        return root

    _called = "not XML"

    def _bytes(self, body: bytes, content_type: str) -> bytes:
        return body  # XML says itself how it is encoded

    def _parser(self) -> Any:
        return etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )

    def compile(self, path: str) -> Any:
        """Return the expression."""
        try:
            return etree.XPath(path, namespaces=self._namespaces)
        except etree.XPathError as error:
            raise ValueError(f"not an XPath: {error}") from None

    def find(self, node: Node, path: Any) -> list[Node]:
        """Return elements, attributes and texts; a number or a truth value is one."""
        try:
            found = path(node)
        except (etree.XPathError, TypeError):  # from an attribute no path goes on
            return []
        if isinstance(found, list):
            return found
        return [] if found in ("", None) else [found]

    def text(self, node: Node) -> str:
        """Return all text in an element, with single spaces."""
        if isinstance(node, float):
            return f"{node:g}"
        whole = "".join(node.itertext()) if isinstance(node, etree._Element) else str(node)
        return " ".join(whole.split())

    def members(self, node: Node) -> dict[str, str]:
        """Return the text of each child by its name; what comes twice is joined."""
        row: dict[str, str] = {}
        if not isinstance(node, etree._Element):
            return {"text": self.text(node)}
        for child in node.iterchildren(etree.Element):
            _join(row, etree.QName(child).localname, self.text(child))
        return row


class Html(Xml):
    """HTML as it is found, by XPath; its tables by the names in their heads."""

    _called = "not HTML"

    def _bytes(self, body: bytes, content_type: str) -> bytes:
        return to_utf8(body, content_type)

    def _parser(self) -> Any:
        return etree.HTMLParser(no_network=True, huge_tree=False, encoding="utf-8")

    def members(self, node: Node) -> dict[str, str]:
        """Return the cells of a table's row by the names above them."""
        if not isinstance(node, etree._Element):
            return {"text": self.text(node)}
        heads = node.xpath("ancestor::table[1]//tr[th][1]/th")
        row: dict[str, str] = {}
        for number, cell in enumerate(node.xpath("td")):
            name = self.text(heads[number]) if number < len(heads) else ""
            _join(row, name or f"column{number + 1}", self.text(cell))
        return row


_JSON = Json()


def reader(form: str, namespaces: Mapping[str, str]) -> Reader:
    """Return the reader of a format."""
    if form == "json":
        return _JSON  # one for all: the sources of a service may look at the same answer
    return Xml(namespaces) if form == "xml" else Html(namespaces)


class Finder:
    """A path, or several of which the first that leads somewhere counts."""

    def __init__(self, reader: Reader, path: Path) -> None:
        self.path = path
        paths = (path,) if isinstance(path, str) else path
        self._reader = reader
        self._ready = [reader.compile(each) for each in paths if each]

    def __bool__(self) -> bool:
        return bool(self._ready)

    def __str__(self) -> str:
        return self.path if isinstance(self.path, str) else " or ".join(self.path)

    def nodes(self, node: Node) -> list[Node]:
        """Return what is there."""
        for ready in self._ready:
            if found := self._reader.find(node, ready):
                return found
        return []

    def text(self, node: Node) -> str:
        """Return what is there as text; several values are joined by "; "."""
        texts = (self._reader.text(each) for each in self.nodes(node))
        return "; ".join(text for text in texts if text)


class Composer:
    """Texts that are put together of parts: "given family" for each author."""

    def __init__(self, reader: Reader, parts: Parts) -> None:
        self._each = Finder(reader, parts.each)
        self._parts = [Finder(reader, part) for part in parts.parts]

    def __str__(self) -> str:
        return str(self._each)

    def text(self, node: Node) -> str:
        """Return the parts of each with spaces between, and "; " between the whole."""
        values = (
            " ".join(filter(None, (part.text(each) for part in self._parts)))
            for each in self._each.nodes(node)
        )
        return "; ".join(filter(None, values))


def field(reader: Reader, path: Path | Parts) -> Finder | Composer:
    """Return what reads a field."""
    return Composer(reader, path) if isinstance(path, Parts) else Finder(reader, path)


def _join(row: dict[str, str], name: str, text: str) -> None:
    if text:
        row[name] = f"{row[name]}; {text}" if name in row else text


def _short(body: bytes) -> str:
    begins = " ".join(body[:80].decode("utf-8", "replace").split())
    return f"it begins with {begins[:40]!r}" if begins else "it is empty"
