"""The nearest neighbours of a set of features, among those that were taught."""

from collections import Counter
from collections.abc import Sequence

#: A feature that more examples than these have says nothing of who is near.
COMMON = 2_000


class Neighbours:
    """Predicts the chance of a label as its share among the k examples that are most alike.

    Two sets of features are as alike as their Jaccard index: what both have, by what either has.

    >>> from random import Random
    >>> chance, model = Random(1), Neighbours(k=5)
    >>> def features(label):  # four features; eight of 24 occur in both classes
    ...     return chance.sample(range(16) if label else range(8, 24), 4)
    >>> for number in range(100):
    ...     model.teach(features(number % 2 == 0), number % 2 == 0)
    >>> labels = [number % 2 == 0 for number in range(200)]
    >>> right = sum((model.chance(features(label)) > 0.5) == label for label in labels)
    >>> print(f"accuracy {right / 200:.1%}")
    accuracy 91.0%

    Reference: T. Cover and P. Hart, "Nearest Neighbor Pattern Classification", IEEE Transactions on
    Information Theory 13(1), 1967.
    """

    def __init__(self, k: int = 5) -> None:
        self._k = k
        self._sizes: list[int] = []
        self._labels: list[bool] = []
        self._holders: dict[int, list[int]] = {}

    def teach(self, features: Sequence[int], label: bool) -> None:
        """Remember an example."""
        number = len(self._labels)
        self._labels.append(label)
        self._sizes.append(len(features))
        for feature in features:
            self._holders.setdefault(feature, []).append(number)

    def chance(self, features: Sequence[int]) -> float:
        """Return the part of the nearest examples that is positive; 0 where none is near."""
        shared: Counter[int] = Counter()
        for feature in features:
            holders = self._holders.get(feature, ())
            if len(holders) <= COMMON:
                shared.update(holders)
        mine = len(features)
        near = sorted(
            shared, key=lambda one: (-shared[one] / (mine + self._sizes[one] - shared[one]), one)
        )[: self._k]
        return sum(self._labels[one] for one in near) / len(near) if near else 0.0
