"""What the links that were followed turned out to be, and what that says of other links.

Two ridge regressions over the same recent outcomes: the chance that a link is a live target, as
a correction to the prior; and the logarithm of the number of new targets behind it. With a budget
in bytes a third one predicts what a link costs.
"""

import math
from typing import Any

import numpy as np

from filon.learn.ridge import Ridge, Rows, Vector
from filon.verbs.harvest.strategies.vein.features import SIZE, WIDTH

#: Outcomes that are remembered; older ones give way.
WINDOW = 2000
#: Passes of each refit: it starts from the last solution, so few suffice.
ROUNDS = 4
#: Strength of the pull towards the prior and towards the mean yield, in outcomes.
CHANCE_PENALTY, YIELD_PENALTY, COST_PENALTY = 20.0, 30.0, 10.0
#: The least that is hoped of a link of which nothing is known: where nothing was found yet, kinds
#: of links that were tried in vain fall behind those that were not.
HOPE = 0.3
#: What each feature that was never tried adds to the logarithm; after so many tries it is half.
#: Just enough to choose between equals: of many kinds of links each gets a look.
DOUBT, HALVED_AFTER = 0.001, 5.0
#: No link is certain.
LEAST, MOST = 0.001, 0.999
#: Of logarithms: no page leads to more than a million targets, whatever its features add up to.
MOST_BEHIND = 14.0


class Outcomes:
    """A window of outcomes with the models learnt from them.

    doubt: whether kinds of links that were hardly tried are preferred among equals.
    """

    def __init__(self, *, doubt: bool = True) -> None:
        self.sent = 0  # links that were asked for
        self.count = 0  # of all outcomes so far
        self._doubt = DOUBT if doubt else 0.0
        self._tried = np.zeros(SIZE)  # by feature: links that were asked for, answered or not
        self._bonus = np.full(SIZE, self._doubt)  # by feature, for having hardly been tried
        self._bonus[0] = 0.0
        self._hope = np.zeros(SIZE)  # by feature: its weight for what is behind, and the bonus
        self._rows = np.zeros((WINDOW, WIDTH), dtype=np.uint16)
        self._residual = np.zeros(WINDOW)  # 1 for a target, 0 for none, less the prior
        self._yield = np.zeros(WINDOW)  # log(1 + new targets behind it)
        self._cost = np.zeros(WINDOW)  # log(1 + bytes)
        self._is_page = np.zeros(WINDOW, dtype=bool)  # not a target: its yield says something
        self._dual = np.zeros((3, WINDOW))
        self._chance = Ridge(SIZE, CHANCE_PENALTY)
        self._behind = Ridge(SIZE, YIELD_PENALTY)
        self._size = Ridge(SIZE, COST_PENALTY)
        self._mean_yield = HOPE
        self._mean_cost = 0.0

    def send(self, row: Rows) -> None:
        """Take note that a link is asked for: its kind is less new, before the answer is in."""
        self.sent += 1
        tried = self._tried[row] + 1.0
        self._tried[row] = tried
        self._bonus[row] = self._doubt / (1.0 + tried / HALVED_AFTER)
        self._bonus[0] = 0.0

    def add(self, row: Rows, prior: float, is_target: bool, behind: float, size: int) -> int:
        """Remember an outcome and return its number."""
        slot = self.count % WINDOW
        self._rows[slot] = row
        self._residual[slot] = is_target - prior
        self._yield[slot] = math.log1p(behind)
        self._cost[slot] = math.log1p(size)
        self._is_page[slot] = not is_target
        self._dual[:, slot] = 0.0
        self.count += 1
        return self.count - 1

    def relabel(self, number: int, behind: float) -> None:
        """Correct the yield of an outcome, if it is still remembered; -1 is none."""
        if number >= 0 and self.count - number <= WINDOW:
            self._yield[number % WINDOW] = math.log1p(behind)

    def refit(self, *, costs: bool = False) -> None:
        """Bring the models up to date."""
        size = min(self.count, WINDOW)
        if size:
            self._fit(size, costs=costs)
        np.add(self._behind.weights, self._bonus, out=self._hope)

    def _fit(self, size: int, *, costs: bool) -> None:
        rows = self._rows[:size]
        self._dual[0, :size] = self._chance.fit(
            rows, self._residual[:size], self._dual[0, :size], ROUNDS
        )
        pages = np.flatnonzero(self._is_page[:size])
        if len(pages):
            labels = self._yield[pages]
            self._mean_yield = max(float(labels.mean()), HOPE)
            self._dual[1, pages] = self._behind.fit(
                rows[pages], labels - self._mean_yield, self._dual[1, pages], ROUNDS
            )
        if costs:
            self._mean_cost = float(self._cost[:size].mean())
            self._dual[2, :size] = self._size.fit(
                rows, self._cost[:size] - self._mean_cost, self._dual[2, :size], ROUNDS
            )

    def chance(self, rows: Rows, priors: Vector) -> Vector:
        """Return the chance of each link that it is a live target."""
        chances: Vector = np.clip(priors + self._chance.predict(rows), LEAST, MOST)
        return chances

    def behind(self, rows: Rows) -> Vector:
        """Return the number of new targets expected behind each link."""
        logarithm = self._mean_yield + self._hope[rows].sum(axis=1)
        expected: Vector = np.expm1(np.clip(logarithm, 0.0, MOST_BEHIND))
        return expected

    def bytes(self, rows: Rows) -> Vector:
        """Return the bytes that each link is expected to cost."""
        expected: Vector = np.exp(np.clip(self._mean_cost + self._size.predict(rows), 0.0, 30.0))
        return expected

    def state(self) -> dict[str, Any]:
        """Return plain data."""
        # By hand: arrays of a fixed size, stored as far as they are filled.
        size = min(self.count, WINDOW)
        return {
            "version": 2,
            "count": self.count,
            "sent": self.sent,
            "tried": [np.flatnonzero(self._tried), self._tried[self._tried > 0]],
            "hope": self._hope.copy(),
            "rows": self._rows[:size].copy(),
            "labels": np.stack([self._residual, self._yield, self._cost])[:, :size],
            "is_page": self._is_page[:size].copy(),
            "dual": self._dual[:, :size].copy(),
            "models": [model.state() for model in (self._chance, self._behind, self._size)],
            "means": [self._mean_yield, self._mean_cost],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.count, self.sent = state["count"], state["sent"]
        at, told = state["tried"]
        self._tried[:] = 0.0
        self._tried[at] = told
        self._bonus = self._doubt / (1.0 + self._tried / HALVED_AFTER)
        self._bonus[0] = 0.0
        self._hope = np.array(state["hope"])
        size = len(state["rows"])
        self._rows[:size] = state["rows"]
        self._residual[:size], self._yield[:size], self._cost[:size] = state["labels"]
        self._is_page[:size] = state["is_page"]
        self._dual[:, :size] = state["dual"]
        models = (self._chance, self._behind, self._size)
        for model, saved in zip(models, state["models"], strict=True):
            model.restore(saved)
        self._mean_yield, self._mean_cost = state["means"]
