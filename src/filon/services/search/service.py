"""A search service: what it is besides its questions and answers, and how one is made.

All are asked by a request and a parse. Most are described by TOML files, one for each operator
(`Described`; engines.py has those of which a file cannot say all). Some are at hand (the user's own
archives): their requests go to a host that does not exist and are answered on this machine
(web/split.py), so that they stand in the ledger with the others and cost nothing.
"""

import html
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from filon.core import Answer, Record, Request, Response, UserError
from filon.core.plugins import Lazy, Registry
from filon.core.service import Hit, Hits, Searcher
from filon.core.suggest import did_you_mean
from filon.services.calls import HeaderMeter
from filon.services.describe import ADDED, described, find, is_file, parts, rate, shipped, text_in
from filon.services.shape import Key
from filon.services.source import Recent, Source


class SearchService(Searcher, Protocol):
    """A searcher with its terms.

    page_size: how many hits an answer brings at most, or usually where the service decides.
    secrets: the names of the secrets that it wants; key says more about them.
    origin: where its requests go: a scheme and a host, and the only place for its secrets.
    meter: what it allows, as guards want to know it.
    """

    cost: float
    page_size: int
    secrets: tuple[str, ...]
    key: Key
    origin: str
    meter: HeaderMeter


def number(hits: list[Hit]) -> tuple[Hit, ...]:
    """Return hits with their ranks, each URL once: the first counts."""
    once: dict[str, Hit] = {}
    for hit in hits:
        once.setdefault(hit.url, hit)
    return tuple(
        Hit(url=hit.url, title=hit.title, snippet=hit.snippet, rank=rank, extra=hit.extra)
        for rank, hit in enumerate(once.values(), 1)
    )


def check(searcher: Searcher, operator: str) -> None:
    """Refuse an operator that a service has not: a mistake of who asks."""
    if operator not in searcher.operators:
        raise ValueError(f"{searcher.name} has no operator {operator!r}")


#: Parameters that every service on the network has.
PLAN = {
    "rate": "how fast it may be asked, like 5/s or 30/min",
    "quota": "how many calls there are, like 1000/day",
    "price": "what a call costs, in USD",
}


def _apply_plan(searcher: SearchService, terms: Mapping[str, str]) -> None:
    """Take the user's word over the description's. What answers tell of the quota goes before."""
    meter = searcher.meter
    if text := terms.get("rate", ""):
        calls, seconds = _rate("rate", text)
        meter.delay_s = seconds / calls
    if text := terms.get("quota", ""):
        calls, meter.window_s = _rate("quota", text)
        meter.quota = int(calls)
    if text := terms.get("price", ""):
        searcher.cost = meter.price = _price(text)


def _rate(name: str, text: str) -> tuple[float, float]:
    try:
        calls, seconds = rate(text)
    except ValueError:
        calls = seconds = 0.0
    if calls < 1.0:
        raise UserError(f"{name} must be like 30/min or 1000/day, not {text!r}.")
    return calls, seconds


def _price(text: str) -> float:
    try:
        price = float(text)
    except ValueError:
        price = -1.0
    if not 0.0 <= price < 1e6:
        raise UserError(f"price must be a number of USD, not {text!r}.")
    return price


_OWN = frozenset({"title", "snippet"})
#: The one parameter that every source has, whatever its file says.
_SIZE = "page_size"
#: Services mark the words that were found, and descriptions have paragraphs.
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")


class Described:
    """A service whose operators are sources, as tables of fields are asked for.

    The fields `title` and `snippet` of a source's records are those of the hits; other fields are
    in their extra. Sources of one service share its key, its limits and its host.
    """

    def __init__(self, name: str, sources: Mapping[str, Source]) -> None:
        self.name = name
        self.sources = dict(sources)
        self.operators = frozenset(sources)
        first = next(iter(self.sources.values()))
        self.cost = first.price
        self.page_size = first.page_size
        self.key = first.key
        self.secrets: tuple[str, ...] = (first.key.secret,) if first.key.secret else ()
        self.origin = first.origin
        self.meter = first.meter
        self._answers = {one: Recent(partial(self.read, one)) for one in self.operators}

    @classmethod
    def complete(cls, parameters: Mapping[str, str]) -> dict[str, str]:
        """Return the user's parameters with what follows from them."""
        return dict(parameters)

    def takes(self, operator: str, query: str) -> bool:
        """Say whether the operator is there and its source takes the query."""
        source = self.sources.get(operator)
        return source is not None and source.takes(self.prepare(operator, query))

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for the first page of a question's answer, or for `Hits.more`."""
        check(self, operator)
        return self.sources[operator].request(self.prepare(operator, query), page)

    def parse(self, operator: str, response: Response) -> Hits:
        """Return what an answer holds."""
        check(self, operator)
        return self._answers[operator](response)

    def read(self, operator: str, response: Response) -> Hits:
        """Read an answer anew: what a service that is special does in its own way."""
        return hits_of(self.sources[operator], response)

    def prepare(self, operator: str, query: str) -> str:
        """Return the query as the service wants it: a host for a URL, for one."""
        return query


