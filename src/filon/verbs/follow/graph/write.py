"""Writes what a run has followed as N-Quads: a graph a document, and one for provenance.

Line by line, so that a run may hold more than memory does.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from filon.core import UserError
from filon.run import readonly
from filon.run.disk import replacing
from filon.verbs.follow.graph.documents import documents
from filon.verbs.follow.graph.provenance import Provenance
from filon.verbs.follow.graph.tally import FILE, Tally, read_tally
from filon.verbs.follow.graph.terms import Terms, iri

#: Names of graphs in one document that its provenance tells of.
MOST_NAMES = 10_000
GRAPH, PROVENANCE = "graph.nq", "provenance.nq"


class Statement(NamedTuple):
    """A triple and the name of its graph, as N-Quads writes them.

    own: it tells where a document came from, and is not of the document.
    """

    triple: str
    graph: str
    own: bool = False

    @property
    def line(self) -> str:
        """The line of N-Quads."""
        return f"{self.triple} {self.graph} .\n"


def statements(
    run_path: Path, tally: Tally | None = None, *, skolem: bool = False
) -> Iterator[Statement]:
    """Yield what the documents of a run say, in the order in which they came, and their origin.

    tally: counts what is yielded.
    skolem: blank nodes become IRIs, for stores that would give them new names each time.
    """
    if readonly.config(run_path).get("verb") != "follow":
        raise UserError(f"{run_path} is no run of filon follow: it has no RDF.")
    provenance = Provenance(run_path)
    keeps_names = readonly.config(run_path).get("graphs") == "original"
    endpoints: dict[str, Terms] = {}
    tally = tally if tally is not None else Tally()
    tally.graph, home = provenance.run, f"<{provenance.run}>"
    for triple in provenance.of_run():
        yield Statement(triple, home, own=True)
    for found in documents(run_path):
        genid = f"{provenance.run}#" if skolem else ""
        shared = None
        if found.endpoint:
            shared = endpoints.setdefault(found.endpoint, Terms(f"e{found.step}", skolem=genid))
        terms = Terms(f"d{found.step}", steady=found.steady, skolem=genid, shared=shared)
        graph, written = iri(found.graph), 0
        names: dict[str, None] = {}
        for each, name in found.quads if found.kept and graph else ():
            triple = terms.triple(each)
            if not triple:
                tally.unwritten += 1
                continue
            written += 1
            tally.count(each)
            own = terms.graph(name) if keeps_names and name else ""
            if own and own not in names and len(names) < MOST_NAMES:
                names[own] = None
            yield Statement(triple, own or graph)
        if not found.kept:
            written = sum(1 for _ in found.quads)  # told of, not part of the output
        tally.close(found, written)
        for triple in provenance.of_document(found, written, names):
            if triple:
                yield Statement(triple, home, own=True)


def is_written(run_path: Path, ledger: sqlite3.Connection) -> bool:
    """Say whether the output holds all that the run was given."""
    there = all((run_path / name).is_file() for name in (FILE, GRAPH, PROVENANCE))
    return there and read_tally(run_path).answers == _answers(ledger)


def _answers(ledger: sqlite3.Connection) -> int:
    return int(ledger.execute("SELECT COUNT(answer) FROM steps").fetchone()[0])


def write_graph(run_path: Path) -> Path:
    """Write graph.nq, provenance.nq and their figures into a run folder, in place of others."""
    with readonly.reading(run_path) as ledger:
        tally = Tally(answers=_answers(ledger))
    # The figures take their place last: they say that the others are whole.
    with (
        replacing(run_path / FILE) as figures,
        replacing(run_path / PROVENANCE) as provenance,
        replacing(run_path / GRAPH) as graph,
    ):
        _write_apart(run_path, graph, provenance, tally)
        tally.write(figures)
    return run_path / GRAPH


def _write_apart(run_path: Path, graph: Path, provenance: Path, tally: Tally) -> None:
    with (
        graph.open("w", encoding="utf-8", newline="\n") as data,
        provenance.open("w", encoding="utf-8", newline="\n") as origin,
    ):
        for each in statements(run_path, tally):
            (origin if each.own else data).write(each.line)


def write_quads(run_path: Path, out: Path) -> None:
    """Write the N-Quads of a run, provenance included, to a new file."""
    with out.open("x", encoding="utf-8", newline="\n") as file:
        file.writelines(each.line for each in statements(run_path))
