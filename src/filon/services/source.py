"""A search service that a TOML file describes: a Provider without code of its own."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import SplitResult, quote_plus

from filon.core import Answer, Request, Response, UserError
from filon.core.suggest import did_you_mean
from filon.page.url import origin, split
from filon.services import opensearch
from filon.services.answers import (
    Finder,
    Judge,
    Reader,
    Records,
    StrangeError,
    UnreadableError,
    field,
    reader,
)
from filon.services.calls import Calls, HeaderMeter, Pages
from filon.services.describe import ADDED, describe, fill_all, find, names, refusal, shipped
from filon.services.shape import Description, Key

#: Names that are filled for each query, not by the user; and the one that all sources have.
_OWN = frozenset({"keywords", "page_size"})
_SIZE = "page_size"
#: Bytes of a query as it stands in an address: servers take addresses of 8,000 (RFC 9110, 4.1).
_LONGEST_BYTES = 6000
#: Answers that are kept: calls of one service in flight, and some more.
KEPT = 16

T = TypeVar("T")


class Source:
    """A source, ready to be asked.

    description: what its file says, with the user's parameters in it.
    parameters: those that were given; `Source.load` with them gives the same source.

    >>> source = Source.load("ckan", {"url": "https://demo.ckan.org"})
    >>> source.request("war peace").url
    'https://demo.ckan.org/api/3/action/package_search?q=war+peace&rows=100&start=0'
    """

    def __init__(self, description: Description, parameters: Mapping[str, str]) -> None:
        self.description = description
        self.parameters = dict(parameters)
        self._reader = reader(description.answer.format, description.answer.namespaces)
        self.page_size = _page_size(description, self.parameters)
        _check_paths(description, self._reader)
        next_ = Finder(self._reader, description.paging.next)
        pages = Pages(description.paging, self.page_size, next_)
        self._pages = pages
        self._records = Records(description.answer, self._reader)
        self._judge = Judge(description, self._reader)
        call = description.request
        form = description.answer.format
        self._calls = Calls(call, description.key, pages, self.page_size, form)
        self._problem = Recent(self._judge)
        self._answer = Recent(self._read)
        self.meter = HeaderMeter(description.name, description.limits, self._problem)

    @classmethod
    def load(
        cls,
        name_or_path: str | Path,
        parameters: Mapping[str, str] | None = None,
        text: str = "",
    ) -> "Source":
        """Return a shipped source by its name, or one from a file.

        parameters: what the file asks the user for, such as an instance's url.
        text: the description itself, where it stands in no file.
        """
        description = describe(text, str(name_or_path)) if text else find(name_or_path)
        if not text and name_or_path in shipped():
            ADDED.tell_left_out(str(name_or_path))
        if description.forbidden:
            raise UserError(f"{description.name} is refused: {description.forbidden}")
        return _permitted(cls(*_prepare(description, dict(parameters or {}), str(name_or_path))))

    @property
    def name(self) -> str:
        """What people call the service."""
        return self.description.name

    @property
    def joins(self) -> str:
        """How the words of a query are joined: "and", "or", or "" where that is unknown."""
        return self.description.query.joins

    @property
    def key(self) -> Key:
        """How the service knows its users."""
        return self.description.key

    @property
    def origin(self) -> str:
        """Where the requests go: a scheme and a host. The key goes nowhere else."""
        return origin(self.description.request.url)

    @property
    def host(self) -> str:
        """The host of it, which may be at a private address: the user named it."""
        return split(self.description.request.url).hostname or ""

    @property
    def price(self) -> float:
        """What a call costs, in `description.limits.currency`."""
        return self.description.limits.price

    def opening(self) -> Request | None:
        """Return the request for the document that must be read first, where there is one."""
        opening = self.description.opening
        if not opening.how or self.parameters.get("template"):
            return None
        return Request(url=opening.url)

    def opened(self, response: Response) -> "Source":
        """Return the source that the document describes."""
        template = opensearch.read_document(response)
        description = opensearch.apply(self.description, template["template"], template["first"])
        return _permitted(Source(description, {**self.parameters, **template}))

    @property
    def batch(self) -> int:
        """How many queries one call may hold, a line each; its records are those of them all."""
        return self.description.query.batch

    def takes(self, query: str) -> bool:
        """Say whether the service takes a query of that length and these words."""
        queries = query.splitlines()
        return 1 <= len(queries) <= self.batch and all(map(self._takes_one, queries))

    def _takes_one(self, query: str) -> bool:
        rules, words = self.description.query, query.split()
        if not words or all(word.lower() in rules.stop_words for word in words):
            return False
        if rules.max_words and len(words) > rules.max_words:
            return False
        if len(query) > (rules.max_chars or _LONGEST_BYTES):
            return False
        return len(query) * 12 <= _LONGEST_BYTES or len(quote_plus(query)) <= _LONGEST_BYTES

    def request(self, query: str, page: str = "") -> Request:
        """Return the request for the first page of a query's results, or for `Answer.more`."""
        if self.opening():
            raise RuntimeError(f"{self.name} must be opened first")
        return self._calls.make(query, page)

    def parse(self, response: Response) -> Answer:
        """Return what an answer holds. Who asks about one of the last answers gets the same."""
        return self._answer(response)

    def tree(self, response: Response) -> Any:
        """Return a good answer as its format has it: for what no description can say."""
        return self._reader.open(response.body, response.header("content-type"))

    def _read(self, response: Response) -> Answer:
        problem, detail = self._problem(response)
        if problem == "empty":
            return Answer(total=0)
        if problem:
            return Answer(problem=problem, detail=detail)
        try:
            tree = self.tree(response)
            found = self._records.read(tree, response.url)
        except UnreadableError as error:
            return Answer(problem="schema", detail=f"The answer is {error}.")
        except StrangeError as error:
            return Answer(problem="schema", detail=f"The answer has changed: {error}.")
        records = found.records
        more = self._pages.more(response, tree, len(records), found.total, found.size)
        return Answer(records=records, total=found.total, more=more)


