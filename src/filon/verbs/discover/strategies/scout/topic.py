"""How near a repository is to the topic: by the words of its entry page and of its datasets.

BM25 tells who speaks of the topic. How rare a word is, is counted over all pages that were checked,
those that failed too: among repositories on water the word water is no rare one, and would count
for nothing. Who speaks of it most is an example for the rank fusion, which finds those that say the
same in other words; pages that looked like repositories and were none are its hard negatives.
"""

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np

from filon.core.forms import LIST, each, pairs
from filon.core.state import Stateful, stored
from filon.learn.rank.bm25 import K1, B
from filon.learn.rank.ensemble import positions
from filon.learn.rank.fusion import Fusion
from filon.verbs.discover.strategies.operators import all_words, words_of
from filon.verbs.discover.strategies.page import Page

#: Words that are kept of a repository, and of a page that failed.
MOST_WORDS, FAILED_WORDS = 1_500, 300
#: Words that begin with the same so many letters are taken for forms of one.
STEM = 6
#: Failed pages that are kept, the newest.
MOST_FAILED = 60
#: What the fusion counts in the score, and the examples that it needs and takes at most.
FUSED, FEWEST, MOST_EXAMPLES = 0.3, 3, 15


class Topic(Stateful):
    """Repositories as lists of words, ranked by their nearness to the topic."""

    STATE = (
        stored("_words", pairs(LIST)),
        stored("_failed", each(LIST)),
        stored("_held", pairs()),
        "_pages",
    )

    def __init__(self, topic: str) -> None:
        self._topic = [word[:STEM] for word in dict.fromkeys(words_of(topic))]
        self._words: dict[str, list[str]] = {}
        self._failed: list[list[str]] = []
        self._held: Counter[str] = Counter()  # pages that hold a word of the topic
        self._pages = 0
        self._ranked: tuple[int, list[tuple[str, float]]] = (-1, [])

    def add(self, page: Page, more: str) -> float:
        """Take a repository in; return how much of the topic it has, from 0 to 1."""
        words = [*all_words(page), *words_of(more)][:MOST_WORDS]
        stems = self._words[page.site] = [word[:STEM] for word in words]
        self._count(stems)
        return self.near(stems)

    def near(self, words: Iterable[str]) -> float:
        """Return how much of the topic some words have, from 0 to 1."""
        if not self._topic:
            return 1.0
        stems = {word[:STEM] for word in words}
        return sum(word in stems for word in self._topic) / len(self._topic)

    def turn_down(self, page: Page) -> None:
        """Take in a page that was checked and is no repository."""
        stems = [word[:STEM] for word in all_words(page)[:FAILED_WORDS]]
        self._failed = [*self._failed, stems][-MOST_FAILED:]
        self._count(stems)

    def _count(self, stems: list[str]) -> None:
        self._pages += 1
        self._held.update(sorted(set(stems).intersection(self._topic)))

    def ranked(self) -> list[tuple[str, float]]:
        """Return sites and scores from 0 to 1, best first."""
        if self._ranked[0] != self._pages:
            said = self._said()
            fused = self._fused(said)
            scores = {site: (1 - FUSED) * said[site] + FUSED * fused[site] for site in said}
            order = sorted(scores, key=lambda site: -round(scores[site], 9))
            self._ranked = self._pages, [(site, scores[site]) for site in order]
        return self._ranked[1]

    def _said(self) -> dict[str, float]:
        """Return how much each speaks of the topic: BM25, as a share of the most there can be."""
        rarity = {
            word: math.log(1 + (self._pages - self._held[word] + 0.5) / (self._held[word] + 0.5))
            for word in self._topic
        }
        most = sum(rarity.values()) * (K1 + 1) or 1.0
        mean = sum(map(len, self._words.values())) / max(1, len(self._words)) or 1.0
        told = {}
        for site, words in self._words.items():
            counts, length = Counter(words), K1 * (1 - B + B * len(words) / mean)
            found = ((rarity[word], counts[word]) for word in self._topic if counts[word])
            told[site] = sum(rare * n * (K1 + 1) / (n + length) for rare, n in found) / most
        return told

    def _fused(self, said: dict[str, float]) -> dict[str, float]:
        """Return the place of each by rank fusion, from 0 to 1; where it cannot tell, the score."""
        spoken = sorted((site for site in said if said[site] > 0), key=lambda site: -said[site])
        examples = spoken[: min(MOST_EXAMPLES, len(spoken) // 2)]
        if len(examples) < FEWEST or not self._failed:
            return said
        texts = list(self._words.values())
        scores = Fusion()([self._words[site] for site in examples], self._failed, texts)
        places = positions(np.round(scores, 9))
        return {site: 1 - (places[at] - 1) / len(texts) for at, site in enumerate(self._words)}

    def restored(self) -> None:
        """Forget what was ranked."""
        self._ranked = (-1, [])
