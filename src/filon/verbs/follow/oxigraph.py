"""What a run has followed as a database of Oxigraph, to be asked with SPARQL."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyoxigraph as ox

from filon.verbs.follow.graph import Said, said

#: Quads that are read at a time; Oxigraph sorts what it loads on disk.
_BATCH = 20_000


def write_store(run_path: Path, out: Path) -> None:
    """Make a new database with the documents of a run and their provenance."""
    store = ox.Store(str(out))
    store.bulk_extend(_quads(said(run_path)))
    store.optimize()
    store.flush()


def _quads(lines: Iterator[Said]) -> Iterator[ox.Quad]:
    while batch := list(islice(lines, _BATCH)):
        text = "".join(each.line for each in batch)
        yield from ox.parse(input=text, format=ox.RdfFormat.N_QUADS)
