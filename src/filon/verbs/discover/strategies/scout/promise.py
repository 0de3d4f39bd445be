"""Whether a page that was read leads to data: by its words and its links, before more is read."""

import math
from typing import Any

from filon.learn.ftrl import Ftrl
from filon.verbs.discover.strategies.scout.check import Check
from filon.verbs.discover.strategies.scout.clues import SIZE, numbers, portal_score

#: How much the words of a page count before anything was learnt, and what links and files add.
WORDS, PROMISING, FILE, MOST_FILES = 1.5, 0.8, 0.5, 2.0
USUAL = -0.5
#: What speaks against a portal whose API does not answer: pages that scripts fill show no files.
SILENT = 2.0
#: Words of a page that are looked at.
MOST_WORDS = 300


class Promise:
    """A classifier that learns from every check, on top of what is known of portals."""

    def __init__(self) -> None:
        self._model = Ftrl(SIZE, alpha=0.3, l1=0.0, l2=1.0)

    def judge(self, check: Check, words: list[str]) -> None:
        """Settle the chance that a site is a repository, by its entry page."""
        page, marked = check.entry, bool(check.haul.markup)
        check.prior = USUAL + WORDS * portal_score(words)
        check.prior += PROMISING if page.promising else -PROMISING
        check.prior += min(MOST_FILES, FILE * len(page.files)) + marked
        told = [f"says {word}" for word in dict.fromkeys(words[:MOST_WORDS])]
        told += ["page", f"promising {min(4, page.promising)}", f"files {min(3, len(page.files))}"]
        told += [f"markup {marked}", f"links {min(5, len(page.within) // 10)}"]
        check.features = numbers(told)
        self._settle(check)

    def doubt(self, check: Check, software: str) -> None:
        """Judge a portal anew whose API does not answer."""
        check.features += numbers([f"silent {software}"])
        check.prior -= SILENT
        self._settle(check)

    def _settle(self, check: Check) -> None:
        margin = check.prior + self._model.margin(check.features)
        check.chance = 1 / (1 + math.exp(-max(-20.0, min(20.0, margin))))

    def learn(self, check: Check, good: bool, weight: float) -> None:
        """Learn how a check ended."""
        self._model.learn(check.features, float(good), weight, check.prior)

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: it is the model's.
        return self._model.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self._model.restore(state)
