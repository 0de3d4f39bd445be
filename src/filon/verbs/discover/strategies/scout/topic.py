"""How near a site is to the topic: by the user's words, and those of who speaks of them most.

All text that is known of a site counts: what searches and links say of it, and every page that was
read. BM25 against the user's words picks the sites that speak of the topic; their common words,
less those of all other sites, are the profile (Rocchio's relevance feedback). A site is as near as
its words are like the profile, and on the topic from a share of what the nearest have on; or as it
speaks of the user's own words, where that is more. So a site counts that says the same in other
words, and scores compare between topics. That decides what is on the list; how sure it is of each,
for who has to choose among them, is judged without a site's own part in the profile (peers.py).
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from itertools import islice
from typing import Any

from filon.core.forms import DICT, KEYS, pairs, table
from filon.core.state import Stateful, group, stored
from filon.learn.rank.bm25 import K1
from filon.verbs.discover.strategies.page import words_of
from filon.verbs.discover.strategies.scout.peers import Peers

#: Words that begin with the same so many letters are taken for forms of one.
STEM = 6
#: Words that are kept of a text, and different ones of a site.
TEXT_WORDS, SITE_WORDS = 1_500, 800
#: Sites that the profile is made of, and how often it is made of what it finds; its words; how much
#: the words of other sites count against it.
CORE, ROUNDS, PROFILE, CONTRAST = 15, 3, 400, 0.5
#: On the topic is what has this share of the likeness of the nearest. What has no more than usual
#: sites beyond the core have, their median, is surely off it; that is at most so much of the cut.
CUT, NEAREST, USUAL, FEW = 0.18, 5, 0.6, 5
#: And so is what has this share of what those have who speak of the user's words most, if it has so
#: much of what it takes to be like the nearest; else it is at most so near: a word has many senses.
SPOKEN, SAME_SENSE, BESIDE = 0.5, 0.4, 0.9
#: Sites that are read before the words of the profile are known to tell the topic; the largest
#: share of those beyond the core that may have such a word, and the fewest of the core.
ENOUGH_READ, COMMON, FEWEST = 20, 0.15, 2
#: Words that tell the topic to others, besides the user's own.
TELLING = 60
#: Words at which half is believed of what a text says.
HALF_SURE = 60.0
#: How much the length of a text counts: snippets are short, and pages have menus.
LENGTH = 0.4
#: Sites that are compared: the newest that were read, then others.
MOST_COMPARED = 1_500
#: Sites whose words are kept.
MOST_SITES = 20_000
#: The profile is made anew when so many texts came in, or this share of all.
ANEW, GROWTH = 4, 0.08
#: How sites look to each other is asked for seldom, and worked out anew at this share of all.
LOOKS = 0.02


def stems(text: str) -> list[str]:
    """Return the words of a text without their endings.

    >>> stems("Statistics of the prices")
    ['statis', 'prices']
    """
    return [word[:STEM] for word in words_of(text)[:TEXT_WORDS]]


class Topic(Stateful):
    """The words of sites, and the profile of the topic."""

    STATE = (
        stored("_bags", table(DICT)),
        stored("_read", KEYS),
        stored("_held", DICT),
        stored("_read_by", DICT),
        stored("_forms", DICT),
        stored("_wanted", DICT),
        stored("_profile", pairs()),
        stored("_near", DICT),  # as worked out when it was asked: rarities have changed since
        "_telling",
        "_peers",
        group("counts", "_least", "_usual", "_mean", "_least_said", "_texts", "_next"),
    )

    def __init__(self, topic: str) -> None:
        self._words = list(dict.fromkeys(stems(topic)))
        self._bags: dict[str, Counter[str]] = {}
        self._read: dict[str, None] = {}  # sites of which a page was read
        self._held: Counter[str] = Counter()  # sites that have a word
        self._read_by: Counter[str] = Counter()  # of these, those that were read
        self._forms: dict[str, str] = {}  # how a word of the profile is written
        self._wanted: dict[str, float] = {}  # sites that the user gave (1) or turned down (0)
        self._profile: dict[str, float] = {}  # the weightiest words first
        self._telling: list[str] = []  # those of the profile that few others have
        self._least = self._usual = self._mean = self._least_said = 0.0
        self._texts, self._next = 0, 1
        self._near: dict[str, float] = {}
        self._peers = Peers()

    def hear(self, site: str, text: str) -> None:
        """Take in what is said of a site."""
        self._add(site, text)

    def read(self, site: str, text: str) -> None:
        """Take in a page of a site."""
        if site not in self._read:
            self._read_by.update(self._bags.get(site, {}).keys())
        self._read.pop(site, None)
        self._read[site] = None
        self._add(site, text)

    def _add(self, site: str, text: str) -> None:
        bag, read = self._bags.setdefault(site, Counter()), site in self._read
        for word in words_of(text)[:TEXT_WORDS]:
            stem = word[:STEM]
            if stem not in bag:
                if len(bag) >= SITE_WORDS:
                    continue
                self._held[stem] += 1
                self._read_by[stem] += read
                self._forms.setdefault(stem, word)
            bag[stem] += 1
        self._texts += 1
        self._near.pop(site, None)
        if len(self._bags) > MOST_SITES:
            self._forget(next((name for name in self._bags if name not in self._read), site))

    def _forget(self, site: str) -> None:
        """Forget what was said of a site, the oldest that was not read."""
        for stem in self._bags.pop(site):
            self._held[stem] -= 1
        self._near.pop(site, None)

    def judge(self, site: str, good: bool) -> None:
        """Take note of what the user says of a site."""
        self._wanted[site] = float(good)

    def due(self) -> bool:
        """Make the profile anew if it is time; say whether it was."""
        if self._texts < self._next:
            return False
        self._next = self._texts + max(ANEW, int(GROWTH * self._texts))
        self._fit()
        return True

    def now(self) -> "Topic":
        """Return it as it would be, were it due, to tell of it: that changes nothing here."""
        one = copy(self)
        one._near = dict(self._near)
        one.due()
        return one

    def near(self, site: str) -> float:
        """Return how near a site is: from 1 on it is on the topic."""
        if not self._mean:
            self._fit()
        if site not in self._near:
            bag = self._bags.get(site)
            self._near[site] = self._nearness(bag) if bag else 0.0
        return self._near[site]

    def _nearness(self, bag: Mapping[str, int]) -> float:
        alike, spoken = self._alike(bag), self._spoken(bag)
        same = alike >= SAME_SENSE or len(self._read) < ENOUGH_READ
        return max(alike, spoken if same else min(spoken, BESIDE))

    def _alike(self, bag: Mapping[str, int]) -> float:
        like = self._likeness(bag) if self._least else self._usual
        return max(0.0, like - self._usual) / ((self._least - self._usual) or 1.0)

    def _spoken(self, bag: Mapping[str, int]) -> float:
        return self._said(bag) / self._least_said if self._least_said else 0.0

    def chance(self, site: str) -> float:
        """Return the chance that a site is on the topic; one half where it is on the border."""
        if not self._words and not self._profile:
            return 1.0
        square = self.near(site) ** 2
        return square / (1 + square)

    def odds(self, site: str) -> float:
        """Return the logarithm of the odds, nearer to 0 the less was said of the site."""
        bag = self._bags.get(site)
        if not bag or not self._least:
            return 0.0
        length = sum(bag.values())
        sure = length / (length + HALF_SURE)
        return sure * 2 * math.log(max(0.2, min(5.0, self.near(site))))

    def words(self, used: Mapping[str, None], most: int, early: bool = False) -> list[str]:
        """Return the words that tell the topic best, without those used, the most telling first.

        early: also before enough sites were read to know which words all of them have.
        """
        if len(self._read) < ENOUGH_READ and not early:
            return []
        own = set(self._words)
        new = (stem for stem in self._telling if stem not in own and self._forms[stem] not in used)
        return [self._forms[stem] for stem in islice(new, most)]

    def promise(self, site: str) -> float:
        """Return how sure it is that a site is on the topic, judged by others than itself."""
        bag = self._bags.get(site)
        if not bag or not (self._words or self._profile):
            return self.chance(site)
        return self._judged().chance(site, self._vector(bag), self._said(bag))

    def telling(self) -> dict[str, float]:
        """Return the words that tell the topic, by how much each says of it, up to 1.

        The user's own are among them, as far as sites on the topic speak of them.
        """
        if len(self._read) < FEW:
            return {}
        return {self._forms[stem]: says for stem, says in self._judged().words.items()}

    def _judged(self) -> Peers:
        """Return how sites look to each other, anew where enough was said of them since."""
        peers = self._peers
        if self._texts >= peers.due:
            peers.due = self._texts + max(1, int(LOOKS * self._texts))
            sites = self._compared()
            bags = {site: self._bags[site] for site in sites}
            self._mean = self._mean or sum(sum(b.values()) for b in bags.values()) / len(sites)
            vectors = {site: self._vector(bag) for site, bag in bags.items()}
            said = {site: self._said(bag) for site, bag in bags.items()}
            peers.fit(vectors, said, self._read, self._wanted)
            on_topic: list[Counter[str]] = []
            others: list[Counter[str]] = []
            for site in (site for site in sites if site in self._read):
                sure = peers.chance(site, vectors[site], said[site])
                (on_topic if sure > 0.5 else others).append(bags[site])
            peers.learn_words(on_topic, others, self._words, TELLING)
        return peers

    # The profile.

    def _idf(self, stem: str) -> float:
        few = len(self._read) < ENOUGH_READ  # what is told of a site is short: it has few words
        held, sites = (self._held, self._bags) if few else (self._read_by, self._read)
        return math.log(1 + (len(sites) - held[stem] + 0.5) / (held[stem] + 0.5))

    def _vector(self, bag: Mapping[str, int]) -> dict[str, float]:
        vector = {s: (1 + math.log(n)) * self._idf(s) for s, n in bag.items() if self._held[s] > 1}
        return _unit(vector)

    def _likeness(self, bag: Mapping[str, int]) -> float:
        return _dot(self._vector(bag), self._profile)

    def _compared(self) -> list[str]:
        read = list(self._read)[-MOST_COMPARED:]
        rest = [site for site in self._bags if site not in self._read]
        return [*read, *rest[: MOST_COMPARED - len(read)]]

    def _said(self, bag: Mapping[str, int]) -> float:
        """Return how much a site says of the user's words: BM25, less sure of short texts."""
        size = sum(bag.values())
        length = K1 * (1 - LENGTH + LENGTH * size / (self._mean or 1.0))
        total = sum(
            self._idf(s) * bag[s] * (K1 + 1) / (bag[s] + length) for s in self._words if s in bag
        )
        return total * size / (size + HALF_SURE)

    def _fit(self) -> None:
        sites = self._compared()
        self._mean = sum(sum(self._bags[site].values()) for site in sites) / max(1, len(sites))
        worth = {site: self._said(self._bags[site]) for site in sites}
        scores = [worth[site] for site in sites if site in self._read] or list(worth.values())
        most = heapq.nlargest(NEAREST, scores)
        self._least_said = SPOKEN * sum(most) / max(1, len(most))
        top = max(worth.values(), default=0.0) or 1.0
        worth = {site: self._wanted.get(site, score / top) for site, score in worth.items()}
        vectors = {site: self._vector(self._bags[site]) for site in sites}
        for _ in range(ROUNDS):
            core = [s for s in heapq.nlargest(CORE, sites, key=lambda s: worth[s]) if worth[s] > 0]
            if not core:
                return
            for_it = _sum((vectors[site], worth[site]) for site in core)
            others = set(core)
            against = _sum((vectors[site], 1.0) for site in sites if site not in others)
            weights = {s: w - CONTRAST * against.get(s, 0.0) for s, w in for_it.items()}
            best = heapq.nlargest(
                PROFILE, (s for s in weights if weights[s] > 0), weights.__getitem__
            )
            self._profile = _unit({stem: weights[stem] for stem in best})
            like = {site: _dot(vectors[site], self._profile) for site in sites}
            worth = {site: self._wanted.get(site, like[site]) for site in sites}
        read = [like[site] for site in sites if site in self._read] or list(like.values())
        nearest = heapq.nlargest(NEAREST, read)
        self._least = CUT * sum(nearest) / len(nearest)
        usual = sorted(read)[:-CORE]
        self._usual = min(USUAL * self._least, usual[len(usual) // 2]) if len(usual) >= FEW else 0.0
        beyond = [site for site in sites if site in self._read and site not in others]
        common = Counter(stem for site in beyond for stem in self._bags[site])
        shared = Counter(stem for site in core for stem in self._bags[site])
        bound = COMMON * max(FEW, len(beyond))
        self._telling = [s for s in self._profile if shared[s] >= FEWEST and common[s] <= bound]
        self._near = {}

    def upgrade(self, state: dict[str, Any]) -> dict[str, Any]:
        """Return a state of an older layout in today's."""
        return {"near": {}, "peers": Peers().state(), **state}

    def restored(self) -> None:
        """Count in what was read."""
        self._bags = {site: Counter(bag) for site, bag in self._bags.items()}
        self._held, self._read_by = Counter(self._held), Counter(self._read_by)


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[stem] for stem, value in one.items() if stem in other)


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {stem: value / length for stem, value in vector.items()}


def _sum(vectors: Iterable[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for vector, weight in vectors:
        for stem, value in vector.items():
            total[stem] += value * weight
    return _unit(total)
