"""Records out of an answer, or what is missing in it."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from filon.core import Record
from filon.services.describe import fill
from filon.services.paths import Finder, Node, Reader, field
from filon.services.shape import Reading

_COUNT = re.compile(r"\d{1,3}(?:[,.  ]\d{3})+|\d+")


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
        link = urljoin(url, link) if link else ""
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
    return int(re.sub(r"\D", "", match[0])) if match else None


def _digest(fields: Mapping[str, str]) -> str:
    """A name for what has none: the same fields have the same."""
    text = json.dumps(dict(fields), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
