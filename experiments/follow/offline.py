"""The paper's baselines with a classifier that was trained beforehand (section 6.2)."""

from collections.abc import Callable, Sequence

import numpy as np

from experiments.follow.neighbours import Neighbours
from filon.learn import CLASSIFIERS
from filon.verbs.follow.strategies.brief import Brief, Candidate
from filon.verbs.follow.strategies.ldcoc import features
from filon.verbs.follow.strategies.selective import Selective

SIZE = 1 << 18
#: How often a linear model sees the examples.
EPOCHS = 5
Scorer = Callable[[Sequence[int]], float]
#: A lead, its content type, and whether it has RDF.
Example = tuple[Candidate, str, bool]
Train = Callable[[list[tuple[list[int], bool]]], Scorer]


class Offline(Selective):
    """Chooses by a model that no longer learns.

    train: from taught examples to a score, above zero for RDF.
    """

    def __init__(self, brief: Brief, train: Train, examples: Sequence[Example]) -> None:
        super().__init__(brief)
        self._score = train(
            [(self._numbers(candidate, mime), has) for candidate, mime, has in examples]
        )

    def choose(self, candidate: Candidate, mime: str) -> tuple[float, str]:
        """Take what the model says has RDF."""
        wanted = self._score(self._numbers(candidate, mime)) > 0
        return (1.0, "a model that was trained beforehand says so") if wanted else (0.0, "")

    def _numbers(self, candidate: Candidate, mime: str) -> list[int]:
        return features(candidate, mime, "trp", SIZE)


def linear(name: str) -> Train:
    """Return what trains one of `learn.CLASSIFIERS`."""

    def train(examples: list[tuple[list[int], bool]]) -> Scorer:
        model = CLASSIFIERS[name](SIZE)
        batch = [(np.array(numbers, dtype=np.int32), label) for numbers, label in examples]
        for _ in range(EPOCHS if name == "svm" else 1):
            model.learn(batch)
        return lambda numbers: model.score(np.array(numbers, dtype=np.int32))

    return train


def nearest(examples: list[tuple[list[int], bool]]) -> Scorer:
    """Train nearest neighbours."""
    model = Neighbours()
    for numbers, label in examples:
        model.teach(numbers, label)
    return lambda numbers: model.chance(numbers) - 0.5


#: A linear support vector machine, the five nearest neighbours, and naive Bayes.
MODELS: dict[str, Train] = {
    "offline-svm": linear("svm"),
    "offline-knn": nearest,
    "offline-nb": linear("nb"),
}
