"""A scorer learnt from each row's best record, for tables on which the usual one breaks down.

The usual scorer (scorer.py) expects matches to be nearly equal. Where none is (titles end in
"(1968)", shops name one product in their own words) it takes them all for strangers. Here nothing
is expected of the matches. The best record of a row is either its match, or the best of strangers;
and how alike the best stranger is can be seen twice:

- in the *second* best record of a row whose best is its match;
- in the best *other row* of the table itself.

How much better the best records are than these says how many of them match (Storey's estimate of
the share of strangers) and how probable each is (the local false discovery rate, made monotone).
The fields are weighted by what they say of these probable matches, the best are found again with
the weights, and so on.

A name that only one record has is surer than one that many have nearly: how far a pair is ahead of
its row's next one counts as well, of the strangers as of the best (the third record of a row, the
next best other row of the table).
"""

from dataclasses import dataclass, replace

import numpy as np

from filon.learn.dense import products, solve_two, times
from filon.verbs.enrich.match.candidates import Candidates
from filon.verbs.enrich.match.scorer import (
    SHIPPED,
    Scorer,
    hats,
    logistic,
    mixed,
    rising,
    weighed,
)
from filon.verbs.enrich.match.similarity import Floats, Ints

ROUNDS, UPDATES = 6, 5
#: Imagined pairs behind each field: few, as nothing is expected.
PRIOR_MATCHES, PRIOR_OTHERS = 20.0, 5.0
#: Other rows of the table among the strangers: as a part of the matches, and at least so many.
DECOYS, LEAST_DECOYS = 0.5, 20.0
#: At first the best records are held for matches that are better than so many of the decoys.
BETTER_THAN = 0.9
#: Where the strangers are counted: below the score that half of them have.
HALF = 0.5
#: How much it counts how far a pair is ahead of the row's next one, how far that is at most, and
#: what the next one is at least: better than this part of the second ones, as a row may have one
#: record only by chance.
LEAD, MOST_LEAD, FLOOR = 0.5, 6.0, 0.75
#: The score of a row that has no second or no decoy.
NONE = -99.0
#: Scores are pooled to so many steps.
STEPS = 256
#: How much more or less than its fields say a scorer may say.
LEAST_SLOPE, MOST_SLOPE = 0.1, 5.0
#: How strongly the line stays where nothing is changed; halvings of a step at most.
TRUST, HALVINGS = 1e-3, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """The scorer, and how many rows have a match by it."""

    scorer: Scorer
    expected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bests:
    """What is best with a scorer.

    rows: the score of each row's best pair. own: the pairs that are best for row and record.
    scores, seconds: theirs, and the next pair of their row. decoys: of each row of the decoys.
    Pairs are -1 where there is none.
    draws: how many records there are for each row. floor: as the scorer has it.
    Scores are log odds with the lead.
    """

    draws: float
    floor: float
    rows: Floats
    own: Ints
    scores: Floats
    seconds: Ints
    second_scores: Floats
    decoys: Ints
    decoy_scores: Floats


def anchored(pairs: Candidates) -> Anchored:
    """Return the scorer that these pairs teach, without labels."""
    table = pairs.table
    scorer = table.start
    chance = np.full(len(table.comparison.rows), np.nan)
    if not len(pairs.rows) or not table.decoys_of:
        return Anchored(scorer=scorer, expected=0.0)
    for _ in range(ROUNDS):
        bests = _bests(pairs, scorer)
        rows = pairs.rows[bests.own]
        bar = np.quantile(bests.decoy_scores, BETTER_THAN)
        known = chance[rows]
        known = np.where(np.isnan(known), (bests.scores > bar).astype(float), known)
        known = _chances(bests, known)
        chance = np.zeros(len(chance))
        chance[rows] = known
        scorer = _weighed(pairs, bests, known)
    scorer = _led(scorer, bests.floor)
    slope, shift = _line(pairs.logits(scorer)[bests.own], known)
    return Anchored(
        scorer=replace(
            scorer,
            tilt=scorer.tilt * slope,
            bias=slope * scorer.bias + shift,
            most=slope * scorer.most,
            floor=slope * scorer.floor + shift,
        ),
        expected=float(known.sum()),
    )


def _bests(pairs: Candidates, scorer: Scorer) -> _Bests:
    logits = scorer.logits(pairs.similarities)
    first = _best(logits, pairs.rows, len(pairs.table.comparison.rows))
    owner = _best(logits, pairs.records, len(pairs.pool))
    own = first[first >= 0]
    own = own[owner[pairs.records[own]] == own]
    left = logits.copy()
    left[own] = -np.inf
    seconds = _best(left, pairs.rows, len(first))[pairs.rows[own]]
    # A second record that says the same as the first is no stranger.
    copies = pairs.saying[pairs.records[seconds]] == pairs.saying[pairs.records[own]]
    seconds[np.isneginf(left[seconds]) | copies] = -1
    thirds = _next_best(left, pairs.rows, len(first))[pairs.rows[own]]
    of, size = pairs.table.decoy_rows, pairs.table.decoys_of
    decoyed = scorer.logits(pairs.table.decoys)
    decoys, others = _best(decoyed, of, size), _next_best(decoyed, of, size)
    floor = _floor(_scores(logits, seconds))
    led = _led(scorer, floor)
    whole = pairs.logits(led)
    return _Bests(
        draws=len(pairs.pool) / len(first),
        floor=floor,
        rows=_scores(whole, first),
        own=own,
        scores=whole[own],
        seconds=seconds,
        second_scores=_ahead(led, _scores(logits, seconds), _scores(left, thirds)),
        decoys=decoys,
        decoy_scores=_ahead(led, _scores(decoyed, decoys), _scores(decoyed, others)),
    )


