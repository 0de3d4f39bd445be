"""What a decision costs: CPU a page, from its bytes to the choice of the next request."""

import asyncio
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from filon.cli import MANY_OBJECTS
from filon.compare.replica import Replica
from filon.core import Account, Budget, Find, Response, State, Step, Strategy, Summary, drive
from filon.page.links import links
from filon.page.types import Types
from filon.verbs.harvest.strategies import build
from filon.verbs.harvest.strategies.brief import Brief


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """CPU milliseconds a page: only its parsing, its links, and all that `sb` does."""

    pages: int
    parse_ms: float
    links_ms: float
    decide_ms: float


class Timed:
    """A strategy whose CPU time is counted, and the pages that it was shown."""

    def __init__(self, inner: Strategy, pages: int) -> None:
        self._inner = inner
        self._most = pages
        self.pages: list[Response] = []
        self.cpu_s = 0.0

    def propose(self) -> Step | None:
        """Ask the strategy, and count; None when it has seen enough pages."""
        if len(self.pages) >= self._most:
            return None
        began_s = time.process_time()
        step = self._inner.propose()
        self.cpu_s += time.process_time() - began_s
        return step

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Tell the strategy, and count."""
        if response.ok and "html" in response.mime and step.request.method == "GET":
            self.pages.append(response)
        began_s = time.process_time()
        finds = self._inner.observe(step, response)
        self.cpu_s += time.process_time() - began_s
        return finds

    def state(self) -> State:
        """Return the strategy's own."""
        return self._inner.state()

    def restore(self, state: State) -> None:
        """Restore the strategy."""
        self._inner.restore(state)

    def summary(self) -> Summary:
        """Return the strategy's own."""
        return self._inner.summary()


class Nowhere:
    """A Store that keeps nothing."""

    def begin(self, step: Step, number: int = 0) -> int:
        """Number nothing."""
        return number

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Forget an answer."""

    def hold(self, number: int, response: Response) -> None:
        """There is no end of time here."""

    def commit(self) -> None:
        """Nothing has to last."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Save nothing."""


def decision_cost(replicas: Sequence[Path], pages: int = 1000, strategy: str = "sb") -> Cost:
    """Measure over so many real pages, evenly from all replicas, each parsed anew.

    Python looks for objects that only hold each other as often as it does in the command line.
    """
    share = -(-pages // len(replicas))
    usual = gc.get_threshold()
    gc.set_threshold(MANY_OBJECTS)
    try:
        runs = [_run(path, share, strategy) for path in replicas]
    finally:
        gc.set_threshold(*usual)
    shown = [page for run in runs for page in run.pages]
    parse_s = links_s = 0.0
    for page in shown:
        began_s = time.process_time()
        LexborHTMLParser(page.body)
        parsed_s = time.process_time()
        links(page.body, page.url, page.header("content-type"))
        parse_s += parsed_s - began_s
        links_s += time.process_time() - parsed_s
    return Cost(
        pages=len(shown),
        parse_ms=1000 * parse_s / len(shown),
        links_ms=1000 * links_s / len(shown),
        decide_ms=1000 * sum(run.cpu_s for run in runs) / len(shown),
    )


def _run(path: Path, pages: int, strategy: str) -> Timed:
    replica, types = Replica.open(path), Types.parse("paper")
    timed = Timed(build(strategy, Brief(start=replica.start, types=types)), pages)
    asyncio.run(drive(timed, replica, Account(Budget()), Nowhere()))
    return timed
