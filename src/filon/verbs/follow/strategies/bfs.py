"""Every document in the order in which it was mentioned, domain by domain in turn."""

from filon.core import Find, Reason, Response, Step, Summary
from filon.core.forms import keyed
from filon.core.state import stored, version
from filon.verbs.follow.strategies.brief import LEAD, Brief, Lead
from filon.verbs.follow.strategies.crawl import Ground, Grounded
from filon.verbs.follow.strategies.rounds import Rounds


class BreadthFirst(Grounded):
    """Asks for all. uses_shortcuts: dumps, endpoints and catalogues too."""

    STATE = (
        version(1),
        "ground",
        "rounds",
        stored("_flying", keyed(LEAD, lambda lead: lead.document)),
        "_turned_down",
    )

    uses_shortcuts = True

    def __init__(self, brief: Brief) -> None:
        self.ground = Ground(brief, with_shortcuts=self.uses_shortcuts)
        self.rounds = Rounds()
        self._flying: dict[str, Lead] = {}
        self._turned_down = 0
        for lead in self.ground.seeds():
            self.rounds.push(lead)

    def takes(self, lead: Lead) -> bool:
        """Say whether a document is worth a request."""
        return True

    def propose(self) -> Step | None:
        """Return an errand, else the next document of the domain whose turn it is."""
        if errand := self.ground.errand():
            return errand
        while lead := self.rounds.pop():
            if not self.takes(lead):
                self._turned_down += 1
            elif not self.ground.covered(lead):
                self._flying[lead.document] = lead
                return self.step(lead)
        return None

    def step(self, lead: Lead) -> Step:
        """Return the step to a document."""
        kind = "start" if not lead.referrer else "redirect" if lead.hops else "link"
        reason = Reason(kind=kind, text="it is the next one that was mentioned")
        return Step(request=self.ground.request(lead), reason=reason, parent=lead.referrer)

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Queue what a graph mentions."""
        reading = self.ground.heed(step, response)
        if reading is None:
            lead = self._flying.pop(step.request.url)
            reading = self.ground.read(step, response, lead)
        if reading.goal:
            self.rounds.push(reading.goal)
        for new in reading.leads:
            self.rounds.push(new)
        return reading.finds

    def summary(self) -> Summary:
        """Say what came back."""
        told = self.ground.summary()
        if self._turned_down:
            told["skipped"] = told.get("skipped", {}) | {"unlikely": self._turned_down}
        return {**told, "frontier": len(self.rounds)}
