"""What a run has followed: its triples as N-Quads, and as a database of Oxigraph for SPARQL."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyoxigraph as ox

from filon.run.export.format import Export, Rows
from filon.verbs.follow.graph import Statement, statements, write_quads
from filon.verbs.follow.graph.frame import graph_frame

#: Quads that are read at a time; Oxigraph sorts what it loads on disk.
_BATCH = 20_000


def quads(run_path: Path) -> Rows:
    """Return the triples of a run, each with the document that says it."""
    return Rows(run_path=run_path, name="graph", frame=graph_frame(run_path))


def write_nquads(rows: Rows, out: Path) -> None:
    """Write the triples of a run and their provenance as N-Quads, a graph a document."""
    write_quads(rows.run_path, out)


def write_store(rows: Rows, out: Path) -> None:
    """Make a new database with the documents of a run and their provenance."""
    store = ox.Store(str(out))
    store.bulk_extend(_quads(statements(rows.run_path)))
    store.optimize()
    store.flush()


def _quads(lines: Iterator[Statement]) -> Iterator[ox.Quad]:
    while batch := list(islice(lines, _BATCH)):
        text = "".join(each.line for each in batch)
        yield from ox.parse(input=text, format=ox.RdfFormat.N_QUADS)


NQUADS = Export(write_nquads, ".nq", kind="quads")
OXIGRAPH = Export(write_store, "-store", kind="quads")
