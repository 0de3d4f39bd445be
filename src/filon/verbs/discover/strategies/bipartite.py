"""The bipartite crawl: back to hubs, forth to what they link to.

A baseline of DISCO (section 5.3), after Barbosa, Bangalore and Rangarajan Sridhar (2011), as ACHE
has it: of a page of the kind (an authority) the backlinks are asked for; of a hub the links to
other sites are followed; no other link is. Two link classifiers are fitted every so many pages:
that of authorities to which links led to pages of the kind, that of hubs to which hubs led to
more of them than is usual. Authorities go before hubs.

Other than there: of a hub only its address is known before it is read, since a service need not
tell its title; a dead link counts as one that led nowhere; who links to the home page of a site
is asked for too; a link is followed wherever it leads, not only to home pages.
"""

from collections.abc import Collection, Sequence

from filon.core import Response, Summary
from filon.core.forms import TUPLE, flat
from filon.core.state import stored
from filon.learn.rank.augmented import OnlineClassifier
from filon.verbs.discover.strategies import operators
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.crawl import (
    Crawler,
    chances,
    link_classifier,
    link_words,
    outlinks,
)
from filon.verbs.discover.strategies.page import Page, site_of
from filon.verbs.discover.strategies.tasks import Task

#: each: pages that are asked for of each site. every: pages between two fits.
DEFAULTS: dict[str, float | str] = {"each": 100, "every": 500}
#: Hubs that are learnt from, the newest.
MOST_HUBS = 800


class Bipartite(Crawler):
    """`bipartite`: a crawl of authorities and hubs.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 30 requests:

    >>> from filon.testing.discovery import tried
    >>> tried(Bipartite, 30)
    (6, 0)

    Reference: L. Barbosa, S. Bangalore and V. K. Rangarajan Sridhar, "Crawling Back and Forth:
    Using Back and Out Links to Locate Bilingual Sites", IJCNLP 2011, pages 429 to 437; a
    baseline in section 5.3 of DISCO.
    """

    STATE = (
        "_authorities",
        "_hubs",
        stored("_led", flat(TUPLE)),
    )

    modes: tuple[str, ...] = ()

    def __init__(self, brief: Brief) -> None:
        super().__init__("bipartite", brief, DEFAULTS | dict(brief.options))
        self._authorities, self._hubs = link_classifier(), link_classifier()
        self._led: dict[str, tuple[str, int, int]] = {}  # hub: its words, pages read, of the kind

    def searched(self, task: Task, urls: Sequence[str]) -> None:
        """Let the hubs that a search brought wait."""
        found, way = {url: link_words(url) for url in urls}, task.brought("hub", task.query)
        self.crawl.frontier.put_all(way, found, self._scores(self._hubs, found.values()))

    def follow(self, task: Task, page: Page, response: Response, score: float) -> None:
        """Follow the links of a hub; ask for the backlinks of a page of the kind."""
        if task.kind == "hub":
            self._follow_hub(task, page, response)
        if score > 0:
            operators.run("backward", self.crawl.tasks, [page], ())

    def _follow_hub(self, task: Task, page: Page, response: Response) -> None:
        """Let the links of a hub to other sites wait."""
        by = self.crawl.tasks.brief.sites
        found = {
            url: words for url, words in outlinks(response).items() if site_of(url, by) != page.site
        }
        self._led[page.url] = task.link_words, 0, 0
        if len(self._led) > MOST_HUBS:
            del self._led[next(iter(self._led))]
        way = Task(kind="page", operator="backward", parent=page.url)
        self.crawl.frontier.put_all(way, found, self._scores(self._authorities, found.values()))

    def _scores(self, classifier: OnlineClassifier, words: Collection[str]) -> list[float]:
        """Return how much links promise; before the first fit, all the same."""
        return chances(classifier, words) if self.crawl.fits else [0.0] * len(words)

    def learn(self, task: Task, good: bool) -> None:
        """Take note of where a link led; fit and judge anew when it is time."""
        if task.kind == "page":
            self._authorities.add(task.link_words.split(), good)
            if task.parent in self._led:
                words, read, kind = self._led[task.parent]
                self._led[task.parent] = words, read + 1, kind + good
        if self.crawl.due(any(self._authorities.labels)):
            self._fit()

    def _fit(self) -> None:
        self._authorities.refit()
        followed = [one for one in self._led.values() if one[1]]
        usual = sum(kind for _, _, kind in followed) / max(1, sum(read for _, read, _ in followed))
        self._hubs = link_classifier()
        for words, read, kind in followed:
            self._hubs.add(words.split(), kind > 0 and kind / read >= usual)
        self._hubs.refit()
        self.crawl.frontier.rescore(self._promise)

    def _promise(self, tasks: Sequence[Task]) -> list[float]:
        words = [task.link_words for task in tasks]
        hubs, authorities = chances(self._hubs, words), chances(self._authorities, words)
        both = zip(tasks, hubs, authorities, strict=True)
        return [hub if task.kind == "hub" else authority for task, hub, authority in both]

    def summary(self) -> Summary:
        """Say what was found, and how many hubs led to it."""
        good = sum(kind > 0 for _, _, kind in self._led.values())
        hubs = {"read": len(self._led), "led to pages of the kind": good}
        return super().summary() | {"hubs": hubs}
