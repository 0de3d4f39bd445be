"""The documents of a run, one at a time: each with its triples and how it was come by.

They are read again from the archive, so that all of a document is there: a strategy looks only
at the beginning of a long one. A dump that was kept as a file is read as a stream.
"""

import io
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyoxigraph as ox

from filon.core import MachineError, Response
from filon.page.url import join, parse
from filon.run import readonly
from filon.run.archive import Answers
from filon.verbs.follow.rdf.document import Document, Graph
from filon.verbs.follow.rdf.dump import Dump, is_packed
from filon.verbs.follow.rdf.jsonld import name, terms
from filon.verbs.follow.rdf.reader import read
from filon.verbs.follow.rdf.syntaxes import TYPES

#: A chain of redirects is not longer than strategies follow it.
_HOPS = 12
_ANSWERS = """
SELECT s.*, f.url AS graph, f.name AS uri FROM steps s
LEFT JOIN finds f ON f.step = s.step AND f.kind = 'graph'
WHERE s.answer IS NOT NULL AND s.status BETWEEN 200 AND 299 AND s.error = ''
  AND s.method != 'HEAD' AND s.kind != 'robots' AND (f.find IS NOT NULL OR s.cut != 'type')
ORDER BY s.answer
"""
_HOP = """
SELECT step, url, status, location, at_s, took_s FROM steps
WHERE url = ? AND location != '' AND answer <= ? ORDER BY answer DESC LIMIT 1
"""
_CONTEXTS = "SELECT * FROM steps WHERE kind = 'context' AND answer IS NOT NULL ORDER BY answer"


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect that led to a document: the step, what was asked for, and the answer."""

    step: int
    url: str
    status: int
    at_s: float
    took_s: float


@dataclass(slots=True, kw_only=True)
class Found:
    """A document with RDF, or one that claims to be and cannot be read.

    graph: the name of its graph: its URL. uri: as it was mentioned.
    kept: somebody meant it to be data, so its triples are part of the output.
    quads: triples with the names of their graphs, to be iterated once; after that `document` says
        how the reading went.
    steady: blank nodes have the same labels whenever it is read.
    endpoint: where it is a page of one; blank nodes of other pages may be the same.
    """

    step: int
    graph: str
    uri: str
    kept: bool
    response: Response
    quads: Iterable[tuple[ox.Triple, Graph | None]]
    document: Document | Dump
    hops: list[Hop] = field(default_factory=list)
    steady: bool = True
    endpoint: str = ""

    @property
    def strict(self) -> bool:
        """Whether somebody meant it to be data."""
        return self.document.strict if isinstance(self.document, Document) else self.kept


def documents(run_path: Path) -> Iterator[Found]:
    """Yield documents that hold a triple, or that could not be read, in the order they came in."""
    answers = Answers(run_path)
    with readonly.reading(run_path) as ledger:
        known = _contexts(ledger, answers)
        for row in ledger.execute(_ANSWERS):
            with ExitStack() as stack:
                found = _found(run_path, answers, row, known, stack)
                if found:
                    found.hops = _hops(ledger, found, row["answer"])
                    yield found


def _found(
    run_path: Path,
    answers: Answers,
    row: sqlite3.Row,
    known: Mapping[str, Any],
    stack: ExitStack,
) -> Found | None:
    graph, kept = row["graph"] or row["url"], row["graph"] is not None
    try:
        response = answers.read(row, row["url"])
    except OSError as error:
        raise MachineError(f"{run_path} cannot be read: {error.strerror or error}.") from error
    document: Document | Dump
    quads: Iterable[tuple[ox.Triple, Graph | None]]
    steady = True
    if row["sha256"] is not None or is_packed(response.body):
        document = _dump(answers, row, response, stack)
        quads, steady = document.quads(), False
        if not kept:
            # Most are no RDF at all; of the others it is to be told why they are not there.
            quads = list(islice(quads, 1))
            if quads or not document.broken:
                return None
    else:
        content_type = response.header("content-type")
        document = read(response.body, row["url"], content_type, contexts=known)
        quads = document.quads()
        if row["cut"] and not kept:
            document.broken = _uncut(row["cut"], response)
        if not (document.triples or document.broken or kept):
            return None
        if row["kind"] == "sparql" and not (document.broken or kept):
            return None  # a page of an endpoint that was asked for anew
    return Found(
        step=row["step"],
        graph=graph,
        uri=row["uri"] or row["url"],
        kept=kept,
        response=response,
        quads=quads,
        document=document,
        steady=steady,
        endpoint=str(row["uri"] or "") if row["kind"] == "sparql" else "",
    )


def _uncut(cut: str, response: Response) -> str:
    """Return a complaint about RDF that was not downloaded; "" about anything else."""
    is_rdf = TYPES.get(response.mime, "html") != "html"
    return f"it was not downloaded ({cut}: {response.size_bytes:,} bytes)" if is_rdf else ""


def _dump(answers: Answers, row: sqlite3.Row, response: Response, stack: ExitStack) -> Dump:
    content_type = response.header("content-type")
    stored = row["sha256"]
    if stored:
        stream: BinaryIO = stack.enter_context(answers.files.path(stored).open("rb"))
    else:
        stream = io.BytesIO(response.body)
    return Dump(stream, row["url"], content_type)


def _hops(ledger: sqlite3.Connection, found: Found, answer: int) -> list[Hop]:
    """Return the redirects from the URI that was mentioned to the document, in order."""
    hops: list[Hop] = []
    url = parse(found.uri)
    while url and url != found.response.url and len(hops) < _HOPS:
        row = ledger.execute(_HOP, (url, answer)).fetchone()
        if row is None:
            return []  # it was come by in another way
        hops.append(Hop(row["step"], row["url"], row["status"], row["at_s"], row["took_s"]))
        url = join(row["url"], row["location"])
    return hops if url else []


def _contexts(ledger: sqlite3.Connection, answers: Answers) -> dict[str, Any]:
    """Return the JSON-LD contexts of a run; one that moved is known by its first name too."""
    known: dict[str, Any] = {}
    called: dict[str, list[str]] = {}  # by URL, the names under which it was asked for
    for row in ledger.execute(_CONTEXTS):
        names = [*called.pop(row["url"], []), name(row["url"])]
        if row["location"]:
            called[join(row["url"], row["location"])] = names
        elif 200 <= row["status"] < 300 and not row["cut"]:
            context = terms(answers.read(row, row["url"]).body)
            known.update((one, context) for one in names if context)
    return known
