"""The repositories that were verified, which of them are one and the same, and their order.

The order is by how near a repository is to the topic: by the words of its entry page and of its
datasets. BM25 tells who speaks of the topic. How rare a word is, is counted over all pages that
were checked, those that failed too: among repositories on water the word water is no rare one, and
would count for nothing. Who speaks of it most is an example for the rank fusion, which finds those
that say the same in other words; pages that looked like repositories and were none are its hard
negatives.

Sites are the same site that have the same words in the same order, or the same list of datasets. A
text is known by 64 bits that hardly change where little of it does (Charikar's simhash, over three
words in a row).
"""

import math
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

import mmh3
import numpy as np

from filon.core.forms import LIST, Form, each, pairs, table
from filon.core.state import Stateful, stored
from filon.learn.rank.bm25 import K1, B
from filon.learn.rank.ensemble import positions
from filon.learn.rank.fusion import Fusion
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.scout.check import CHECK, Check
from filon.verbs.discover.strategies.words import all_words, words_of

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


#: Texts that differ in so few bits are one text; shorter ones say too little.
NEAR_BITS, FEWEST_WORDS = 3, 40
#: Titles that must be the same, of so many at least.
ALIKE, FEWEST_TITLES = 0.8, 5
MOST_TITLES = 100


def simhash(words: list[str]) -> int:
    """Return the bits of a text; 0 where it is too short to tell."""
    if len(words) < FEWEST_WORDS:
        return 0
    grams = {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}
    hashes = np.array(
        sorted(mmh3.hash64(gram.encode(), signed=False)[0] for gram in grams), dtype=np.uint64
    )
    bits = (hashes[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    ones = bits.sum(axis=0) * 2 > len(hashes)
    return int(sum(1 << at for at in range(64) if ones[at]))


#: Bits as text, since some stores have no whole numbers so long.
BITS = Form(lambda bits: f"{bits:x}", lambda told: int(told, 16))


class Mirrors(Stateful):
    """What is known of every site that counts, to tell another address of it."""

    STATE = (
        stored("_texts", table(BITS)),
        stored("_titles", table(Form(sorted, frozenset))),
    )

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._titles: dict[str, frozenset[str]] = {}

    def of_text(self, title: str, words: list[str]) -> str:
        """Return the site whose page says the same under the same title; "" if there is none."""
        bits = simhash([title.lower(), *words])
        if not bits:
            return ""
        for site, known in self._texts.items():
            if (bits ^ known).bit_count() <= NEAR_BITS:
                return site
        return ""

    def of_titles(self, titles: Iterable[str]) -> str:
        """Return the site that lists the same datasets; "" if there is none."""
        told = _told(titles)
        if len(told) < FEWEST_TITLES:
            return ""
        for site, known in self._titles.items():
            if len(told & known) >= ALIKE * max(1, len(told | known)):
                return site
        return ""

    def add(self, site: str, title: str, words: list[str], titles: Iterable[str]) -> None:
        """Take note of a site."""
        if bits := simhash([title.lower(), *words]):
            self._texts[site] = bits
        if len(told := _told(titles)) >= FEWEST_TITLES:
            self._titles[site] = told

    def forget(self, site: str) -> None:
        """Forget a site that does not count after all."""
        self._texts.pop(site, None)
        self._titles.pop(site, None)


def _told(titles: Iterable[str]) -> frozenset[str]:
    return frozenset([title.lower() for title in titles if title][:MOST_TITLES])


class Verified(Stateful):
    """Checks that ended well, by site."""

    STATE = (
        "topic",
        "mirrors",
        stored("_found", pairs(CHECK)),
        stored("_copies", table(LIST)),
    )

    def __init__(self, topic: str) -> None:
        self.topic = Topic(topic)
        self.mirrors = Mirrors()
        self._found: dict[str, Check] = {}
        self._copies: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, site: str) -> bool:
        return site in self._found

    def add(self, check: Check) -> float:
        """Take in a repository; return how near it is to the topic. What is not told is let go."""
        entry, evidence = check.entry, check.evidence
        check.links, check.met, check.features = [], {}, []
        self._found[entry.site] = check
        self.mirrors.add(entry.site, entry.title, all_words(entry), evidence.titles.values())
        return self.topic.add(entry, evidence.words)

    def copy_of(self, check: Check) -> str:
        """Return the other site that lists the same datasets; "" if there is none."""
        copied = self.mirrors.of_titles(check.evidence.titles.values())
        return copied if copied != check.entry.site else ""

    def fold(self, check: Check, copied: str) -> None:
        """Take note of another address of a site."""
        if copied != check.entry.site:
            self.mirrors.forget(check.entry.site)
        self._copies.setdefault(copied, []).append(check.entry.url)

    def forget(self, site: str) -> None:
        """Forget a site that was no repository."""
        self.mirrors.forget(site)
        self._copies.pop(site, None)

    def found(self, known: Container[str], most: int) -> list[Found]:
        """Return the repositories, best first."""
        told = []
        for site, score in self.topic.ranked()[:most]:
            check = self._found[site]
            one = replace(found_site(check.entry, score), url=check.home, kind="repository")
            mirrors = tuple(self._copies.get(site, ()))
            told.append(replace(one, mirrors=mirrors, known=site in known, **check.evidence.told()))
        return told

    def summary(self) -> dict[str, Any]:
        """Return counts for people."""
        return {
            "verified": len(self._found),
            "by their API": sum(bool(check.evidence.software) for check in self._found.values()),
            "mirrors": sum(len(urls) for site, urls in self._copies.items() if site in self),
        }
