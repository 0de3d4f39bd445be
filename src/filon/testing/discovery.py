"""A small web of many sites without sockets, with a search service that knows part of it.

Clubs of bee-keepers and garages link to each other; some pages list both; six sites are
repositories of data on bees, and one only looks like it.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from urllib.parse import parse_qs, quote

from filon.core import Request, Response, Strategy
from filon.core.service import Hit, Hits
from filon.page.url import host, split
from filon.verbs.discover.strategies import Brief

BEES = ["bee", "hive", "honey", "queen", "swarm", "nectar", "pollen", "apiary", "smoker", "comb"]
CARS = [
    "engine",
    "gearbox",
    "tyre",
    "brake",
    "clutch",
    "piston",
    "diesel",
    "chassis",
    "torque",
    "exhaust",
]
COUNT = 12
#: Sites of the kind that is looked for, and repositories with enough files.
GOOD = {*(f"bee{n}.example" for n in range(COUNT)), "moved.example"}
REPOSITORIES = {f"data{n}.example" for n in range(6)}
SEEDS = ("http://bee0.example/", "http://bee1.example/")
TOPIC = "bee"
OTHERS = tuple(f"{' '.join(CARS)} garage number {n}" for n in range(6))


def _page(title: str, words: Sequence[str], links: Sequence[str] = ()) -> str:
    anchors = "".join(f'<li><a href="{url}">{url.rpartition("/")[2] or url}</a>' for url in links)
    return (
        f"<html><head><title>{title}</title>"
        f'<meta name="keywords" content="{", ".join(words[:5])}"></head>'
        f"<body><script>no words</script><p>{' '.join(words)}</p><ul>{anchors}</ul></body></html>"
    )


def _turned(words: list[str], n: int) -> list[str]:
    return [*words[n % 5 :], *words[: n % 3]]


def _sites() -> dict[str, str]:
    pages = {}
    for n in range(COUNT):
        bee, car = f"http://bee{n}.example/", f"http://car{n}.example/"
        after = f"http://bee{(n + 5) % COUNT}.example/"
        far = [after, car, "http://moved.example/", f"{bee}honey.pdf"]
        pages[bee] = _page(f"Bee club {n}", _turned(BEES, n), far)
        pages[car] = _page(
            f"Garage {n}", _turned(CARS, n), [f"http://car{(n + 1) % COUNT}.example/"]
        )
    for n in range(4):
        listed = [
            f"http://{name}{k}.example/" for k in range(n, COUNT, 3) for name in ("bee", "car")
        ]
        pages[f"http://hub{n}.example/list"] = _page("Links", ["links", "favourites"], listed)
    pages["http://moved.example/new"] = _page("Bee yard", BEES)
    return pages


def _repositories() -> dict[str, str]:
    pages = {}
    for n in range(6):
        home = f"http://data{n}.example/"
        sets = [f"{home}dataset/{k}" for k in range(5)]
        words = ["open", "data", "catalogue", "datasets", "download", *_turned(BEES, n)]
        pages[home] = _page(f"Bee open data {n}", words, [f"{home}about", f"{home}datasets"])
        pages[f"{home}about"] = _page("About", ["people", "office"])
        pages[f"{home}datasets"] = _page("Datasets", ["dataset", "list"], sets)
        for one in sets:
            files = [f"{one}/t{k}.csv" for k in range(3)]
            pages[one] = _page("Dataset", ["table", "csv"], [*files, home])
    # Looks like a portal, and has one file.
    fake = "http://fake.example/"
    words = ["open", "data", "catalogue", "datasets", "bee"]
    pages[fake] = _page("Open data, soon", words, [f"{fake}a.csv", f"{fake}more"])
    return pages


PAGES = _sites() | _repositories()
MOVED = {"http://moved.example/": "/new", "http://loop.example/": "http://loop.example/"}


@dataclass(frozen=True)
class ToySearcher:
    """Asks a service that answers with JSON; whatever else comes is a problem."""

    name: str = "toy"
    operators: tuple[str, ...] = ("keyword", "related", "backlinks")
    cost: float = 0.0

    def takes(self, operator: str, query: str) -> bool:
        """Say whether it has the operator."""
        return operator in self.operators

    def request(self, operator: str, query: str, page: str = "") -> Request:
        """Return the request for a page of results."""
        url = f"http://{self.name}.example/search?op={operator}&q={quote(query, safe='')}"
        return Request(url=f"{url}&page={page or 1}")

    def parse(self, operator: str, response: Response) -> Hits:
        """Return the addresses of an answer."""
        if response.status == 429:
            return Hits(problem="quota")
        if not response.ok:
            return Hits(problem="down")
        try:
            reply = json.loads(response.body)
            return Hits(
                hits=tuple(Hit(url=str(url)) for url in reply["urls"]), more=str(reply["more"])
            )
        except (ValueError, KeyError, TypeError):
            return Hits(problem="schema")


#: The first always answers with a page that wants to know whether we are human.
SEARCHERS = (ToySearcher("captcha", ("keyword",)), ToySearcher())


class ToyDiscovery:
    """Answers from PAGES and by search; remembers what it was asked. quota: of searches."""

    def __init__(self, quota: int = 10_000) -> None:
        self.log: list[tuple[str, str]] = []
        self._quota = quota

    def allow(self, quota: int) -> None:
        """Let so many searches be answered from now on."""
        self._quota = quota

    async def fetch(self, request: Request) -> Response:
        """Answer at once."""
        return self.answer(request)

    def answer(self, request: Request) -> Response:
        """Return the answer to a request."""
        self.log.append((request.method, request.url))
        status, mime, content = self._answer(request.url)
        place = (("Location", content),) if status == 302 else ()
        return Response(
            url=request.url,
            status=status,
            headers=(("Content-Type", mime), *place),
            body=content.encode(),
            at_s=float(len(self.log)),
        )

    async def close(self) -> None:
        """There is nothing to close."""

    def _answer(self, url: str) -> tuple[int, str, str]:
        if url.startswith("http://captcha.example/"):
            return 200, "text/html", "<html>Are you human?</html>"
        if url.startswith("http://toy.example/"):
            self._quota -= 1
            return (200, "application/json", _search(url)) if self._quota >= 0 else (429, "", "")
        if url in MOVED:
            return 302, "text/html", MOVED[url]
        found = PAGES.get(url)
        return (200, "text/html", found) if found else (404, "text/html", "no")


def _search(url: str) -> str:
    asked = {name: values[0] for name, values in parse_qs(split(url).query).items()}
    found = {"keyword": keyword, "related": _related, "backlinks": _backlinks}[asked["op"]]
    urls, page = found(asked["q"]), int(asked["page"])
    more = str(page + 1) if len(urls) > 10 * page and page < 3 else ""
    return json.dumps({"urls": urls[10 * page - 10 : 10 * page], "more": more})


def _indexed() -> list[str]:
    """A third is not in the index."""
    return [url for number, url in enumerate(sorted(PAGES)) if number % 3]


def keyword(query: str) -> list[str]:
    """Return the pages of the index that hold a word of a query, those with most first."""
    words = set(query.split())
    scored = [(-len(words & _words(PAGES[url])), url) for url in _indexed()]
    return [url for score, url in sorted(scored) if score]


@cache
def _words(page: str) -> frozenset[str]:
    return frozenset(re.findall("[a-z]+", page.lower()))


def _related(url: str) -> list[str]:
    number = int("".join(filter(str.isdigit, url)) or 0)
    kind = "bee" if "bee" in url else "data" if "data" in url else "car"
    most = 6 if kind == "data" else COUNT
    return [f"http://{kind}{(number + step) % most}.example/" for step in (2, 3)]


def _backlinks(url: str) -> list[str]:
    return [source for source in sorted(PAGES) if f'"{url}"' in PAGES[source]]


def discover_brief(seed: int = 1) -> Brief:
    """Return what a strategy is asked to discover there."""
    return Brief(topic=TOPIC, seeds=SEEDS, searchers=SEARCHERS, seed=seed, others=OTHERS)


def tried(make: Callable[[Brief], Strategy], requests: int, **options: str) -> tuple[int, int]:
    """Return how many clubs and how many repositories a strategy finds with so many requests.

    There are 11 clubs besides the examples, and 6 repositories, and no network: examples of
    strategies print these figures.
    """
    strategy, web = make(replace(discover_brief(), options=options)), ToyDiscovery()
    sites: set[str] = set()
    for _ in range(requests):
        if step := strategy.propose():
            found = strategy.observe(step, web.answer(step.request))
            sites.update(host(find.url) for find in found)
    return len(sites & GOOD), len(sites & REPOSITORIES)
