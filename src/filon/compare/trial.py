"""One run of one strategy on one replica, and what is written down of it."""

import asyncio
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from filon.compare.oracles import build
from filon.compare.replica import Replica
from filon.core import Account, Budget, Find, Response, Step, Strategy, drive
from filon.page.types import Types
from filon.verbs.harvest.strategies.brief import Brief

Options = Mapping[str, str | float]
Build = Callable[[str, Brief, Replica], Strategy]
#: These classify every URL before they ask for it.
CLASSIFYING = frozenset({"sb", "sb-oracle"})
#: The reasons of a step that say what a classifier took its URL for.
PREDICTIONS = {"link": "html", "target": "target"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """A group of links as the strategy left it.

    pulls: how often it was chosen. mean: what that brought.
    """

    name: str
    pulls: int
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of a run: three sums after each request, and what was learnt.

    confusion: of the URLs that a classifier sent on their way, by what it took them for and
        what they are: ("html" or "target", "html" or "target") to a count.
    """

    targets: NDArray[np.int64]
    target_bytes: NDArray[np.int64]
    other_bytes: NDArray[np.int64]
    stopped: str
    arms: tuple[Arm, ...] = ()
    confusion: Mapping[tuple[str, str], int] = field(default_factory=dict)
    cpu_s: float = 0.0

    @property
    def requests(self) -> int:
        """How many requests it took."""
        return len(self.targets)


class Tally:
    """A Store that keeps sums in memory, and nothing else."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._found: set[str] = set()
        self.steps = 0
        self.new = array("q")
        self.target_bytes = array("q")
        self.other_bytes = array("q")
        self.confusion: dict[tuple[str, str], int] = {}

    def begin(self, step: Step, number: int = 0) -> int:
        """Number a step."""
        self.steps += 1
        return number or self.steps

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Count an answer, by what the URL really is and not by what the strategy says."""
        url, kind = step.request.url, self._replica.kind(step.request.url)
        is_target = kind == "target" and step.request.method == "GET" and response.ok
        self.new.append(is_target and url not in self._found)
        self.target_bytes.append(response.wire_bytes if is_target else 0)
        self.other_bytes.append(
            0 if is_target else response.wire_bytes or _head_bytes(step, response)
        )
        if is_target:
            self._found.add(url)
        taken_for = PREDICTIONS.get(step.reason.kind)
        if taken_for and kind in ("html", "target"):
            self.confusion[taken_for, kind] = self.confusion.get((taken_for, kind), 0) + 1

    def hold(self, number: int, response: Response) -> None:
        """There is no end of time here."""

    def commit(self) -> None:
        """Nothing has to last."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Keep no state."""


def run(
    replica: Replica,
    strategy: str,
    *,
    seed: int,
    types: Types,
    options: Options | None = None,
    stop: str = "never",
    parallel: int = 1,
    make: Build = build,
) -> Course:
    """Run a strategy on a replica until nothing is left, or until it stops by itself.

    parallel: requests in flight; all are answered before the next leave.
    """
    options = options or {}
    brief = Brief(
        start=replica.start,
        types=types,
        seed=seed,
        stop=stop,
        options=options,
        read=replica.memory.read,
    )
    began_s = time.process_time()
    chosen, tally = make(strategy, brief, replica), Tally(replica)
    account = Account(Budget(), parallel)
    stopped = asyncio.run(drive(chosen, replica.fresh(), account, tally, parallel=parallel))
    return Course(
        targets=np.cumsum(tally.new),
        target_bytes=np.cumsum(tally.target_bytes),
        other_bytes=np.cumsum(tally.other_bytes),
        stopped=stopped,
        arms=tuple(_arm(each) for each in chosen.summary().get("arms", ())),
        confusion=tally.confusion if strategy in CLASSIFYING else {},
        cpu_s=time.process_time() - began_s,
    )


def _head_bytes(step: Step, response: Response) -> int:
    """Return the size of the headers: all that a HEAD transfers."""
    if step.request.method != "HEAD":
        return 0
    return sum(len(name) + len(value) + 4 for name, value in response.headers)


def _arm(entry: Mapping[str, Any]) -> Arm:
    return Arm(name=str(entry["name"]), pulls=int(entry["pulls"]), mean=float(entry["mean"]))
