"""What was discovered, ranked by likeness to the examples (section 4.1 of DISCO)."""

from collections.abc import Sequence

import numpy as np

from filon.core import UserError
from filon.core.forms import each
from filon.core.state import Stateful, stored
from filon.learn.rank import ENSEMBLES, RANKERS, Ensemble, Ranker
from filon.learn.rank.ensemble import MEMBERS
from filon.learn.rank.rankers import Scores, Text
from filon.learn.rank.vectors import grams
from filon.verbs.discover.strategies.page import PAGE, Page

#: Rankers that must be shown what is not of the kind. An ensemble does without them where nobody
#: shows it; who asks for one of them gets it.
_NEED_OTHERS = frozenset({"binomial", "pu"})
#: Others beyond this many for each example are not looked at: the authors' code takes two.
OTHERS_EACH = 2


def ranker_named(name: str, has_others: bool) -> Ranker:
    """Return a ranker, or an ensemble of all that can work with what is given."""
    if name in ENSEMBLES:
        able = [one for one in MEMBERS if has_others or one not in _NEED_OTHERS]
        return Ensemble(name, able)
    if name not in RANKERS:
        raise UserError(
            f"There is no ranker {name!r}: known are {', '.join([*ENSEMBLES, *RANKERS])}."
        )
    return _borrowing(RANKERS[name]) if name in _NEED_OTHERS and not has_others else RANKERS[name]


def _borrowing(ranker: Ranker) -> Ranker:
    """Return a ranker that takes the candidates least like the examples for something else."""

    def rank(
        examples: Sequence[Text], others: Sequence[Text], candidates: Sequence[Text]
    ) -> Scores:
        likeness = RANKERS["cosine"](examples, others, candidates)
        count = min(OTHERS_EACH * len(examples), len(candidates) // 2)
        last = np.argsort(np.round(likeness, 9), kind="stable")[:count]
        borrowed = [candidates[int(number)] for number in sorted(last)]
        return ranker(examples, borrowed, candidates) if borrowed else likeness

    return rank


class Pool(Stateful):
    """Pages and their order, best first. The examples never change."""

    STATE = (
        stored("examples", each(PAGE)),
        stored("pages", each(PAGE)),
        "order",
        "scores",
    )

    def __init__(self, ranker: str, others: Sequence[str]) -> None:
        self._rank = ranker_named(ranker, bool(others))
        self._others_told = others
        self.examples: list[Page] = []
        self.pages: list[Page] = []
        self.order: list[int] = []
        self.scores: list[float] = []
        self._texts: list[list[str]] = []
        self._shared: frozenset[str] = frozenset()
        self._known: list[list[str]] = []
        self._others: list[list[str]] = []

    def begin(self) -> None:
        """Read the examples, which are complete now."""
        self._known = [grams(page.words) for page in self.examples]
        most = OTHERS_EACH * max(1, len(self.examples))
        self._others = [grams(text) for text in self._others_told[:most]]
        held = (gram for text in (*self._known, *self._others) for gram in text)
        self._shared = frozenset(gram for gram in held if " " in gram)

    def add(self, page: Page) -> int:
        """Take a page in, unranked; return its number."""
        self.pages.append(page)
        self._texts.append(self._grams(page))
        return len(self.pages) - 1

    def _grams(self, page: Page) -> list[str]:
        """Return words and pairs; pairs that only candidates have tell no ranker anything."""
        return grams(page.words, self._shared)

    def rank(self) -> None:
        """Order all pages anew: the scores of old ones depend on the new."""
        if self.pages:
            self.order, self.scores = self._ranking()

    def _ranking(self) -> tuple[list[int], list[float]]:
        if not self.examples:
            return list(range(len(self.pages))), [0.0] * len(self.pages)
        scores = self._rank(self._known, self._others, self._texts)
        # Equal to nine digits is equal: sums differ in the last one between machines.
        order = np.argsort(-np.round(scores, 9), kind="stable")
        return [int(one) for one in order], [float(one) for one in scores]

    def standing(self, *, fresh: bool) -> tuple[list[int], list[float]]:
        """Return the order and the scores of all pages, also of those that wait to be ranked.

        fresh: they are ranked for it, which takes a while; else they come last.
        """
        late = range(len(self.scores), len(self.pages))
        if late and fresh:
            return self._ranking()
        least = min(self.scores, default=0.0)
        return [*self.order, *late], [*self.scores, *[least] * len(late)]

    def places(self) -> dict[int, int]:
        """Return the place of each ranked page, 0 for the best."""
        return {number: place for place, number in enumerate(self.order)}

    def best(self) -> list[Page]:
        """Return the examples, then what was ranked: the examples are the likest of all."""
        return [*self.examples, *(self.pages[number] for number in self.order)]

    def restored(self) -> None:
        """Read the texts again."""
        self.begin()
        self._texts = [self._grams(page) for page in self.pages]
