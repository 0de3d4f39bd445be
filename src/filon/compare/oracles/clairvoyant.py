"""CLAIRVOYANT: a greedy crawl that knows the whole link graph. A floor, not a crawler.

It pays for every page and redirect that it must pass, skips what is dead, and always goes where
the most new targets are to be had for each page on the way there. The optimum is NP-hard
(Proposition 4 of SB-CLASSIFIER); no crawler that follows links gets much below this.
"""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from filon.compare.oracles.planned import Planned
from filon.compare.oracles.truth import Truth
from filon.core import Reason
from filon.verbs.harvest.strategies.brief import Brief
from filon.verbs.harvest.strategies.site import SiteState


class Clairvoyant(Planned):
    """`clairvoyant`: follows a plan made beforehand."""

    reason = Reason(kind="link", text="the plan says so")

    def __init__(self, brief: Brief, truth: Truth) -> None:
        super().__init__(brief)
        self.plan = plan(brief.start, truth, self.site)


class Graph:
    """The live pages of a site by number: which pages and which targets each leads to."""

    def __init__(self, start: str, truth: Truth, site: SiteState) -> None:
        self.urls = [start]
        self.pages: list[list[int]] = []
        self.targets: list[list[str]] = []
        self.holders: dict[str, list[int]] = {}  # the pages that lead to a target
        numbers = {start: 0}
        for page, url in enumerate(self.urls):  # grows as it goes
            self.pages.append([])
            self.targets.append([])
            for lead in dict.fromkeys(truth.leads(url)):
                if lead not in site.scope or site.brief.types.blocks(lead):
                    continue
                kind = truth.kind(lead)
                if kind == "target":
                    self.targets[page].append(lead)
                    self.holders.setdefault(lead, []).append(page)
                elif kind in ("html", "redirect"):
                    if lead not in numbers:
                        numbers[lead] = len(self.urls)
                        self.urls.append(lead)
                    self.pages[page].append(numbers[lead])


def plan(start: str, truth: Truth, site: SiteState) -> list[tuple[str, str]]:
    """Return the URLs to ask for, each with the page that leads to it, in order."""
    if truth.kind(start) == "target":
        return [(start, "")]
    graph = Graph(start, truth, site)
    size = len(graph.urls)
    gains = np.array([len(targets) for targets in graph.targets], dtype=np.float64)
    distance = np.full(size, np.inf)
    above = [-1] * size
    steps: list[tuple[str, str]] = []
    known: set[str] = set()

    def visit(page: int, parent: str) -> None:
        """Ask for a page and for all targets on it that are new."""
        url = graph.urls[page]
        steps.append((url, parent))
        for target in graph.targets[page]:
            if target not in known:
                known.add(target)
                steps.append((target, url))
                for holder in graph.holders[target]:
                    gains[holder] -= 1
        distance[page] = 0.0
        _relax(graph, page, distance, above)

    visit(0, "")
    while True:
        ratio = np.divide(gains, distance, out=np.zeros(size), where=distance > 0)
        page = int(np.argmax(ratio))
        if ratio[page] <= 0:
            return steps
        path = [page]
        while distance[above[path[-1]]] > 0:
            path.append(above[path[-1]])
        for each in reversed(path):
            visit(each, graph.urls[above[each]])


def _relax(graph: Graph, source: int, distance: NDArray[np.float64], above: list[int]) -> None:
    """Tell the pages behind a new one that they have come nearer."""
    queue = deque([source])
    while queue:
        page = queue.popleft()
        for lead in graph.pages[page]:
            if distance[page] + 1 < distance[lead]:
                distance[lead] = distance[page] + 1
                above[lead] = page
                queue.append(lead)
