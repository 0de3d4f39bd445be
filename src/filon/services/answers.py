"""What stands in an answer of a service: by paths into it, as records, and what is wrong with it.

Paths are JSONPath (RFC 9535) in JSON, XPath in XML and HTML; a path starts at the whole answer or
at one result. `Records` reads what a description names by them, `Judge` tells what went wrong.
"""

import functools
import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import jsonpath_rfc9535
from lxml import etree

from filon.core import Record, Response
from filon.page.charset import to_utf8
from filon.page.url import resolve
from filon.page.values import read_json, whole
from filon.services.describe import fill
from filon.services.shape import Description, Parts, Path, Problem, Reading

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


class _Opener(ABC):
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

    @abstractmethod
    def _read(self, body: bytes, content_type: str) -> Node:
        """Parse a body; an UnreadableError where it is none."""


class Json(_Opener):
    """JSON, by JSONPath."""

    def _read(self, body: bytes, content_type: str) -> Node:
        """Return the values. JSON is UTF-8, but not everybody knows."""
        try:
            return read_json(to_utf8(body, content_type) if "charset" in content_type else body)
        except ValueError as error:
            raise UnreadableError(f"not JSON ({_short(body)})") from error

    def compile(self, path: str) -> jsonpath_rfc9535.JSONPathQuery:
        """Return the query."""
        try:
            return _query(path)
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


@functools.cache
def _query(path: str) -> jsonpath_rfc9535.JSONPathQuery:
    """Make a path ready, once: descriptions have a few, and each part of a run reads by them."""
    return jsonpath_rfc9535.compile(path)


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


_COUNT = re.compile(r"\d{1,3}(?:[,.  ]\d{3})+|\d+")
#: Too long, not understood, not acceptable: another query may do.
_QUERY_STATUSES = frozenset({400, 413, 414, 422, 431})


