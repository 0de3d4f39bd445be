"""How sure it is that sites are on the topic: each is judged by the words of the others.

A site that was taken for one on the topic has given the profile of the topic its own words, and is
like it for that alone; among the first twenty sites that is most of what there is to be alike in.
So a site is compared with a profile that it has no part in. Those that speak of the user's words
most begin the profile, and keep a share of their weight in it whatever it says of them later.

The words that tell the topic are those of the profile that more of the sites on it have than of
the others: what stands on any page, as readme or download, is on both alike and tells nothing.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from filon.core.forms import DICT, pairs
from filon.core.state import Stateful, group, stored

#: Sites that the profile is made of, and how often it is made of what it finds; its words; how much
#: the words of other sites count against it; what the user's words count in a site's weight.
CORE, ROUNDS, PROFILE, CONTRAST, ANCHOR = 15, 2, 400, 0.5, 0.3
#: Those that are nearest, or speak of the user's words most, which others are measured by.
NEAREST = 5
#: What speaking of the user's words adds to being like the profile; the border of the topic, as a
#: share of the nearest, and how steep it is.
SPOKEN, BORDER, STEEP = 0.2, 0.5, 2.0
#: The fewest sites on the topic that must have a word that tells it, and the least that a word of
#: the user says which does.
FEWEST, OWN = 2, 0.5

Vector = Mapping[str, float]


@dataclass(eq=False)
class Peers(Stateful):
    """A profile, and how like it those are that it is made of, each without its own part.

    words: those that tell the topic, by how much each says of it, up to 1. due: at how
        many texts it is to be made anew, for whoever decides that.
    """

    STATE = (
        stored("_alone", DICT),
        stored("_profile", pairs()),
        stored("words", DICT),
        group("scale", "_nearest", "_loudest", "due"),
    )

    words: dict[str, float] = field(default_factory=dict)
    due: int = 0
    _alone: dict[str, float] = field(default_factory=dict)
    _profile: dict[str, float] = field(default_factory=dict)
    _nearest: float = 0.0
    _loudest: float = 0.0

    def fit(
        self,
        vectors: Mapping[str, Vector],
        said: Mapping[str, float],
        read: Collection[str],
        wanted: Mapping[str, float],
    ) -> None:
        """Make the profile anew.

        vectors: the words of each site, of length 1. said: how much each speaks of the user's
            words. read: those of which a page was read. wanted: what the user says of some, 0 to 1.
        """
        loudest = max(said.values(), default=0.0) or 1.0
        spoken = {site: said[site] / loudest for site in vectors}
        weights, likeness = {**spoken, **wanted}, dict.fromkeys(vectors, 0.0)
        for _ in range(ROUNDS):
            sites = heapq.nlargest(CORE, vectors, key=lambda site: weights.get(site, 0.0))
            core = {site: weights[site] for site in sites if weights[site] > 0}
            mixture = _Mixture(vectors, core)
            self._profile = mixture.profile()
            self._alone = {site: _dot(vectors[site], mixture.profile(site)) for site in core}
            likeness = {site: self._like(site, vector) for site, vector in vectors.items()}
            best = max(likeness.values(), default=0.0) or 1.0
            blend = {
                site: (1 - ANCHOR) * likeness[site] / best + ANCHOR * spoken[site]
                for site in vectors
            }
            weights = {**blend, **wanted}
        self._nearest = _mean_of_best(likeness[site] for site in vectors if site in read)
        self._loudest = _mean_of_best(said.values())

    def _like(self, site: str, vector: Vector) -> float:
        return self._alone[site] if site in self._alone else _dot(vector, self._profile)

    def chance(self, site: str, vector: Vector, said: float) -> float:
        """Return the chance that a site is on the topic."""
        if not self._nearest:
            return 0.5
        near = self._like(site, vector) / self._nearest + SPOKEN * said / (self._loudest or 1.0)
        return float(near**STEEP / (near**STEEP + BORDER**STEEP))

    def learn_words(
        self,
        on_topic: Collection[Collection[str]],
        others: Collection[Collection[str]],
        own: Collection[str],
        most: int,
    ) -> None:
        """Find the words that tell the topic, at most so many besides the user's own.

        on_topic, others: the words of each site that was read. own: the user's.
        """
        there, elsewhere = (Counter(w for bag in bags for w in bag) for bags in (on_topic, others))
        says = {}
        for word, weight in self._profile.items():
            share = (there[word] + 0.5) / (len(on_topic) + 1)
            common = (elsewhere[word] + 0.5) / (len(others) + 1)
            if there[word] >= FEWEST and share > common:
                says[word] = weight * (1 - common / share)
        learnt = heapq.nlargest(most, (word for word in says if word not in own), says.__getitem__)
        best = _mean_of_best(says[word] for word in learnt) or 1.0
        self.words = {word: min(1.0, max(OWN, says[word] / best)) for word in own if word in says}
        self.words |= {word: min(1.0, says[word] / best) for word in learnt}


class _Mixture:
    """The weighted sum of some sites, and that of all others."""

    def __init__(self, vectors: Mapping[str, Vector], core: Mapping[str, float]) -> None:
        self._vectors, self._core = vectors, core
        self._total = _sum((vectors[site], weight) for site, weight in core.items())
        against = _sum((vector, 1.0) for site, vector in vectors.items() if site not in core)
        length = _length(against)
        self._against = {word: CONTRAST * value / length for word, value in against.items()}

    def profile(self, without: str = "") -> dict[str, float]:
        """Return the words that the sites have and others lack, of length 1, the heaviest first.

        without: a site that is to have no part in it.
        """
        total: Vector = self._total
        if without:
            weight = self._core[without]
            total = dict(total)
            for word, value in self._vectors[without].items():
                total[word] -= weight * value
        length = _length(total)
        weights = {word: v / length - self._against.get(word, 0.0) for word, v in total.items()}
        more = (word for word, value in weights.items() if value > 0)
        best = heapq.nlargest(PROFILE, more, weights.__getitem__)
        length = _length({word: weights[word] for word in best})
        return {word: weights[word] / length for word in best}


def _dot(one: Vector, other: Vector) -> float:
    return sum(value * other[word] for word, value in one.items() if word in other)


def _length(vector: Vector) -> float:
    return math.sqrt(sum(value * value for value in vector.values())) or 1.0


def _sum(vectors: Iterable[tuple[Vector, float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for vector, weight in vectors:
        for word, value in vector.items():
            total[word] += value * weight
    return total


def _mean_of_best(values: Iterable[float]) -> float:
    best = heapq.nlargest(NEAREST, values)
    return sum(best) / len(best) if best else 0.0
