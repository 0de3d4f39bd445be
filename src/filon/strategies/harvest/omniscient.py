"""OMNISCIENT: knows all targets from the start (section 4.3). A bound, not a crawler."""

from filon.core import Find, Reason, Response, State, Step, Summary, UserError
from filon.strategies.harvest.brief import Brief
from filon.strategies.harvest.territory import Territory


class Omniscient:
    """`omniscient`: asks for the targets, one after the other, and for nothing else."""

    def __init__(self, brief: Brief) -> None:
        if brief.truth is None:
            raise UserError("The strategy omniscient must know the site: it runs on replicas only.")
        self.territory = Territory(brief)
        self._targets = sorted(brief.truth.targets())
        self._next = 0

    def propose(self) -> Step | None:
        """Return the next target."""
        if self._next == len(self._targets):
            return None
        self._next += 1
        url = self._targets[self._next - 1]
        self.territory.claim(url)
        reason = Reason(kind="target", expected=1.0, text="it is known to be a target")
        return self.territory.step(url, "", reason)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Return the target."""
        answer = self.territory.read(response)
        if answer.kind == "target":
            return [self.territory.find(step, response, answer)]
        return []

    def state(self) -> State:
        """Return plain data."""
        return {"version": 1, "territory": self.territory.state(), "next": self._next}

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self.territory.restore(state["territory"])
        self._next = state["next"]

    def summary(self) -> Summary:
        """Say what is left."""
        left = len(self._targets) - self._next
        return {**self.territory.summary(), "arms": [], "left": left}
