"""The page classifier that DISCO's baselines need, and the sites that it finds (section 5.3).

A linear SVM that tells the examples from texts of something else. Where none of these are given,
a page is at first of the kind if it is at least half as like the examples as they are among
themselves; the first pages that are not become the texts of something else, and are never changed.
"""

from collections.abc import Sequence
from typing import Any

from filon.core import Find
from filon.core.forms import keyed, record
from filon.core.state import Stateful, stored
from filon.learn.rank.augmented import LinearModel
from filon.learn.rank.rankers import cosine
from filon.learn.rank.vectors import grams
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.ground import Ground
from filon.verbs.discover.strategies.page import Page

#: Texts of each kind that are learnt from: a fit takes the square of their number.
MOST_TEXTS = 400
#: Pages that must have been turned down before they are learnt from: so many for each example.
TURNED_DOWN = 2
#: How like the examples a page must be, as a share of how like they are among themselves.
LIKE = 0.5
#: Sites that the summary names.
MOST_TOLD = 1_000


class Judge(Stateful):
    """Says whether a page is of the kind, and keeps the best page of each site that is."""

    STATE = (
        "_examples",
        "_others",
        stored("_found", keyed(record(Found), lambda found: found.site)),
        "_counts",
        "ready",
    )

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._examples: list[str] = []
        self._others = [str(text) for text in ground.brief.others[:MOST_TEXTS]]
        self._model = LinearModel.nothing()
        self._known: list[list[str]] = []
        self._least = 0.0
        self._found: dict[str, Found] = {}
        self._counts = [0, 0]  # pages turned down, pages taken
        self.ready = False

    @property
    def examples(self) -> Sequence[str]:
        """The texts of the examples that could be read."""
        return self._examples

    def learn(self, page: Page) -> None:
        """Take an example: its site is known, and no find."""
        self._ground.settle(page.site)
        if len(self._examples) < MOST_TEXTS:
            self._examples.append(page.words)

    def begin(self) -> None:
        """Learn from the examples, which are complete now."""
        self.ready = True
        self._known = [grams(text) for text in self._examples]
        if self._known:
            alike = cosine(self._known, (), self._known)
            self._least = LIKE * float(alike.mean())
            self._fit()

    def _fit(self) -> None:
        """Fit the SVM, if there is what it needs."""
        least = 1 if self._ground.brief.others else TURNED_DOWN * len(self._known)
        if len(self._others) >= least:
            texts = [*self._known, *map(grams, self._others)]
            labels = [True] * len(self._known) + [False] * len(self._others)
            self._model = LinearModel.fit(texts, labels)

    def take(self, page: Page) -> tuple[float, list[Find]]:
        """Return how much a page is of the kind (above 0: it is), and the find that it is."""
        score = self._score(page)
        good = score > 0
        self._counts[good] += 1
        if not good:
            return score, []
        finds = self._ground.discovers(page)
        best = self._found.get(page.site)
        if finds or (best and best.score < score):
            self._found[page.site] = found_site(page, score)
        return score, finds

    def _score(self, page: Page) -> float:
        if not self._known:
            return -1.0
        text = grams(page.words)
        if len(self._model.weights):
            return self._model.scores([text])[0]
        score = float(cosine(self._known, (), [text])[0]) - self._least
        if score <= 0 and len(self._others) < MOST_TEXTS:
            self._others.append(page.words)
            self._fit()
        return score

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first, each by its best page; 0: all."""
        found = sorted(self._found.values(), key=lambda one: (-one.score, one.site))
        return found[:most] if most else found

    def summary(self) -> dict[str, Any]:
        """Say how many pages were judged how, and tell the sites that were found."""
        down, taken = self._counts
        told = [one.told() for one in self.ranked(MOST_TOLD)]
        return {"judged": {"of the kind": taken, "others": down}, "found": told}

    def restored(self) -> None:
        """Learn again: the same texts give the same model."""
        ready, self.ready = self.ready, False
        self._model, self._known = LinearModel.nothing(), []
        if ready:
            self.begin()
