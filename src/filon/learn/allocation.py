"""Who gets the next request, of many sites that share a budget: pure numbers.

Each site is an arm, and so is the search for more of them. A site brings nothing at first (menus),
then files in bursts (lists), then less and less; sites differ by a hundred times. So an arm is
worth what it brought of late, its first barren requests left out, with the benefit of the doubt: as
if a few before them had brought half as much again as the best arm does. That wears off as the arm
is asked, which gives each a fair try and no more, and it is less where little budget is left for
each: then what is known to pay is used up. All is relative to the best arm, so it does not matter
whether files are worth 1 or 0.01. An arm that fades waits, and wakes when the others have faded;
one that brought something at every other request and then nothing for long has faded at once.

Finds may count for less than one each. Then the best arm may only be the one that brings most of
what hardly counts, and that says nothing of what the finds of the others are worth. So the doubt is
also in finds, as many as the best arm brings of any kind, times what those of the arm are taken to
count: what its own did and, as far as it had few, what those of other arms do.

Arms are often busy, since hosts are asked politely, one request after the other. Who always took
the best of those that are free would give all arms the same. A free arm is only asked if it is next
to as good, or the rest of the budget will reach so far down: the better arms are taken to bring as
they do for twice as many requests as they had, and a few. What remains goes to many arms at once.

A request for new sites brings, at the rate of late, sites like those that were tried: each is worth
what such a site brings beyond the last arm that the budget reaches. A site that waits comes first,
if it promises as much as one that is still to be found, with the requests until it is.

How the constants were chosen stands where the documentation tells how a budget flows.
"""

from collections.abc import Collection
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from filon.core.state import Stateful, version

Kind = Literal["site", "discovery"]
Floats = NDArray[np.float64]
#: What remains of what an arm brought and cost after each of its requests: 100 are remembered.
FADE = 0.99
#: Requests for which an arm has the benefit of the doubt, and with how many times the best rate at
#: most; requests left for each arm at which that is granted in full.
DOUBT, BEST, ENOUGH = 10.0, 1.5, 40.0
#: Requests before an arm's first find that are not held against it, at most: it has menus first.
MENUS = 16.0
#: An arm that is free is asked where none that is busy is better by more than this.
NEAR = 1.05
#: Requests that speak for the mean of all arms, when an arm's own rate is told.
SHY = 10.0
#: An arm is not begun if the whole budget has fewer requests for each that was.
SPAN = 40.0
#: For how many times its requests so far an arm is taken to last beyond the requests that an arm
#: usually has: those of arms that have ended, and a guess as if a few had been so long.
LASTS, USUAL, FEW = 2.0, 100.0, 3.0
#: Before anything was seen: a new site in so many requests, which counts as much as so many that
#: were sent; and what remains of that experience after each request.
A_SITE_IN, AS_IF, SITES_FADE = 10.0, 3.0, 0.98
#: An arm that had nothing for longer than so many of its usual gaps between finds is judged by that
#: stretch: it is taken to have them as far apart as this part of it.
GAPS = 10.0
#: A new site is not expected sooner than in half of the requests since the last one.
SOONER = 2.0
#: What a find counts at an arm is told by its own as soon as it had more than a few; else by other
#: arms, as soon as more than a few had any; else it counts in full.
OWN, OTHERS = 5.0, 2.0
#: No rate at all is taken for this, so that nothing is divided by or multiplied with zero.
NEXT_TO_NOTHING = 1e-6

# Rows of the table of arms, a column each.
(GAIN, COST, ASKED, FOUND, SITES, NEW, TRIED, FLYING, PROMISE, ALIVE, SEARCHES, IDLE) = range(12)
# Finds as if each counted in full, of late and ever; answers of late that had any, and requests
# since the last that had.
(LATE, EVER, TIMES, BARREN) = range(12, 16)
FIGURES = 16


