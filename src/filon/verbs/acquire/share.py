"""What one run of many may spend: the account of the whole, and turns that are given out."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from filon.core import Account, Request, Response, Spent
from filon.core.budget import Grant


class Told(Protocol):
    """Who gives the turns out, and hears what became of them."""

    account: Account

    def elapsed_s(self) -> float:
        """Return how long the whole has lasted, earlier sessions included."""

    def left(self, name: str, request: Request) -> None:
        """Hear that a request leaves."""

    def came(self, name: str, response: Response) -> None:
        """Hear that its answer came, or that there is none for now."""

    def returned(self, name: str) -> None:
        """Hear that a turn is not used now."""


class Share:
    """One run's view of the account.

    most: the requests that this run may send in all; 0: no bound of its own. sent: so far.
    counts: what it finds is what the whole is after.
    over: when it returns a word, the whole has ended for that reason.
    """

    def __init__(
        self,
        name: str,
        whole: Told,
        over: Callable[[], str],
        *,
        sent: int = 0,
        most: int = 0,
        counts: bool = True,
    ) -> None:
        self._name, self._whole, self._over = name, whole, over
        self.sent, self._most, self._counts = sent, most, counts
        self._turn = asyncio.Event()
        self._flying: list[Grant] = []

    @property
    def spent(self) -> Spent:
        """What the whole has spent."""
        return replace(self._whole.account.spent, seconds=self._whole.elapsed_s())

    @property
    def open(self) -> bool:
        """It is the run's turn."""
        return self._turn.is_set()

    @property
    def is_capped(self) -> bool:
        """It has sent as many requests as it may, whatever is left for others."""
        return bool(self._most) and self.sent >= self._most

    def give(self) -> None:
        """Give the run a turn."""
        self._turn.set()

    async def turn(self) -> None:
        """Wait until it is the run's turn, or all is over."""
        await self._turn.wait()

    def refusal(self, seconds: float) -> str:
        """Say why no further request may leave now."""
        if over := self._over():
            return over
        if self.is_capped:
            return "budget"
        refusal = self._whole.account.refusal(seconds)
        if refusal == "wait" and self.open:
            self._turn.clear()
            self._whole.returned(self._name)
        return refusal if refusal or self.open else "wait"

    def grant(self, request: Request, seconds: float) -> Grant:
        """Reserve for a request, which takes the turn."""
        self._turn.clear()
        self.sent += 1
        self._whole.left(self._name, request)
        grant = self._whole.account.grant(request, seconds)
        self._flying.append(grant)
        return grant

    def ran_out(self, grant: Grant, response: Response) -> bool:
        """Say whether the whole's time was over before a request could be answered."""
        return self._whole.account.ran_out(grant, response)

    def settle(self, grant: Grant, response: Response, finds: int, seconds: float) -> None:
        """Turn a reservation into what it cost."""
        self.sent -= response.sent != "yes"
        self._flying.remove(grant)
        self._whole.account.settle(grant, response, finds if self._counts else 0, seconds)
        self._whole.came(self._name, response)

    def give_up(self) -> None:
        """Count as spent what was reserved for answers of which nobody will hear any more."""
        while self._flying:
            self._whole.account.give_up(self._flying.pop())
