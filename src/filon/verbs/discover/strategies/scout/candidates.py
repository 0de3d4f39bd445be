"""What waits to be read or asked: results of searches, and links of pages that were read.

Where repositories are wanted, a candidate is a site, entered at its home page; the pages that were
named are kept for the check. All links to other sites are kept, of every page that is read: lists
are followed before anything that they name is proved. Where sites like the examples are wanted, a
candidate is the very page, and a page is followed once a good site was found among its links.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from filon.core.forms import KEYS
from filon.core.service import Hit
from filon.core.state import Stateful, stored
from filon.learn.discounted import Discounted
from filon.page.links import Link
from filon.page.url import parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import Met, Page, site_of
from filon.verbs.discover.strategies.scout.frontier import Candidate, Frontier, Hubs, Sources
from filon.verbs.discover.strategies.scout.queries import Asking
from filon.verbs.discover.strategies.scout.reading import Reading
from filon.verbs.discover.strategies.scout.repositories import Repositories
from filon.verbs.discover.strategies.scout.sites import Sites
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, ScoutTasks, arm_named

#: The arms that need nobody: links of good pages, and links of pages that link to good ones.
FORWARD, HUBS = "forward", "hubs"
#: The service whose catalogues are known before anything is found.
REGISTRY = "registry"
#: A candidate with less of a chance is not what a search is asked for.
WORTH_A_LOOK = 0.15
#: Of a title and a snippet.
MOST_TEXT = 400


class Candidates(Stateful):
    """Lets pages and questions wait."""

    STATE = ("_hubs", stored("known", KEYS), stored("_believed", KEYS))

    def __init__(
        self,
        brief: Brief,
        tasks: ScoutTasks,
        goal: Repositories | Sites,
        frontier: Frontier,
        asking: Asking,
        bandit: Discounted,
        sources: Sources,
    ) -> None:
        self._by = brief.sites
        self._tasks, self._goal, self._frontier = tasks, goal, frontier
        self._asking, self._bandit, self._sources = asking, bandit, sources
        self._hubs = Hubs(brief.sites)
        self.known: dict[str, None] = {}  # sites that the registry has
        self._believed: dict[str, None] = {}  # sites whose links were followed
        bandit.add(FORWARD)
        bandit.add(HUBS)

    def results(self, task: ScoutTask, hits: Sequence[Hit]) -> float:
        """Let the results of a search wait; return what is expected of them."""
        arm = arm_named(task.operator, task.searcher)
        hub = task.operator == "backward"
        met = Met(**task.way | {"parent": task.parent or task.query})
        own = site_of(task.query, self._by) if hub else ""
        gain = brought = cost = 0.0
        for hit in hits:
            url = parse(hit.url)
            site = site_of(url, self._by) if url else own
            if task.searcher == REGISTRY and url:
                self.known[site] = None
            if site == own or (hub and self._opened(task, url)):
                continue
            # Not every service tells more than the address.
            text = f"{hit.title} {hit.snippet}".strip()
            one = Candidate(url, site, text[:MOST_TEXT], met, hub)
            one.origins = [(arm, f"{arm} {task.query}")]
            chance = self._add(one)
            gain += chance
            if chance >= WORTH_A_LOOK:
                brought, cost = brought + chance, cost + self._goal.cost(chance)
        if isinstance(self._goal, Repositories):
            self._bandit.gain(arm, brought)
            self._bandit.spend(arm, cost)
        return gain

    def _opened(self, task: ScoutTask, hub: str) -> bool:
        """Let the service that told of a hub tell its links too, if it can; else it is read."""
        if not hub or not self._tasks.searching.opens(task.searcher, hub):
            return False
        self._asking.offer("outlinks", hub, 1.0, hub)
        return True

    def _add(self, one: Candidate) -> float:
        """Let a page wait; return what is expected of it."""
        wanted = self._goal.wanted(one.site)
        if not one.hub:
            self._goal.hear(one.site, one.text)
            target = self._goal.target(one.url)
            if target != one.url:
                one.url, one.pages = target, [one.url]
        if not wanted or self._tasks.met(one.url):
            return 0.0
        return self._frontier.add(one) * wanted

    def again(self, one: Candidate) -> None:
        """Let the next page wait of a site whose home page cannot be read."""
        if one.pages:
            other = replace(one, url=one.pages[0], pages=one.pages[1:], features=[])
            if not self._tasks.met(other.url):
                self._frontier.add(other)

    def read(self, reading: Reading, hub_of: str) -> float:
        """Follow the links of a page; return what is expected of them. hub_of: the arm of a hub."""
        page = reading.page
        if isinstance(self._goal, Repositories):
            return self._follow(page.url, page.site, reading.abroad, hub_of or FORWARD)
        if hub_of or self._hubs.remember(page):
            self._hub(page.url, _links(page), hub_of or HUBS)
        return 0.0

    def good(self, page: Page, expected: float) -> None:
        """Go on from a good page: ask what is like it and who links to it, follow its links."""
        home = page.url[: page.url.find("/", 8) + 1] or page.url
        self._asking.offer("related", home, expected, page.url)
        self._asking.offer("backward", home, expected, page.url)
        if isinstance(self._goal, Repositories):
            return
        self._asking.offer("backward", page.url, expected, page.url)
        self._bandit.pull(FORWARD, 0.0)
        self._follow(page.url, page.url, _links(page), FORWARD)
        for url, links in self._hubs.good(page.site):
            self._hub(url, [Link(to, "", text, "a") for to, text in links], HUBS)

    def bad(self, site: str) -> None:
        """Take note of a site that is not good: its hubs are the worse for it."""
        if isinstance(self._goal, Sites):
            self._hubs.bad(site)

    def _hub(self, url: str, links: list[Link], arm: str) -> None:
        """Follow the links of a hub, which is judged by those that are known already."""
        self._sources.believe(url, *self._hubs.standing((link.url, link.text) for link in links))
        if arm == HUBS:
            self._bandit.pull(HUBS, 0.0)
        self._follow(url, url, links, arm)

    def _follow(self, page: str, source: str, links: Iterable[Link], arm: str) -> float:
        """Let the links of a page wait; return what is expected of them.

        source: what is believed for its links, good or bad: the page, or its site.
        """
        operator, _, searcher = arm.partition(" · ")
        met, expected = Met(operator=operator, searcher=searcher, parent=page), 0.0
        if isinstance(self._goal, Repositories) and source not in self._believed:
            self._believed[source] = None
            self._sources.believe(source, self._goal.topic.chance(source), 1.0)
        for link in links:
            text = (link.around or link.text)[:MOST_TEXT]
            one = Candidate(link.url, site_of(link.url, self._by), text, met)
            one.origins, one.place = [(arm, source)], _place(link)
            expected += self._add(one)
        return expected


def _place(link: Link) -> str:
    return "/".join(link.path.rsplit("/", 3)[-3:])[:80]


def _links(page: Page) -> list[Link]:
    both = zip(page.abroad, page.anchors, strict=True)
    return [Link(url, "", text, "a") for url, text in both]
