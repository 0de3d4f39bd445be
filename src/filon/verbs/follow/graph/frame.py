"""The triples of a run, as data frames take them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from filon.core import UserError
from filon.run.frame import Frame
from filon.verbs.follow.graph.tally import read_tally
from filon.verbs.follow.graph.write import GRAPH

_COLUMNS = ("subject", "predicate", "object", "graph", "datatype", "language")


def graph_frame(run_path: Path) -> Frame:
    """Return the triples, each with the document that says it.

    An IRI stands without its brackets, a blank node as _:name; what has a datatype is a literal.
    """
    path = run_path / GRAPH
    if not path.is_file():
        raise UserError(f"The graph of {run_path} is not written yet.")
    return Frame(
        dict.fromkeys(_COLUMNS, str),
        lambda: _rows(path),
        size=lambda: read_tally(run_path).triples,
        path=path,
    )


def _rows(path: Path) -> Iterator[tuple[str | None, ...]]:
    # What earlier versions wrote is not always valid.
    for quad in ox.parse(path=path, format=ox.RdfFormat.N_QUADS, lenient=True):
        datatype = language = None
        if isinstance(quad.object, ox.Literal):
            datatype, language = quad.object.datatype.value, quad.object.language
        nodes = (quad.subject, quad.predicate, quad.object, quad.graph_name)
        yield (*map(_value, nodes), datatype, language)


def _value(term: Any) -> str:
    return str(term) if isinstance(term, ox.BlankNode) else str(term.value)
