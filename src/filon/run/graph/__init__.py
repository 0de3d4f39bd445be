"""What a run that followed Linked Data has brought: its documents, read back from the archive."""

from filon.run.graph.tally import FILE as TALLY
from filon.run.graph.tally import Tally, has_tally, read_tally
from filon.run.graph.write import GRAPH, each_quad, is_followed, write_graph

__all__ = [
    "GRAPH",
    "TALLY",
    "Tally",
    "each_quad",
    "has_tally",
    "is_followed",
    "read_tally",
    "write_graph",
]
