"""What may be spent, and the account of it. Reserves at proposal, so it is never overspent."""

import re
from dataclasses import dataclass, field, fields, replace
from typing import Protocol, Self

from filon.core.errors import UserError
from filon.core.request import Request
from filon.core.response import Response

_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([a-zA-Z]*)")
_UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("", "req", "reqs", "request", "requests"), ("requests", 1)),
    **dict.fromkeys(("find", "finds"), ("finds", 1)),
    **{unit: ("bytes", 1000**i) for i, unit in enumerate(("b", "kb", "mb", "gb", "tb"))},
    **{unit: ("bytes", 1024**i) for i, unit in enumerate(("kib", "mib", "gib", "tib"), start=1)},
    **dict.fromkeys(("s", "sec"), ("seconds", 1)),
    **dict.fromkeys(("m", "min"), ("seconds", 60)),
    "h": ("seconds", 3600),
    "d": ("seconds", 86400),
}
#: The unit of each kind and size that people type, as they write it.
_TYPED = {
    unit.lower(): unit
    for unit in (
        *("req", "finds", "s", "min", "h", "d"),
        *("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"),
    )
}
#: When so many answers in a row do not fit into the bytes that are left, these are as good as
#: spent: a server should not be asked for what is thrown away.
CUTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Upper bounds; None: no bound.

    >>> Budget.parse("2000req,1GiB,2h,50finds")
    Budget(requests=2000, bytes=1073741824, seconds=7200.0, finds=50)
    >>> Budget.parse("300").requests
    300
    """

    requests: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    finds: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `2000req,1GiB,2h,50finds`: any mix; a bare number is requests."""
        bounds: dict[str, float] = {}
        for part in text.split(","):
            match = _PART.fullmatch(part.strip())
            noun, factor = _UNITS.get(match[2].lower(), ("", 0)) if match else ("", 0)
            if not match or not noun:
                raise UserError(
                    f"The budget {text!r} is not understood at {part.strip()!r}: "
                    "write it like 2000req,1GiB,2h,50finds."
                )
            if noun in bounds:
                raise UserError(f"The budget {text!r} bounds {noun} twice.")
            bounds[noun] = float(match[1]) * factor
        for noun, bound in bounds.items():
            if (bound < 1 and noun != "seconds") or bound <= 0:
                raise UserError(f"The budget {text!r} leaves no {noun} to spend.")
            if bound == float("inf"):
                raise UserError(f"The budget {text[:20]!r}… is beyond any number of {noun}.")
        whole = {noun: int(bound) for noun, bound in bounds.items() if noun != "seconds"}
        return cls(**whole, seconds=bounds.get("seconds"))

    def doubled(self) -> Self:
        """Return twice as much of all that is bounded.

        >>> str(Budget.parse("300req,2h").doubled())
        '600req,4h'
        """
        bounds = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return replace(self, **{name: 2 * bound for name, bound in bounds.items() if bound})

    def __str__(self) -> str:
        """Return what `parse` reads as the same budget, in the largest units that come out even."""
        bounds = ((entry.name, getattr(self, entry.name)) for entry in fields(self))
        return ",".join(_written(noun, bound) for noun, bound in bounds if bound is not None)


def _written(noun: str, bound: float) -> str:
    """Return a bound as it is typed: the fewest of a unit, where the unit goes into it."""
    units = {unit: factor for unit, (of, factor) in _UNITS.items() if of == noun and unit in _TYPED}
    even = [unit for unit, factor in units.items() if bound % factor == 0]
    unit = max(even, key=units.__getitem__) if even else min(units, key=units.__getitem__)
    return f"{bound / units[unit]:.15g}{_TYPED[unit]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Requests that left, bytes that came for them, and finds among these."""

    requests: int = 0
    bytes: int = 0
    finds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Counts):
    """What a run has cost and brought so far, earlier sessions included."""

    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Grant:
    """A request that may leave, with the bounds that its reservation sets.

    timed: the run's time bounds the answer, and not the request itself.
    """

    request: Request
    share_bytes: int
    timed: bool = False


