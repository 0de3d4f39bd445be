"""How near a repository is to the topic: by the words of its entry page and of its datasets."""

from collections.abc import Iterable
from typing import Any

from filon.learn.rank.bm25 import bm25
from filon.strategies.discover.operators import all_words, words_of
from filon.strategies.discover.page import Page

#: Words that are kept of a repository.
MOST_WORDS = 1_500
#: Words that begin with the same so many letters are taken for forms of one.
STEM = 6


class Topic:
    """Repositories as lists of words, ranked by BM25 against the topic."""

    def __init__(self, topic: str) -> None:
        self._topic = words_of(topic)
        self._words: dict[str, list[str]] = {}

    def add(self, page: Page, more: str) -> float:
        """Take a repository in; return how much of the topic it has, from 0 to 1."""
        words = self._words[page.site] = [*all_words(page), *words_of(more)][:MOST_WORDS]
        return self.near(words)

    def near(self, words: Iterable[str]) -> float:
        """Return how much of the topic some words have, from 0 to 1."""
        if not self._topic:
            return 1.0
        stems = {word[:STEM] for word in words}
        return sum(word[:STEM] in stems for word in self._topic) / len(self._topic)

    def ranked(self, terms: list[str]) -> list[tuple[str, float]]:
        """Return sites and scores, best first. terms: what else the domain is about."""
        query = [word[:STEM] for word in (*self._topic, *terms, "data")]
        texts = [[word[:STEM] for word in words] for words in self._words.values()]
        scores = zip(self._words, bm25(query, texts), strict=True)
        return sorted(scores, key=lambda one: -round(one[1], 9))

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        return {"words": [[site, list(words)] for site, words in self._words.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._words = {site: list(words) for site, words in state["words"]}
