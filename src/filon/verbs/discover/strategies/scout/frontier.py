"""All pages that could be asked for next, in one order of merit, whoever named them.

The merit of a page is the chance that it is good, times the chance that its site is still wanted,
for each request that it will cost. The chance joins who led there and what is known of the page
before it is asked for: the words of its address, title, snippet and anchor, which a classifier
weighs that learns from every outcome.

Who led there is an arm, a query or a hub. The rate of a source is drawn towards that of its arm,
and that of an arm towards what is usual, as long as little is known of it. An arm's past fades,
since arms wear out; that of a page of links or of a query does not: its list is what it is. Every
page that was read is remembered by what it links to. When one of those sites turns out to be good,
the page becomes a hub and its other links are candidates: no service for backlinks is needed.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.core import Find
from filon.core.forms import KEYS, TUPLE, Form, each, flat, pairs
from filon.core.state import Stateful, stored
from filon.learn.ftrl import Ftrl
from filon.learn.rank.vectors import tokens
from filon.page.url import key, split
from filon.verbs.discover.strategies.page import Met, Page, site_of

#: Of pages that are asked for, this share is usually good; so many stand for that belief.
USUAL, SURE_OF_USUAL, SURE_OF_ARM = 0.3, 3.0, 3.0
#: What remains of an arm's past after one more outcome.
FADE = 0.97
#: Several who name the same are each half as independent as the one before.
AGREEING = 0.7
MOST_SOURCES = 20_000

#: Pairs of an arm and what it was asked, or the page whose links they are.
Origins = Sequence[tuple[str, str]]


class Sources(Stateful):
    """Outcomes by arm, and by source."""

    STATE = (stored("_arms", flat(TUPLE)), stored("_sources", flat(TUPLE)))

    def __init__(self) -> None:
        self._arms: dict[str, tuple[float, float]] = {}
        self._sources: dict[str, tuple[float, float]] = {}

    def learn(self, origins: Origins, good: float) -> None:
        """Take note of how good a page was, from 0 to 1, that these led to."""
        for arm in dict.fromkeys(arm for arm, _ in origins):
            hits, all_ = self._arms.get(arm, (0.0, 0.0))
            self._arms[arm] = FADE * hits + good, FADE * all_ + 1
        for _, source in origins:
            hits, all_ = self._sources.get(source, (0.0, 0.0))
            self._sources[source] = hits + good, all_ + 1
        while len(self._sources) > MOST_SOURCES:
            del self._sources[next(iter(self._sources))]

    def believe(self, source: str, good: float, known: float) -> None:
        """Take note of what is known of a source before anything was asked for because of it."""
        hits, all_ = self._sources.get(source, (0.0, 0.0))
        self._sources[source] = hits + good, all_ + known

    def arm(self, arm: str) -> float:
        """Return the share of good ones among those that an arm leads to."""
        hits, all_ = self._arms.get(arm, (0.0, 0.0))
        return (hits + SURE_OF_USUAL * USUAL) / (all_ + SURE_OF_USUAL)

    def rate(self, arm: str, source: str) -> float:
        """Return the share of good ones among those that a source leads to."""
        hits, all_ = self._sources.get(source, (0.0, 0.0))
        return (hits + SURE_OF_ARM * self.arm(arm)) / (all_ + SURE_OF_ARM)

    def margin(self, origins: Origins) -> float:
        """Return the logarithm of the odds that a page is good which these led to."""
        best = max((self.rate(arm, source) for arm, source in origins), default=USUAL)
        best = min(0.95, max(0.02, best))
        return math.log(best / (1 - best)) + AGREEING * math.log(max(1, len(origins)))


#: Pages that are remembered, the newest.
MOST_REMEMBERED = 3_000
#: Sites that are remembered as not good, the newest.
MOST_BAD = 20_000


class Hubs(Stateful):
    """Links of pages that were read, by page and by site."""

    STATE = (
        stored("_links", pairs(each(TUPLE))),
        stored("_good", KEYS),
        stored("_bad", KEYS),
    )

    def __init__(self, by: str) -> None:
        self._by = by
        self._links: dict[str, list[tuple[str, str]]] = {}
        self._naming: dict[str, dict[str, None]] = {}
        self._good: dict[str, None] = {}
        self._bad: dict[str, None] = {}

    def remember(self, page: Page) -> bool:
        """Take in a page; True if it links to a good site already."""
        links = list(zip(page.abroad, page.anchors, strict=True))
        if not links:
            return False
        sites = [site_of(url, self._by) for url, _ in links]
        if any(site in self._good for site in sites):
            return True
        self._links[page.url] = links
        for site in sites:
            self._naming.setdefault(site, {})[page.url] = None
        if len(self._links) > MOST_REMEMBERED:
            self._forget(next(iter(self._links)))
        return False

    def _forget(self, url: str) -> list[tuple[str, str]]:
        links = self._links.pop(url, [])
        for target, _ in links:
            site = site_of(target, self._by)
            naming = self._naming.get(site, {})
            naming.pop(url, None)
            if not naming:
                self._naming.pop(site, None)
        return links

    def standing(self, links: Iterable[tuple[str, str]]) -> tuple[int, int]:
        """Return how many of the sites that some links lead to are good, and how many are known."""
        sites = {site_of(url, self._by) for url, _ in links}
        good = len(sites & self._good.keys())
        return good, good + len(sites & self._bad.keys())

    def bad(self, site: str) -> None:
        """Take note of a site that is not good."""
        if site not in self._good:
            self._bad[site] = None
            if len(self._bad) > MOST_BAD:
                del self._bad[next(iter(self._bad))]

    def good(self, site: str) -> list[tuple[str, list[tuple[str, str]]]]:
        """Take note of a good site; return the pages that become hubs by it, and their links."""
        self._good[site] = None
        self._bad.pop(site, None)
        return [(url, self._forget(url)) for url in list(self._naming.get(site, {}))]

    def restored(self) -> None:
        """Note again which hubs name a site."""
        self._naming = {}
        for url, links in self._links.items():
            for target, _ in links:
                self._naming.setdefault(site_of(target, self._by), {})[url] = None


#: The table of weights: a run meets tens of thousands of different features.
SIZE = 1 << 18
#: Words beyond these are not looked at: one page must not cost more than another.
MOST_WORDS = 60
_PIECE = re.compile(r"[a-z]+|\d+")


def address_words(url: str) -> list[str]:
    """Return the words of an address, numbers as "#".

    >>> address_words("http://data.example.org/dataset/12?q=x")
    ['data', 'example', 'org', 'dataset', '#', 'x']
    """
    parts = split(url.lower())
    where = f"{parts.netloc.removeprefix('www.')} {parts.path} {parts.query.partition('=')[2]}"
    return ["#" if word.isdigit() else word for word in _PIECE.findall(where)][:MOST_WORDS]


def features_of(one: "Candidate") -> list[int]:
    """Return what speaks for or against a page, as numbers of weights."""
    url, text, operator = one.url, one.text, one.met.operator
    parts = split(url.lower())
    names, path = parts.netloc.removeprefix("www.").split("."), parts.path.strip("/")
    named = [
        "bias",
        f"operator {operator}",
        f"first {names[0]}",
        f"top {names[-1]}",
        f"depth {min(5, path.count('/') + bool(path))}",
        f"last {_shape(path.rpartition('/')[2])}",
        f"asks {bool(parts.query)}",
        *([f"place {one.place}"] if one.place else []),
        *(f"in path {word}" for word in dict.fromkeys(_PIECE.findall(path)) if not word.isdigit()),
        *(f"in name {word}" for word in dict.fromkeys(_PIECE.findall(".".join(names[:-1])))),
        *(f"says {word}" for word in dict.fromkeys(tokens(text)[:MOST_WORDS])),
    ]
    return numbers(named[: 2 * MOST_WORDS])


def numbers(names: Iterable[str]) -> list[int]:
    """Return the numbers of named features."""
    return [mmh3.hash(one, signed=False) % SIZE for one in names]


def _shape(name: str) -> str:
    """Return what a file name looks like: its numbers are its own business."""
    return re.sub(r"\d+", "#", name)[:30]


#: Beyond this many, the worst half is forgotten.
MOST_WAITING = 40_000
#: Outcomes after which all that waits is weighed anew, or one for so many that wait; between, only
#: what an outcome touches is.
ANEW, ANEW_EACH = 10, 200
MOST_ORIGINS, MOST_PAGES = 8, 5
_FAR = 30.0


@dataclass(slots=True)
class Candidate:
    """A page that waits.

    text: title, snippet or anchor. hub: it is wanted for its links.
    prior: what was known of its words beforehand, as a logarithm of odds.
    pages: other pages of its site that were named, where the site is entered at its home page.
    place: where the link to it stands on its page.
    """

    url: str
    site: str
    text: str = ""
    met: Met = field(default_factory=Met)
    hub: bool = False
    prior: float = 0.0
    pages: list[str] = field(default_factory=list)
    place: str = ""
    origins: list[tuple[str, str]] = field(default_factory=list)
    features: list[int] = field(default_factory=list)


class Frontier:
    """Candidates by number, and what each is worth.

    wanted: how much a site is still wanted, from 0 to 1.
    prior: what is known of a page beforehand, which may change.
    cost: the requests that a page of this chance will cost in all.
    hub: what a request for a hub is worth, by its arm.
    """

    def __init__(
        self,
        sources: Sources,
        wanted: Callable[[str], float],
        prior: Callable[["Candidate"], float],
        cost: Callable[[float], float],
        hub: Callable[[str], float],
    ) -> None:
        self._sources, self._wanted, self._cost, self._hub = sources, wanted, cost, hub
        self._prior = prior
        self.model = Ftrl(SIZE, alpha=0.3, l1=0.0, l2=1.0)
        self._all: list[Candidate] = []
        self._numbers: dict[str, int] = {}
        self._at_site: dict[str, list[int]] = {}
        self._at_source: dict[str, list[int]] = {}
        self._worth: NDArray[np.float64] = np.full(256, -1.0)
        self._outcomes = 0

    def __len__(self) -> int:
        return int((self._worth[: len(self._all)] > 0).sum())

    def add(self, one: Candidate) -> float:
        """Let a page wait, or take note of who else names it; return its chance, 0 for the old."""
        name = key(one.url)
        if name in self._numbers:
            self._met_again(self._numbers[name], one)
            return 0.0
        one.features, one.prior = features_of(one), self._prior(one)
        number = len(self._all)
        if number == len(self._worth):
            self._worth = np.concatenate([self._worth, np.full(number, -1.0)])
        self._all.append(one)
        self._numbers[name] = number
        self._at_site.setdefault(one.site, []).append(number)
        for _, source in one.origins:
            self._at_source.setdefault(source, []).append(number)
        self._weigh(number)
        chance = self.chance(one)
        if len(self._all) > MOST_WAITING:
            self._forget()
        return chance

    def _met_again(self, number: int, one: Candidate) -> None:
        known = self._all[number]
        for origin in one.origins:
            if origin not in known.origins and len(known.origins) < MOST_ORIGINS:
                known.origins.append(origin)
                self._at_source.setdefault(origin[1], []).append(number)
        known.hub = known.hub and one.hub
        known.pages += [url for url in one.pages if url not in known.pages]
        del known.pages[MOST_PAGES:]
        if one.text and not known.text:
            known.text = one.text
            known.features = features_of(known)
        known.prior = self._prior(known)
        if self._worth[number] >= 0:
            self._weigh(number)

    def chance(self, one: Candidate) -> float:
        """Return the chance that a page is good."""
        margin = self._sources.margin(one.origins) + one.prior + self.model.margin(one.features)
        return float(1 / (1 + np.exp(-np.clip(margin, -_FAR, _FAR))))

    def _weigh(self, number: int) -> None:
        one = self._all[number]
        if one.hub:
            self._worth[number] = self._hub(one.origins[0][0]) * len(one.origins) ** 0.5
            return
        chance = self.chance(one)
        self._worth[number] = chance * self._wanted(one.site) / self._cost(chance)

    def best(self) -> tuple[int, float]:
        """Return the number of the best page and its worth; -1 if none is wanted."""
        if not self._all:
            return -1, 0.0
        number = int(np.argmax(self._worth[: len(self._all)]))
        worth = float(self._worth[number])
        return (number, worth) if worth > 0 else (-1, 0.0)

    def take(self, number: int) -> Candidate:
        """Return a page that is asked for now, and waits no longer."""
        self._worth[number] = -1.0
        return self._all[number]

    def touch(self, site: str) -> None:
        """Weigh the pages of a site anew: how much it is wanted has changed."""
        for number in self._at_site.get(site, ()):
            if self._worth[number] >= 0:
                self._weigh(number)

    def learn(self, one: Candidate, good: float, weight: float = 1.0) -> None:
        """Take note of how good a page turned out to be."""
        one.features = one.features or features_of(one)
        offset = self._sources.margin(one.origins) + one.prior
        self.model.learn(one.features, good, weight, offset)
        self._sources.learn(one.origins, good)
        self._outcomes += 1
        if self._outcomes >= ANEW + len(self._all) // ANEW_EACH:
            self._outcomes = 0
            self._weigh_all()
        else:
            for _, source in one.origins:
                for number in self._at_source.get(source, ()):
                    if self._worth[number] >= 0:
                        self._weigh(number)

    def renew(self) -> None:
        """Weigh all anew: what is known beforehand has changed."""
        self._outcomes = 0
        self._weigh_all()

    def _weigh_all(self) -> None:
        """Weigh all that wait, at once."""
        waiting = [n for n in range(len(self._all)) if self._worth[n] >= 0]
        plain = [n for n in waiting if not self._all[n].hub]
        for number in waiting:
            if self._all[number].hub:
                self._weigh(number)
        if not plain:
            return
        for one in self._of(plain):
            one.prior = self._prior(one)
        lengths = [len(self._all[n].features) for n in plain]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        margins = self.model.margins(
            [c for n in plain for c in self._all[n].features], starts.tolist()
        )
        known = np.array([self._sources.margin(o.origins) + o.prior for o in self._of(plain)])
        chances = 1 / (1 + np.exp(-np.clip(margins + known, -_FAR, _FAR)))
        wanted = np.array([self._wanted(one.site) for one in self._of(plain)])
        costs = np.array([self._cost(float(chance)) for chance in chances])
        self._worth[plain] = chances * wanted / costs

    def _of(self, numbers: list[int]) -> list[Candidate]:
        return [self._all[number] for number in numbers]

    def _forget(self) -> None:
        """Forget what was taken, and the worse half of the rest."""
        worth = self._worth[: len(self._all)]
        order = np.argsort(-worth, kind="stable")[: MOST_WAITING // 2]
        kept = sorted(int(number) for number in order if worth[number] >= 0)
        self._fill([self._all[n] for n in kept], [float(worth[n]) for n in kept])

    def _fill(self, kept: list[Candidate], worth: list[float]) -> None:
        self._all = kept
        self._worth = np.full(max(256, len(kept)), -1.0)
        self._worth[: len(kept)] = worth
        self._numbers = {key(one.url): number for number, one in enumerate(kept)}
        self._at_site, self._at_source = {}, {}
        for number, one in enumerate(kept):
            self._at_site.setdefault(one.site, []).append(number)
            for _, source in one.origins:
                self._at_source.setdefault(source, []).append(number)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: an array that grows is stored without the room that is kept free.
        return {
            "model": self.model.state(),
            "all": CANDIDATES.write(self._all),
            "worth": self._worth[: len(self._all)].copy(),
            "outcomes": self._outcomes,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.model.restore(state["model"])
        self._fill(CANDIDATES.read(state["all"]), [float(w) for w in state["worth"]])
        self._outcomes = state["outcomes"]


def _written(one: Candidate) -> list[Any]:
    texts = [one.url, one.site, one.text, *one.met.way.values()]
    origins = [list(origin) for origin in one.origins]
    return [*texts, one.hub, one.prior, list(one.pages), one.place, origins]


def _read(row: list[Any]) -> Candidate:
    url, site, text, operator, searcher, query, parent, *rest, origins = row
    met = Met(operator=operator, searcher=searcher, query=query, parent=parent)
    one = Candidate(url, site, text, met, *rest)
    one.origins = [(arm, source) for arm, source in origins]
    one.features = features_of(one)
    return one


#: A candidate in a declared state, and many; features follow from the rest.
CANDIDATE = Form(_written, _read)
CANDIDATES = each(CANDIDATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of a candidate.

    page: None where there was none.
    good: from 0 to 1, what the next such page is judged by; below 0: it says nothing.
    gain: what it is worth: a new one of the kind.
    words: what else is known of the site, for queries. site: where it is.
    """

    candidate: Candidate
    page: Page | None
    site: str
    good: float
    gain: float = 0.0
    words: str = ""
    finds: tuple[Find, ...] = ()
