"""OMNISCIENT: knows all targets from the start (section 4.3). A bound, not a crawler."""

from filon.core import Reason, UserError
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.planned import Planned


class Omniscient(Planned):
    """`omniscient`: asks for the targets, one after the other, and for nothing else."""

    reason = Reason(kind="target", expected=1.0, text="it is known to be a target")

    def __init__(self, brief: Brief) -> None:
        if brief.truth is None:
            raise UserError("The strategy omniscient must know the site: it runs on replicas only.")
        super().__init__(brief)
        self.plan = [(url, "") for url in sorted(brief.truth.targets())]
