"""The ranking functions of DISCO: examples and candidates in, scores out.

A text is a list of grams. Each ranker takes the examples, texts known not to be of their kind
(some need them), and the candidates, and returns a score for each candidate: more is better.

>>> examples = [text.split() for text in ("bees make honey", "honey of wild bees")]
>>> others = [text.split() for text in ("car tyres", "city council")]
>>> pool = [text.split() for text in ("council news", "bees and honey", "new tyres", "city map")]
>>> for name, ranker in RANKERS.items():
...     scores = ranker(examples, others, pool)
...     print(f"{name}: the text on bees is at place {1 + int((scores > scores[1]).sum())} of 4")
binomial: the text on bees is at place 1 of 4
pu: the text on bees is at place 1 of 4
one-class: the text on bees is at place 1 of 4
cosine: the text on bees is at place 1 of 4
jaccard: the text on bees is at place 1 of 4
bayesian-sets: the text on bees is at place 1 of 4

Reference: K. Pham, A. Santos and J. Freire, "Bootstrapping Domain-Specific Content Discovery on the
Web", WWW 2019, doi:10.1145/3308558.3313709,
section 4.1.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from filon.learn.rank.linear import hinge, logistic, one_class
from filon.learn.rank.vectors import Vocabulary, normed

Text = Sequence[str]
Scores = NDArray[np.float64]
Ranker = Callable[[Sequence[Text], Sequence[Text], Sequence[Text]], Scores]
#: A gram counts if so many texts have it: as a share, two examples or one in ten of many.
SHARED, COMMON = 2, 0.1


def _least(examples: Sequence[Text]) -> float:
    return min(0.99, max(SHARED / max(1, len(examples)), COMMON))


def cosine(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """Return the mean cosine to the examples, by term frequency: equations 1 and 3.

    >>> pool = [["bee", "honey"], ["bee", "car"], ["car"]]
    >>> cosine([["bee", "honey"], ["honey", "bee", "bee"]], [], pool).round(2).tolist()
    [0.97, 0.8, 0.0]
    """
    vocabulary = Vocabulary.learn(examples, _least(examples))
    known = normed(vocabulary.counts(examples))
    return np.asarray(normed(vocabulary.counts(candidates)) @ known.mean(axis=0).T).ravel()


def jaccard(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """Return the mean Jaccard index of the sets of words to the examples: equations 1 and 2.

    >>> pool = [["bee", "honey"], ["bee", "car"], ["car"]]
    >>> jaccard([["bee", "honey"], ["bee", "hive"]], [], pool).round(2).tolist()
    [0.67, 0.33, 0.0]
    """
    known = [{gram for gram in text if " " not in gram} for text in examples]
    scores = []
    for text in candidates:
        mine = {gram for gram in text if " " not in gram}
        alike = [_index(mine, one) for one in known]
        scores.append(sum(alike) / len(alike) if alike else 0.0)
    return np.array(scores)


def _index(one: set[str], other: set[str]) -> float:
    common = len(one & other)
    together = len(one) + len(other) - common
    return common / together if together else 0.0


def bayesian_sets(
    examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
) -> Scores:
    """Return the logarithm of equation 4 over relative term frequencies, but for a constant.

    The prior is twice the mean of all texts.

    >>> pool = [["bee", "honey"], ["car"], ["car"]]
    >>> bayesian_sets([["bee", "honey"], ["honey", "bee"]], [], pool).round(2).tolist()
    [0.44, 0.0, 0.0]

    Reference: Z. Ghahramani and K. A. Heller, "Bayesian Sets", NIPS 18, 2006; DISCO, section 4.1.3.
    """
    vocabulary = Vocabulary.learn(examples, _least(examples))
    known = normed(vocabulary.counts(examples), 1)
    pool = normed(vocabulary.counts(candidates), 1)
    mean = np.asarray(sparse.vstack([known, pool]).mean(axis=0)).ravel()
    prior, rest = 2 * mean + 1e-9, 2 * (1 - mean) + 1e-9
    held = np.asarray(known.sum(axis=0)).ravel()
    after, missing = prior + held, rest + known.shape[0] - held
    weights = np.log(after) - np.log(prior) - np.log(missing) + np.log(rest)
    return np.asarray(pool @ weights).ravel()


def binomial(
    examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
) -> Scores:
    """Return the log odds of logistic regression of examples against others, by tf-idf.

    >>> pool = [["bee", "honey"], ["bee", "car"], ["car"]]
    >>> binomial([["bee", "honey"]] * 4, [["car"]] * 4, pool).round(1).tolist()
    [1.0, -0.2, -1.0]

    Reference: DISCO, section 4.1.1 (binomial regression).
    """
    texts = [*examples, *others]
    vocabulary = Vocabulary.learn(texts, _least(examples))
    labels = [True] * len(examples) + [False] * len(others)
    weights, intercept = logistic(vocabulary.weighted(texts), labels)
    return np.asarray(vocabulary.weighted(candidates) @ weights).ravel() + intercept


def pu_svm(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """Return the margin of a biased SVM: a missed example costs twice what an unlabelled one does.

    >>> pool = [["bee", "honey"], ["bee", "car"], ["car"]]
    >>> pu_svm([["bee", "honey"]] * 6, [["car"]] * 4, pool).round(2).tolist()
    [0.2, 0.1, 0.04]

    Reference: B. Liu et al., "Building Text Classifiers Using Positive and Unlabeled Examples",
    ICDM 2003; DISCO, section 4.1.1 (PU learning).
    """
    texts = [*examples, *others]
    vocabulary = Vocabulary.learn(texts, _least(examples))
    labels = [True] * len(examples) + [False] * len(others)
    weights, intercept = hinge(vocabulary.weighted(texts), labels, c=0.01, positive_weight=2.0)
    return np.asarray(vocabulary.weighted(candidates) @ weights).ravel() + intercept


def novelty(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """Return how far inside the region of the examples a candidate is, by a one-class SVM.

    >>> pool = [["bee", "honey"], ["bee", "car"], ["car"]]
    >>> novelty([["bee", "honey"], ["honey", "bee"]], [], pool).round(2).tolist()
    [1.0, 0.71, 0.0]

    Reference: B. Schölkopf et al., "Support Vector Method for Novelty Detection", NIPS 1999; DISCO,
    section 4.1.1 (novelty detection).
    """
    vocabulary = Vocabulary.learn(examples, _least(examples))
    weights = one_class(normed(vocabulary.counts(examples)), nu=0.1)
    return np.asarray(normed(vocabulary.counts(candidates)) @ weights).ravel()


RANKERS: dict[str, Ranker] = {
    "binomial": binomial,
    "pu": pu_svm,
    "one-class": novelty,
    "cosine": cosine,
    "jaccard": jaccard,
    "bayesian-sets": bayesian_sets,
}
