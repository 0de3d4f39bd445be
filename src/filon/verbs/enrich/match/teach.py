"""What a person's answers change in the scorer."""

from dataclasses import replace

import numpy as np

from filon.verbs.enrich.match.scorer import Scorer, logistic
from filon.verbs.enrich.match.similarity import Floats

#: How strongly the weight of a field and the bias stay where they were found without labels: as
#: if so many labelled pairs, each with evidence 1, had already spoken for them.
TRUST_WEIGHT, TRUST_BIAS = 100.0, 12.0
ROUNDS = 25


def taught(scorer: Scorer, similarities: Floats, labels: Floats) -> Scorer:
    """Return the scorer after a person has said of some pairs whether they match (1) or not (0).

    A logistic regression on the fields' evidence whose prior is the scorer itself: a few labels
    hardly move it, some dozens do. Found by Newton's method.
    """
    if not len(labels):
        return scorer
    features = np.column_stack([scorer.parts(similarities), np.ones(len(labels))])
    prior = np.append(scorer.tilt, scorer.bias)
    trust = np.append(np.full(len(scorer.kinds), TRUST_WEIGHT), TRUST_BIAS)
    weights = prior.copy()
    for _ in range(ROUNDS):
        chance = logistic(features @ weights)
        slope = features.T @ (chance - labels) + trust * (weights - prior)
        bend = (features.T * (chance * (1 - chance))) @ features + np.diag(trust)
        weights = weights - np.linalg.solve(bend, slope)
    # More alike must not count less, whatever a few labels say.
    return replace(scorer, tilt=np.maximum(weights[:-1], 0.0), bias=float(weights[-1]))
