"""Whether a page is of the kind that the examples are, and in which order such pages stand.

Between two looks at everything a page is judged by a regression of the examples against pages of
other kinds; pages that were met count faintly as others, since most of them are. The order of the
result is the rank fusion of all (learn/rank/fusion.py).
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.core.forms import each
from filon.learn.rank.fusion import Fusion
from filon.learn.rank.linear import Vector, logistic
from filon.learn.rank.vectors import Matrix, Vocabulary, grams, tokens
from filon.verbs.discover.strategies.page import PAGE, Page

#: A page that was met counts this much as one of another kind, a page that is surely good this
#: much as an example; and above this chance it is sure.
FAINT, HALF_SURE, SURE = 0.1, 0.5, 0.9
#: Pages after which the judgement is formed anew: at first often, then as they grow by a share.
FIRST, GROWTH = 10, 1.25
#: Pages that the regression looks at, the newest, and that the fusion ranks.
MOST_MET, MOST_RANKED = 600, 4_000
#: The share of examples below the border of good, and the parts in which it is looked for.
BORDER, PARTS = 0.25, 3
#: What is surely of another kind (the middle of the others, or this share of what was met) is
#: this far below the border, as a logarithm of odds; margins are stretched at most so much.
FAR_BELOW, PLAIN, MOST_SCALE = 3.0, 0.2, 8.0
#: Others beyond so many for each example are not looked at.
OTHERS_EACH = 4
#: Pages that were met and are surely of another kind, for each example of the fusion.
HARD_EACH = 2


Labels = NDArray[np.bool_]

PAGES = each(PAGE)


class Kind:
    """Examples, others, and the pages that were met."""

    def __init__(self, others: Sequence[str]) -> None:
        self._told_others = others
        self.examples: list[Page] = []
        self.rejected: list[Page] = []
        self.pages: list[Page] = []
        self._next = FIRST
        self._words = Vocabulary({}, np.zeros(0))
        self._weights = np.zeros(0)
        self._intercept = 0.0
        self._unpack()
        self._ranked: tuple[int, list[float]] = (-1, [])

    def begin(self) -> None:
        """Form a first judgement: the examples are complete."""
        self._fit()

    def add(self, page: Page) -> float:
        """Take a page in; return the chance that it is of the kind."""
        self.pages.append(page)
        if len(self.pages) >= self._next:
            self._fit()
            self._next = max(len(self.pages) + FIRST, int(GROWTH * len(self.pages)))
        return self.chance(page.words)

    def chance(self, text: str) -> float:
        """Return the chance that a text is of the kind; one half if nothing is known."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.margin(text)))))

    def margin(self, text: str) -> float:
        """Return the logarithm of the odds."""
        if not len(self._weights):
            return 0.0
        # One row of `Vocabulary.weighted`, without the matrices: this is asked for every link.
        length = total = 0.0
        for word, count in Counter(tokens(text)).items():
            if (number := self._words.numbers.get(word)) is not None:
                value = (1 + math.log(count)) * self._idf[number]
                length += value * value
                total += value * self._each[number]
        return self._intercept + (total / math.sqrt(length) if length else 0.0)

    def _others(self) -> list[str]:
        most = OTHERS_EACH * max(1, len(self.examples))
        return [*self._told_others[:most], *(page.words for page in self.rejected[:most])]

    def _worst(self) -> list[str]:
        """Return the pages that were met and are surely of another kind: the hardest teachers."""
        most = HARD_EACH * len(self.examples)
        told = [(self.margin(page.words), page.words) for page in self.pages[:MOST_RANKED]]
        return [words for margin, words in sorted(told)[:most] if margin < -FAR_BELOW / 2]

    def _fit(self) -> None:
        """Regress: examples and what is surely good against others and, faintly, all that was met.

        Either side weighs the same in all. Since some that was met is good, the examples
        themselves tell where good begins: each part of them is judged by a fit without it.
        """
        met = [page.words for page in self.pages[-MOST_MET:]]
        sure = [bool(len(self._weights)) and self.chance(text) > SURE for text in met]
        good, bad = [page.words for page in self.examples], self._others()
        if not good or not (bad or met):
            return
        texts = [tokens(text) for text in (*good, *bad, *met)]
        self._words = Vocabulary.learn(texts, 2)
        matrix = self._words.weighted(texts, sublinear=True)
        labels = np.array([True] * len(good) + [False] * len(bad) + sure)
        weights = np.array(
            [1.0] * (len(good) + len(bad)) + [HALF_SURE if yes else FAINT for yes in sure]
        )
        found, intercept = _regress(matrix, labels, weights)
        border = self._border(matrix, labels, weights, len(good))
        told = np.asarray(matrix[len(good) :] @ found + intercept).ravel()
        plain = np.median(told[: len(bad)]) if bad else np.quantile(told, PLAIN)
        scale = float(np.clip(FAR_BELOW / max(1e-6, border - plain), 1.0, MOST_SCALE))
        self._weights = np.round(scale * found, 9)
        self._intercept = scale * (intercept - border)
        self._unpack()

    def _unpack(self) -> None:
        """Lay out what `margin` needs: arrays are slow one by one."""
        self._idf: list[float] = self._words.idf.tolist()
        self._each: list[float] = self._weights.tolist()

    def _border(self, matrix: Matrix, labels: Labels, weights: Vector, examples: int) -> float:
        """Return the margin above which most examples are that a fit has not seen."""
        if examples < 2:
            return 0.0
        parts = min(PARTS, examples)
        margins: list[float] = []
        for part in range(parts):
            out = np.arange(part, examples, parts)
            kept = np.setdiff1d(np.arange(len(labels)), out)
            found, intercept = _regress(matrix[kept], labels[kept], weights[kept])
            margins += np.asarray(matrix[out] @ found + intercept).ravel().tolist()
        return float(np.quantile(margins, BORDER))

    def scores(self) -> list[float]:
        """Return the fused score of every page that was met; the first ones, if they are many."""
        pages = self.pages[:MOST_RANKED]
        if self._ranked[0] != len(self.pages):
            known = [grams(page.words) for page in self.examples]
            others = [grams(text) for text in (*self._others(), *self._worst())]
            texts = [grams(page.words) for page in pages]
            told = Fusion()(known, others, texts) if known and texts else np.zeros(len(texts))
            self._ranked = len(self.pages), [float(one) for one in np.round(told, 9)]
        return self._ranked[1]

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: the parts of a fit that never change stand among its own.
        return {
            "examples": PAGES.write(self.examples),
            "rejected": PAGES.write(self.rejected),
            "pages": PAGES.write(self.pages),
            "next": self._next,
            "words": list(self._words.numbers),
            "idf": np.array(self._words.idf),
            "weights": np.array(self._weights),
            "intercept": self._intercept,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.examples = PAGES.read(state["examples"])
        self.rejected = PAGES.read(state["rejected"])
        self.pages = PAGES.read(state["pages"])
        self._next = state["next"]
        numbers = {word: number for number, word in enumerate(state["words"])}
        self._words = Vocabulary(numbers, np.array(state["idf"], float))
        self._weights = np.array(state["weights"], float)
        self._intercept = float(state["intercept"])
        self._unpack()
        self._ranked = (-1, [])


def _regress(matrix: Matrix, labels: Labels, weights: Vector) -> tuple[Vector, float]:
    """Fit, with either side of the same weight."""
    positive = float(weights[labels].sum())
    negative = float(weights.sum()) - positive
    even = np.where(labels, negative / positive if positive and negative else 1.0, 1.0)
    return logistic(matrix, labels.tolist(), c=10.0, weights=(weights * even).tolist())
