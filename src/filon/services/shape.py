"""What the description of a source can say: the tables of its TOML file, as values.

Every key of the file is a field here. `describe.py` reads a file into them and finds what is
wrong with it; docs/sources.md has a line for each.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: A path into an answer, or several of which the first that leads somewhere counts.
Path = str | tuple[str, ...]

METHODS = ("GET", "POST")
KEY_WAYS = ("none", "query", "header", "bearer", "oauth2")
PAGING_WAYS = ("none", "page", "offset", "cursor", "link")
FORMATS = ("json", "xml", "html")
JOINS = ("", "and", "or")
RESETS = ("", "seconds", "unix", "date")
MEANINGS = ("empty", "down", "key", "query", "quota", "schema")
OPENINGS = ("", "opensearch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What the user says about one instance: its address, a table, a language."""

    about: str
    default: str = ""
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """How keywords become a request; `{keywords}` stands for them wherever text stands.

    keywords: the query parameter that takes them.
    params: other query parameters. json, form: a body, as a table; a table in a form is JSON.
    """

    url: str
    method: str = "GET"
    keywords: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Mapping[str, Any] = field(default_factory=dict)
    form: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """How the service knows its users.

    name: the query parameter or the header; prefix: what stands before the key in the header.
    secret: the environment variable, and the user of the keyring entry, that hold it.
    client, token_url, scope: for OAuth2 client credentials.
    """

    how: str = "none"
    name: str = ""
    prefix: str = ""
    secret: str = ""
    required: bool = True
    about: str = ""
    client: str = ""
    token_url: str = ""
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How many records an answer brings, and how to get the next ones.

    uneven: answers before the last may have fewer records than size: one with less than half is it.
    parameter: takes the page, offset or cursor; inside: "query" or "body".
    first: the first page, offset or cursor; "" leaves the parameter out.
    next: the path of the cursor or of the next URL; a link without it is the Link header.
    reachable: records of a query that can be had at all; 0: no bound is known.
    """

    size: int
    uneven: bool = False
    how: str = "none"
    parameter: str = ""
    max_size: int = 0
    size_parameter: str = ""
    first: str = ""
    next: Path = ""
    inside: str = "query"
    reachable: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A field whose values have parts: given name and family name of each author."""

    each: Path
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Where things stand in an answer: JSONPath in JSON, XPath in XML and HTML.

    results: the list of results, or the results themselves. The other paths start at a result,
    but for total (all matches) and message (what the service says of an error).
    link: the address of a record, made of `{id}` and the names of fields.
    fields: "*" takes what is there. always: fields that every record has.
    holds: what is there even where there are no results.
    size: how many records a page holds, where the service tells it.
    """

    results: Path
    fields: Mapping[str, Path | Parts] | str
    format: str = "json"
    id: Path = ""
    url: Path = ""
    link: str = ""
    total: Path = ""
    always: tuple[str, ...] = ()
    namespaces: Mapping[str, str] = field(default_factory=dict)
    size: Path = ""
    holds: Path = ""
    message: Path = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a query may be.

    joins: whether a record must hold all words ("and") or one ("or").
    batch: queries that a call may hold; the entry q0 of the body is there for each, as q1, q2.
    """

    joins: str = ""
    max_chars: int = 0
    max_words: int = 0
    stop_words: tuple[str, ...] = ()
    batch: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the service allows, and the headers of its answers that tell.

    rate, quota: "30/min", "1000/day". remaining: how much is left, of which a call takes `cost`.
    reset: when it is renewed, in "seconds" from now, as "unix" time or as a "date".
    limit, interval: headers that tell the rate itself.
    price: of a call, in `currency`.
    """

    rate: str = ""
    quota: str = ""
    cost: float = 1.0
    remaining: str = ""
    reset: str = ""
    reset_is: str = ""
    price: float = 0.0
    currency: str = "USD"
    limit: str = ""
    interval: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An answer that means something else than its status says.

    status: of the answer; 0 for any. path: what must be there. says: one of these, if any.
    about: a sentence for the user; what the service says by default.
    """

    means: str
    status: int = 0
    path: Path = ""
    says: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A document of the service that must be read first."""

    how: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a file is to a search for sites; it answers keywords where it does not say.

    service: the shipped service that it is a part of; the user's own files stand alone.
    operators: those of core.service.OPERATORS that it answers; a part may answer none by itself.
    """

    service: str = ""
    operators: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A whole file. forbidden: why the service must not be asked about tables."""

    name: str
    about: str
    request: Call
    paging: Paging
    answer: Reading
    home: str = ""
    terms: str = ""
    checked: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    forbidden: str = ""
    search: Search = field(default_factory=Search)
    opening: Opening = field(default_factory=Opening)
    key: Key = field(default_factory=Key)
    query: Words = field(default_factory=Words)
    limits: Limits = field(default_factory=Limits)
    problems: tuple[Problem, ...] = ()
