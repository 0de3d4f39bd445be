"""What a run that followed Linked Data has brought: its documents, read back from the archive."""

from filon.verbs.follow.graph.tally import Tally, read_tally
from filon.verbs.follow.graph.write import (
    GRAPH,
    PROVENANCE,
    Statement,
    is_written,
    statements,
    write_graph,
    write_quads,
)

__all__ = [
    "GRAPH",
    "PROVENANCE",
    "Statement",
    "Tally",
    "is_written",
    "read_tally",
    "statements",
    "write_graph",
    "write_quads",
]
