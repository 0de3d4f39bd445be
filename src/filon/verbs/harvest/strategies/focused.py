"""FOCUSED: the classic focused crawler (section 4.3): likely targets first.

It predicts "this link is a target", not "this link leads to targets".
"""

import math

import numpy as np

from filon.core import Reason, Response
from filon.core.forms import TUPLE, each
from filon.core.state import stored
from filon.learn import CLASSIFIERS, bigrams
from filon.learn.bigrams import SIZE
from filon.learn.linear import Features
from filon.page.links import Link
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.ranked import Place, Ranked
from filon.verbs.harvest.strategies.site import Answer

#: Labels that a training takes, after the first.
BATCH = 10
#: Below this margin the chance is 0 to the last digit.
SURELY_NOT = -700.0
#: The feature number of a link's depth; its count is the depth.
DEPTH = 2 * SIZE


class Focused(Ranked):
    """`focused`: logistic regression on URL, anchor text and depth.

    A link with the features x is a target with the chance 1 / (1 + exp(-w·x)); w is learnt from the
    labels of 100 links taken breadth first, then from each ten more.

    Requests for 100 data files of the bundled small portal:

    >>> from filon.demo.sites import to_files
    >>> to_files(Focused, 100)
    237

    Reference: A. Gauquier, I. Manolescu and P. Senellart, "Efficient Crawling for Scalable Web Data
    Acquisition", EDBT 2026 (arXiv:2602.11874), section 4.3, "FOCUSED";
    S. Chakrabarti, M. van den Berg and B. Dom, "Focused Crawling", Computer Networks 31, 1999.
    """

    STATE = ("model", stored("_labels", each(TUPLE)))

    warm_up = 100

    def __init__(self, brief: Brief) -> None:
        super().__init__(brief)
        self.model = CLASSIFIERS["lr"](2 * SIZE + 1)
        self._labels: list[tuple[Features, bool]] = []

    def place(self, link: Link, parent: Place) -> Place:
        """Keep the anchor text and the depth."""
        return Place(link.url, parent.url, parent.depth + 1, link.text)

    def learn(self, place: Place, response: Response, answer: Answer) -> None:
        """Train at the end of the warm-up on all labels, then on each ten; errors are no labels."""
        if answer.kind in ("html", "target", "other"):
            self._labels.append((self._features(place), answer.kind == "target"))
        due = self.requests > self.warm_up and len(self._labels) >= BATCH
        if self._labels and (due or self.requests == self.warm_up):
            self.model.learn(self._labels)
            self._labels = []

    def score(self, place: Place) -> float:
        """Return the chance that a link is a target.

        It is 0 or 1 for most links, since the model's steps are large; among these the older
        link comes first, which makes the crawl nearly breadth-first where no file is in sight.
        """
        margin = self.model.score(self._features(place))
        return 1 / (1 + math.exp(-margin)) if margin > SURELY_NOT else 0.0

    def reason(self, place: Place, score: float) -> Reason:
        """Tell the chance."""
        text = f"of all known links it looked most like a data file ({score:.0%})"
        return Reason(kind="link", score=score, expected=score, text=text)

    def _features(self, place: Place) -> Features:
        depth = np.full(place.depth, DEPTH, dtype=np.int32)
        return np.concatenate([bigrams(place.url), bigrams(place.text, 1), depth])
