"""The page classifier of DSDD: augmented term frequency times idf, and a linear SVM with C = 1.

What was learnt beforehand comes as weights; what is learnt on the way is fitted on top of their
scores, from all labels each time.

Reference: H. Zhang, A. Santos and J. Freire, "DSDD: Domain-Specific Dataset Discovery on the Web",
CIKM 2021, section 4.4 and equation 4.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
    """Return augmented term frequency times idf, a row a text, each scaled to length 1.

    >>> words = Vocabulary({"data": 0, "open": 1}, np.ones(2))
    >>> augmented(words, [["data", "data", "open"]]).toarray().round(2).tolist()  # 1 to 0.75
    [[0.8, 0.6]]
    """
    counts = vocabulary.counts(texts)
    peaks = [max(Counter(text).values(), default=1) for text in texts]
    held = np.repeat(np.asarray(peaks, dtype=float), np.diff(counts.indptr))
    counts.data = 0.5 + 0.5 * counts.data / held  # equation 4
    return normed(vocabulary.rarer(counts))


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A linear classifier of texts, by the weights of their words: above 0 is yes.

    >>> yes = ["open data portal", "download data csv", "data catalogue portal", "csv data"]
    >>> no = ["news of today", "about the team", "contact the team", "news and about"]
    >>> texts = [text.split() for text in yes + no]
    >>> model = LinearModel.fit(texts, [True] * 4 + [False] * 4)
    >>> new = ["portal with csv data".split(), "today the news".split()]
    >>> [round(score, 1) for score in model.scores(new)]
    [1.2, -1.2]
    """

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
    """A model that was fitted beforehand, and one that is fitted to the labels seen since.

    online: whether labels change anything.

    >>> classifier = OnlineClassifier(LinearModel.nothing())
    >>> for text, label in [("bee data csv", True), ("bee data", True), ("news", False)] * 2:
    ...     classifier.add(text.split(), label)
    >>> before = classifier.score(["bee", "csv"])
    >>> classifier.refit()
    >>> print(f"score {before:.1f} before the fit, {classifier.score(['bee', 'csv']):.1f} after")
    score 0.0 before the fit, 0.8 after
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
            "version": 1,
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
