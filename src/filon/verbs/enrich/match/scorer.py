"""The probability that two things are one, from how alike their fields are, without labels.

Fellegi and Sunter's model: each field has a distribution of its similarity among matches (m) and
among others (u), and adds log m/u to the evidence. Both are held at a few knots between 0 and 1
and learnt by expectation and maximisation, from three sides:

- m starts from what ships with the package for each kind of field;
- u starts from pairs of *different rows of the table itself*, found as candidates are found:
  they look like the hardest mistakes, and none of them is a match;
- both start as so many imagined pairs, so that few data cannot carry them away.

More alike never counts less: the evidence of a field is made monotone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from filon.learn.dense import products, times
from filon.verbs.enrich.match.similarity import Floats, Ints

#: Imagined pairs behind m; behind u, as a part of the pairs seen; and behind the shipped u.
PRIOR_MATCHES, PRIOR_OTHERS, PRIOR_SHIPPED = 500.0, 0.2, 20.0
#: So many at least: where blocking leaves only matches, u would else be learnt from these.
LEAST_OTHERS = 200.0
#: The share of candidates that match, before anything is known.
START_SHARE = 0.1
#: No field alone decides for or against by more than this.
MOST_FOR, MOST_AGAINST = 8.0, -6.0
ROUNDS = 40
#: How strongly the weight of a field and the bias stay where they were found without labels: as
#: if so many labelled pairs, each with evidence 1, had already spoken for them.
TRUST_WEIGHT, TRUST_BIAS = 100.0, 12.0
TEACHING_ROUNDS = 25


class Prior(NamedTuple):
    """How alike the fields of matches and of others are, before anything is learnt.

    knots: the similarities at which the distributions are held; matches, others: the shares there.
    """

    knots: tuple[float, ...]
    matches: tuple[float, ...]
    others: tuple[float, ...]


#: By kind of field. A "label" is a text that many rows share, such as a brand or a venue: every
#: source writes those in its own way, and agreeing on one says little.
SHIPPED: Mapping[str, Prior] = {
    "text": Prior(
        knots=(0.0, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0),
        matches=(0.005, 0.015, 0.04, 0.09, 0.15, 0.25, 0.45),
        others=(0.2, 0.35, 0.25, 0.12, 0.05, 0.02, 0.01),
    ),
    "label": Prior(
        knots=(0.0, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0),
        matches=(0.15, 0.15, 0.1, 0.1, 0.1, 0.1, 0.3),
        others=(0.3, 0.25, 0.1, 0.05, 0.05, 0.05, 0.2),
    ),
    "names": Prior(
        knots=(0.0, 0.25, 0.5, 0.75, 1.0),
        matches=(0.06, 0.06, 0.1, 0.18, 0.6),
        others=(0.85, 0.07, 0.04, 0.02, 0.02),
    ),
    "number": Prior(
        knots=(0.0, 0.2, 0.5, 0.8, 1.0),
        matches=(0.1, 0.1, 0.15, 0.2, 0.45),
        others=(0.5, 0.2, 0.15, 0.1, 0.05),
    ),
    "date": Prior(
        knots=(0.0, 0.35, 0.6, 1.0),
        matches=(0.05, 0.05, 0.1, 0.8),
        others=(0.5, 0.2, 0.15, 0.15),
    ),
    "code": Prior(
        knots=(0.0, 0.2, 0.45, 0.8, 1.0),
        matches=(0.1, 0.06, 0.04, 0.1, 0.7),
        others=(0.6, 0.25, 0.1, 0.03, 0.02),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """What each field's similarity says, and the share of candidates that match.

    evidence: for each field log m/u at its knots. tilt: how much each field's evidence counts.
    lead: how much it counts how far a pair is ahead of its row's next one, of at most `most`.
        floor: the log odds that the next one has at least; where there is none, nobody knows how
        good it would be.
    """

    kinds: tuple[str, ...]
    evidence: tuple[Floats, ...]
    bias: float
    tilt: Floats
    lead: float = 0.0
    most: float = 0.0
    floor: float = 0.0

    def parts(self, similarities: Floats) -> Floats:
        """Return the evidence of each field of each pair; nothing where a value is missing."""
        table = np.zeros(similarities.shape)
        for at, kind in enumerate(self.kinds):
            table[:, at] = np.interp(similarities[:, at], SHIPPED[kind].knots, self.evidence[at])
        table[np.isnan(table)] = 0.0
        return table

    def logits(self, similarities: Floats) -> Floats:
        """Return the log of the odds that each pair matches, by its fields alone."""
        return np.asarray(self.bias + times(self.parts(similarities), self.tilt))

    def leads(self, logits: Floats, nexts: Floats) -> Floats:
        """Return what it adds to the log odds of pairs how far ahead of the next ones they are."""
        ahead = np.minimum(logits - np.maximum(nexts, self.floor), self.most)
        return np.asarray(self.lead * ahead)

    def probabilities(self, similarities: Floats) -> Floats:
        """Return the probability that each pair matches."""
        return logistic(self.logits(similarities))


def logistic(logits: Floats) -> Floats:
    """Return the probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -40, 40))))


