"""Strategies on webs that differ in what the other generated ones hold fixed, a web a seed.

    python -m experiments.follow.variants ../shared/data/follow --seeds 5
    python -m experiments.follow.variants ../shared/data/follow --names giant,rare --first 21

Requests to 50, 80 and 95 % of the documents with RDF that `bfs` reaches in the end.
"""

import argparse
import math
import random
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

import pyoxigraph as ox

from experiments.follow.graphs import descriptions
from experiments.follow.plan import WITH_RDF, WITHOUT, Place, Plan
from experiments.follow.seeds import SHARES as _SHARES
from experiments.follow.seeds import Remembering, crawl
from experiments.follow.web import LodWeb
from filon.core import Request, Strategy
from filon.verbs.follow.strategies import Brief, build

SHARES = (*_SHARES, 0.95)
THINGS, SEEDS = 1_200, 12
#: Hosts that documents stand on, where names are redirected to another host.
DOCUMENT_HOSTS = 12
_WORDS = ("resource", "id", "concept", "term", "page", "wiki", "data", "item", "news", "doc")
_MENTIONS = tuple(
    ox.NamedNode(f"http://www.w3.org/2000/01/rdf-schema#{name}")
    for name in ("seeAlso", "isDefinedBy")
)
_PAGES = {"html": 58, "text": 8, "api": 9, "feed": 7, "missing": 18}


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """How a web differs.

    hosts: how many; largest: the part of all things on the first of them.
    sections: folders a host; alike: the part of a section's URIs that is published as the section.
    alive: the part of the sections with RDF. with_rdf, without: how these publish, with weights.
    names, dead_names: forms of the paths of sections with and without RDF.
    pages: URIs without RDF by thing, beside the dead sections, of which `among` stand in a section.
    together: things that one document describes, named by their fragments.
    """

    hosts: int = 150
    largest: float = 0.0
    sections: int = 3
    alike: float = 0.97
    alive: float = 0.5
    with_rdf: dict[str, int] = field(default_factory=lambda: dict(WITH_RDF))
    without: dict[str, int] = field(default_factory=lambda: dict(WITHOUT))
    names: tuple[str, ...] = ("/{s}/{n}", "/{s}/{n}.html", "/id/{s}/{n}", "/{s}?id={n}")
    dead_names: tuple[str, ...] = ()
    pages: float = 2.2
    among: float = 0.1
    together: int = 1


_EMBEDDED = {"html+jsonld": 5, "html+rdfa": 5}
_CODES = ("/{s}/Q{i}",)
VARIANTS = {
    "few-hosts": Variant(hosts=5, sections=10),
    "many-hosts": Variant(hosts=1_500, sections=1),
    "giant": Variant(hosts=60, largest=0.8, sections=8),
    "one-folder": Variant(hosts=20, largest=0.8, sections=1, alike=0.6, names=_CODES),
    "dead": Variant(alive=0.25, without={"missing": 1}, pages=5, among=0.5),
    "liars": Variant(
        with_rdf={"negotiated": 1, "html+jsonld": 1, "plain": 1, "json": 1},
        without={"missing": 3, "html": 2},
        names=("/{s}/{n}", "/{s}/{n}.html", "/{s}.php?id={n}"),
        dead_names=("/{s}/{n}.ttl", "/{s}/{n}.rdf", "/{s}/{n}.owl", "/{s}/{n}.jsonld"),
    ),
    "negotiated": Variant(with_rdf={"negotiated": 1}, names=("/{s}/{n}", "/{n}", "/id/{n}")),
    "hash": Variant(together=8, hosts=60),
    "embedded": Variant(with_rdf=_EMBEDDED, without={"html": 1}, names=("/{s}/{n}", "/{s}/{i}/")),
    "catch-all": Variant(without={"soft-missing": 1}, alike=0.8, among=0.6),
    "elsewhere": Variant(
        with_rdf={"elsewhere": 1}, without={"elsewhere-missing": 3, "missing": 1}, alike=0.9
    ),
    "rare": Variant(alive=0.12, pages=3.5),
    "abundant": Variant(alive=0.97, pages=0.05, alike=0.99),
    "unlearnable": Variant(alike=0.0, sections=1, hosts=300, among=1.0),
}


