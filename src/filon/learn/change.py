"""How often things change, from looks at irregular times.

A thing (a page, a file) changes as a Poisson process of rate r. A look says less than how often it
did: that it is as it was t seconds ago, with the likelihood exp(-r t); that it changed since, once
or more, 1 - exp(-r t) (censored); or when it changed last, a seconds ago, r exp(-r a). What is
known of a thing is four sums of such looks.

What is not known of it is borrowed. The rates of a group (a kind of page or file) are a Gamma
distribution of some mean and shape; the means of groups are log-normal. Means and shapes are held
on a grid, so the belief in them is exact but for its steps, and a look costs one product with a
table: the evidence of a group is the sum over its things of

    log of the integral of  Gamma(r; mean, shape) L_thing(r) dr,

and only the addend of the thing that was looked at is new. For that, times are rounded to 6 %, so
that things with much the same looks have the same addend, which is remembered. Where the means of
groups lie, how far apart, and which shapes are usual, follows from all groups by EM, now and then
(empirical Bayes).
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import mmh3
import numpy as np
from numpy.typing import NDArray

from filon.core.forms import RANDOM, Form
from filon.core.state import Stateful, stored, version
from filon.learn.dense import dot, times

Floats = NDArray[np.float64]
#: Rates from once in 30 years to once a second, eight to a factor of ten: a Gamma distribution of
#: the largest shape is still summed up to two digits.
RATES: Floats = np.logspace(-9.0, 0.0, 73)
#: The means that a group may have, sixteen to a factor of ten, and its shapes: 0.25 has things that
#: never change beside those that do daily, 40 has things that are all alike.
MEANS: Floats = np.logspace(-9.0, 0.0, 145)
SHAPES: Floats = np.array([0.25, 0.6, 1.5, 4.0, 12.0, 40.0])
#: Before anything was seen: a group changes once a month, or ten times as often or rarely. That
#: counts as a part of a group for the mean, and as two for how far groups are apart.
MONTH_S = 30 * 86_400.0
FIRST, APART = -np.log(MONTH_S), np.log(10.0)
AS_FIRST, AS_APART = 0.1, 2.0
#: What all groups have in common is fitted anew after so many more looks, as a part of the last;
#: the rounds of that, and after many looks at once.
MORE, ROUNDS, MANY_ROUNDS = 0.25, 5, 30
#: Steps of times in a factor of e, and how many addends are remembered: seven kilobytes each.
STEPS, REMEMBERED = 16, 1_024
#: New things are sorted in when there are so many, or as a part of those that are.
FRESH, FRESH_PART = 1_024, 0.25
#: Things that are rated at once: what is computed for them stays in a processor's cache.
BLOCK = 2_048
#: No chance and no time is taken for less, where its logarithm is needed.
_LEAST, SHORTEST_S = 1e-30, 1e-3

# Columns of what was seen of a thing.
(QUIET_S, EXACT, CENSORED, LOG_S) = range(4)


def _gammas() -> Floats:
    """Return the chances of all rates for each shape and mean: a row for each of the two."""
    ratio = RATES / MEANS[:, None]
    shapes = SHAPES[:, None, None]
    # On a logarithmic scale the density has a factor r more.
    heights = shapes * (np.log(ratio) - ratio + 1.0)
    rows = np.exp(heights - heights.max(axis=2, keepdims=True)).reshape(-1, len(RATES))
    chances: Floats = np.maximum(rows / rows.sum(axis=1, keepdims=True), _LEAST)
    return chances


_GAMMAS = _gammas()
_LOG_MEANS: Floats = np.tile(np.log(MEANS), len(SHAPES))
_SHAPE_OF = np.repeat(np.arange(len(SHAPES)), len(MEANS))


def _stacked(rows: list[Floats]) -> Floats:
    return np.array(rows, dtype=np.float64)


def _rows(data: Any) -> list[Floats]:
    return [np.array(row, dtype=np.float64) for row in data]


class Rates(Stateful):
    """Tells the chance that a thing has changed since it was seen.

    Of 200 pages half are news, which change every two days on average, and half are archives, once
    in 500 days. Each is looked at daily for ten days:

    >>> chance, rates, day = Random(1), Rates(seed=1), 86_400.0
    >>> for _ in range(10):
    ...     for page in range(100):
    ...         for group, mean in (("news", 2 * day), ("archive", 500 * day)):
    ...             rates.note(group, str(page), day, chance.expovariate(1 / mean) < day)
    >>> for group in ("news", "archive"):
    ...     mean, _ = rates.rate(group)
    ...     print(f"{group}: every {1 / mean / day:.3g} days; changed by tomorrow:",
    ...           f"{rates.chance(group, 'new', day):.1%}")
    news: every 1.89 days; changed by tomorrow: 40.8%
    archive: every 673 days; changed by tomorrow: 0.1%

    Reference: J. Cho and H. Garcia-Molina, "Estimating Frequency of Change", ACM Transactions on
    Internet Technology 3(3), 2003, doi:10.1145/857166.857170, for the process, and for what a look
    says where only the existence (section 4) or the last date (section 5) of a change is known; B.
    Efron and C. Morris, "Data Analysis Using Stein's Estimator and its Generalizations", JASA 70,
    1975, for what things borrow from each other. The grids are our own.
    """

    STATE = (
        version(1),
        "_groups",
        stored("_evidence", Form(_stacked, _rows)),
        stored("_counts", Form(_stacked, _rows)),
        stored("_keys", Form(np.array, lambda data: array("Q", np.asarray(data).tobytes()))),
        stored("_seen", Form(np.array, lambda data: array("f", np.asarray(data).tobytes()))),
        "_common",
        "_usual",
        "_looks",
        "_fitted",
        stored("_random", RANDOM),
    )

    def __init__(self, *, seed: int) -> None:
        self._groups: list[str] = []
        self._evidence: list[Floats] = []  # of each mean and shape, a group
        self._counts: list[Floats] = []  # things, looks and changes, a group
        self._keys = array("Q")  # hashes of the things that were looked at
        self._seen = array("f")  # four columns of each
        self._common: Floats = np.array([FIRST, APART])  # mean and deviation of groups' log means
        self._usual: Floats = np.full(len(SHAPES), 1.0 / len(SHAPES))
        self._looks = self._fitted = 0
        self._random = Random(seed)
        self.restored()

    # What looks say.

    def note(self, group: str, thing: str, tau_s: float, changed: bool) -> None:
        """Take note of a look: whether a thing changed in the time since the look before."""
        if changed:
            self._note(group, thing, (0.0, 0.0, 1.0, np.log(max(tau_s, SHORTEST_S))))
        else:
            self._note(group, thing, (tau_s, 0.0, 0.0, 0.0))

    def note_exact(self, group: str, thing: str, age_s: float, tau_s: float | None = None) -> None:
        """Take note of a look that tells when a thing changed last, as a Last-Modified does.

        age_s: how long ago that is. tau_s: the time since the look before; None: it is the first.
            That a thing was made counts as a change: it is not known apart.
        """
        if tau_s is not None and age_s >= tau_s:
            self.note(group, thing, tau_s, changed=False)
        else:
            self._note(group, thing, (max(age_s, 0.0), 1.0, 0.0, 0.0))

    def _note(self, group: str, thing: str, look: tuple[float, float, float, float]) -> None:
        at, key = self._group(group), _key(group, thing)
        place = int(self._places([key])[0])
        if place < 0:
            place = self._add(key)
            self._counts[at][0] += 1
        figures = slice(4 * place, 4 * place + 4)
        seen = np.array([self._seen[figures]] * 2)
        seen[1] += look
        # What is kept is rounded, and so is its addend: that can be taken away as it was added.
        self._seen[figures] = array("f", seen[1].astype(np.float32).tolist())
        seen[1] = self._seen[figures]
        before, after = _rounded(seen).tolist()
        self._evidence[at] += _evidence(*after) - _evidence(*before)
        self._counts[at][1:] += 1.0, look[EXACT] + look[CENSORED]
        self._looked([at], 1)

    def note_many(
        self,
        groups: Sequence[str],
        things: Sequence[str],
        taus_s: Sequence[float],
        changed: Sequence[bool],
    ) -> None:
        """Take note of many looks at once: as `note` of each, for a tenth of the time."""
        taus, is_change = np.asarray(taus_s, dtype=np.float64), np.asarray(changed, dtype=bool)
        looks = np.zeros((len(taus), 4))
        looks[:, QUIET_S] = np.where(is_change, 0.0, taus)
        looks[:, CENSORED] = is_change
        looks[:, LOG_S] = np.where(is_change, np.log(np.maximum(taus, SHORTEST_S)), 0.0)
        self._note_many(groups, things, looks)

    def note_ages(
        self, groups: Sequence[str], things: Sequence[str], ages_s: Sequence[float]
    ) -> None:
        """Take note of when many things changed last: as `note_exact` of a first look at each."""
        looks = np.zeros((len(ages_s), 4))
        looks[:, QUIET_S], looks[:, EXACT] = np.maximum(ages_s, 0.0), 1.0
        self._note_many(groups, things, looks)

    def _note_many(self, groups: Sequence[str], things: Sequence[str], looks: Floats) -> None:
        if not groups:
            return
        keys = np.array([_key(*one) for one in zip(groups, things, strict=True)], dtype=np.uint64)
        _, first, thing = np.unique(keys, return_index=True, return_inverse=True)
        group = np.array([self._group(name) for name in groups])
        added = np.zeros((len(first), 4))
        np.add.at(added, thing, looks)
        counts = np.zeros((len(self._groups), 3))
        is_change = looks[:, EXACT] + looks[:, CENSORED]
        ones = np.ones(len(looks))
        np.add.at(counts, group, np.stack([np.zeros(len(looks)), ones, is_change], 1))
        order = np.argsort(first, kind="stable")  # things as they come, whatever their hashes are
        places, before = self._places(keys[first].tolist()), np.zeros((len(first), 4))
        for number in order[places[order] < 0].tolist():
            places[number] = self._add(int(keys[first[number]]))
            counts[group[first[number]], 0] += 1.0
        seen = np.frombuffer(self._seen, dtype=np.float32).reshape(-1, 4)
        before += seen[places]
        seen[places] = before + added
        self._replace(group[first], before, seen[places].astype(np.float64))
        for at, row in enumerate(counts):
            self._counts[at] += row
        self._looked(np.unique(group).tolist(), len(looks))

    def _replace(self, group: NDArray[np.intp], before: Floats, after: Floats) -> None:
        """Take the addends of things away from their groups, and add others."""
        rows, row = np.unique(_rounded(np.vstack([after, before])), axis=0, return_inverse=True)
        cells, cell = np.unique(
            row.ravel() * len(self._groups) + np.tile(group, 2), return_inverse=True
        )
        signs = np.repeat([1.0, -1.0], len(group))
        for number, changes in zip(cells.tolist(), np.bincount(cell, signs).tolist(), strict=True):
            which, at = divmod(number, len(self._groups))
            self._evidence[at] += changes * _evidence(*rows[which].tolist())

    def _looked(self, groups: Sequence[int], looks: int) -> None:
        for at in groups:
            self._beliefs.pop(at, None)
        self._looks += looks
        if self._looks > (1.0 + MORE) * self._fitted:
            self._fit(ROUNDS if looks == 1 else MANY_ROUNDS)

    def _group(self, name: str) -> int:
        if name not in self._at:
            self._at[name] = len(self._groups)
            self._groups.append(name)
            self._evidence.append(np.zeros(len(_GAMMAS)))
            self._counts.append(np.zeros(3))
        return self._at[name]

    def _fit(self, rounds: int = ROUNDS) -> None:
        """Learn from all groups what is usual (EM)."""
        self._fitted = self._looks
        self._beliefs.clear()
        evidence, count = _stacked(self._evidence), len(self._evidence)
        for _ in range(rounds):
            beliefs = _normal(evidence + self._prior())
            means = times(beliefs, _LOG_MEANS)
            first = (means.sum() + AS_FIRST * FIRST) / (count + AS_FIRST)
            square = times(beliefs, (_LOG_MEANS - first) ** 2).sum()
            apart = np.sqrt((square + AS_APART * APART**2) / (count + AS_APART))
            shares = beliefs.sum(axis=0).reshape(len(SHAPES), -1).sum(axis=1)
            self._common = np.array([first, apart])
            self._usual = (shares + 1.0) / (count + len(SHAPES))

    # What is believed.

    def _prior(self) -> Floats:
        """Return the logarithm of what is believed of the mean and shape of any group."""
        first, apart = self._common
        height: Floats = -0.5 * ((_LOG_MEANS - first) / apart) ** 2
        return height + np.log(self._usual)[_SHAPE_OF]

    def _belief(self, group: str) -> Floats:
        """Return the chances of means and shapes for a group."""
        at = self._at.get(group)
        return _normal(self._prior() + (0.0 if at is None else self._evidence[at]))

    def _rates_of(self, group: str) -> Floats:
        """Return the chances of rates for a thing of a group of which nothing else is known."""
        at = self._at.get(group, -1)
        if at not in self._beliefs:
            self._beliefs[at] = times(_GAMMAS.T, self._belief(group))
        return self._beliefs[at]

    def rate(self, group: str, thing: str = "") -> tuple[float, float]:
        """Return how often a thing changes, in changes a second, and the deviation of that.

        thing: "" is any of the group; then the deviation is how far its things are apart, and
            what is not known of them all.
        """
        places = self._places([_key(group, thing)])
        (chances,) = _posterior(self._rates_of(group)[None], self._figures(places))
        mean = dot(chances, RATES)
        return mean, float(np.sqrt(max(0.0, dot(chances, RATES**2) - mean**2)))

    def chance(self, group: str, thing: str, tau_s: float) -> float:
        """Return the chance that a thing has changed since it was looked at `tau_s` ago."""
        return float(self.chances([group], [thing], [tau_s])[0])

    def chances(
        self,
        groups: Sequence[str],
        things: Sequence[str],
        taus_s: Sequence[float] | Floats,
        *,
        explore: bool = False,
    ) -> Floats:
        """Return the chances that things have changed, each since it was looked at.

        explore: what all things of a group would have, were it as a draw from what is believed of
            it (Thompson sampling): a group of which little is known is often thought better than
            it is likely to be, so who goes by this finds out. One draw a group and call.
        """
        names = list(dict.fromkeys(groups))
        if explore:
            priors = np.array([self._drawn(name) for name in names])
        else:
            priors = np.array([self._rates_of(name) for name in names])
        row = {name: number for number, name in enumerate(names)}
        rows = np.fromiter((row[name] for name in groups), np.intp, len(groups))
        keys = [_key(group, thing) for group, thing in zip(groups, things, strict=True)]
        places, taus = self._places(keys), np.asarray(taus_s, dtype=np.float64)
        chances = np.empty(len(keys))
        for start in range(0, len(keys), BLOCK):
            some = slice(start, start + BLOCK)
            rates = _posterior(priors[rows[some]], self._figures(places[some]))
            changed = -np.expm1(-np.outer(taus[some], RATES))
            chances[some] = np.einsum("ij,ij->i", rates, changed)
        return np.clip(chances, 0.0, 1.0)

    def _drawn(self, group: str) -> Floats:
        """Return the chances of rates for a mean and shape that are drawn."""
        sums = np.cumsum(self._belief(group))
        cell = int(np.searchsorted(sums, self._random.random() * sums[-1], side="right"))
        drawn: Floats = _GAMMAS[min(cell, len(_GAMMAS) - 1)]
        return drawn

    def summary(self) -> list[dict[str, Any]]:
        """Return the groups for people: a mean is in changes a day of a thing of the group."""
        return [
            {
                "group": group,
                "things": int(things),
                "looks": int(looks),
                "changes": int(changes),
                "mean_a_day": float(f"{self.rate(group)[0] * 86_400:.3g}"),
            }
            for group, (things, looks, changes) in zip(self._groups, self._counts, strict=True)
        ]

    # Where things are kept: hashes in order, and the last ones apart.

    def _add(self, key: int) -> int:
        place = len(self._keys)
        self._keys.append(key)
        self._seen.extend((0.0, 0.0, 0.0, 0.0))
        self._fresh[key] = place
        if len(self._fresh) > max(FRESH, FRESH_PART * len(self._keys)):
            self._sort()
        return place

    def _sort(self) -> None:
        keys = np.array(self._keys, dtype=np.uint64)
        self._order = np.argsort(keys, kind="stable").astype(np.int32)
        self._sorted = keys[self._order]
        self._fresh: dict[int, int] = {}

    def _places(self, keys: Sequence[int]) -> NDArray[np.intp]:
        """Return where things are kept; -1: nowhere."""
        places = np.full(len(keys), -1, dtype=np.intp)
        if len(self._sorted):
            wanted = np.array(keys, dtype=np.uint64)
            near = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
            known = self._sorted[near] == wanted
            places[known] = self._order[near[known]]
        if self._fresh:
            for number in np.flatnonzero(places < 0).tolist():
                places[number] = self._fresh.get(keys[number], -1)
        return places

    def _figures(self, places: NDArray[np.intp]) -> Floats:
        """Return what was seen of things; of those that were not, nothing."""
        figures = np.zeros((len(places), 4))
        known = places >= 0
        if known.any():
            seen = np.frombuffer(self._seen, dtype=np.float32).reshape(-1, 4)
            figures[known] = seen[places[known]]
        return figures

    def restored(self) -> None:
        """Find groups and things again."""
        self._at = {name: number for number, name in enumerate(self._groups)}
        self._beliefs: dict[int, Floats] = {}
        self._sort()


def _key(group: str, thing: str) -> int:
    return mmh3.hash64(f"{group}\0{thing}".encode("utf-8", "replace"), signed=False)[0]


def _likelihood(seen: Floats) -> Floats:
    """Return the logarithm of the likelihood of each rate, for things in rows.

    Changes that are censored at several times are taken as if each were so at their geometric mean:
    exact where times are equal, where they are short, and where they are long.
    """
    heights: Floats = np.outer(-seen[:, QUIET_S], RATES)
    exact, censored = seen[:, EXACT] > 0.0, seen[:, CENSORED] > 0.0
    if exact.any():
        heights[exact] += np.outer(seen[exact, EXACT], np.log(RATES))
    if censored.any():
        count = seen[censored, CENSORED]
        taus = np.exp(seen[censored, LOG_S] / count)
        changed = -np.expm1(np.outer(-taus, RATES))
        heights[censored] += count[:, None] * np.log(np.maximum(changed, _LEAST))
    return heights


def _rounded(seen: Floats) -> NDArray[np.int64]:
    """Return what was seen in whole numbers: times by their logarithms, 0 for none."""
    quiet, censored = np.maximum(seen[:, QUIET_S], SHORTEST_S), np.maximum(seen[:, CENSORED], 1.0)
    steps = np.rint(STEPS * np.log(quiet / SHORTEST_S)) + 1.0
    columns = (
        np.where(seen[:, QUIET_S] > 0.0, steps, 0.0),
        seen[:, EXACT],
        seen[:, CENSORED],
        np.rint(STEPS * seen[:, LOG_S] / censored),
    )
    return np.stack(columns, axis=1).astype(np.int64)


@lru_cache(maxsize=REMEMBERED)
def _evidence(quiet: int, exact: int, censored: int, log: int) -> Floats:
    """Return the logarithm of how well each mean and shape explains what was seen of a thing."""
    quiet_s = SHORTEST_S * np.exp((quiet - 1) / STEPS) if quiet else 0.0
    (heights,) = _likelihood(np.array([[quiet_s, exact, censored, censored * log / STEPS]]))
    top = heights.max()
    evidence: Floats = np.log(times(_GAMMAS, np.exp(heights - top))) + top
    return evidence


def _posterior(priors: Floats, seen: Floats) -> Floats:
    """Return the chances of rates for things in rows, by what was seen of each."""
    some = seen.any(axis=1)
    if not some.any():
        return priors
    chances = priors.copy()
    heights = _likelihood(seen[some])
    heights -= heights.max(axis=1, keepdims=True)
    weights = priors[some] * np.exp(heights)
    chances[some] = weights / weights.sum(axis=1, keepdims=True)
    return chances


def _normal(heights: Floats) -> Floats:
    """Return chances by their logarithms, which are known but for a constant."""
    weights = np.exp(heights - heights.max(axis=-1, keepdims=True))
    chances: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return chances
