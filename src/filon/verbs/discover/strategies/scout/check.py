"""Whether a site is a repository: its API is asked where its software is known, else it is read.

Reading goes best first: links that promise data, and links that look like those which led to files
here. What another page of a site is worth falls with every page that brings nothing.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from filon.core.forms import KEYS, TUPLE, each, made, table
from filon.core.state import Stateful, group, stored
from filon.verbs.discover.strategies.page import PAGE, Page
from filon.verbs.discover.strategies.scout.frontier import CANDIDATE, Candidate
from filon.verbs.discover.strategies.scout.haul import ENOUGH, HAUL, Haul

#: "within three hops".
DEPTH = 3
#: Pages of a site without a file, and with some, before it is given up.
HOPELESS, MOST_PAGES = 6, 25
MOST_LINKS = 400
#: What a page without files leaves of the odds.
DULL = 0.6
#: Pages that it takes where no file was seen yet.
USUAL_PAGES = 5.0
#: Files that a page of a dataset has, and how sure a site is that has such pages.
USUAL_FILES, SURE = 2.0, 0.9


@dataclass(slots=True)
class Check(Stateful):
    """One site that is being verified.

    chance: that it is a repository, by its entry page.
    features, prior: what that was told by, to learn from later.
    places: software and addresses where its API may be. root: where its portal begins, if that is
        a page of its own.
    links: pages to read, as (does not promise data, depth, URL).
    shapes: links that look alike: how many were read, how many of them had files.
    spent: requests so far. dull: pages in a row that brought nothing.
    worth: what another page of the site is expected to bring, for each request.
    """

    STATE = (
        stored("entry", PAGE),
        stored("candidate", CANDIDATE),
        stored("haul", HAUL),
        group("told", "chance", "prior", "audited", "asked_sitemap", "busy", "worth"),
        group("counts", "pages", "dull", "calls", "spent"),
        "features",
        "root",
        stored("places", each(TUPLE)),
        stored("links", each(TUPLE)),
        stored("met", KEYS),
        stored("shapes", table(TUPLE)),
    )

    entry: Page
    candidate: Candidate
    chance: float = 0.5
    features: list[int] = field(default_factory=list)
    prior: float = 0.0
    audited: bool = False
    places: list[tuple[str, str]] = field(default_factory=list)
    haul: Haul = field(default_factory=Haul)
    links: list[tuple[bool, int, str]] = field(default_factory=list)
    met: dict[str, None] = field(default_factory=dict)
    shapes: dict[str, tuple[int, int]] = field(default_factory=dict)
    root: str = ""
    asked_sitemap: bool = False
    pages: int = 0
    dull: int = 0
    calls: int = 0
    spent: int = 1
    worth: float = 0.0
    busy: bool = False

    def read(self, page: Page, depth: int) -> None:
        """Take in a page of the site."""
        new = self.haul.see(page.files, page.url, page.title)
        if depth:
            read, fruitful = self.shapes.get(_shape(page.url), (0, 0))
            self.shapes[_shape(page.url)] = read + 1, fruitful + bool(new)
        before = len(self.links)
        if depth < DEPTH:
            self.meet(page.within, page.promising, depth + 1)
        promising = sum(not dull for dull, _, _ in self.links[before:])
        self.dull = 0 if new or promising >= 3 else self.dull + 1

    def meet(self, urls: tuple[str, ...], promising: int, depth: int) -> None:
        """Let links wait; the first ones promise data."""
        for number, url in enumerate(urls):
            if url not in self.met and len(self.met) < MOST_LINKS:
                self.met[url] = None
                self.links.append((number >= promising, depth, url))

    def next_link(self) -> tuple[int, str]:
        """Return the likeliest link to files, and how far it is from the entry page."""
        best = min(range(len(self.links)), key=lambda at: (*self._order(self.links[at]), at))
        _, depth, url = self.links.pop(best)
        return depth, url

    def _order(self, link: tuple[bool, int, str]) -> tuple[float, bool, int]:
        dull, depth, url = link
        read, fruitful = self.shapes.get(_shape(url), (0, 0))
        return -round((fruitful + 0.3) / (read + 1), 3), dull, depth

    @property
    def home(self) -> str:
        """The page to begin with: the portal's own, where its API told that it is one."""
        return f"{self.root}/" if self.root and self.haul.software else self.entry.url

    def weigh(self) -> None:
        """Settle what another page is worth: asked often, and it changes with an answer only."""
        self.worth = self._worth()

    def _worth(self) -> float:
        """Return what another page of the site is worth, for each request.

        Once some pages had files, it is told by how many more like them there are.
        """
        odds = self.chance / (1 - min(0.99, self.chance)) * DULL**self.dull
        fruitful = sum(good for _, good in self.shapes.values())
        if not fruitful:
            return odds / (1 + odds) / max(2.0, USUAL_PAGES - self.pages)
        files = len(self.haul.files)
        left = (ENOUGH - files) * (fruitful + 2) / (files + 2 * USUAL_FILES)
        alike = sum(self.shapes.get(_shape(url), (0, 0))[1] > 0 for _, _, url in self.links)
        enough = min(1.0, (alike + 0.1 * (len(self.links) - alike)) / max(1.0, left))
        return SURE * enough * DULL**self.dull / max(1.0, left)

    @property
    def hopeless(self) -> bool:
        """No more pages are worth a request."""
        if not self.links:
            return True
        return self.pages >= MOST_PAGES if self.haul.files else self.dull >= HOPELESS


#: A check in a declared state.
CHECK = made(lambda: Check(Page(url="", site=""), Candidate("", "")))


def _shape(url: str) -> str:
    """Return what addresses have in common that lead to the same kind of page.

    >>> _shape("http://a.org/dataset/12"), _shape("http://a.org/dataset/prices-2020?page=2")
    ('/dataset/*', '/dataset/*?')
    """
    parts = urlsplit(url)
    folders, _, name = parts.path.rpartition("/")
    last = "*" if folders else re.sub(r"\d+", "#", name)
    return f"{re.sub('[0-9]+', '#', folders)}/{last}{'?' if parts.query else ''}"
