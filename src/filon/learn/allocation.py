"""Who gets the next request, of many sites that share a budget: pure numbers.

Each site is an arm, and so is the search for more of them. What an arm brings for a request is a
Gamma-Poisson belief that fades, so that an arm that has dried up is left for others and tried again
when these have dried up too. Arms are often busy, as hosts are asked one request at a time: who
counts requests rather waits for a good arm than asks a poor one that is free.
"""

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

Kind = Literal["site", "discovery"]
#: What remains of what an arm has brought and cost after each of its requests.
FADE = 0.97
#: What is believed of a site before anything was seen, at a promise of one: finds, and requests.
FINDS, REQUESTS = 1.0, 4.0
#: A free arm is taken if it is expected to bring this share of what the best of all is.
SHARE = 0.5
#: The finds that a new site is worth while no other waits to be tried.
NEW_SITE = 4.0


@dataclass(slots=True)
class _Arm:
    kind: Kind
    promise: float
    finds: float = 0.0
    requests: float = 0.0
    all_finds: float = 0.0
    all_requests: int = 0
    sites: int = 0
    ended: bool = False


class Allocation:
    """Chooses among arms by what each is expected to bring for the next request.

    patient: rather wait for a good arm that is busy than ask a poor one.

    >>> allocation = Allocation(seed=1)
    >>> for arm in ("rich.org", "poor.org"):
    ...     allocation.add(arm)
    >>> for _ in range(30):
    ...     allocation.learn("rich.org", 1, 1.0)
    ...     allocation.learn("poor.org", 1, 0.0)
    >>> allocation.choose(["rich.org", "poor.org"])
    'rich.org'
    >>> allocation.choose(["poor.org"]) is None
    True
    """

    def __init__(self, *, seed: int = 0, patient: bool = True) -> None:
        self._random = Random(seed)
        self._patient = patient
        self._arms: dict[str, _Arm] = {}

    def add(self, arm: str, *, promise: float = 1.0, kind: Kind = "site") -> None:
        """Add an arm, or say anew what it promises, from 0 to 1."""
        known = self._arms.get(arm)
        if known:
            known.promise = promise
        else:
            self._arms[arm] = _Arm(kind, promise)

    def choose(self, ready: Collection[str], *, left: float | None = None) -> str | None:
        """Return who is to send the next request, of those that could; None: better wait.

        left: the requests that are left in all; None: no bound.
        """
        drawn = {name: self._draw(one) for name, one in self._arms.items() if not one.ended}
        free = [name for name in ready if name in drawn]
        if not free:
            return None
        best = max(free, key=lambda name: drawn[name])
        if self._patient and drawn[best] < SHARE * max(drawn.values()):
            return None
        return best

    def sent(self, arm: str) -> None:
        """Take note that a request of an arm left."""

    def learn(self, arm: str, requests: int, finds: float, sites: int = 0) -> None:
        """Take note of an answer: what it cost, what it brought, and the new sites in it."""
        one = self._arms[arm]
        one.finds = one.finds * FADE + finds
        one.requests = one.requests * FADE + requests
        one.all_finds += finds
        one.all_requests += requests
        one.sites += sites
        if one.kind == "discovery":
            one.finds += sites

    def end(self, arm: str) -> None:
        """Leave an arm out: there is nothing more to be had."""
        self._arms[arm].ended = True

    def wake(self, arm: str) -> None:
        """Take an arm in again that had ended."""
        self._arms[arm].ended = False

    def expected(self, arm: str) -> float:
        """Return the new finds that the next request of an arm is expected to bring."""
        one = self._arms[arm]
        gain, cost = self._belief(one)
        return self._worth(one) * gain / cost

    def why(self, arm: str) -> dict[str, Any]:
        """Return what is known of an arm, as plain data."""
        one = self._arms[arm]
        return {
            "kind": one.kind,
            "promise": round(one.promise, 4),
            "requests": one.all_requests,
            "finds": round(one.all_finds, 4),
            "sites": one.sites,
            "expected": round(self.expected(arm), 4),
            "ended": one.ended,
        }

    def _draw(self, one: _Arm) -> float:
        gain, cost = self._belief(one)
        return self._worth(one) * self._random.gammavariate(gain, 1 / cost)

    def _belief(self, one: _Arm) -> tuple[float, float]:
        promise = max(0.05, one.promise) if one.kind == "site" else 1.0
        return FINDS * promise + one.finds, REQUESTS + one.requests

    def _worth(self, one: _Arm) -> float:
        """Return what a unit that an arm brings is worth in finds."""
        if one.kind == "site":
            return 1.0
        untried = sum(
            not (each.ended or each.all_requests)
            for each in self._arms.values()
            if each.kind == "site"
        )
        return NEW_SITE / (1 + untried)
