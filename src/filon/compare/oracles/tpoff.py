"""TP-OFF: tag paths learnt offline, from the first 3,000 pages (section 4.3).

An oracle tells it how many targets each of those pages links to; after that nothing is learnt.
"""

from filon.compare.oracles.truth import Truth
from filon.core import Reason, Response, Summary
from filon.core.forms import TUPLE, flat
from filon.core.state import stored
from filon.learn import PathClusters
from filon.page.links import Link
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.ranked import Place, Ranked
from filon.verbs.harvest.strategies.site import Answer


class TagPathOffline(Ranked):
    """`tp-off`: groups of links by the mean number of targets behind them in training."""

    STATE = ("groups", stored("_benefit", flat(TUPLE)))

    warm_up = 3000

    def __init__(self, brief: Brief, truth: Truth) -> None:
        super().__init__(brief)
        self._truth = truth
        self.groups = PathClusters()
        self._benefit: dict[int, tuple[int, int]] = {}  # of each group: targets, pages

    def place(self, link: Link, parent: Place) -> Place:
        """Keep the group of the tag path."""
        group = self.groups.assign(link.path)
        return Place(link.url, parent.url, parent.depth + 1, group=group)

    def learn(self, place: Place, response: Response, answer: Answer) -> None:
        """Ask the oracle how many targets a page links to, in training."""
        if answer.kind == "html" and self.requests <= self.warm_up and place.group >= 0:
            urls = {link.url for link in self.site.brief.read(response)}
            benefit = sum(self._truth.kind(url) == "target" for url in urls)
            targets, pages = self._benefit.get(place.group, (0, 0))
            self._benefit[place.group] = targets + benefit, pages + 1

    def score(self, place: Place) -> float:
        """Return the mean benefit of a link's group; nothing is known of later groups."""
        targets, pages = self._benefit.get(place.group, (0, 1))
        return targets / pages

    def reason(self, place: Place, score: float) -> Reason:
        """Tell the mean."""
        text = f"links of its group led to {score:.2f} files each in training"
        arm = str(place.group)
        return Reason(kind="link", arm=arm, score=score, expected=score, text=text)

    def summary(self) -> Summary:
        """Say which groups were worth most in training."""
        rated = sorted((-t / n, group, n) for group, (t, n) in self._benefit.items())
        arms = [
            {"name": str(group), "pulls": pages, "mean": -negative, "left": 0}
            for negative, group, pages in rated
        ]
        return {**super().summary(), "arms": arms}
