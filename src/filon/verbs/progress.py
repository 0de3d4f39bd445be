"""Where a run stands, in a line: what is spent, what it brought, when the budget will end."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol, runtime_checkable

from filon.core import Budget, Find, Response, Spent, Step
from filon.page.url import host
from filon.run.text import count, counted, duration, plain, size

#: A live line is drawn again so often; more is only flicker.
LIVE_EVERY_S = 0.2


class Shown(Protocol):
    """Shows a state, the newest only: a terminal's line, or a notebook's cell."""

    def show(self, text: Callable[[], str | list[str]]) -> None:
        """Show a line or some, which are made only if the last were long enough ago."""

    def clear(self) -> None:
        """Take it away: what follows is the result."""


@runtime_checkable
class Says(Protocol):
    """Has a place for lines that stay."""

    def say(self, sentence: str) -> None:
        """Write a line that stays."""


@runtime_checkable
class ShowsParts(Says, Protocol):
    """A watch that can show the parts of a whole, too."""

    def show_parts(self, board: Callable[[], Sequence[str]]) -> None:
        """Show these lines below the state, as they are when it is drawn."""


#: The yield and the forecast look back over so many requests.
RECENT = 100
#: A host that asks to be left alone for less is not named.
REST_S = 5.0


class Progress:
    """Counts the answers of a run and shows where it stands.

    spent: what earlier sessions have spent.
    nouns: what is spent, and what it brings.
    """

    def __init__(
        self,
        line: Shown,
        budget: Budget,
        spent: Spent | None = None,
        clock: Callable[[], float] = time.monotonic,
        nouns: tuple[str, str] = ("request", "find"),
    ) -> None:
        spent = spent or Spent()
        self.line = line
        self.budget = budget
        self._nouns = nouns
        self._clock = clock
        self._requests, self._bytes, self._finds = spent.requests, spent.bytes, spent.finds
        self._began_s = clock() - spent.seconds
        self._recent: deque[tuple[float, int, int]] = deque(maxlen=RECENT)  # time, bytes, finds
        self._latest = ""
        self._outlook = ""
        self._rests, self._until_s = "", 0.0  # who asked to be left alone, and until when
        self._board: Callable[[], Sequence[str]] = tuple

    def show_parts(self, board: Callable[[], Sequence[str]]) -> None:
        """Show these lines below the state."""
        self._board = board

    def say(self, sentence: str) -> None:
        """Write a line that stays, where there is a place for such."""
        if isinstance(self.line, Says):
            self.line.say(sentence)

    def __call__(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Count an answer."""
        self.watch(step, response, finds)

    def watch(self, step: Step, response: Response, finds: Sequence[Find]) -> None:
        """Count an answer."""
        self._requests += response.sent == "yes"
        came_bytes = response.wire_bytes + response.extra_bytes
        self._bytes += came_bytes
        self._finds += len(finds)
        self._recent.append((self._clock(), came_bytes, len(finds)))
        self._outlook = step.reason.outlook or self._outlook
        rest_s = (response.retry_after_s or 0.0) if response.status >= 400 else 0.0
        self._rests = host(response.url) if rest_s >= REST_S else ""
        self._until_s = self._clock() + rest_s
        if finds:
            self._latest = finds[-1].name or finds[-1].url
        self.line.show(self.lines)

    @contextlib.asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Keep the state in view, also while no answer comes."""
        ticking = asyncio.ensure_future(self._tick())
        try:
            yield
        finally:
            ticking.cancel()
            self.line.clear()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(LIVE_EVERY_S)
            self.line.show(self.lines)

    def text(self) -> str:
        """Return the state in a line."""
        bound, lasted_s = self.budget, self._clock() - self._began_s
        parts = [
            f"{count(self._requests)}{_of(bound.requests, count)} {self._nouns[0]}s",
            f"{size(self._bytes)}{_of(bound.bytes, size)}",
            f"{duration(lasted_s)}{_of(bound.seconds, duration)}",
            f"{counted(self._finds, self._nouns[1])}{_of(bound.finds, count)}",
            self._resting(),  # before what a narrow terminal may cut off
            self._outlook,
            f"{sum(finds for _, _, finds in self._recent)} in the last {len(self._recent)}",
        ]
        left_s = self.forecast_s()
        if left_s is not None:
            parts.append(f"budget ends in about {duration(left_s)}")
        if self._latest:
            parts.append(plain(self._latest, 40))
        return " · ".join(filter(None, parts))

    def _resting(self) -> str:
        left_s = self._until_s - self._clock()
        if not self._rests or left_s <= 0:
            return ""
        return f"{self._rests} asks to be left alone for {duration(left_s)}"

    def lines(self) -> list[str]:
        """Return the state in a line, and one for each part that is to be shown."""
        return [self.text(), *self._board()]

    def forecast_s(self) -> float | None:
        """Return when the budget ends if all goes on as of late; None: it cannot be told."""
        bound, recent, now_s = self.budget, self._recent, self._clock()
        ends = []
        if bound.seconds is not None:
            ends.append(bound.seconds - (now_s - self._began_s))
        if len(recent) > 1 and now_s > recent[0][0]:
            took_s = now_s - recent[0][0]
            paces = (
                (bound.requests, self._requests, len(recent) - 1),
                (bound.bytes, self._bytes, sum(wire_bytes for _, wire_bytes, _ in recent)),
                (bound.finds, self._finds, sum(finds for _, _, finds in recent)),
            )
            ends += [(most - now) * took_s / pace for most, now, pace in paces if most and pace]
        return max(0.0, min(ends)) if ends else None


def _of(bound: float | None, written: Callable[[float], str]) -> str:
    return "" if bound is None else f" of {written(bound)}"