class VariantWeb(LodWeb):
    """A web of a variant; only what has RDF mentions others."""

    def __init__(self, folder: Path, variant: Variant, seed: int, things: int = THINGS) -> None:
        self.log = []
        self._documents: dict[str, str] = {}  # on another host: by URL, the place it is of
        told, self._dice = _told(folder), random.Random(seed)
        names = self._dice.sample(sorted(told), things)
        self.plan = _Plan()
        self._publish(names, variant)
        self._triples = self._mentioning({name: told[name] for name in self.plan.of_thing})

    def _publish(self, names: list[str], variant: Variant) -> None:
        dice, hosts = self._dice, [f"host{number}.example" for number in range(variant.hosts)]
        weights = [dice.paretovariate(1.0) for _ in hosts]
        if variant.largest:
            rest = sum(weights[1:])
            weights[0] = rest * variant.largest / (1 - variant.largest)
        sections = {
            host: [self._section(word, variant) for word in dice.sample(_WORDS, variant.sections)]
            for host in hosts
        }
        waiting = list(names)
        while waiting:
            members = [waiting.pop() for _ in range(min(variant.together, len(waiting)))]
            host = dice.choices(hosts, weights)[0]
            path, profile = dice.choice(sections[host])
            if dice.random() >= variant.alike:
                profile = _profile(dice, variant)
            self._place_things(members, f"http://{host}{self._path(path)}", profile)
        for _ in range(int(len(names) * variant.pages)):
            host = dice.choices(hosts, weights)[0]
            section = dice.choice(sections[host])[0]
            section = section if dice.random() < variant.among else "/{s}/{i}".replace("{s}", "p")
            url = f"http://{host}{self._path(section)}"
            if url not in self.plan.places:
                self.plan.places[url] = Place(url, pick(dice, _PAGES))
                self.plan.pages.append(url)

    def _section(self, word: str, variant: Variant) -> tuple[str, str]:
        alive = self._dice.random() < variant.alive
        profile = pick(self._dice, variant.with_rdf if alive else variant.without)
        names = variant.names if alive else variant.dead_names or variant.names
        return self._dice.choice(names).replace("{s}", word), profile

    def _path(self, form: str) -> str:
        letters = "".join(self._dice.choices("abcdefghiklmnoprstu", k=self._dice.randint(4, 9)))
        return form.format(n=letters.title(), i=self._dice.randrange(100_000))

    def _place_things(self, members: list[str], url: str, profile: str) -> None:
        first, several = members[0], len(members) > 1
        self.plan.places[url] = Place(url, profile, first)
        for number, name in enumerate(members):
            self.plan.of_thing[name] = Place(f"{url}#{number}" if several else url, profile, first)
        if profile.startswith("elsewhere"):
            goal = f"http://docs{len(url) % DOCUMENT_HOSTS}.example/{url.removeprefix('http://')}"
            self._documents[goal] = url

    def _mentioning(self, told: dict[str, list[ox.Triple]]) -> dict[str, list[ox.Triple]]:
        """Return what each document says: of its things, of others, and of pages."""
        dice, places = self._dice, self.plan.of_thing
        urls = {name: ox.NamedNode(place.url) for name, place in places.items()}
        said: dict[str, list[ox.Triple]] = {}
        for name, triples in told.items():
            about = said.setdefault(places[name].thing, [])
            about.extend(triple for triple in triples if isinstance(triple.object, ox.Literal))
        live = sorted(thing for thing in said if self.plan.has_rdf(places[thing]))
        others = sorted(name for name in told if not self.plan.has_rdf(places[name]))
        others += self.plan.pages
        dice.shuffle(others)
        for number, goal in enumerate(others):
            node = urls.get(goal) or ox.NamedNode(goal)
            home = live[number % len(live)]
            said[home].append(ox.Triple(urls[home], dice.choice(_MENTIONS), node))
        alive = sorted(name for name in told if self.plan.has_rdf(places[name]))
        for home in live:
            for goal in dice.sample(alive, 3):
                said[home].append(ox.Triple(urls[home], dice.choice(_MENTIONS), urls[goal]))
        return said

    @property
    def things(self) -> list[str]:
        """All things with a document of their own that has RDF."""
        return [thing for thing in self._triples if self.plan.has_rdf(self.plan.of_thing[thing])]

    def _place(self, url: str) -> tuple[Place | None, str]:
        if home := self._documents.get(url):
            return self.plan.places[home], "ttl"
        return super()._place(url)

    def _say(self, request: Request) -> tuple[int, str, bytes, str]:
        place, ending = self._place(request.url)
        if place and place.profile.startswith("elsewhere") and not ending:
            name = request.url.removeprefix("http://")
            return 303, "", b"", f"http://docs{len(request.url) % DOCUMENT_HOSTS}.example/{name}"
        if place and place.profile == "elsewhere-missing":
            return 404, "text/html", b"<html><body>Not found</body></html>", ""
        return super()._say(request)


