"""What leads from a page to others: results of searches, links, and questions about good pages.

Every page that was read is remembered by what it links to. When one of those sites turns out to be
good, the page becomes a hub and its other links are candidates: no service for backlinks is needed.
"""

from collections.abc import Iterable, Sequence

from filon.core.forms import KEYS, TUPLE, each, pairs
from filon.core.service import Hit
from filon.core.state import Stateful, stored
from filon.learn.discounted import Discounted
from filon.page.url import parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import Page, site_of
from filon.verbs.discover.strategies.scout.frontier import Candidate, Frontier, Sources
from filon.verbs.discover.strategies.scout.queries import Asking
from filon.verbs.discover.strategies.scout.repositories import Repositories
from filon.verbs.discover.strategies.scout.sites import Sites
from filon.verbs.discover.strategies.scout.tasks import ScoutTask, Tasks, arm_named

#: Pages that are remembered, the newest.
MOST_PAGES = 3_000
#: Sites that are remembered as not good, the newest.
MOST_BAD = 20_000


class Hubs(Stateful):
    """Links of pages that were read, by page and by site."""

    STATE = (
        stored("_links", pairs(each(TUPLE))),
        stored("_good", KEYS),
        stored("_bad", KEYS),
    )

    def __init__(self, by: str) -> None:
        self._by = by
        self._links: dict[str, list[tuple[str, str]]] = {}
        self._naming: dict[str, dict[str, None]] = {}
        self._good: dict[str, None] = {}
        self._bad: dict[str, None] = {}

    def remember(self, page: Page) -> bool:
        """Take in a page; True if it links to a good site already."""
        links = list(zip(page.abroad, page.anchors, strict=True))
        if not links:
            return False
        sites = [site_of(url, self._by) for url, _ in links]
        if any(site in self._good for site in sites):
            return True
        self._links[page.url] = links
        for site in sites:
            self._naming.setdefault(site, {})[page.url] = None
        if len(self._links) > MOST_PAGES:
            self._forget(next(iter(self._links)))
        return False

    def _forget(self, url: str) -> list[tuple[str, str]]:
        links = self._links.pop(url, [])
        for target, _ in links:
            site = site_of(target, self._by)
            naming = self._naming.get(site, {})
            naming.pop(url, None)
            if not naming:
                self._naming.pop(site, None)
        return links

    def standing(self, links: Iterable[tuple[str, str]]) -> tuple[int, int]:
        """Return how many of the sites that some links lead to are good, and how many are known."""
        sites = {site_of(url, self._by) for url, _ in links}
        good = len(sites & self._good.keys())
        return good, good + len(sites & self._bad.keys())

    def bad(self, site: str) -> None:
        """Take note of a site that is not good."""
        if site not in self._good:
            self._bad[site] = None
            if len(self._bad) > MOST_BAD:
                del self._bad[next(iter(self._bad))]

    def good(self, site: str) -> list[tuple[str, list[tuple[str, str]]]]:
        """Take note of a good site; return the pages that become hubs by it, and their links."""
        self._good[site] = None
        self._bad.pop(site, None)
        return [(url, self._forget(url)) for url in list(self._naming.get(site, {}))]

    def restored(self) -> None:
        """Note again which hubs name a site."""
        self._naming = {}
        for url, told in self._links.items():
            for target, _ in told:
                self._naming.setdefault(site_of(target, self._by), {})[url] = None


#: The arms that need nobody: links of good pages, and links of pages that link to good ones.
FORWARD, HUBS = "forward", "hubs"
#: The service whose catalogues are known before anything is found.
REGISTRY = "registry"
#: Of a title and a snippet.
MOST_TEXT = 400


class Candidates(Stateful):
    """Lets pages and questions wait."""

    STATE = ("_hubs", stored("known", KEYS))

    def __init__(
        self,
        brief: Brief,
        tasks: Tasks,
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
        bandit.add(FORWARD)
        bandit.add(HUBS)

    def results(self, task: ScoutTask, hits: Sequence[Hit]) -> float:
        """Let the results of a search wait; return what they promise."""
        arm = arm_named(task.operator, task.searcher)
        hub = task.operator == "backward"
        own = site_of(task.query, self._by) if hub else ""
        gain = 0.0
        for hit in hits:
            url = parse(hit.url)
            site = site_of(url, self._by) if url else own
            if task.searcher == REGISTRY and url:
                self.known[site] = None
            if site == own:
                continue
            # Not every service tells more than the address.
            text = f"{hit.title} {hit.snippet}".strip()
            one = Candidate(url, site, text[:MOST_TEXT], task.operator, task.searcher)
            one.query, one.parent, one.hub = task.query, task.parent or task.query, hub
            one.origins = [(arm, f"{arm} {task.query}")]
            gain += self._add(one)
        return gain

    def _add(self, one: Candidate) -> float:
        """Let a page wait; return what it promises."""
        wanted = self._goal.wanted(one.site)
        if not wanted or not self._tasks.fresh(one.url):
            return 0.0
        if not one.hub:
            one.prior = self._goal.prior(one.url, one.text)
            one.value = self._goal.value(one.text)
        return self._frontier.add(one) * wanted

    def read(self, page: Page, hub_of: str) -> None:
        """Follow the links of a hub, or of a page that turns out to be one. hub_of: its arm."""
        if hub_of or self._hubs.remember(page):
            self._hub(page.url, _links(page), hub_of or HUBS)

    def good(self, page: Page, promise: float) -> None:
        """Go on from a good page: ask what is like it and who links to it, follow its links."""
        home = page.url[: page.url.find("/", 8) + 1] or page.url
        self._asking.offer("related", home, promise, page.url)
        self._asking.offer("backward", home, promise, page.url)
        self._asking.offer("backward", page.url, promise, page.url)
        self._bandit.pull(FORWARD, 0.0)
        self._follow(page.url, _links(page), FORWARD)
        for url, links in self._hubs.good(page.site):
            self._hub(url, links, HUBS)

    def bad(self, site: str) -> None:
        """Take note of a site that is not good: its hubs are the worse for it."""
        self._hubs.bad(site)

    def _hub(self, url: str, links: list[tuple[str, str]], arm: str) -> None:
        """Follow the links of a hub, which is judged by those that are known already."""
        self._sources.believe(url, *self._hubs.standing(links))
        if arm == HUBS:
            self._bandit.pull(HUBS, 0.0)
        self._follow(url, links, arm)

    def _follow(self, source: str, links: Iterable[tuple[str, str]], arm: str) -> None:
        """Let the links of a page wait."""
        operator, _, searcher = arm.partition(" · ")
        for url, text in links:
            one = Candidate(url, site_of(url, self._by), text, operator, searcher)
            one.parent, one.origins = source, [(arm, source)]
            self._add(one)


def _links(page: Page) -> list[tuple[str, str]]:
    return list(zip(page.abroad, page.anchors, strict=True))
