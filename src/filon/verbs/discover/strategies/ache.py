"""ACHE: a focused crawler that learns which links lead to pages of the kind.

A baseline of DISCO (section 5.3), after Barbosa and Freire (WWW 2007) and Chakrabarti and others
(WWW 2002): links of pages that the page classifier takes, within and across sites, the most
promising first. At first a link promises as much as its page is of the kind; every so many pages
a classifier of the words of address, anchor and surroundings is fitted to where links led.

Other than the released crawler: a dead link counts as one that led nowhere, and all that waits is
judged anew after each fit. No search service is asked.
"""

from random import Random

from filon.core import Find, Response, Step, Summary, UserError
from filon.core.forms import RANDOM
from filon.core.state import Stateful, stored, version
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.crawl import Crawl, chances, leads, link_classifier, squashed
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.tasks import Task

#: each: pages that are asked for of each site: 10 in DISCO's experiments, 100 in DSDD's.
#: every: pages between two fits of the link classifier.
#: focus: "hard": only links of pages of the kind are followed; "soft": those of others after them.
DEFAULTS: dict[str, float | str] = {"each": 10, "every": 500, "focus": "hard"}


class Ache(Stateful):
    """A crawl, best first."""

    STATE = (version(1), "crawl", "_links", stored("_random", RANDOM, key="dice"))

    modes: tuple[str, ...] = ()

    def __init__(self, brief: Brief) -> None:
        told = DEFAULTS | dict(brief.options)
        if told["focus"] not in ("hard", "soft"):
            raise UserError(f"The focus is hard or soft, not {told['focus']!r}.")
        self.crawl = Crawl("ache", brief, told)
        self._hard = told["focus"] == "hard"
        self._links = link_classifier()
        self._random = Random(brief.seed)

    def propose(self) -> Step | None:
        """Return the examples first, then the most promising link."""
        return self.crawl.propose()

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Judge a page, and let its links wait if they are to be followed."""
        tasks, judge = self.crawl.tasks, self.crawl.judge
        task = tasks.landed(step)
        page = tasks.read(task, response)
        if response.redirects:
            return []
        if page is None:
            self._learn(task, False)
            return []
        if task.kind == "seed":
            judge.learn(page)
            self._follow(response, 1.0)
            return []
        score, finds = judge.take(page)
        if score > 0 or not self._hard:
            self._follow(response, squashed(score))
        self._learn(task, score > 0)
        return finds

    def _follow(self, response: Response, merit: float) -> None:
        """Let the links of a page wait; merit: how much the page is of the kind."""
        found = leads(response)
        if self.crawl.fits:
            scores = chances(self._links, list(found.values()))
        else:  # those of one page in any order, as in the released crawler
            scores = [merit + self._random.randrange(1_000) * 1e-6 for _ in found]
        way = Task(kind="page", operator="forward", parent=response.url)
        self.crawl.frontier.put_all(way, found, scores)

    def _learn(self, task: Task, good: bool) -> None:
        """Take note of where a link led; fit and judge anew when it is time."""
        if task.clue:
            self._links.add(task.clue.split(), good)
        if self.crawl.due(any(self._links.labels)):
            self._links.refit()
            self.crawl.frontier.rescore(
                lambda tasks: chances(self._links, [task.clue for task in tasks])
            )

    def services(self) -> list[Summary]:
        """Return the services that were asked, for people."""
        return self.crawl.tasks.searching.told()

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first; 0: all."""
        return self.crawl.judge.ranked(most)

    def summary(self) -> Summary:
        """Say what was found."""
        return self.crawl.summary()
