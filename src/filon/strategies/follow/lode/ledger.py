"""What each kind of URI has brought so far, and what the next one of it is worth."""

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.strategies.follow.brief import Lead

#: A kind that was never tried is believed what the model says, as if from so many answers.
TRUST = 1.5
#: How much of a kind's spread is added while it is little known: curiosity pays in what it opens.
CURIOSITY = 0.35


class Kinds:
    """Kinds by number: leads that wait, answers, and finds."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.queues: list[deque[Lead]] = []
        self._told = np.zeros((16, 6))  # waiting, tries, hits, requests, gain, prior

    WAITING, TRIES, HITS, REQUESTS, GAIN, PRIOR = range(6)

    def add(self, name: str, lead: Lead, chance: float) -> None:
        """Let a lead wait in its kind; chance: what the model expects of it."""
        number = self.numbers.get(name)
        if number is None:
            number = self.numbers[name] = len(self.names)
            self.names.append(name)
            self.queues.append(deque())
            if number >= len(self._told):
                self._told = np.vstack([self._told, np.zeros_like(self._told)])
            self._told[number, self.PRIOR] = chance
        self.queues[number].append(lead)
        row = self._told[number]
        row[self.WAITING] += 1
        row[self.PRIOR] += 0.1 * (chance - row[self.PRIOR])

    def take(self, number: int) -> Lead:
        """Take the first lead that waits in a kind."""
        self._told[number, self.WAITING] -= 1
        return self.queues[number].popleft()

    def note(self, name: str, *, hit: bool, gain: float = 0.0) -> None:
        """Take note of what a lead of a kind came to."""
        row = self._told[self.numbers[name]]
        row[self.TRIES] += 1
        row[self.HITS] += hit
        row[self.GAIN] += gain

    def spend(self, name: str) -> None:
        """Take note of a request for a lead of a kind, redirects included."""
        self._told[self.numbers[name], self.REQUESTS] += 1

    def reprior(self, number: int, chance: float) -> None:
        """Set what the model expects of a kind by now."""
        self._told[number, self.PRIOR] = chance

    def values(self) -> NDArray[np.float64]:
        """Return what the next lead of each kind is worth a request; -1 where none waits."""
        told = self._told[: len(self.names)]
        tries, hits = told[:, self.TRIES], told[:, self.HITS]
        known = tries + TRUST
        chance = (hits + TRUST * told[:, self.PRIOR]) / known
        spread = np.sqrt(chance * (1 - chance) / (known + 1))
        cost = (told[:, self.REQUESTS] + 1) / (tries + 1)
        worth = (told[:, self.GAIN] + 2.0) / (hits + 2.0)
        value = (chance + CURIOSITY * spread) * worth / np.maximum(1.0, cost)
        return np.where(told[:, self.WAITING] > 0, value, -1.0)

    def chance(self, number: int) -> float:
        """Return the chance that the next lead of a kind has RDF."""
        row = self._told[number]
        return float((row[self.HITS] + TRUST * row[self.PRIOR]) / (row[self.TRIES] + TRUST))

    def record(self, number: int) -> tuple[int, int]:
        """Return how often a kind was tried, and how often it had RDF."""
        row = self._told[number]
        return int(row[self.TRIES]), int(row[self.HITS])

    @property
    def waiting(self) -> int:
        """How many leads wait."""
        return int(self._told[:, self.WAITING].sum())

    def state(self) -> dict[str, Any]:
        """Return plain data, without the leads."""
        return {"names": list(self.names), "told": self._told[: len(self.names)].copy()}

    def restore(self, state: dict[str, Any], queues: list[list[Lead]]) -> None:
        """Go on from there."""
        self.names = list(state["names"])
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.queues = [deque(leads) for leads in queues]
        told = np.array(state["told"]).reshape(len(self.names), 6)
        self._told = np.vstack([told, np.zeros((16, 6))])
