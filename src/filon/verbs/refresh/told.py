"""What lists and servers say has changed, and how far that is believed.

A list of dates (a sitemap, a feed, a portal) names most of what has changed, and something else
besides. How much else follows from how much it names: who calls all changed says nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.page.dates import Span
from filon.page.values import moment_s
from filon.run.history import Dated, Thing

Floats = NDArray[np.float64]
#: The share of what has changed that a list says has: many keep the date of the first day.
NAMES = 0.7
#: Of what a list names that names few, so much has changed at least.
RIGHT = 0.5
#: No share is taken for less.
LEAST = 0.01
#: A day that more of all dates have is that on which a site was put up, and what has changed within
#: an hour was made as it was asked for: neither tells when a file changed, or that it did not.
SHARED, FEW, MADE_S = 0.05, 3, 3_600.0
DAY_S = 86_400.0


def believed(chances: Floats, named: NDArray[np.bool_]) -> Floats:
    """Return the chances of change of things, by what a list says of each.

    chances: as they were thought before. named: those that the list says have changed.

    If a list names a share q of all, and p of them have changed, then q = 0.7 p + f (1 - p), where
    f is the share that it names of those that have not; so by Bayes the odds of one that it names
    are 0.7 / f times as high, and of another 0.3 / (1 - f) times. p is what was thought, or half of
    q, if that is more; but the more it names, the less that counts. (A list that names more than
    0.7 of all names as much of what has changed.)

    >>> believed(np.full(100, 0.1), np.arange(100) < 10).round(2)[[0, 99]]
    array([0.7 , 0.03])
    >>> believed(np.full(100, 0.1), np.arange(100) < 100).round(2)[[0, 99]]
    array([0.1, 0.1])
    """
    if not len(chances):
        return chances
    share, thought = float(named.mean()), min(1.0 - LEAST, max(1e-9, float(chances.mean())))
    really = max(thought, RIGHT * share * (1.0 - share))
    names = max(NAMES, share)
    false = min(1.0, max(LEAST, (share - names * really) / (1.0 - really)))
    ratios = np.where(named, names / false, (1.0 - names) / max(LEAST, 1.0 - false))
    return _weighed(chances, ratios * (_odds(really) / _odds(thought)))


def _weighed(chances: Floats, by: Floats) -> Floats:
    """Return chances whose odds are multiplied."""
    odds = _odds(np.minimum(chances, 1.0 - 1e-9)) * by
    better: Floats = odds / (1.0 + odds)
    return better


def _odds(chance: Any) -> Any:
    return chance / (1.0 - chance)


def by_dates(things: Sequence[Thing], dates: Mapping[str, Span]) -> dict[int, bool]:
    """Return of which things dates say that they changed after they were seen, or did not.

    A date that may mean both, as that of the same day, says nothing.
    """
    said: dict[int, bool] = {}
    for number, thing in enumerate(things):
        if span := dates.get(thing.url):
            seen = datetime.fromtimestamp(thing.at_s, UTC)
            if span.first > seen or span.last < seen:
                said[number] = span.first > seen
    return said


def ages_of(dates: Sequence[Dated]) -> dict[str, float]:
    """Return how many seconds ago files had changed last, as far as dates of a server tell that.

    >>> day = "Mon, 02 Nov 2026 {:02}:00:00 GMT"
    >>> moved = [Dated(url=str(n), modified=day.format(n), at_s=1_794_000_000) for n in range(9)]
    >>> old = Dated(url="a", modified="Tue, 03 Mar 2020 07:00:00 GMT", at_s=1_794_000_000)
    >>> [*ages_of([*moved, old])]
    ['a']
    """
    moments = [(one, moment) for one in dates if (moment := moment_s(one.modified)) is not None]
    days = Counter(moment // DAY_S for _, moment in moments)
    most = max(FEW, SHARED * len(moments))
    return {
        one.url: one.at_s - moment
        for one, moment in moments
        if one.at_s - moment > MADE_S and days[moment // DAY_S] <= most
    }
