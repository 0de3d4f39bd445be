"""Writes what a run has followed as N-Quads: a graph a document, and one for provenance.

Line by line, so that a run may hold more than memory does.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from filon.run import readonly
from filon.run.disk import writing
from filon.run.graph.documents import documents
from filon.run.graph.provenance import Provenance
from filon.run.graph.tally import FILE, Tally
from filon.run.graph.terms import Terms, iri

GRAPH = "graph.nq"


def is_followed(run_path: Path) -> bool:
    """Say whether a run followed Linked Data."""
    return readonly.config(run_path).get("verb") == "follow"


def each_quad(run_path: Path, tally: Tally | None = None, *, skolem: bool = False) -> Iterator[str]:
    """Yield the lines of N-Quads of a run: documents in the order in which they came.

    tally: counts what is yielded.
    skolem: blank nodes become IRIs, for stores that would give them new names each time.
    """
    provenance = Provenance(run_path)
    tally = tally if tally is not None else Tally()
    tally.graph = provenance.run
    yield from provenance.of_run()
    for found in documents(run_path):
        genid = f"{provenance.run}#" if skolem else ""
        terms = Terms(f"d{found.step}", steady=found.steady, skolem=genid)
        graph, written = iri(found.graph), 0
        for triple in found.triples if found.kept and graph else ():
            line = terms.quad(triple, graph)
            if not line:
                tally.unwritten += 1
                continue
            written += 1
            tally.count(triple)
            yield line
        if not found.kept:
            written = sum(1 for _ in found.triples)  # told of, not part of the output
        tally.close(found, written)
        yield from provenance.of_document(found, written)


def write_graph(run_path: Path) -> Path:
    """Write graph.nq and its figures into a run folder, in place of earlier ones."""
    tally = Tally()
    with writing(run_path):
        out = _replace(run_path / GRAPH, lambda part: write_quads(run_path, part, tally))
        _replace(run_path / FILE, tally.write)
    return out


def write_quads(run_path: Path, out: Path, tally: Tally | None = None) -> None:
    """Write the N-Quads of a run to a new file."""
    with out.open("x", encoding="utf-8", newline="\n") as file:
        file.writelines(each_quad(run_path, tally))


def _replace(path: Path, write: Callable[[Path], None]) -> Path:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path
