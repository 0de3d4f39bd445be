"""OMNISCIENT: knows all targets from the start (section 4.3). A bound, not a crawler."""

from filon.compare.oracles.planned import Planned
from filon.compare.oracles.truth import Truth
from filon.core import Reason
from filon.verbs.harvest.strategies.brief import Brief


class Omniscient(Planned):
    """`omniscient`: asks for the targets, one after the other, and for nothing else."""

    reason = Reason(kind="target", expected=1.0, text="it is known to be a target")

    def __init__(self, brief: Brief, truth: Truth) -> None:
        super().__init__(brief)
        self.plan = [(url, "") for url in sorted(truth.targets())]