class StrangeError(Exception):
    """The answer is not what the description says; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Results:
    """The records of an answer, how many match in all, and how many a page holds."""

    records: tuple[Record, ...]
    total: int | None
    size: int


class Records:
    """Reads the records of one kind of answer."""

    def __init__(self, reading: Reading, reader: Reader) -> None:
        self._reading = reading
        self._reader = reader
        self._results = Finder(reader, reading.results)
        self._container = Finder(reader, _container(reading))
        self._holds = Finder(reader, reading.holds)
        self._total = Finder(reader, reading.total)
        self._size = Finder(reader, reading.size)
        self._id = Finder(reader, reading.id)
        self._url = Finder(reader, reading.url)
        paths = reading.fields if isinstance(reading.fields, Mapping) else {}
        self._fields = {name: field(reader, path) for name, path in paths.items()}

    def read(self, tree: Node, url: str) -> Results:
        """Return what is in an answer. url: of the answer; addresses may be relative to it."""
        total = _count(self._total.text(tree))
        results = self._nodes(tree, total)
        records = tuple(self._record(node, url) for node in results)
        self._check(records, results)
        return Results(records, total, _count(self._size.text(tree)) or 0)

    def _nodes(self, tree: Node, total: int | None) -> list[Node]:
        nodes = self._results.nodes(tree)
        if nodes and all(isinstance(node, list) for node in nodes):
            nodes = [inner for node in nodes for inner in node]
        elif not nodes and total != 0:
            there = self._holds or self._container
            if there and not there.nodes(tree):
                raise StrangeError(f"there are no results at {there}")
        return [node for node in nodes if node is not None]

    def _record(self, node: Node, url: str) -> Record:
        fields = self._read_fields(node)
        name = self._id.text(node) or _digest(fields)
        link = fill(self._reading.link, {**fields, "id": name}) or self._url.text(node)
        link = resolve(url, link) if link else ""
        return Record(id=name, fields=fields, url=link if link.startswith("http") else "")

    def _read_fields(self, node: Node) -> dict[str, str]:
        if not self._fields:
            return self._reader.members(node)
        return {name: finder.text(node) for name, finder in self._fields.items()}

    def _check(self, records: tuple[Record, ...], results: list[Node]) -> None:
        """Notice when what every record had is gone from all of them."""
        if not records:
            return
        if self._id and not any(self._id.nodes(node) for node in results):
            raise StrangeError(f"no result has an id at {self._id}")
        for name in self._reading.always:
            if not any(record.fields.get(name) for record in records):
                raise StrangeError(f"no result has the field {name} at {self._fields[name]}")
        if not any(any(record.fields.values()) for record in records):
            names = ", ".join(self._fields) or "of any name"
            raise StrangeError(f"no result has a field ({names})")


def _container(reading: Reading) -> str:
    """The list itself, for a path that goes on to its members."""
    path = reading.results
    if reading.format != "json" or not isinstance(path, str):
        return ""
    return path.removesuffix("[*]")


def _count(text: str) -> int | None:
    """Return the number in a text such as "1,234 results".

    >>> _count("1,234 results"), _count("none")
    (1234, None)
    """
    match = _COUNT.search(text)
    return whole(re.sub(r"\D", "", match[0])) if match else None


def _digest(fields: Mapping[str, str]) -> str:
    """A name for what has none: the same fields have the same."""
    text = json.dumps(dict(fields), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Judge:
    """Tells failures of the network, the service, the key, the quota and the query apart.

    Each is one of core.service.PROBLEMS.
    """

    def __init__(self, description: Description, reader: Reader) -> None:
        self._reader = reader
        self._message = Finder(reader, description.answer.message)
        self._rules = [(rule, Finder(reader, rule.path)) for rule in description.problems]
        self._key = description.key
        self._remaining = description.limits.remaining.lower()

    def __call__(self, response: Response) -> tuple[str, str]:
        """Return the problem and a sentence about it; "empty" for an answer of no records."""
        if response.error or not response.status:
            return "down", response.detail or f"There is no answer ({response.error or 'none'})."
        if response.cut or response.spool:
            return "down", "The answer is too long and was not taken whole."
        for rule, finder in self._rules:
            if self._holds(rule, finder, response):
                return rule.means, rule.about or self._sentence(response)
        problem = self._by_status(response)
        if problem == "key":
            return problem, self._about_key(response)
        return problem, self._sentence(response) if problem else ""

    def _about_key(self, response: Response) -> str:
        """Say what is known of the key: a service may refuse those who have sent none."""
        sentence = self._sentence(response)
        if self._key.how == "none":
            return f"None was sent, as its description names none. {sentence}"
        if not self._key.required:
            return f"{sentence.rstrip('.')} (a key may be set in {self._key.secret})."
        return sentence

    def _by_status(self, response: Response) -> str:
        status = response.status
        if status == 429:
            return "quota"
        if status in (401, 403):
            return "quota" if self._is_spent(response) else "key"
        if status in _QUERY_STATUSES:
            return "query"
        if status >= 500:
            return "down"
        return "" if response.ok else "schema"

    def _is_spent(self, response: Response) -> bool:
        """A refusal that will be over: GitHub and others say 403 where they mean 429."""
        left = response.header(self._remaining) if self._remaining else ""
        return left.strip() == "0" or bool(response.header("retry-after"))

    def _holds(self, rule: Problem, finder: Finder, response: Response) -> bool:
        if rule.status and rule.status != response.status:
            return False
        if not finder:
            return True
        tree = self._open(response)
        if tree is None or not finder.nodes(tree):
            return False
        return not rule.says or finder.text(tree) in rule.says

    def _open(self, response: Response) -> Node:
        """Read an answer; None where it cannot be read."""
        try:
            return self._reader.open(response.body, response.header("content-type"))
        except UnreadableError:
            return None

    def _sentence(self, response: Response) -> str:
        if response.detail:  # why it was not asked
            return f"{response.detail}."
        message = ""
        if response.redirects:
            message = f"it has moved to {response.header('location')}"
        elif self._message:
            tree = self._open(response)
            message = self._message.text(tree)[:300] if tree is not None else ""
        if message and response.ok:  # that it answers 200 tells nobody what is wrong
            return f"The service says: {message}"
        return f"The service answers {response.status}" + (f": {message}" if message else ".")