class Purse(Protocol):
    """What the loop asks before a request leaves, and tells what it cost: see `Account`."""

    @property
    def spent(self) -> Spent:
        """What was spent so far."""

    def refusal(self, seconds: float, /) -> str:
        """Say why no further request is allowed now: "", "budget", "goal" or "wait"."""

    def grant(self, request: Request, seconds: float, /) -> Grant:
        """Reserve for a request that was not refused."""

    def ran_out(self, grant: Grant, response: Response, /) -> bool:
        """Say whether the time was over before a request could leave, or be answered."""

    def settle(self, grant: Grant, response: Response, finds: int, seconds: float, /) -> None:
        """Turn a reservation into what it cost."""


@dataclass(slots=True)
class Account:
    """Keeps spending within a budget, also with several requests in flight.

    A request is spent when it is granted: the server may count it, whatever comes back.
    Bytes are shared out among the slots until an answer does not fit into its share; from then
    on each request has all that is left, and leaves when no other is in flight. A find is
    reserved for each request in flight. What came in besides a body may come again: less than the
    most so far (`extra_bytes`) is no room for an answer.
    `seconds` is how long the run has lasted, earlier sessions included.
    """

    budget: Budget
    parallel: int = 1
    spent: Spent = field(default_factory=Spent)
    in_flight: int = 0
    reserved_bytes: int = 0
    alone: bool = False
    cuts: int = 0
    extra_bytes: int = 0

    def refusal(self, seconds: float) -> str:
        """Say why no further request is allowed now: "", "budget", "goal" or "wait"."""
        budget, spent = self.budget, self.spent
        if budget.finds is not None and spent.finds >= budget.finds:
            return "goal"
        if budget.requests is not None and spent.requests >= budget.requests:
            return "wait" if self.in_flight else "budget"  # one that was at hand is given back
        if budget.seconds is not None and seconds >= budget.seconds:
            return "budget"
        no_room = budget.bytes is not None and self._free_bytes(budget.bytes) <= self.extra_bytes
        if budget.bytes is not None and (self.alone or no_room):
            if self.in_flight:
                return "wait"
            if self.cuts >= CUTS or no_room:
                return "budget"
        if budget.finds is not None and spent.finds + self.in_flight >= budget.finds:
            return "wait"
        return ""

    def grant(self, request: Request, seconds: float) -> Grant:
        """Reserve for a request that was not refused."""
        share, timed = 0, False
        if self.budget.bytes is not None:
            slots = 1 if self.alone else max(1, self.parallel - self.in_flight)
            free = self._free_bytes(self.budget.bytes)
            share = max(1, free // min(slots, max(1, free // (self.extra_bytes + 1))))
            most = min(share, request.max_bytes or share)
            request = replace(request, max_bytes=most, line_bytes=share)
        if self.budget.seconds is not None:
            left = max(0.001, self.budget.seconds - seconds)
            timed = left <= (request.max_s or left)
            request = replace(request, max_s=min(left, request.max_s or left), wait_s=left)
        self.spent = replace(self.spent, requests=self.spent.requests + 1, seconds=seconds)
        self.in_flight += 1
        self.reserved_bytes += share
        return Grant(request, share, timed)

    def ran_out(self, grant: Grant, response: Response) -> bool:
        """Say whether the run's time was over before a request could leave, or be answered."""
        return response.cut == "time" and (grant.timed or response.sent == "withheld")

    def settle(self, grant: Grant, response: Response, finds: int, seconds: float) -> None:
        """Turn a reservation into what it cost."""
        self.in_flight -= 1
        self.reserved_bytes -= grant.share_bytes
        # A request may have a bound of its own, below its share.
        short = response.cut == "budget" and grant.request.max_bytes == grant.share_bytes
        if not short:
            self.cuts = 0
        elif self.alone and not self.in_flight:
            self.cuts += 1
        self.alone = self.alone or short
        self.extra_bytes = max(self.extra_bytes, response.extra_bytes)
        self.spent = replace(
            self.spent,
            requests=self.spent.requests - (response.sent != "yes"),
            bytes=self.spent.bytes + response.wire_bytes + response.extra_bytes,
            finds=self.spent.finds + finds,
            seconds=seconds,
        )

    def give_up(self, grant: Grant) -> None:
        """Count a reservation as spent whose answer is not waited for: much of it may have come."""
        self.in_flight -= 1
        self.reserved_bytes -= grant.share_bytes
        self.spent = replace(self.spent, bytes=self.spent.bytes + grant.share_bytes)

    def _free_bytes(self, bound: int) -> int:
        return bound - self.spent.bytes - self.reserved_bytes
