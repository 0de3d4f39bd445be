"""What exports, sources, search services, portals, verbs, webs and learners promise."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import MISSING, fields, replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from filon.core import Answer, Request, Response, Web
from filon.core.portal import Listing, Portal, TellsChanges
from filon.core.response import CUTS, ERRORS
from filon.core.service import OPERATORS, PROBLEMS, Hits, Searcher
from filon.page.url import split
from filon.run.checkpoint import Checkpoint, dump, load
from filon.run.export.format import Export, Rows
from filon.run.frame import Frame
from filon.services.search import SearchService, build
from filon.services.source import Source
from filon.testing.answers import ANSWERS
from filon.testing.strategies import ensure, placed
from filon.verbs.settings import Settings
from filon.verbs.verb import Verb

_QUERIES = ("river", '"', "a&b=c#d", "ä ö 東京", "{keywords}", "%00\r\nHost: x", "a/../b")
_STATUSES = (0, 100, 204, 206, 304, 404, 451, 599, 999)
#: How many broken answers are tried, and how much of a good one is left at most.
_BROKEN, _LONGEST = 60, 3000
_KINDS: dict[str, type] = {"url": str, "name": str, "size_bytes": int, "at": datetime}
_ROWS = (
    ("http://a.test/1.csv", "=1+1", 3, datetime(2026, 1, 2, tzinfo=UTC)),
    ("http://a.test/é?x=1,2", 'a "b"\r\nc\x00', 0, datetime(2026, 1, 3, tzinfo=UTC)),
)


def check_export(export: Export, rows: Rows | None = None) -> None:
    """Hold a format to its contract: it writes any rows of its kind, also none, always the same.

    rows: of its kind; None: a small table with values that break careless formats.
    """
    ensure(isinstance(export, Export), f"{export!r} is no Export")
    ensure(export.ending[:1] in (".", "-"), f"the ending {export.ending!r} begins with no dot")
    with TemporaryDirectory() as folder:
        given = [rows] if rows else [_table(Path(folder), n) for n in range(len(_ROWS) + 1)]
        for number, each in enumerate(given):
            outs = [Path(folder, f"{number}-{twin}{export.ending}") for twin in "ab"]
            for out in outs:
                export.write(each, out)
                ensure(out.exists(), f"nothing was written to {out.name}")
            if outs[0].is_file() and export.ending not in (".sqlite", ".duckdb"):
                first, second = (out.read_bytes() for out in outs)
                ensure(first == second, "the same rows were written in two ways")


def _table(folder: Path, count: int) -> Rows:
    return Rows(run_path=folder, name="finds", frame=Frame(_KINDS, lambda: iter(_ROWS[:count])))


def wrong_answers(url: str) -> Iterator[tuple[str, Response]]:
    """Yield every kind of answer that is not what a service documents."""
    for name, values in ANSWERS.items():
        yield name, Response(url=url, at_s=1.0, **values)


def check_source(
    description: str | Path,
    parameters: Mapping[str, str] | None = None,
    good: Response | None = None,
) -> None:
    """Hold the description of a source to its contract.

    description: a file, its text, or the name or path by which the source is found.
    good: an answer of the service, which must hold records.
    """
    is_text = isinstance(description, str) and "\n" in description
    arguments = (
        ("the source", parameters, str(description)) if is_text else (description, parameters)
    )
    source: Source = Source.load(*arguments)
    twin: Source = Source.load(*arguments)
    ensure(bool(source.name), "the source has no name")
    ensure(1 <= source.page_size <= 1000, f"pages of {source.page_size} records")
    ensure(source.joins in ("", "and", "or"), f"words are joined by {source.joins!r}")
    ensure(source.takes("river") and not source.takes(""), "it takes no word, or none at all")
    for page in ("", "7"):
        ensure(source.request("a b", page) == twin.request("a b", page), "its twin asks otherwise")
    ensure(source.request("a") != source.request("b"), "all words are asked for alike")
    _check_requests(lambda query: source.request(query))
    url = source.request("river").url
    _check_answers(source.parse, url)
    for name, response in _bare_answers(url):
        ensure(bool(source.parse(response).problem), f"{name!r}, and nothing in it: an answer")
    if good:
        answer = source.parse(good)
        ensure(answer == twin.parse(good), "a good answer is read in two ways")
        _check_broken(source, good)
        ensure(not answer.problem, f"a good answer has a problem: {answer.detail}")
        ensure(bool(answer.records), "a good answer has no records")
        ensure(len(answer.records) <= source.page_size, "more records than a page has")


def check_searcher(searcher: str | SearchService, good: Response | None = None) -> None:
    """Hold a search service to its contract.

    searcher: the service, or the name or path by which it is found.
    good: its answer to a question of its first operator, which must hold hits.
    """
    if isinstance(searcher, str):
        searcher = build(searcher)
    ensure(bool(searcher.name), "the service has no name")
    ensure(len(searcher.operators) > 0, "the service answers no question")
    strange = set(searcher.operators) - OPERATORS
    ensure(not strange, f"nobody asks for {strange}")
    for operator in sorted(searcher.operators):
        _check_operator(searcher, operator)
    if good:
        hits = searcher.parse(sorted(searcher.operators)[0], good)
        ensure(not hits.problem and bool(hits.hits), f"a good answer has no hits: {hits.detail}")


def _check_operator(searcher: Searcher, operator: str) -> None:
    queries = [query for query in _QUERIES if searcher.takes(operator, query)]
    if queries:
        _check_requests(lambda query: searcher.request(operator, query), queries)
        url = searcher.request(operator, queries[0]).url
        _check_answers(lambda response: searcher.parse(operator, response), url)


def _check_requests(
    ask: Callable[[str], Request], queries: "tuple[str, ...] | list[str]" = _QUERIES
) -> None:
    first = split(ask(queries[0]).url)
    for query in queries:
        request = ask(query)
        ensure(request == ask(query), f"{query!r} is asked in two ways")
        ensure(
            request.url.isascii() and request.url.isprintable(), f"not an address: {request.url}"
        )
        ensure(split(request.url)[:3] == first[:3], f"{query!r} leads elsewhere: {request.url}")


def _check_broken(source: Source, good: Response) -> None:
    """Read a good answer that was cut and altered on its way."""
    chance = random.Random(1)
    for _ in range(_BROKEN):
        body = bytearray(good.body[: chance.randrange(1, _LONGEST)])
        for _ in range(chance.randrange(4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        with placed(f"the answer {bytes(body)!r}"):
            answer = source.parse(Response(url=good.url, status=200, body=bytes(body)))
        ensure(answer.problem in PROBLEMS, f"unknown problem {answer.problem!r}")
        is_sound = bool(answer.records or answer.problem) or answer.total in (0, None)
        ensure(is_sound, f"an answer without records says that there are {answer.total}")


def _check_answers(parse: Callable[[Response], Answer | Hits], url: str) -> None:
    for name, response in (*wrong_answers(url), *_bare_answers(url)):
        with placed(f"the answer {name!r}"):
            answer = parse(response)
        ensure(answer.problem in PROBLEMS, f"{name!r}: unknown problem {answer.problem!r}")
        ensure(response.ok or bool(answer.problem), f"{name!r} is taken for an answer")
        ensure(response.ok or bool(answer.detail), f"{name!r}: nobody says what is wrong")


def _bare_answers(url: str) -> Iterator[tuple[str, Response]]:
    """Yield answers without a body, of every status, error and cut."""
    for status, error, cut in product(_STATUSES, sorted(ERRORS), sorted(CUTS)):
        response = Response(url=url, status=status, error=error, cut=cut)
        yield f"{status} {error} {cut}".strip(), response


def check_portal(kind: type[Portal] | Portal, good: Response | None = None) -> None:
    """Hold the adapter of a portal's software to its contract.

    good: an answer to `begin`, which must list datasets.
    """
    portal = kind() if isinstance(kind, type) else kind
    ensure(bool(portal.name), "the software has no name")
    root = "http://portal.test/open"
    asked = portal.confirm(root)
    ensure(asked.url.startswith("http://portal.test/"), f"it asks elsewhere: {asked.url}")
    begun = portal.begin(root)  # of the portal, or of a service that lists what it has
    ensure("portal.test" in begun.url, f"it asks for another portal: {begun.url}")
    for name, response in wrong_answers(portal.begin(root).url):
        with placed(f"the answer {name!r}"):
            confirmed, listing = portal.confirmed(response), portal.read(response)
        ensure(response.ok or not confirmed, f"{name!r} confirms the software")
        ensure(isinstance(listing, Listing), f"{name!r} is read as {listing!r}")
        ensure(response.ok or not listing.datasets, f"{name!r} is taken for a list")
        is_problem = bool(listing.problem or listing.more)  # it may ask otherwise
        ensure(response.ok or is_problem, f"{name!r} is not told to be a problem")
        ensure(portal.read(response) == listing, f"{name!r} is read in two ways")
    if isinstance(portal, TellsChanges):
        _check_changes(portal, root)
    if good:
        listing = portal.read(good)
        ensure(not listing.problem, f"a good answer has a problem: {listing.detail}")
        ensure(bool(listing.datasets), "a good answer has no datasets")


def _check_changes(portal: TellsChanges, root: str) -> None:
    moment = datetime(2026, 6, 15, 12, tzinfo=UTC)
    begun = portal.since(root, moment)
    ensure("portal.test" in begun.url, f"it asks another portal for changes: {begun.url}")
    for name, response in wrong_answers(begun.url):
        with placed(f"the answer {name!r} to a question for changes"):
            listing = portal.changes(response, moment)
        ensure(isinstance(listing, Listing), f"{name!r} is read as {listing!r}")
        named = listing.datasets or listing.gone or listing.same
        ensure(response.ok or not named, f"{name!r} is taken for a list of changes")


def check_verb(kind: type[Verb[Any]]) -> None:
    """Hold a verb to what commands, reports and exports ask of it."""
    ensure(isinstance(kind, type) and issubclass(kind, Verb), f"{kind!r} is no subclass of Verb")
    verb = kind()
    ensure(verb.name.isidentifier() and verb.name.islower(), f"nobody can type {verb.name!r}")
    ensure(bool(kind.__doc__), "its docstring is the help of its command, and it has none")
    ensure(issubclass(verb.settings, Settings), f"{verb.settings!r} is no subclass of Settings")
    defaults = {entry.name: entry.default for entry in fields(verb.settings)}
    ensure(defaults.get("verb") == verb.name, "its settings have no field verb with its name")
    ensure("url" in defaults, "its settings have no field url")
    ensure(defaults["url"] is MISSING or isinstance(defaults["url"], str), "the url is no text")
    ensure(bool(verb.rows()), "a run has no rows to be exported")
    formats = verb.formats().values()
    ensure(all(isinstance(each, Export) for each in formats), "a format is no Export")


def check_web(make: Callable[[], Awaitable[Web]], url: str) -> None:
    """Hold a web to its contract; `acheck_web` does the same within a loop of yours.

    make: returns the web, new. url: of a CSV file that it can fetch.
    """

    async def bounded() -> None:
        async with asyncio.timeout(60):
            await acheck_web(make, url)

    asyncio.run(bounded())


async def acheck_web(make: Callable[[], Awaitable[Web]], url: str) -> None:
    """Hold a web to its contract, see `check_web`."""
    web = await make()
    try:
        await _check_parts(web, await _whole(web, url))
        await _check_failures(web, url)
    finally:
        await web.close()
        await web.close()


async def _whole(web: Web, url: str) -> Response:
    whole = await web.fetch(Request(url=url))
    ensure((whole.url, whole.status, whole.error, whole.cut) == (url, 200, "", ""), f"{whole}")
    ensure(whole.mime == "text/csv" and len(whole.body) > 20, "not a CSV file")
    ensure(whole.size_bytes == len(whole.body), "the size is not that of the body")
    timeless: Any = {"at_s": 0.0, "took_s": 0.0, "sent": "yes", "wire_bytes": 0}
    for again in await asyncio.gather(*(web.fetch(Request(url=url)) for _ in range(5))):
        ensure(replace(whole, **timeless) == replace(again, **timeless), "another answer")
        ensure(again.at_s >= whole.at_s, "its clock goes back")
    return whole


async def _check_parts(web: Web, whole: Response) -> None:
    url, most = whole.url, whole.size_bytes // 2
    head = await web.fetch(Request(url=url, method="HEAD"))
    ensure((head.status, head.body, head.wire_bytes) == (200, b"", 0), "HEAD has a body")
    for kinds in (("text/csv",), ("image/", "text/")):
        unwanted = await web.fetch(Request(url=url, unwanted=kinds))
        answer = (unwanted.cut, unwanted.body, unwanted.wire_bytes, unwanted.ok)
        ensure(answer == ("type", b"", 0, True), "an unwanted type was fetched")
    wanted = await web.fetch(Request(url=url, unwanted=("text", "text/cs", "csv/")))
    ensure(not wanted.cut, "a type was cut that only looks like an unwanted one")
    cut = await web.fetch(Request(url=url, max_bytes=most))
    ensure(cut.cut == "budget" and cut.wire_bytes <= most, "more bytes than the budget has left")
    ensure(cut.size_bytes > most, "what was cut does not say how long it is")
    begun = await web.fetch(Request(url=url, max_bytes=most, begins=True))
    ensure((begun.cut, begun.wire_bytes) == ("budget", most), "the beginning was not fetched")
    ensure(whole.body.startswith(begun.body) and bool(begun.body), "it begins otherwise")


async def _check_failures(web: Web, url: str) -> None:
    missing = await web.fetch(Request(url=f"{url}/no-such-thing"))
    ensure((missing.status, missing.error) == (404, ""), "a missing page is no 404")
    with placed("a host that does not exist"):
        lost = await web.fetch(Request(url="http://no-such-host.invalid/"))
    ensure(not lost.ok, "a host that does not exist answers")
    ensure(lost.url == "http://no-such-host.invalid/", "the answer is of another URL")


def check_learner(make: Callable[[], Any], teach: Callable[[Any, int], object]) -> None:
    """Hold a learner to its contract: its state is plain data, a copy, and enough to go on from.

    teach: gives the lesson of a number, and returns what the learner then thinks.
    """
    for lessons in (0, 1, 30):
        learner, twin = make(), make()
        for number in range(lessons):
            teach(learner, number)
        state = learner.state()
        before = dump(Checkpoint(state=state))
        twin.restore(load(before).state)
        later = range(lessons, lessons + 40)
        thought = [teach(learner, number) for number in later]
        ensure(thought == [teach(twin, number) for number in later], "its twin thinks otherwise")
        ensure(dump(Checkpoint(state=state)) == before, "its state changed after it was taken")
        ensure("version" in state, "its state has no version")
