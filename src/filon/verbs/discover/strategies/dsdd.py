"""DSDD: dataset repositories of a domain (Zhang, Santos, Freire, CIKM 2021).

Algorithm 1: search, classify, verify, learn, rank, go on from the best; at the end collect dataset
pages. A page is classified and looked at as soon as it is there, by the classifier of its round.
"""

from random import Random

from filon.core import Find, Response, Summary, UserError
from filon.core.forms import KEYS, RANDOM, TUPLE, table
from filon.core.state import group, stored
from filon.learn.rank.augmented import LinearModel, OnlineClassifier
from filon.page.url import host
from filon.verbs.discover.strategies import operators
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found
from filon.verbs.discover.strategies.operators import OPERATORS, Discoverer, Turns, bandit
from filon.verbs.discover.strategies.page import Page, all_words, frequent, shipped, words_of
from filon.verbs.discover.strategies.repositories import MOST_TOLD, Look, Looks, Repositories
from filon.verbs.discover.strategies.tasks import Task

#: What each mode may use: operators, the classifier, learning on the way.
_ONE = {"kw+ol": "keyword", "rl+ol": "related", "bl+ol": "backward", "fw+ol": "forward"}
MODES = ("bd+ol", "bd", *_ONE, "search-engine")
#: count: what the bandit counts. audit: the share of the pages that the classifier turns down
#: which are looked at all the same, or it would only ever see what it likes.
#: collect: pages that the second phase reads. reward: "new" pays for a page that the classifier
#: takes unless its host is a repository already, since new ones are the goal; "any" pays for all.
DEFAULTS: dict[str, float | str] = {
    "mode": "bd+ol",
    "count": "pages",
    "audit": 0.05,
    "collect": 50_000,
    "reward": "new",
}


#: From so many pages of a host it is tried whether they lead to data.
MOST_TRIES = 3
#: What is kept of a host that is a repository: it was tried enough, and in no round since.
FOUND = (MOST_TRIES, 0)


