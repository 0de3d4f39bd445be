"""The seam between choosing and fetching."""

from typing import Any, Protocol

from filon.core.find import Find
from filon.core.response import Response
from filon.core.step import Step

#: Plain data: what JSON can hold, bytes and numpy arrays. It has a "version".
State = dict[str, Any]
#: Plain data for people: "arms" (a list of dicts), "skipped" (counts by reason), and more.
Summary = dict[str, Any]


class Strategy(Protocol):
    """Chooses the next request and learns from the answers.

    No socket, file, clock or global random source: answers, time (`Response.at_s`) and a
    seed are handed in. The same answers and seed give the same steps, byte for byte.
    `propose` may be called again before earlier answers are in.
    """

    def propose(self) -> Step | None:
        """Return the next step; None: wait for an answer, or done if none is awaited."""

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Learn from the answer to a step that was proposed; return what it brought."""

    def state(self) -> State:
        """Return all that is needed to go on."""

    def restore(self, state: State) -> None:
        """Go on from there: the next step is the one that would have come."""

    def summary(self) -> Summary:
        """Say what was learnt; "stopped" is "early-stop" where the strategy ended by itself."""