class _Plan(Plan):
    def has_rdf(self, place: Place) -> bool:
        return bool(place.thing) and place.profile in (*WITH_RDF, "elsewhere")


@lru_cache
def _told(folder: Path) -> dict[str, list[ox.Triple]]:
    return descriptions(folder)


def _profile(dice: random.Random, variant: Variant) -> str:
    return pick(dice, variant.with_rdf if dice.random() < variant.alive else variant.without)


def pick(dice: random.Random, shares: dict[str, int]) -> str:
    """Return a name by weight."""
    return dice.choices(list(shares), list(shares.values()))[0]


def course(name: str, web: Remembering, seed: int, most: float = float("inf")) -> list[int]:
    """Return after how many requests each document with RDF was found, up to so many."""
    return crawl(_begun(name, web, seed), web, most)[0]


def _begun(
    name: str, web: Remembering, seed: int, stop: str = "never", starts: int = SEEDS
) -> Strategy:
    brief = Brief(seeds=tuple(web.web.seeds(starts, seed)), seed=seed, stop=stop)
    return build(name, brief)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row a strategy and variant; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", default=",".join(VARIANTS))
    parser.add_argument("--strategies", default="lode,ldcoc,heuristic")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--stop", action="store_true", help="tell where `lode` stops by itself")
    parser.add_argument("--starts", type=int, default=SEEDS, help="URIs to begin with, for --stop")
    asked = parser.parse_args(arguments)
    seeds = range(asked.first, asked.first + asked.seeds)
    for name in asked.names.split(","):
        make = partial(VariantWeb, asked.folder, VARIANTS[name])
        if asked.stop:
            ends(name, make, seeds, asked.starts)
            continue
        compare(name, make, seeds, asked.strategies.split(","))
    return 0


def ends(name: str, make: Callable[[int], VariantWeb], seeds: Iterable[int], starts: int) -> None:
    """Print with what part of requests and documents `--stop auto` ends, a web a seed."""
    for seed in seeds:
        web = Remembering(make(seed))
        whole, most = crawl(_begun("lode", web, seed, starts=starts), web)
        found, requests = crawl(_begun("lode", web, seed, stop="auto", starts=starts), web)
        told = f"{requests / most:.2f} of the requests, {len(found) / len(whole):.3f} found"
        print(f"{name:12} {seed:4}  {told}", flush=True)


def compare(
    name: str, make: Callable[[int], VariantWeb], seeds: Iterable[int], strategies: Sequence[str]
) -> None:
    """Print what each strategy takes on a web a seed, beside `bfs`."""
    reached: dict[str, list[list[float]]] = {}
    for seed in seeds:
        web = Remembering(make(seed))
        plain = course("bfs", web, seed)
        wanted = [max(1, int(share * len(plain))) for share in SHARES]
        for strategy in ("bfs", *strategies):
            found = plain if strategy == "bfs" else course(strategy, web, seed, wanted[-1])
            cells = [found[n - 1] if n <= len(found) else math.nan for n in wanted]
            reached.setdefault(strategy, []).append(cells)
    for strategy, rows in reached.items():
        row(name, strategy, rows, reached["bfs"])


def row(name: str, strategy: str, rows: list[list[float]], base: list[list[float]]) -> None:
    """Print requests (or seconds) to each share, the part of those of `bfs`, and the largest."""
    cells = [f"{name:12} {strategy:10}"]
    for at in range(len(SHARES)):
        got = [(row[at], row[at] / other[at]) for row, other in zip(rows, base, strict=True)]
        reached = [(requests, share) for requests, share in got if not math.isnan(share)]
        if len(reached) < len(rows):
            cells.append(f"never ({len(rows) - len(reached)} of {len(rows)})".ljust(24))
            continue
        requests, shares = zip(*reached, strict=True)
        mean, spread = statistics.fmean(shares), statistics.pstdev(shares)
        told = f"{statistics.fmean(requests):7,.0f} {mean:.2f}±{spread:.2f} {max(shares):.2f}"
        cells.append(told.ljust(24))
    print("  ".join(cells), flush=True)


if __name__ == "__main__":
    sys.exit(main())
