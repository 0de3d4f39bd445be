"""The ranker of `scout`: rank fusion with pseudo relevance feedback.

Beside DISCO's rankers stands a logistic regression whose words and idf come from all candidates,
not from fifteen examples; the candidates are negatives of little weight. The best candidates of the
first order are then taken for examples, with half the weight, and the regression is fitted again.
"""

from collections.abc import Sequence

import numpy as np

from filon.learn.rank.ensemble import positions, reciprocal
from filon.learn.rank.linear import logistic
from filon.learn.rank.rankers import Scores, Text, bayesian_sets, binomial, jaccard
from filon.learn.rank.vectors import Vocabulary

#: What a candidate counts as a negative, what a best candidate counts as an example.
FAINT, HALF_SURE = 0.02, 0.5
#: How many of the best are believed, against the number of examples.
BELIEVED = 1.0


class Fusion:
    """Ranks candidates by reciprocal rank fusion, and once more with the best ones as examples.

    rounds: how often the best so far are taken for examples.

    >>> examples = [text.split() for text in ("bees make honey", "honey of wild bees")]
    >>> pool = ["council news", "bees and honey", "new tyres", "wild bees", "city map"]
    >>> scores = Fusion()(examples, [], [text.split() for text in pool])
    >>> print(f"the two on bees are at places {positions(scores)[[1, 3]].tolist()}")
    the two on bees are at places [1.0, 2.0]

    Reference: reciprocal rank fusion as in filon.learn.rank.ensemble; the members but the
    regression as in filon.learn.rank.rankers; the feedback is our own.
    """

    def __init__(self, rounds: int = 1) -> None:
        self._rounds = rounds

    def __call__(
        self, examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
    ) -> Scores:
        """Return a score for each candidate."""
        if not len(candidates):
            return np.zeros(0)
        members = [
            bayesian_sets(examples, others, candidates),
            jaccard(examples, others, candidates),
        ]
        if others:
            members.append(binomial(examples, others, candidates))
        pool = _Pool(examples, others, candidates)
        members.append(pool.scores(()))
        scores = reciprocal(members)
        for _ in range(self._rounds):
            count = max(1, int(BELIEVED * len(examples)))
            best = np.argsort(positions(scores), kind="stable")[:count]
            taught = pool.scores(best.tolist())
            scores = reciprocal([*members, taught, taught])
        return scores


class _Pool:
    """All texts as one matrix: the candidates are negatives that hardly count."""

    def __init__(
        self, examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
    ) -> None:
        texts = [*examples, *others, *candidates]
        self._matrix = Vocabulary.learn(texts, 2).weighted(texts, sublinear=True)
        self._first = len(examples) + len(others)
        self._labels = [True] * len(examples) + [False] * (len(others) + len(candidates))
        self._weights = [1.0] * self._first + [FAINT] * len(candidates)

    def scores(self, believed: Sequence[int]) -> Scores:
        """Regress, with some candidates believed to be examples."""
        labels, weights = list(self._labels), list(self._weights)
        for one in believed:
            labels[self._first + one], weights[self._first + one] = True, HALF_SURE
        found, intercept = logistic(self._matrix, labels, c=10.0, weights=weights)
        return np.asarray(self._matrix[self._first :] @ found).ravel() + intercept
