"""The ensemble of DISCO: the scores of several rankers made into one.

Reference: K. Pham, A. Santos and J. Freire, "Bootstrapping Domain-Specific Content Discovery on the
Web", WWW 2019, doi:10.1145/3308558.3313709,
section 4.1.4 and equation 5.
"""

from collections.abc import Callable, Sequence

import numpy as np

from filon.learn.rank.rankers import RANKERS, Ranker, Scores, Text

#: All but PUL, as in the paper.
MEMBERS = ("binomial", "one-class", "cosine", "jaccard", "bayesian-sets")
#: Of reciprocal rank fusion.
K = 60


def positions(scores: Scores) -> Scores:
    """Return the place of each candidate, 1 for the best; equals share the mean of theirs.

    >>> positions(np.array([0.9, 0.1, 0.5, 0.5])).tolist()
    [1.0, 4.0, 2.5, 2.5]
    """
    order = np.argsort(-scores, kind="stable")
    places = np.empty(len(scores))
    places[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        if same.sum() > 1:
            places[same] = places[same].mean()
    return places


def mean_rank(members: Sequence[Scores]) -> Scores:
    """Return the mean of the places, times -1: equation 5.

    >>> mean_rank([np.array([0.9, 0.5, 0.1]), np.array([2.0, 9.0, 1.0])]).tolist()
    [-1.5, -1.5, -3.0]
    """
    return np.asarray(-np.mean([positions(scores) for scores in members], axis=0))


def mean_raw(members: Sequence[Scores]) -> Scores:
    """Return the mean of the scores themselves, as the authors' code has it.

    >>> mean_raw([np.array([0.9, 0.5, 0.1]), np.array([2.1, 8.5, 0.9])]).round(2).tolist()
    [1.5, 4.5, 0.5]
    """
    return np.asarray(np.mean(members, axis=0))


def reciprocal(members: Sequence[Scores]) -> Scores:
    """Return the sum of 1 / (60 + place): what one member puts at the top stays near it.

    >>> reciprocal([np.array([0.9, 0.5, 0.1]), np.array([2.0, 9.0, 1.0])]).round(4).tolist()
    [0.0325, 0.0325, 0.0317]

    Reference: G. V. Cormack, C. L. A. Clarke and S. Buettcher, "Reciprocal Rank Fusion Outperforms
    Condorcet and Individual Rank Learning Methods", SIGIR 2009, doi:10.1145/1571941.1572114.
    """
    return np.asarray(np.sum([1 / (K + positions(scores)) for scores in members], axis=0))


ENSEMBLES: dict[str, Callable[[Sequence[Scores]], Scores]] = {
    "mean-rank": mean_rank,
    "mean-raw": mean_raw,
    "rrf": reciprocal,
}


class Ensemble:
    """A ranker that joins the scores of others.

    how: a name of `ENSEMBLES`. members: names of `RANKERS`; all but "pu", as in the paper.

    >>> examples = [text.split() for text in ("bees make honey", "honey of wild bees")]
    >>> others = [text.split() for text in ("car tyres", "city council")]
    >>> pool = ["council news", "bees and honey", "new tyres", "wild bees", "city map"]
    >>> scores = Ensemble()(examples, others, [text.split() for text in pool])
    >>> print(f"the two on bees are at places {positions(scores)[[1, 3]].tolist()}")
    the two on bees are at places [1.0, 2.0]
    """

    def __init__(self, how: str = "mean-rank", members: Sequence[str] = MEMBERS) -> None:
        self._join = ENSEMBLES[how]
        self._members: list[Ranker] = [RANKERS[name] for name in members]

    def __call__(
        self, examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
    ) -> Scores:
        """Return a score for each candidate."""
        return self._join([member(examples, others, candidates) for member in self._members])
