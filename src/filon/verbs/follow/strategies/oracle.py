"""Asks for nothing but what leads to RDF: the least that a crawler of links can spend."""

from filon.core import UserError
from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.brief import Brief, Lead, Truth


class Oracle(BreadthFirst):
    """Breadth-first over the documents that the truth says are relevant."""

    uses_shortcuts = False

    def __init__(self, brief: Brief) -> None:
        if brief.truth is None:
            raise UserError("The strategy oracle works on recorded webs only: use it in compare.")
        self._truth: Truth = brief.truth
        super().__init__(brief)

    def takes(self, lead: Lead) -> bool:
        """Ask the truth."""
        return self._truth.relevant(lead.document)