class Dsdd(Discoverer):
    """`dsdd`: rounds of one operator each, then a crawl of what was found.

    Clubs (of 11) and repositories (of 6) that it finds on a small web with 60
    requests, and by two searches alone (`search-engine`):

    >>> from filon.testing.discovery import tried
    >>> tried(Dsdd, 60), tried(Dsdd, 60, mode="search-engine")
    ((0, 5), (0, 6))

    Reference: H. Zhang, A. Santos and J. Freire, "DSDD: Domain-Specific Dataset Discovery on the
    Web", CIKM 2021, doi:10.1145/3459637.3482427, Algorithm 1; the reward of an operator is its
    equation 3, what counts as a repository its section 4.5.
    """

    STATE = (
        "looks",
        "found",
        "classifier",
        "bandit",
        stored("_random", RANDOM, key="dice"),
        group("round", "_round", "_arm", "_phase", "_batch", "_liked"),
        stored("_hosts", table(TUPLE)),
        "_turns",
        stored("_terms", KEYS),
    )

    modes = MODES

    def __init__(self, brief: Brief) -> None:
        options = DEFAULTS | dict(brief.options)
        mode = str(options["mode"])
        if mode not in MODES:
            raise UserError(f"There is no mode {mode!r}: known are {', '.join(MODES)}.")
        if options["reward"] not in ("new", "any"):
            raise UserError(f"The reward is for new or any pages, not {options['reward']!r}.")
        if not brief.topic.strip():
            raise UserError("Say in a few words what the datasets should be about.")
        super().__init__(brief)
        self.looks = Looks(self.tasks)
        self.found = Repositories(brief.topic, shipped()["stop"])
        self.classifier = OnlineClassifier(_prior(brief), online=mode.endswith("+ol"))
        self._arms = (_ONE[mode],) if mode in _ONE else OPERATORS
        self._only_new = options["reward"] == "new"
        self._searches_only = mode == "search-engine"
        self.bandit = bandit(self._arms, options["count"])
        self._turns = Turns(self.tasks, self.bandit, self._arms, self.found.best)
        self._audit, self._collect = float(options["audit"]), int(options["collect"])
        self._random = Random(brief.seed)
        self._arm, self._phase = "", "first"
        self._round = 1
        self._batch, self._liked = 0, 0  # pages of this round, and those the classifier took
        self._hosts: dict[str, tuple[int, int]] = {}  # how often looked at, and in which round
        self._terms: dict[str, None] = {}

    def advance(self) -> bool:
        """Learn, and begin another round; after the last, collect dataset pages."""
        if self._phase == "first":
            self._phase = "rounds"
            self._first()
        elif self._phase == "rounds":
            self._close()
            if self._searches_only or not self._begin():
                self._phase = "collect"
                self.tasks.most_pages = self.tasks.pages + self._collect
                self.found.collect(self.tasks)
        else:
            self._phase = "ended"
        return self._phase != "ended"

    def _first(self) -> None:
        """Search for the domain itself; pages that the user gave are candidates too."""
        self._arm = "keyword"
        for url in self.brief.seeds:
            self.tasks.want(url, Task(kind="seed", operator="keyword"))
        topic = self.brief.topic.strip()
        queries = [f"{topic} data", f"{topic} datasets"]
        queries = queries if self._searches_only else [topic, *queries]
        operators.run("keyword", self.tasks, (), queries)

    def _close(self) -> None:
        """Reward the operator (equation 3), fit the classifier, rank the repositories."""
        if self._arm in self._arms:
            share = self._liked / self._batch if self._batch else 0.0
            self.bandit.learn(self._arm, share, self._batch)
        self._round += 1
        self._batch = self._liked = 0
        for look in self.looks.end():
            self.classifier.add(all_words(look.entry), False)
        self.classifier.refit()
        self.found.rank()

    def _begin(self) -> bool:
        """Begin a round; False: enough was read, or no operator can go on."""
        self._arm = self._turns.open(self._awake, self._queries)
        return bool(self._arm)

    def _awake(self, arm: str) -> bool:
        return self._turns.served(arm) and bool(self._turns.unused(arm))

    def _queries(self, arm: str, pages: list[Page]) -> list[str]:
        """Return domain, term, "dataset" for the terms that repositories have most often."""
        if arm != "keyword":
            return []
        topic = self.brief.topic.strip()
        skipped = [*self._terms, *topic.lower().split(), *shipped()["stop"], "dataset"]
        terms = frequent(pages, all_words, skipped, self.brief.limits.terms)
        self._terms.update(dict.fromkeys(terms))
        return [f"{topic} {term} dataset" for term in terms]

    def read(self, task: Task, page: Page | None, response: Response) -> list[Find]:
        """Take in a candidate, or a page of one that is looked at."""
        if task.kind == "collect":
            return self.found.read(task, page, self.tasks)
        if task.kind == "look":
            return self._verified(self.looks.read(task, page))
        if page is None:
            self._batch += not response.redirects  # it was returned, and is worth nothing
            return []
        return self._candidate(task, page)

    def _candidate(self, task: Task, page: Page) -> list[Find]:
        """Classify a page, and look at it if it may be a repository's."""
        if task.kind == "hub":
            operators.forward(self.tasks, page, task.operator)
        self.tasks.settle(page.site)
        self._batch += 1
        liked = self._searches_only or self.classifier.score(all_words(page)) > 0
        self._liked += liked and not (self._only_new and self._is_found(page))
        audited = not liked and self._random.randrange(10_000) < 10_000 * self._audit
        finds = [*self.found.meet(page), *self._verified(self.looks.meet(page))]
        if (liked or audited) and self._may_look(page):
            finds += self._verified(self.looks.begin(page, task.operator))
        return finds

    def _may_look(self, page: Page) -> bool:
        """A host is looked at from one page a round, and not again once it is a repository."""
        name = host(page.url)
        tried, last = self._hosts.get(name, (0, 0))
        if tried >= MOST_TRIES or last == self._round:
            return False
        self._hosts[name] = tried + 1, self._round
        return True

    def _is_found(self, page: Page) -> bool:
        return self._hosts.get(host(page.url)) == FOUND

    def _verified(self, look: Look | None) -> list[Find]:
        """Learn from a look that found enough."""
        if look is None:
            return []
        self.classifier.add(all_words(look.entry), True)
        self._hosts[host(look.entry.url)] = FOUND
        return self.found.add(look)

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the repositories that were found, best first; 0: all."""
        return self.found.ranked(most)

    def summary(self) -> Summary:
        """Say what was found and which operator brought it."""
        return {
            **self.tasks.summary(),
            "arms": self.bandit.summary(),
            "found": [one.row() for one in self.ranked(MOST_TOLD)],
            "verified": len(self.found),
            "looked": len(self._hosts),
            "queries": len(self._terms),
        }


def _prior(brief: Brief) -> LinearModel:
    """Return what is known of repositories beforehand: from the user's examples, or as shipped."""
    if not brief.training:
        return LinearModel.unpack(shipped())
    texts = [words_of(text) for text, _ in brief.training]
    labels = [label for _, label in brief.training]
    if len(set(labels)) < 2:
        raise UserError("The examples to learn from must be both of repositories and of others.")
    return LinearModel.fit(texts, labels)
