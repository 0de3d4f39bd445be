"""Records out of an answer, what is missing in it, and what is wrong before they are looked at."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from filon.core import Record, Response
from filon.services.describe import fill
from filon.services.paths import Finder, Node, Reader, UnreadableError, field
from filon.services.shape import Description, Problem, Reading

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
