"""What the files of each site count, weighed anew when discovery has learnt what tells the topic.

The first sites are asked before discovery has read enough to know any words besides the user's own.
Files without these count next to nothing then, and a good site would wait for good. So what the
latest files of a site say is kept, and their mean is told when other words tell the topic.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from filon.core import Find
from filon.verbs.acquire.worth import Signs, beginnings, signs

#: Files of a site that are weighed anew: what brought them is all that tells what comes next.
LATEST = 100


class Weighed:
    """What files count for a topic, by site.

    telling: words that tell the topic, by their beginnings, as an earlier session knew them.

    >>> files = Weighed("hunger")
    >>> files.take("a.org", Find(kind="file", url="http://a.org/food.csv", name="food.csv"))
    0.05
    >>> files.learn({"food": 1.0}), list(files.means())
    (True, [('a.org', 1.0)])
    """

    def __init__(self, topic: str, telling: Mapping[str, float] | None = None) -> None:
        self._topic = topic
        self.telling = dict(telling or {})
        self._latest: dict[str, deque[Signs]] = {}

    def take(self, site: str, find: Find | Mapping[str, Any]) -> float:
        """Return what a file of a site counts, and keep what it says."""
        told = signs(find, self._topic)
        if self._topic:
            self._latest.setdefault(site, deque(maxlen=LATEST)).append(told)
        return told.worth(self.telling)

    def learn(self, telling: Mapping[str, float]) -> bool:
        """Take in the words that tell the topic now; say whether they are others than before.

        telling: how much each word says of the topic, up to 1; none say that too little was read.
        """
        known = beginnings(telling)
        if not known or known == self.telling:
            return False
        self.telling = known
        return True

    def means(self) -> Iterator[tuple[str, float]]:
        """Yield each site with what its latest files count, in the mean."""
        for site, latest in self._latest.items():
            yield site, fmean(one.worth(self.telling) for one in latest)