def _permitted(source: Source) -> Source:
    """Return a source unless its host is known to forbid such use."""
    if reason := refusal(source.host):
        raise UserError(f"{source.host} is refused: {reason}")
    return source


def _prepare(
    description: Description, given: dict[str, str], label: str
) -> tuple[Description, dict[str, str]]:
    """Put the user's parameters into the description."""
    known = description.parameters
    for name in given:
        if name not in known and name != _SIZE:
            raise UserError(
                f"The source {label} has no parameter {name!r}: "
                f"{did_you_mean(name, [*known, _SIZE])}"
            )
    words = {}
    for name, parameter in known.items():
        words[name] = given.get(name, parameter.default).strip()
        if not words[name] and parameter.required:
            raise UserError(
                f"The source {label} must be told {name}: {parameter.about.rstrip('.')}."
            )
    if "url" in words:
        words["url"] = words["url"].rstrip("/")
    filled = replace(fill_all(replace(description, parameters={}), words), parameters=known)
    template, url = words.get("template", ""), filled.request.url
    if template:
        filled = opensearch.apply(filled, template, words.get("first") or "1")
        url = filled.request.url
    if not (filled.opening.how and not template):
        _check_url(url, label)
    return filled, given


def _check_url(url: str, label: str) -> None:
    strange = [name for name in names(url) if name not in _OWN]
    if strange:
        raise UserError(f"The source {label} has no [parameters] entry for {{{strange[0]}}}.")
    parts = split(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or not _has_port(parts):
        raise UserError(f"{url!r} is no address to ask: write it like https://example.org/.")
    if "@" in parts.netloc:
        raise UserError("The source's URL holds a password, which would stand in the run folder.")


def _has_port(parts: SplitResult) -> bool:
    """Say whether the port, where one is named, is a number that a port can have."""
    try:
        return parts.port != 0
    except ValueError:
        return False


def _check_paths(description: Description, reader: Reader) -> None:
    for where, path in _paths(description):
        try:
            field(reader, path)
        except ValueError as error:
            raise UserError(
                f"In the source {description.name}, {where} ({path!r}) is {error}."
            ) from None


def _paths(description: Description) -> Iterator[tuple[str, Any]]:
    answer = description.answer
    for name in ("results", "id", "url", "total", "size", "holds", "message"):
        yield f"answer.{name}", getattr(answer, name)
    if isinstance(answer.fields, Mapping):
        for name, path in answer.fields.items():
            yield f"answer.fields.{name}", path
    yield "paging.next", description.paging.next
    for problem in description.problems:
        yield "problems.path", problem.path


def _page_size(description: Description, given: Mapping[str, str]) -> int:
    paging = description.paging
    text = given.get(_SIZE, str(paging.size))
    most = paging.max_size or paging.size
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise UserError(f"page_size must be a whole number from 1 to {most}, not {text!r}.")
    return int(text)


class Recent(Generic[T]):
    """A function of a response that remembers its last results.

    So an answer is read once, whoever asks for it: the cache asks whether it is worth keeping, a
    guard whether it is a refusal, the strategy what is in it and a watcher what is wrong with it,
    at different times, with others in between where several calls are in flight.

    What a guard or a cache may change of a response (when it came, whether it was sent) is not
    looked at: the function must not look at it either.

    >>> lengths = Recent(lambda response: len(response.body))
    >>> lengths(Response(url="http://a.org/", body=b"1234"))
    4
    """

    def __init__(self, read: Callable[[Response], T]) -> None:
        self._read = read
        self._kept: OrderedDict[tuple[object, ...], T] = OrderedDict()

    def __call__(self, response: Response) -> T:
        """Return the result, from memory where it is one of the last."""
        key = _key(response)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        result = self._kept[key] = self._read(response)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return result


def _key(response: Response) -> tuple[object, ...]:
    return (
        response.url,
        response.status,
        response.headers,
        len(response.body),
        blake2b(response.body, digest_size=16).digest(),
        response.error,
        response.detail,
        response.cut,
        response.spool,
    )
