"""Where each document came from, in PROV: when, by which requests, with what answer.

All of it stands in one graph of its own, whose name is the run's.
"""

import json
import uuid
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filon.core.version import __version__
from filon.run import readonly
from filon.verbs.follow.graph.documents import Found
from filon.verbs.follow.graph.terms import iri
from filon.verbs.follow.rdf.document import Document

#: Terms that no vocabulary has; docs/follow.md tells what each means.
OWN = "urn:filon:"
PROV = "http://www.w3.org/ns/prov#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
STATUS = "http://www.w3.org/2011/http#statusCodeValue"
TRIPLES = "http://rdfs.org/ns/void#triples"
FORMAT = "http://purl.org/dc/terms/format"
_XSD = "http://www.w3.org/2001/XMLSchema#"
#: Headers that tell of a document, not of a connection.
HEADERS = ("last-modified", "etag", "link", "content-language", "content-location", "license")


class Provenance:
    """Says in triples how documents were come by.

    run_path: the run; its name and its first answer make the name of the graph.
    """

    def __init__(self, run_path: Path) -> None:
        config = readonly.config(run_path)
        with readonly.reading(run_path) as ledger:
            self._first, self._last = ledger.execute(
                "SELECT COALESCE(MIN(at_s - took_s), 0), COALESCE(MAX(at_s), 0)"
                " FROM steps WHERE took_s >= 0"
            ).fetchone()
        #: The name of the run, and of the graph that tells of it.
        self.run = uuid.uuid5(uuid.NAMESPACE_URL, f"filon:{run_path.name}:{self._first!r}").urn
        self._name, self._strategy = run_path.name, str(config.get("strategy", ""))
        self._told: set[int] = set()

    def of_run(self) -> Iterator[str]:
        """Say what the run was."""
        agent = f"{OWN}agent:{__version__}"
        yield self._say(self.run, TYPE, iri(f"{PROV}Activity"))
        yield self._say(self.run, LABEL, _text(self._name))
        yield self._say(self.run, f"{PROV}startedAtTime", _time(self._first))
        yield self._say(self.run, f"{PROV}endedAtTime", _time(self._last))
        yield self._say(self.run, f"{PROV}wasAssociatedWith", iri(agent))
        yield self._say(self.run, f"{OWN}strategy", _text(self._strategy))
        yield self._say(agent, TYPE, iri(f"{PROV}SoftwareAgent"))
        yield self._say(agent, LABEL, _text(f"filon {__version__}"))

    def of_document(self, found: Found, triples: int, names: Iterable[str] = ()) -> Iterator[str]:
        """Say where a document came from, after it was read; names: of the graphs within it."""
        graph, response = found.graph, found.response
        fetch = self._step(found.step)
        yield self._say(graph, TYPE, iri(f"{PROV}Entity"))
        yield self._say(graph, f"{PROV}generatedAtTime", _time(response.at_s))
        yield self._say(graph, f"{PROV}wasGeneratedBy", iri(fetch))
        yield self._say(graph, TRIPLES, _number(triples))
        yield self._say(graph, f"{OWN}strict", _truth(found.strict))
        yield self._say(graph, f"{OWN}any", _truth(triples > 0))
        if response.mime:
            yield self._say(graph, FORMAT, _text(response.mime))
        for syntax in dict.fromkeys(found.document.syntaxes):
            yield self._say(graph, f"{OWN}syntax", _text(syntax))
        if found.document.broken:
            yield self._say(graph, f"{OWN}broken", _text(found.document.broken[:500]))
        if isinstance(found.document, Document) and found.document.mended:
            yield self._say(graph, f"{OWN}mended", _truth(True))
        if found.document.full or response.cut:
            yield self._say(graph, f"{OWN}cut", _truth(True))
        for name, value in response.headers:
            if name.lower() in HEADERS:
                yield self._say(graph, f"{OWN}header", _text(f"{name}: {value[:2000]}"))
        for name in names:
            if name.startswith("<"):
                yield f"{name} <{PROV}wasDerivedFrom> {iri(graph)}"
        yield from self._ways(found, fetch)

    def _ways(self, found: Found, fetch: str) -> Iterator[str]:
        """Say which requests led to a document: each redirect is one, and informs the next."""
        before = ""
        for hop in found.hops:
            step = self._step(hop.step)
            if hop.step not in self._told:
                self._told.add(hop.step)
                yield from self._request(step, hop.url, hop.status, hop.at_s, hop.took_s, before)
            yield self._say(found.graph, f"{PROV}alternateOf", iri(hop.url))
            before = step
        answer = found.response
        yield from self._request(
            fetch, answer.url, answer.status, answer.at_s, answer.took_s, before
        )

    def _request(
        self, step: str, url: str, status: int, at_s: float, took_s: float, before: str
    ) -> Iterator[str]:
        yield self._say(step, TYPE, iri(f"{PROV}Activity"))
        yield self._say(step, f"{PROV}used", iri(url))
        yield self._say(step, f"{PROV}startedAtTime", _time(at_s - max(0.0, took_s)))
        yield self._say(step, f"{PROV}endedAtTime", _time(at_s))
        yield self._say(step, STATUS, _number(status))
        yield self._say(step, f"{PROV}wasInformedBy", iri(before or self.run))

    def _step(self, number: int) -> str:
        return f"{self.run}#step-{number}"

    def _say(self, subject: str, predicate: str, value: str) -> str:
        node = iri(subject)
        return f"{node} <{predicate}> {value}" if node and value else ""


def _text(value: str) -> str:
    # JSON escapes as N-Quads does; half a surrogate pair is no character of either.
    return json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False)


def _typed(value: Any, kind: str) -> str:
    return f'"{value}"^^<{_XSD}{kind}>'


def _number(value: int) -> str:
    return _typed(value, "integer")


def _truth(value: bool) -> str:
    return _typed(str(value).lower(), "boolean")


def _time(at_s: float) -> str:
    moment = datetime.fromtimestamp(at_s, UTC).isoformat(timespec="milliseconds")
    return _typed(moment.replace("+00:00", "Z"), "dateTime")
