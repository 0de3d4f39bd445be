"""What an answer turned out to be."""

from dataclasses import dataclass, field

from filon.core import Find
from filon.verbs.follow.rdf.document import Document
from filon.verbs.follow.strategies.brief import Lead


@dataclass(slots=True)
class Reading:
    """What an answer turned out to be.

    kind: "graph" (it has RDF), "nothing" (it has none), "redirect", or "failed".
    goal: where a redirect leads, if that is new.
    leads: documents that are mentioned here for the first time.
    """

    kind: str
    document: Document = field(default_factory=Document)
    goal: Lead | None = None
    leads: list[Lead] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)
