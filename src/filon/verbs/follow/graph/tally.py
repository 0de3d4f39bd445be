"""What the documents of a run hold, counted: hosts, vocabularies, classes and predicates.

Counted while the output is written, and kept beside it for the report and the terminal.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from filon.page.url import host
from filon.verbs.follow.graph.documents import Found
from filon.verbs.follow.rdf.names import RDF

FILE = "graph.json"
#: Different names that are counted of each sort; those that come later are not.
MOST_NAMES = 50_000
#: Names and broken documents that are written down.
KEPT, BROKEN = 200, 100
_SPACE = re.compile(r"^.*[#/]")


@dataclass(slots=True, kw_only=True)
class Tally:
    """The figures of an output.

    documents, triples: those that are part of it. accidental: documents that are not, as what
        they hold nobody meant to be data.
    hosts: by host, documents and triples.
    broken: documents that could be read only in part, and why.
    unreadable: documents of which nothing could be read, and why.
    graph: the name of the graph that tells where they came from.
    answers: how many the run had when it was written.
    """

    documents: int = 0
    triples: int = 0
    accidental: int = 0
    unwritten: int = 0
    syntaxes: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    host_triples: Counter[str] = field(default_factory=Counter)
    vocabularies: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    predicates: Counter[str] = field(default_factory=Counter)
    sizes: dict[str, int] = field(default_factory=dict)
    broken: list[tuple[str, str]] = field(default_factory=list)
    broken_count: int = 0
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    unreadable_count: int = 0
    graph: str = ""
    answers: int = 0

    def count(self, triple: ox.Triple) -> None:
        """Count a triple."""
        self.triples += 1
        predicate = triple.predicate.value
        _add(self.predicates, predicate)
        if predicate == f"{RDF}type" and isinstance(triple.object, ox.NamedNode):
            _add(self.classes, triple.object.value)

    def close(self, found: Found, triples: int) -> None:
        """Count a document whose triples were counted."""
        fault = (found.graph, found.document.broken[:200])
        if fault[1] and not triples:
            self.unreadable_count += 1
            self.unreadable += [fault] if len(self.unreadable) < BROKEN else []
        elif fault[1]:
            self.broken_count += 1
            self.broken += [fault] if len(self.broken) < BROKEN else []
        if not found.kept:
            self.accidental += triples > 0
            return
        self.documents += 1
        place = host(found.graph)
        _add(self.hosts, place)
        _add(self.host_triples, place, triples)
        for syntax in dict.fromkeys(found.document.syntaxes):
            self.syntaxes[syntax] += 1

    def write(self, path: Path) -> None:
        """Write it down, the most frequent names only."""
        for name, number in [*self.predicates.items(), *self.classes.items()]:
            space = _SPACE.match(name)
            _add(self.vocabularies, space[0] if space else name, number)
        # Not asdict: it makes a counter of a counter's pairs.
        figures: dict[str, Any] = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        for key, value in figures.items():
            if isinstance(value, Counter):
                self.sizes[key] = len(value)
                figures[key] = dict(sorted(value.items(), key=lambda one: (-one[1], one[0]))[:KEPT])
        figures["sizes"] = dict(self.sizes)
        path.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _add(counter: Counter[str], name: str, number: int = 1) -> None:
    if name in counter or len(counter) < MOST_NAMES:
        counter[name] += number


def read_tally(run_path: Path) -> Tally:
    """Return the figures of a run's graph; none where it has not been written."""
    try:
        figures: dict[str, Any] = json.loads((run_path / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return Tally()
    empty = {entry.name: getattr(Tally(), entry.name) for entry in fields(Tally)}
    counters = {
        key: Counter(figures.get(key, {})) for key, value in empty.items() if type(value) is Counter
    }
    plain = {key: figures[key] for key in empty if key in figures and key not in counters}
    for key in ("broken", "unreadable"):
        plain[key] = [(str(url), str(why)) for url, why in figures.get(key, [])]
    return Tally(**{**plain, **counters})
