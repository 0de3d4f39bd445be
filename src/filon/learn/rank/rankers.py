"""The ranking functions of DISCO, section 4.1: examples, candidates, scores.

A text is a list of grams. Each ranker takes the examples, texts known not to be of their kind
(some need them), and the candidates, and returns a score for each candidate: more is better.
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
    """Mean cosine to the examples, by term frequency."""
    vocabulary = Vocabulary.learn(examples, _least(examples))
    known = normed(vocabulary.counts(examples))
    return np.asarray(normed(vocabulary.counts(candidates)) @ known.mean(axis=0).T).ravel()


def jaccard(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """Mean Jaccard similarity of the sets of words to the examples."""
    known = [{gram for gram in text if " " not in gram} for text in examples]
    scores = []
    for text in candidates:
        mine = {gram for gram in text if " " not in gram}
        alike = [len(mine & one) / len(mine | one) if mine or one else 0.0 for one in known]
        scores.append(sum(alike) / len(alike) if alike else 0.0)
    return np.array(scores)


def bayesian_sets(
    examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
) -> Scores:
    """Bayesian sets over relative term frequencies; the prior is the mean of all texts."""
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
    """Logistic regression of examples against others, by tf-idf."""
    texts = [*examples, *others]
    vocabulary = Vocabulary.learn(texts, _least(examples))
    labels = [True] * len(examples) + [False] * len(others)
    weights, intercept = logistic(vocabulary.weighted(texts), labels)
    return np.asarray(vocabulary.weighted(candidates) @ weights).ravel() + intercept


def pu_svm(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """Biased SVM: an example that is missed costs twice what an unlabelled one costs."""
    texts = [*examples, *others]
    vocabulary = Vocabulary.learn(texts, _least(examples))
    labels = [True] * len(examples) + [False] * len(others)
    weights, intercept = hinge(vocabulary.weighted(texts), labels, c=0.01, positive_weight=2.0)
    return np.asarray(vocabulary.weighted(candidates) @ weights).ravel() + intercept


def novelty(examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]) -> Scores:
    """One-class SVM: how far inside the examples a candidate is."""
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
