"""A search service that TOML files describe, one for each of its operators."""

import html
import re
from collections.abc import Mapping
from functools import partial

from filon.core import Answer, Record, Request, Response, UserError
from filon.core.service import Hit, Hits
from filon.core.suggest import did_you_mean
from filon.services.search.searcher import check, number
from filon.services.shelf import find, parts
from filon.services.source import Recent, Source

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
