"""A strategy that follows a list made beforehand: what the bounds that know a site share."""

from typing import ClassVar

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.state import Fields, Stateful, stored, version
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState


class Planned(Stateful):
    """Asks for URLs in a given order. Subclasses set the plan: URLs, each with its parent."""

    STATE: ClassVar[Fields] = (version(1), stored("site", key="territory"), "_next")

    reason: Reason

    def __init__(self, brief: Brief) -> None:
        self.site = SiteState(brief)
        self.plan: list[tuple[str, str]] = []
        self._next = 0

    def propose(self) -> Step | None:
        """Return the next step of the plan."""
        if self._next == len(self.plan):
            return None
        url, parent = self.plan[self._next]
        self._next += 1
        self.site.claim(url)
        return self.site.step(url, parent, self.reason)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Return a target."""
        answer = self.site.read(response)
        if answer.kind == "target":
            return [self.site.find(step, response, answer)]
        return []

    def summary(self) -> Summary:
        """Say what is left."""
        left = len(self.plan) - self._next
        return {**self.site.summary(), "arms": [], "left": left}