def start(kinds: Sequence[str], decoys: Floats) -> Scorer:
    """Return the scorer before any record is seen.

    decoys: similarities of pairs that are known not to match: different rows of the table.
    """
    return weighed(kinds, _shipped(kinds), _others(kinds, decoys), START_SHARE)


def learn(kinds: Sequence[str], decoys: Floats, pairs: Floats, owners: Ints) -> Scorer:
    """Return the scorer that fits the pairs best, from the start that `start` has.

    owners: the record of each pair. A record is about one row at most, so the probabilities of
        its pairs sum to at most 1: else a whole brand or venue could pass for matches.
    """
    if not len(pairs):
        return start(kinds, decoys)
    m0, u0 = _shipped(kinds), _others(kinds, decoys)
    held = [hats(kind, pairs[:, at]) for at, kind in enumerate(kinds)]
    scorer = start(kinds, decoys)
    for _ in range(ROUNDS):
        match = _exclusive(scorer.logits(pairs), owners)
        m = [
            mixed(p * PRIOR_MATCHES + times(hat.T, match)) for p, hat in zip(m0, held, strict=True)
        ]
        others, weight = 1 - match, max(PRIOR_OTHERS * len(pairs), LEAST_OTHERS)
        u = [mixed(p * weight + times(hat.T, others)) for p, hat in zip(u0, held, strict=True)]
        scorer = weighed(kinds, m, u, (match.sum() + 1) / (len(match) + 1 / START_SHARE))
    return scorer


def taught(scorer: Scorer, similarities: Floats, leads: Floats, labels: Floats) -> Scorer:
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
    for _ in range(TEACHING_ROUNDS):
        chance = logistic(times(features, weights) + leads)
        slope = times(features.T, chance - labels) + trust * (weights - prior)
        bend = products(features.T * (chance * (1 - chance)), features.T) + np.diag(trust)
        weights = weights - np.linalg.solve(bend, slope)
    # More alike must not count less, whatever a few labels say.
    return replace(scorer, tilt=np.maximum(weights[:-1], 0.0), bias=float(weights[-1]))


def _exclusive(logits: Floats, owners: Ints) -> Floats:
    odds = np.exp(np.clip(logits, -40, 40))
    return np.asarray(odds / (1 + np.bincount(owners, weights=odds)[owners]))


def weighed(kinds: Sequence[str], m: Sequence[Floats], u: Sequence[Floats], share: float) -> Scorer:
    """Return the scorer of what fields of matches (m) and others (u) are like, at their knots."""
    evidence = tuple(
        np.clip(rising(np.log(ours / others), ours + others), MOST_AGAINST, MOST_FOR)
        for ours, others in zip(m, u, strict=True)
    )
    share = float(np.clip(share, 1e-3, 0.9))
    bias = float(np.log(share / (1 - share)))
    return Scorer(kinds=tuple(kinds), evidence=evidence, bias=bias, tilt=np.ones(len(kinds)))


def _shipped(kinds: Sequence[str]) -> list[Floats]:
    return [np.array(SHIPPED[kind].matches) for kind in kinds]


def _others(kinds: Sequence[str], decoys: Floats) -> list[Floats]:
    return [
        mixed(
            np.array(SHIPPED[kind].others) * PRIOR_SHIPPED + hats(kind, decoys[:, at]).sum(axis=0)
        )
        for at, kind in enumerate(kinds)
    ]


def mixed(masses: Floats) -> Floats:
    """Return masses as shares of their sum."""
    return np.asarray(masses / masses.sum())


def hats(kind: str, similarities: Floats) -> Floats:
    """Share each similarity between the two knots that it lies between; a missing one has none."""
    knots = np.array(SHIPPED[kind].knots)
    table = np.zeros((len(similarities), len(knots)))
    there = np.flatnonzero(~np.isnan(similarities))
    values = similarities[there]
    low = np.clip(np.searchsorted(knots, values, side="right") - 1, 0, len(knots) - 2)
    part = (values - knots[low]) / (knots[low + 1] - knots[low])
    table[there, low] = 1 - part
    table[there, low + 1] = part
    return table


def rising(values: Floats, weights: Floats) -> Floats:
    """The nearest sequence that never falls (pool adjacent violators)."""
    pools: list[list[float]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, wa, na), (b, wb, nb) = pools[-2:]
            pools[-2:] = [[(a * wa + b * wb) / (wa + wb), wa + wb, na + nb]]
    return np.repeat([pool[0] for pool in pools], [int(pool[2]) for pool in pools])
