"""The smallest strategy there is, and a loop without a web: for guards, and for their examples."""

from collections.abc import Callable, Sequence

from filon.core import Find, Reason, Request, Response, Step, Strategy, Summary
from filon.core.state import Stateful, version
from filon.testing.case import Memory


class Listed(Stateful):
    """Asks for URLs in their order; what is a success is a find.

    kind: of its steps.
    """

    STATE = (version(1), "count")

    def __init__(self, urls: Sequence[str], kind: str = "link") -> None:
        self.urls, self.kind = list(urls), kind
        self.count = 0

    def propose(self) -> Step | None:
        """Return the step for the next URL."""
        if self.count == len(self.urls):
            return None
        self.count += 1
        reason = Reason(kind=self.kind, text="it was listed")
        return Step(request=Request(url=self.urls[self.count - 1]), reason=reason)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Return a find for a success."""
        return [Find(kind="file", url=response.url)] if response.ok else []

    def summary(self) -> Summary:
        """There is nothing to tell."""
        return {"arms": [], "skipped": {}}


def play(strategy: Strategy, says: Callable[[str, float], Response]) -> Memory:
    """Drive a strategy to its end, a step at a time; return its steps and finds.

    says: returns the answer to a URL, at a time; each request takes a second, and one that must
        not leave before a time waits for it.
    """
    memory, now_s = Memory(), 0.0
    while step := strategy.propose():
        now_s = max(now_s, step.request.not_before_s) + 1.0
        memory.begin(step)
        memory.finds += strategy.observe(step, says(step.request.url, now_s))
    return memory
