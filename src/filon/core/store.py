"""The seam between the loop and what it leaves behind."""

from collections.abc import Sequence
from typing import Protocol

from filon.core.find import Find
from filon.core.response import Response
from filon.core.step import Step
from filon.core.strategy import Strategy


class Store(Protocol):
    """Remembers steps, answers and finds, durably and in order."""

    def begin(self, step: Step, number: int = 0) -> int:
        """Write down that a step is about to leave, after the next commit, and number it.

        number: of a step that left before, in an earlier session, and leaves again.
        """

    def record(
        self, number: int, step: Step, response: Response, finds: Sequence[Find], *, idle: bool
    ) -> None:
        """Write down its answer and what it brought: all of it or nothing.

        idle: since the last answer, the strategy was asked for a step and had none. With this
        the order of all calls to the strategy can be told from the record.
        """

    def hold(self, number: int, response: Response) -> None:
        """Write down that a step has no answer, as the run's time was over: it leaves again.

        response: tells whether the request left, and the bytes that came.
        """

    def commit(self) -> None:
        """Make what was written down survive the death of the process; before a request leaves."""

    def checkpoint(self, strategy: Strategy) -> None:
        """Save the strategy's state if it is time to; called between answers."""
