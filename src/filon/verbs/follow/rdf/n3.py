"""What of a document in N3 is RDF: its statements, less rules and quoted formulas.

N3 may speak of statements without making them, and with variables. Neither is a triple, and a
document that holds some is not broken for that.
"""

from collections.abc import Iterator

import pyoxigraph as ox

#: How the parser complains of a statement that is N3 but not RDF; it goes on after it.
_VARIABLES = "variables are not allowed"


def asserted(quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the statements that are made, not quoted."""
    while True:
        try:
            quad = next(quads)
        except StopIteration:
            return
        except SyntaxError as error:
            if _VARIABLES not in str(error):
                raise
            continue
        if isinstance(quad.graph_name, ox.DefaultGraph):
            yield quad
