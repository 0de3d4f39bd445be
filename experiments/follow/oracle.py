"""Asks for nothing but what leads to RDF: the least that a crawler of links can spend."""

from typing import Protocol

from filon.verbs.follow.strategies.bfs import BreadthFirst
from filon.verbs.follow.strategies.brief import Brief, Candidate


class Truth(Protocol):
    """What a recorded web really holds."""

    def relevant(self, url: str) -> bool:
        """Say whether a URL leads, by its redirects, to a document with RDF."""


class Oracle(BreadthFirst):
    """Breadth-first over the documents that the truth says are relevant."""

    uses_shortcuts = False

    def __init__(self, brief: Brief, truth: Truth) -> None:
        self._truth = truth
        super().__init__(brief)

    def takes(self, candidate: Candidate) -> bool:
        """Ask the truth."""
        return self._truth.relevant(candidate.document)
