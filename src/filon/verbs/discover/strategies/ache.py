"""ACHE: a focused crawler that learns which links lead to pages of the kind.

A baseline of DISCO (section 5.3), after Barbosa and Freire (WWW 2007) and Chakrabarti and others
(WWW 2002): links of pages that the page classifier takes, within and across sites, the most
promising first. At first a link promises as much as its page is of the kind; every so many pages
a classifier of the words of address, anchor and surroundings is fitted to where links led.

Other than the released crawler: a dead link counts as one that led nowhere, and all that waits is
judged anew after each fit. No search service is asked.
"""

from random import Random

from filon.core import Response, UserError
from filon.core.forms import RANDOM
from filon.core.state import stored
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.crawl import (
    Crawler,
    chances,
    link_classifier,
    outlinks,
    squashed,
)
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.tasks import Task

#: each: pages that are asked for of each site: 10 in DISCO's experiments, 100 in DSDD's.
#: every: pages between two fits of the link classifier.
#: focus: "hard": only links of pages of the kind are followed; "soft": those of others after them.
DEFAULTS: dict[str, float | str] = {"each": 10, "every": 500, "focus": "hard"}


class Ache(Crawler):
    """`ache`: a crawl, best first.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 20 requests:

    >>> from filon.testing.discovery import tried
    >>> tried(Ache, 20)
    (8, 0)

    Reference: L. Barbosa and J. Freire, "An Adaptive Crawler for Locating hidden-Web Entry Points",
    WWW 2007, doi:10.1145/1242572.1242632; S. Chakrabarti, K. Punera and M. Subramanyam,
    "Accelerated Focused Crawling Through Online Relevance Feedback", WWW 2002,
    doi:10.1145/511446.511466; a baseline in section 5.3 of DISCO.
    """

    STATE = ("_links", stored("_random", RANDOM, key="dice"))

    modes: tuple[str, ...] = ()

    def __init__(self, brief: Brief) -> None:
        options = DEFAULTS | dict(brief.options)
        if options["focus"] not in ("hard", "soft"):
            raise UserError(f"The focus is hard or soft, not {options['focus']!r}.")
        super().__init__("ache", brief, options)
        self._hard = options["focus"] == "hard"
        self._links = link_classifier()
        self._random = Random(brief.seed)

    def follow(self, task: Task, page: Page, response: Response, score: float) -> None:
        """Let the links of a page wait if they are to be followed."""
        if score <= 0 and self._hard:
            return
        found, merit = outlinks(response), squashed(score)
        if self.crawl.fits:
            scores = chances(self._links, list(found.values()))
        else:  # those of one page in any order, as in the released crawler
            scores = [merit + self._random.randrange(1_000) * 1e-6 for _ in found]
        way = Task(kind="page", operator="forward", parent=response.url)
        self.crawl.frontier.put_all(way, found, scores)

    def learn(self, task: Task, good: bool) -> None:
        """Take note of where a link led; fit and judge anew when it is time."""
        if task.link_words:
            self._links.add(task.link_words.split(), good)
        if self.crawl.due(any(self._links.labels)):
            self._links.refit()
            self.crawl.frontier.rescore(
                lambda tasks: chances(self._links, [task.link_words for task in tasks])
            )