def hits_of(source: Source, response: Response) -> Hits:
    """Return the records of a source as hits; a record without an address is none."""
    answer = source.parse(response)
    return Hits(
        hits=number([_hit(record) for record in answer.records if record.url]),
        total=answer.total,
        more=answer.more,
        problem=answer.problem,
        detail=explain(answer, response),
    )


def explain(answer: Answer, response: Response) -> str:
    """Return what is wrong, in a sentence; a page where data should be is often a captcha."""
    begins = response.body[:200].lstrip().lower()
    if answer.problem and begins.startswith((b"<!doctype html", b"<html")):
        return f"{answer.detail.rstrip('.')}: this is a page for people, perhaps a captcha."
    return answer.detail


def load(name: str, parameters: Mapping[str, str]) -> dict[str, Source]:
    """Return the sources of a shipped service by operator; each gets the parameters it knows."""
    files = parts(name)
    known = {file: {*find(file).parameters, _SIZE} for file in files.values()}
    every = sorted(set().union(*known.values()))
    for given in parameters:
        if given not in every:
            raise UserError(f"{name} has no parameter {given!r}: {did_you_mean(given, every)}")
    sources = {
        file: Source.load(file, {each: parameters[each] for each in parameters if each in names})
        for file, names in known.items()
    }
    return {operator: sources[file] for operator, file in files.items()}


def load_alone(name_or_path: str, parameters: Mapping[str, str], text: str = "") -> Described:
    """Return the service that one file describes; it answers keywords where it does not say.

    text: the description itself, where it stands in no file.
    """
    source = Source.load(name_or_path, parameters, text)
    description = source.description
    if not (description.answer.url or description.answer.link):
        raise UserError(
            f"The source {name_or_path} does not say where a result's address is (answer.url or "
            "answer.link): it cannot be searched for sites."
        )
    if source.opening():
        raise UserError(
            f"The source {name_or_path} must be read about before it can be searched: "
            "tell its template."
        )
    operators = description.search.operators or ("keyword",)
    return Described(source.name, dict.fromkeys(operators, source))


def _hit(record: Record) -> Hit:
    fields = record.fields
    return Hit(
        url=record.url,
        title=_plain(fields.get("title", "")),
        snippet=_plain(fields.get("snippet", "")),
        extra={name: text for name, text in fields.items() if name not in _OWN and text},
    )


def _plain(text: str) -> str:
    """Return a text without tags.

    >>> _plain("<b>Floods</b> &amp; rain, 3 < 4")
    'Floods & rain, 3 < 4'
    """
    return " ".join(html.unescape(_TAG.sub("", text)).split())


#: Makes a service from what the user says about it.
Build = Callable[[Mapping[str, str]], SearchService]

#: What shipped files describe; those of which they cannot say all have a class of their own.
_DESCRIBED = ("exa", "google", "mojeek", "serper")
_SPECIAL: Lazy[type[Described]] = Lazy(
    {
        name: f"filon.services.search.engines:{kind}"
        for name, kind in {
            "brave": "Brave",
            "commoncrawl": "CommonCrawl",
            "datacite": "DataCite",
            "mediawiki": "MediaWiki",
            "re3data": "Re3data",
            "searxng": "Searxng",
            "socrata": "Socrata",
        }.items()
    }
)


def _build(name: str, parameters: Mapping[str, str]) -> SearchService:
    kind = _SPECIAL.get(name, Described)
    return kind(name, load(name, kind.complete(parameters)))


#: What a search service has, whoever made it.
_PROMISED = ("name", "operators", "takes", "request", "parse", "origin", "secrets", "meter")


def _fit(found: Build | Path | str) -> Build | Path | str:
    return found if callable(found) else described(found)


#: By name: how each is made. Installed packages may add to them: a function or class that takes
#: what the user says, or a description as of a source, by its path or as text.
SEARCHERS: Registry[Build | Path | str] = Registry(
    "search service",
    "filon.searchers",
    {name: partial(_build, name) for name in (*_DESCRIBED, *_SPECIAL)}
    | {
        "local": "filon.services.search.local:build",
        "registry": "filon.services.search.registry:build",
    },
    fit=_fit,
)
#: Those that are answered on this machine, by `AtHand.respond`.
AT_HAND = frozenset({"local", "registry"})


def build(name: str, parameters: Mapping[str, str] | None = None) -> SearchService:
    """Return a search service by its name, or from a description: a file, or a shipped source.

    parameters: what the service asks for, and `rate`, `quota` and `price` of the user's own plan.

    >>> build("exa").request("related", "https://example.org/").url
    'https://api.exa.ai/findSimilar#q=https%3A%2F%2Fexample.org%2F'
    >>> build("ckan", {"url": "https://demo.ckan.org"}).operators
    frozenset({'keyword'})
    """
    given = dict(parameters or {})
    if name in AT_HAND:
        return _made(name, given)
    terms = {each: given.pop(each) for each in PLAN if each in given}
    if is_file(name) or name in [*shipped(), *ADDED]:
        searcher: SearchService = load_alone(name, given)
    else:
        searcher = _made(name, given)
    _apply_plan(searcher, terms)
    return searcher


def _made(name: str, given: Mapping[str, str]) -> SearchService:
    found = SEARCHERS.find(name)
    if not callable(found):
        return load_alone(name, given, text_in(found))
    made: SearchService = SEARCHERS.make(name, given, *_PROMISED)
    return made
