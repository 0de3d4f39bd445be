"""DISCO's ensemble: several rankers, one order (section 4.1.4)."""

from collections.abc import Callable, Sequence

import numpy as np

from filon.learn.rank.rankers import RANKERS, Ranker, Scores, Text

#: All but PUL, as in the paper.
MEMBERS = ("binomial", "one-class", "cosine", "jaccard", "bayesian-sets")
#: Of reciprocal rank fusion.
K = 60


def positions(scores: Scores) -> Scores:
    """Return the place of each candidate, 1 for the best; equals share theirs."""
    order = np.argsort(-scores, kind="stable")
    places = np.empty(len(scores))
    places[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        if same.sum() > 1:
            places[same] = places[same].mean()
    return places


def mean_rank(members: Sequence[Scores]) -> Scores:
    """The mean of the places, as the paper has it."""
    return np.asarray(-np.mean([positions(scores) for scores in members], axis=0))


def mean_raw(members: Sequence[Scores]) -> Scores:
    """The mean of the scores themselves, as the authors' code has it."""
    return np.asarray(np.mean(members, axis=0))


def reciprocal(members: Sequence[Scores]) -> Scores:
    """The sum of 1 / (60 + place): what one member puts at the top stays near it."""
    return np.asarray(np.sum([1 / (K + positions(scores)) for scores in members], axis=0))


ENSEMBLES: dict[str, Callable[[Sequence[Scores]], Scores]] = {
    "mean-rank": mean_rank,
    "mean-raw": mean_raw,
    "rrf": reciprocal,
}


class Ensemble:
    """A ranker made of rankers."""

    def __init__(self, how: str = "mean-rank", members: Sequence[str] = MEMBERS) -> None:
        self._join = ENSEMBLES[how]
        self._members: list[Ranker] = [RANKERS[name] for name in members]

    def __call__(
        self, examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
    ) -> Scores:
        """Return a score for each candidate."""
        return self._join([member(examples, others, candidates) for member in self._members])