def _led(scorer: Scorer, floor: float) -> Scorer:
    return replace(scorer, lead=LEAD, most=MOST_LEAD, floor=floor)


def _ahead(scorer: Scorer, scores: Floats, nexts: Floats) -> Floats:
    return np.where(scores == NONE, NONE, scores + scorer.leads(scores, nexts))


def _floor(seconds: Floats) -> float:
    there = seconds[seconds != NONE]
    return float(np.quantile(there, FLOOR)) if len(there) else 0.0


def _next_best(logits: Floats, owners: Ints, size: int) -> Ints:
    best = _best(logits, owners, size)
    left = logits.copy()
    left[best[best >= 0]] = -np.inf
    return _best(left, owners, size)


def _best(logits: Floats, owners: Ints, size: int) -> Ints:
    best = np.full(size, -1, dtype=np.int64)
    order = np.argsort(logits, kind="stable")
    best[owners[order]] = order  # the last one written is the best
    return best


def _scores(logits: Floats, best: Ints) -> Floats:
    if not len(logits):
        return np.full(len(best), NONE)
    return np.where(best >= 0, logits[best], NONE)


def _chances(bests: _Bests, chance: Floats) -> Floats:
    """Return how probable each own pair is, from how probable it seemed."""
    strangers = np.concatenate([bests.second_scores, bests.decoy_scores])
    everything = np.concatenate([bests.scores, strangers])
    edges = np.unique(np.quantile(everything, np.linspace(0, 1, STEPS)))
    ours = np.bincount(_step(edges, bests.scores), minlength=len(edges)).astype(float)
    for _ in range(UPDATES):
        weights = _stranger_weights(bests, chance)
        others = np.bincount(_step(edges, strangers), weights=weights, minlength=len(edges))
        absent = _absent(bests.rows, strangers, weights) * len(bests.rows)
        together = ours + others * absent
        share = rising(ours / np.maximum(together, 1e-12), np.maximum(together, 1e-12))
        wrong = (1 - share) / np.maximum(share, 1e-12)
        chance = np.clip(1 - wrong, 0.0, 1.0)[_step(edges, bests.scores)]
    return np.asarray(chance)


def _step(edges: Floats, scores: Floats) -> Ints:
    return np.asarray(np.searchsorted(edges, scores, side="right") - 1)


def _stranger_weights(bests: _Bests, chance: Floats) -> Floats:
    """How much each second and each decoy counts: all of them together 1.

    The best of many records is better than the best of fewer rows: the better a decoy, the more it
    counts, so that together they are as the best of so many would be.
    """
    order = np.argsort(bests.decoy_scores, kind="stable")
    ranks = np.linspace(0, 1, len(order) + 1) ** bests.draws
    decoys = np.empty(len(order))
    decoys[order] = np.diff(ranks) * max(DECOYS * chance.sum(), LEAST_DECOYS)
    weights = np.concatenate([chance, decoys])
    return np.asarray(weights / weights.sum())


def _absent(rows: Floats, strangers: Floats, weights: Floats) -> float:
    """Return the part of the rows whose best record is a stranger."""
    order = np.argsort(strangers, kind="stable")
    middle = int(np.searchsorted(np.cumsum(weights[order]), HALF))
    at = strangers[order[min(middle, len(order) - 1)]]
    below = float(weights[strangers <= at].sum())
    return min(1.0, float(np.mean(rows <= at)) / below)


def _weighed(pairs: Candidates, bests: _Bests, chance: Floats) -> Scorer:
    """Return the scorer whose fields say what they say of these matches and these strangers."""
    kinds, table = pairs.table.kinds, pairs.table
    weights = _stranger_weights(bests, chance) * max(1.0, float(chance.sum()))
    of_seconds, of_decoys = np.split(weights, [len(chance)])
    ours, theirs = [], []
    for at, kind in enumerate(kinds):
        own = hats(kind, pairs.similarities[bests.own, at])
        second = hats(kind, pairs.similarities[bests.seconds, at])
        others = times(second.T, np.where(bests.seconds >= 0, of_seconds, 0.0))
        if len(table.decoys):
            decoy = hats(kind, table.decoys[bests.decoys, at])
            others = others + times(decoy.T, np.where(bests.decoys >= 0, of_decoys, 0.0))
        ours.append(mixed(np.array(SHIPPED[kind].matches) * PRIOR_MATCHES + times(own.T, chance)))
        theirs.append(mixed(np.array(SHIPPED[kind].others) * PRIOR_OTHERS + others))
    return weighed(kinds, ours, theirs, HALF)


def _line(scores: Floats, chances: Floats) -> tuple[float, float]:
    """Return slope and shift of the log odds that fit the chances best (Platt's scaling).

    A step of Newton's that fits worse is halved: far from the best line it goes astray.
    """
    features = np.column_stack([scores, np.ones(len(scores))])
    line = start = np.array([1.0, 0.0])

    def misfit(line: Floats) -> float:
        logits = times(features, line)
        lost = np.logaddexp(0.0, logits) - chances * logits
        return float(lost.sum() + TRUST / 2 * ((line - start) ** 2).sum())

    least = misfit(line)
    for _ in range(30):
        guess = logistic(times(features, line))
        slope = times(features.T, guess - chances) + TRUST * (line - start)
        bend = products(features.T * (guess * (1 - guess)), features.T) + TRUST * np.eye(2)
        step = solve_two(bend, slope)
        for halving in range(HALVINGS):
            tried = line - step / 2**halving
            tried[0] = np.clip(tried[0], LEAST_SLOPE, MOST_SLOPE)
            if (now := misfit(tried)) < least:
                line, least = tried, now
                break
        else:
            break
    return float(line[0]), float(line[1])
