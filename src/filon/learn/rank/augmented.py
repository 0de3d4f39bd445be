"""DSDD's page classifier: augmented term frequency, rarity, a linear SVM with C = 1 (section 4.4).

What was learnt beforehand comes as weights; what is learnt on the way is fitted on top of their
scores, from all labels each time.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from filon.learn.rank.linear import hinge
from filon.learn.rank.vectors import Matrix, Vocabulary, normed

#: "we [...] set the regularization parameter to 1.0".
C = 1.0
#: Words that a model learns must be in this many texts.
SHARED = 2
#: The newest labels that a fit looks at: it takes a second, and its kernel some megabytes.
MOST_LABELS = 800

Text = Sequence[str]


def augmented(vocabulary: Vocabulary, texts: Sequence[Text]) -> Matrix:
    """Return equation 4 times rarity; rows of length 1, or long texts would outweigh all."""
    counts = vocabulary.counts(texts)
    peaks = [max(Counter(text).values(), default=1) for text in texts]
    held = np.repeat(np.asarray(peaks, dtype=float), np.diff(counts.indptr))
    counts.data = 0.5 + 0.5 * counts.data / held
    return normed(counts @ sparse.diags(vocabulary.idf))


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Words with weights: above 0 is yes."""

    vocabulary: Vocabulary
    weights: Any
    intercept: float = 0.0

    @classmethod
    def nothing(cls) -> "LinearModel":
        """Return a model that has no opinion."""
        return cls(Vocabulary({}, np.zeros(0)), np.zeros(0))

    @classmethod
    def fit(
        cls,
        texts: Sequence[Text],
        labels: Sequence[bool],
        offsets: Sequence[float] = (),
        vocabulary: Vocabulary | None = None,
    ) -> "LinearModel":
        """Learn from texts; an error on the rarer label costs as much more as it is rarer."""
        words = vocabulary or Vocabulary.learn(texts, SHARED)
        positives = sum(labels)
        balance = (len(labels) - positives) / positives if positives else 1.0
        weights, intercept = hinge(
            augmented(words, texts), labels, c=C, positive_weight=balance or 1.0, offsets=offsets
        )
        return cls(words, weights, intercept)

    @classmethod
    def unpack(cls, data: Mapping[str, Any]) -> "LinearModel":
        """Return the model that was packed."""
        numbers = {word: number for number, word in enumerate(data["words"])}
        idf, weights = np.array(data["idf"], float), np.array(data["weights"], float)
        return cls(Vocabulary(numbers, idf), weights, float(data["intercept"]))

    def pack(self) -> dict[str, Any]:
        """Return plain data, rounded: a word's weight is not known better."""
        return {
            "words": list(self.vocabulary.numbers),
            "idf": [round(float(value), 3) for value in self.vocabulary.idf],
            "weights": [round(float(value), 4) for value in self.weights],
            "intercept": round(self.intercept, 4),
        }

    def scores(self, texts: Sequence[Text]) -> list[float]:
        """Return how much each text is of the kind."""
        if not len(self.weights) or not texts:
            return [self.intercept] * len(texts)
        raw = np.asarray(augmented(self.vocabulary, texts) @ self.weights).ravel()
        return [float(value) for value in raw + self.intercept]


@dataclass(slots=True)
class OnlineClassifier:
    """A model that came along, and what was learnt since.

    online: whether labels change anything.
    """

    prior: LinearModel
    online: bool = True
    texts: list[list[str]] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    _learnt: LinearModel = field(default_factory=LinearModel.nothing)

    def score(self, text: Text) -> float:
        """Return how much a text is of the kind; above 0 is yes."""
        return self.scores([text])[0]

    def scores(self, texts: Sequence[Text]) -> list[float]:
        """Return the same for several at once."""
        both = zip(self.prior.scores(texts), self._learnt.scores(texts), strict=True)
        return [known + learnt for known, learnt in both]

    def add(self, text: Text, label: bool) -> None:
        """Keep a label for the next fit."""
        if self.online:
            self.texts = [*self.texts, list(text)][-MOST_LABELS:]
            self.labels = [*self.labels, label][-MOST_LABELS:]

    def refit(self) -> None:
        """Learn from all labels, on top of what was known."""
        if self.texts:
            offsets = self.prior.scores(self.texts)
            self._learnt = LinearModel.fit(self.texts, self.labels, offsets)

    def state(self) -> dict[str, Any]:
        """Return plain data; weights whole, so that the next decision is the same."""
        # By hand: the model's fields stand among its own.
        learnt = self._learnt
        return {
            "texts": [list(text) for text in self.texts],
            "labels": list(self.labels),
            "words": list(learnt.vocabulary.numbers),
            "idf": np.array(learnt.vocabulary.idf),
            "weights": np.array(learnt.weights),
            "intercept": learnt.intercept,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from there."""
        self.texts = [list(text) for text in state["texts"]]
        self.labels = list(state["labels"])
        self._learnt = LinearModel.unpack(state)
