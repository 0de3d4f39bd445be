"""One strategy on one web: what each request brought, by the web's own count."""

import time
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from experiments.follow.offline import Example
from experiments.follow.strategies import build
from experiments.follow.web import LodWeb
from filon.verbs.follow.strategies import Brief
from filon.verbs.follow.strategies.easy import by_name, by_type

SEEDS = 50


@dataclass(slots=True)
class Trial:
    """The course of a crawl.

    found: after how many requests each document with RDF was in; HEADs and redirects count.
    triples: the same for triples: (requests, triples so far).
    hard, hard_with_rdf: downloads of hard URIs, and those that had RDF: Table 2's measure.
    """

    strategy: str
    seed: int
    reachable: int
    all_triples: int
    requests: int = 0
    heads: int = 0
    hard: int = 0
    hard_with_rdf: int = 0
    selection_s: float = 0.0
    found: list[int] = field(default_factory=list)
    triples: list[tuple[int, int]] = field(default_factory=list)
    #: The chance that a strategy gave to a URI, and whether it led to RDF, redirects included.
    guesses: list[tuple[float, bool]] = field(default_factory=list)
    #: At each find: downloads of hard URIs, and those with RDF, so far.
    course: list[tuple[int, int]] = field(default_factory=list)

    def to_reach(self, share: float) -> int | None:
        """Return the requests to a share of the documents with RDF; None if it never got there."""
        wanted = int(share * self.reachable)
        return self.found[wanted - 1] if 0 < wanted <= len(self.found) else None

    @property
    def recall(self) -> float:
        """The share of the documents with RDF that was found in the end."""
        return len(self.found) / self.reachable

    @property
    def percentage(self) -> float:
        """Table 2: of the hard URIs that were downloaded, those with RDF."""
        return self.hard_with_rdf / self.hard if self.hard else 0.0

    def percentage_at(self, share: float) -> float | None:
        """Return Table 2's measure when a share of the documents was found; None if never."""
        wanted = int(share * self.reachable)
        if not 0 < wanted <= len(self.course):
            return None
        hard, with_rdf = self.course[wanted - 1]
        return with_rdf / hard if hard else 0.0

    @property
    def calibration_error(self) -> float | None:
        """By how much chances were off, in tenths (ECE); None where none were given."""
        tenths: dict[int, list[tuple[float, bool]]] = {}
        for chance, hit in self.guesses:
            tenths.setdefault(min(9, int(10 * chance)), []).append((chance, hit))
        off = (abs(sum(chance - hit for chance, hit in tenth)) for tenth in tenths.values())
        return sum(off) / len(self.guesses) if self.guesses else None

    def triples_at(self, requests: float) -> float:
        """Return the share of all triples that was in after so many requests."""
        at = bisect_right(self.triples, (requests, self.all_triples)) - 1
        return self.triples[at][1] / self.all_triples if at >= 0 else 0.0


def reachable(web: LodWeb, seed: int) -> set[str]:
    """Return the things whose documents can be reached from the seeds by links."""
    return set(_crawl("oracle", web, seed)[1])


def run(
    strategy: str,
    web: LodWeb,
    seed: int,
    things: set[str],
    options: dict[str, str | float] | None = None,
    training: Sequence[Example] = (),
) -> Trial:
    """Run a strategy to its end on a web."""
    trial, _ = _crawl(strategy, web, seed, options or {}, training, things)
    return trial


def _crawl(
    name: str,
    web: LodWeb,
    seed: int,
    options: dict[str, str | float] | None = None,
    training: Sequence[Example] = (),
    things: set[str] | None = None,
) -> tuple[Trial, list[str]]:
    known = things or set(web.things)
    trial = Trial(name, seed, len(known), sum(web.triples(thing) for thing in known))
    seeds = tuple(web.seeds(SEEDS, seed))
    shortcuts = name in ("lode", "bfs", "oracle")
    brief = Brief(seeds=seeds, seed=seed, options=options or {}, shortcuts=shortcuts)
    strategy = build(name, brief, web, training)
    seen: dict[str, None] = {}
    pending: dict[str, float] = {}  # by goal of a redirect: the chance that was given before it
    total = 0
    while True:
        began = time.process_time()
        step = strategy.propose()
        trial.selection_s += time.process_time() - began
        if step is None:
            return trial, list(seen)
        trial.requests += 1
        answer = web.answer(step.request)
        finds = strategy.observe(step, answer)
        if step.request.method == "HEAD":
            trial.heads += 1
        elif answer.ok and not by_name(step.request.url) and not by_type(answer.mime):
            trial.hard += 1
            trial.hard_with_rdf += bool(finds)
        chance = pending.pop(step.request.url, step.reason.expected)
        if chance and answer.redirects:
            pending[answer.header("location")] = chance
        elif chance:
            trial.guesses.append((chance, bool(finds)))
        for find in finds:
            thing = web.thing(find.url)
            if thing in known and thing not in seen:
                seen[thing] = None
                total += web.triples(thing)
                trial.found.append(trial.requests)
                trial.course.append((trial.hard, trial.hard_with_rdf))
                trial.triples.append((trial.requests, total))