class Allocation(Stateful):
    """Chooses among arms by what each is expected to bring for the next request.

    patient: rather wait for a good arm that is busy than ask a poor one.

    Of 20 sites two bring a file for every other request, the rest one for twenty; 1,000 requests:

    >>> from random import Random
    >>> chance, shares, allocation = Random(1), {}, Allocation()
    >>> for number in range(20):
    ...     allocation.add(f"site {number}")
    >>> for left in range(1000, 0, -1):
    ...     arm = allocation.choose(allocation.alive(), left=left)
    ...     rate = 0.5 if arm in ("site 7", "site 13") else 0.05
    ...     allocation.sent(arm)
    ...     allocation.learn(arm, 1, float(chance.random() < rate))
    ...     shares[arm] = shares.get(arm, 0) + 1
    >>> print(f"of the requests, to the two: {(shares['site 7'] + shares['site 13']) / 1000:.0%}")
    of the requests, to the two: 70%
    """

    STATE = (version(3), "_names", "_table")

    def __init__(self, *, patient: bool = True) -> None:
        self._patient = patient
        self._names: list[str] = []
        self._at: dict[str, int] = {}
        self._table: Floats = np.zeros((FIGURES, 16))

    # The arms.

    def add(self, arm: str, *, promise: float = 1.0, kind: Kind = "site") -> None:
        """Add an arm, or say anew what it promises.

        promise: the share of its finds that count, as far as is known; 0 to 1. It holds for what
            the arm has brought already, too.
        """
        if arm not in self._at:
            self._at[arm] = len(self._names)
            self._names.append(arm)
            if len(self._names) > self._table.shape[1]:
                self._table = np.hstack([self._table, np.zeros_like(self._table)])
            self._table[ALIVE, self._at[arm]] = 1.0
            self._table[SEARCHES, self._at[arm]] = kind == "discovery"
        self._table[PROMISE, self._at[arm]] = promise

    def sent(self, arm: str) -> None:
        """Take note that a request of an arm has left."""
        self._table[FLYING, self._at[arm]] += 1

    def learn(
        self,
        arm: str,
        requests: int,
        finds: float,
        sites: float = 0.0,
        *,
        number: float | None = None,
    ) -> None:
        """Take note of an answer: the requests it cost, what it brought, and new sites in it.

        finds, sites: each as much as it counts. What cost nothing does not age the rest.
        number: how many the finds are, where some count for less than 1; None: each counts in full.
        """
        row, number = self._arm(arm), finds if number is None else number
        row[FLYING] = max(0.0, row[FLYING] - (requests if sites else max(1, requests)))
        row[[GAIN, COST, IDLE, LATE, TIMES]] *= FADE**requests
        row[[NEW, TRIED]] *= SITES_FADE**requests
        row[[GAIN, FOUND]] += finds
        row[[LATE, EVER]] += number
        row[TIMES] += number > 0
        row[[COST, ASKED, TRIED]] += requests
        row[[SITES, NEW]] += sites
        row[BARREN] = 0.0 if number or sites else row[BARREN] + requests
        if not row[FOUND]:
            row[IDLE] = min(row[COST], MENUS)

    def weigh(self, arm: str, counts: float) -> None:
        """Say anew what a find of an arm counts, for all that it has brought."""
        row = self._arm(arm)
        row[[GAIN, FOUND]] = counts * row[[LATE, EVER]]

    def end(self, arm: str) -> None:
        """Leave an arm out: there is nothing more to be had."""
        self._arm(arm)[[ALIVE, FLYING]] = 0.0

    def wake(self, arm: str) -> None:
        """Take an arm in again that had ended."""
        self._arm(arm)[ALIVE] = 1.0

    def forget_ended(self, most: int) -> None:
        """Forget the arms that ended first, so that so many of those that ended remain.

        >>> allocation = Allocation()
        >>> for arm in "abcd":
        ...     allocation.add(arm)
        ...     allocation.end(arm) if arm != "b" else None
        >>> allocation.forget_ended(1)
        >>> allocation.why("d")["ended"], allocation.alive(), allocation._names
        (True, ['b'], ['b', 'd'])
        """
        ended = np.flatnonzero(self._arms()[ALIVE] == 0.0)
        if len(ended) < 2 * most:  # not each time
            return
        kept = np.ones(len(self._names), dtype=bool)
        kept[ended[: len(ended) - most]] = False
        self._table = np.hstack([self._arms()[:, kept], np.zeros((FIGURES, 16))])
        self._names = [name for name, keep in zip(self._names, kept, strict=True) if keep]
        self.restored()

    def alive(self) -> list[str]:
        """Return the arms that have not ended."""
        return [name for name, alive in zip(self._names, self._arms()[ALIVE], strict=True) if alive]

    # Choosing.

    def choose(
        self, ready: Collection[str], *, left: float | None = None, soon: Collection[str] = ()
    ) -> str | None:
        """Return who is to send the next request, of those that could; None: better wait.

        ready: those that may be asked now. left: requests that the budget still has. soon: those
            that are busy for a moment; who is patient may wait for one of them, and for no other.
        """
        places = self._places(ready)
        if not len(places):
            return None
        worth = self._worth(left)
        best = int(places[worth[places].argmax()])
        if worth[best] < 0.0:
            return None
        if left is not None and self._waits(worth[best], worth, left, soon):
            return None
        return self._names[best]

    def _waits(self, best: float, worth: Floats, left: float, soon: Collection[str]) -> bool:
        """Tell whether an arm that is busy is better, and the budget will not reach this one."""
        busy = worth[self._places(soon)] if self._patient and soon else worth[:0]
        return bool((busy > NEAR * best).any()) and best < _reach(worth, self._lasts(), left)

    def _places(self, names: Collection[str]) -> NDArray[np.intp]:
        """Return where arms are in the table, in the order in which they were added."""
        places = [self._at[name] for name in names if name in self._at]
        return np.sort(np.array(places, dtype=np.intp))

    def expected(self, arm: str) -> float:
        """Return the new finds that the next request of an arm is expected to bring."""
        return float(self._rates()[self._at[arm]])

    def why(self, arm: str, *, left: float | None = None) -> dict[str, Any]:
        """Return what is known of an arm, as plain data.

        hoped: what made it chosen or not, in finds for a request: what it is expected to bring,
        with the benefit of the doubt. better: how many arms come before it.
        """
        row, worth = self._arm(arm), self._worth(left)
        hoped = float(worth[self._at[arm]])
        return {
            "kind": "discovery" if row[SEARCHES] else "site",
            "promise": round(float(row[PROMISE]), 4),
            "requests": int(row[ASKED]),
            "finds": round(float(row[FOUND]), 4),
            "sites": int(row[SITES]),
            "expected": round(self.expected(arm), 4),
            "hoped": round(max(0.0, hoped), 4),
            "better": int((worth > hoped).sum()),
            "ended": not row[ALIVE],
        }

    # What arms are worth.

    def _arms(self) -> Floats:
        return self._table[:, : len(self._names)]

    def _arm(self, arm: str) -> Floats:
        column: Floats = self._table[:, self._at[arm]]
        return column

    def _rates(self) -> Floats:
        """Return what arms bring for a request; where little was asked, what all of them do."""
        arms = self._arms()
        return self._shy(arms[GAIN], self._aged(arms[COST]))

    def _shy(self, found: Floats, asked: Floats) -> Floats:
        """Return rates that are drawn to the mean of all arms, where little was asked."""
        sites = self._arms()[SEARCHES] == 0.0
        mean = (found[sites].sum() + NEXT_TO_NOTHING) / (asked[sites].sum() + 1.0)
        rates: Floats = self._arms()[PROMISE] * (found + SHY * mean) / (asked + SHY)
        return rates

    def _worth(self, left: float | None) -> Floats:
        """Return the index of each arm, by which it is chosen; -1: it has ended."""
        arms = self._arms()
        alive, searches = arms[ALIVE] > 0.0, arms[SEARCHES] > 0.0
        cost = self._aged(np.maximum(arms[COST] - arms[IDLE], 0.0))
        granted = 1.0 if left is None else min(1.0, left / (ENOUGH * max(1, alive.sum())))
        doubt = DOUBT * self._hoped(cost) * (1.0 + (BEST - 1.0) * granted)
        asked = cost + arms[FLYING]
        worth: Floats = arms[PROMISE] * (arms[GAIN] + doubt) / (asked + DOUBT)
        begun = arms[ASKED] + arms[FLYING] > 0.0
        is_room = left is None or SPAN * (alive & begun).sum() < arms[ASKED].sum() + left
        if not is_room:
            worth[~begun] *= NEXT_TO_NOTHING
        worth[~alive] = -1.0
        for place in np.flatnonzero(alive & searches):
            hope = self._worth_of_search(arms[:, place], left)
            first = worth[self._before(arms[:, place]) & ~begun] if is_room else worth[:0]
            worth[place] = min(hope, float(first.min(initial=np.inf)) * (1.0 - NEXT_TO_NOTHING))
        return worth

    def _aged(self, cost: Floats) -> Floats:
        """Return by how many requests what came of late is divided: more after a long gap."""
        arms = self._arms()
        aged: Floats = np.maximum(cost, arms[TIMES] * arms[BARREN] / GAPS)
        return aged

    def _hoped(self, cost: Floats) -> Floats:
        """Return what the best arm brings for a request, for each by what its finds count."""
        best, most = self._best(GAIN, FOUND, cost), self._best(LATE, EVER, cost)
        return np.maximum(best, most * self._counts())

    def _best(self, late: int, ever: int, cost: Floats) -> float:
        """Return what the best arm brings of late, or one usually did where that is more."""
        arms = self._arms()
        rates = arms[PROMISE] * arms[late] / (cost + SHY)
        tried = (arms[SEARCHES] == 0.0) & (arms[ASKED] > 0.0)
        usual = arms[PROMISE] * arms[ever] / (arms[ASKED] + SHY)
        mean = float(usual.mean(where=tried)) if tried.any() else 0.0
        return max(float(rates[arms[ALIVE] > 0.0].max(initial=NEXT_TO_NOTHING)), mean)

    def _counts(self) -> Floats:
        """Return what a find of each arm is taken to count."""
        arms = self._arms()
        seen = arms[EVER] > 0.0
        others = (arms[FOUND, seen] / arms[EVER, seen]).sum()
        usual = (others + OTHERS) / (seen.sum() + OTHERS)
        counts: Floats = (arms[FOUND] + OWN * usual) / (arms[EVER] + OWN)
        return counts

    def _before(self, search: Floats) -> NDArray[np.bool_]:
        """Tell which sites promise as much as those that are still to be found.

        Those are taken to be like all that were tried, and cost the requests until they are found.
        """
        arms = self._arms()
        sites = arms[SEARCHES] == 0.0
        tried = sites & (arms[ASKED] > 0.0)
        size = float(arms[ASKED].mean(where=tried)) if tried.any() else 0.0
        usual = float(arms[PROMISE].mean(where=tried)) if tried.any() else 0.0
        enough = usual * size / (size + 1.0 / _new(search))
        before: NDArray[np.bool_] = sites & (arms[ALIVE] > 0.0) & (arms[PROMISE] >= enough)
        return before

    def _lasts(self) -> Floats:
        """Return for how many more requests each arm is taken to bring as it does."""
        arms = self._arms()
        ended = arms[ASKED, (arms[ALIVE] == 0.0) & (arms[SEARCHES] == 0.0)]
        usual = (ended.sum() + FEW * USUAL) / (len(ended) + FEW)
        lasts: Floats = np.where(arms[ALIVE] > 0.0, LASTS * arms[ASKED] + usual, 0.0)
        return lasts

    def _worth_of_search(self, search: Floats, left: float | None) -> float:
        """Return what a request for new sites brings beyond what the budget would bring anyway."""
        arms = self._arms()
        alive = (arms[SEARCHES] == 0.0) & (arms[ALIVE] > 0.0)
        tried = (arms[SEARCHES] == 0.0) & (arms[ASKED] > 0.0)
        if not tried.any():
            return NEXT_TO_NOTHING if alive.any() else 1.0
        rates, lasts = np.where(arms[SEARCHES] > 0.0, 0.0, self._rates()), self._lasts()
        reach = 0.0 if left is None else _reach(rates, lasts, left)
        size = arms[ASKED] + (lasts if left is None else np.minimum(lasts, left))
        more = np.maximum(self._shy(arms[FOUND], arms[ASKED]) - reach, 0.0) * size
        waiting = (arms[PROMISE] * DOUBT / (DOUBT + arms[COST]))[alive].sum()
        return float(_new(search) * more[tried].mean() / (1.0 + waiting))

    def restored(self) -> None:
        """Find arms by their names again."""
        self._at = {name: place for place, name in enumerate(self._names)}


def _new(search: Floats) -> float:
    """Return the sites that a request for more of them brings."""
    rate = (search[NEW] + AS_IF / A_SITE_IN) / (search[TRIED] + search[FLYING] + AS_IF)
    return float(min(rate, SOONER / max(1.0, search[BARREN])) if search[SITES] else rate)


def _reach(worth: Floats, lasts: Floats, left: float) -> float:
    """Return the index of the last arm that the rest of the budget reaches; 0: it has all."""
    order = np.argsort(-worth, kind="stable")
    last = int(np.searchsorted(np.cumsum(lasts[order]), left))
    return float(worth[order[last]]) if last < len(order) else 0.0
