"""What a run that followed Linked Data has brought: its documents, read back from the archive."""

from filon.verbs.follow.graph.tally import Tally, read_tally
from filon.verbs.follow.graph.write import (
    GRAPH,
    PROVENANCE,
    Said,
    is_followed,
    is_written,
    said,
    write_graph,
    write_quads,
)

__all__ = [
    "GRAPH",
    "PROVENANCE",
    "Said",
    "Tally",
    "is_followed",
    "is_written",
    "read_tally",
    "said",
    "write_graph",
    "write_quads",
]
