"""What DISCO's baselines share: a frontier of links, a judge of pages, examples first.

Links wait, the most promising first, as ACHE keeps them. Bounded: of too many the least promising
are dropped. Of one site only so many pages are asked for.

The page classifier (section 5.3) is a linear SVM that tells the examples from texts of something
else. Where none of these are given, a page is at first of the kind if it is at least half as like
the examples as they are among themselves; the first pages that are not become the texts of
something else, and are never changed.
"""

import heapq
import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from filon.core import Find, Response, Step, Summary, UserError
from filon.core.forms import SAME, keyed, parts, record
from filon.core.state import Fields, Stateful, group, stored, version
from filon.learn.rank.augmented import LinearModel, OnlineClassifier
from filon.learn.rank.rankers import cosine
from filon.learn.rank.vectors import grams, tokens
from filon.page.links import NEAREST, links
from filon.page.url import key
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import Page, is_page, site_of
from filon.verbs.discover.strategies.tasks import TASK, Task, Tasks

#: Links that wait, and those that are taken of one page.
MOST_WAITING, MOST_LINKS = 20_000, 200
#: Words that are kept of an address, of a link's text, and of what stands around it.
MOST_WORDS = 12
_APART = re.compile(r"[\W\d_]+")


def link_words(url: str, text: str = "", around: str = "") -> str:
    """Return the words by which a link is judged, marked by where they stand.

    >>> link_words("http://a.org/courses/cs101.html", "Databases", "Databases, spring term")
    'u:org u:courses u:cs u:html a:databases r:databases r:spring r:term'
    """
    address = _APART.split(url.partition("://")[2].lower())
    words = [f"u:{word}" for word in address if len(word) > 1][:MOST_WORDS]
    words += [f"a:{word}" for word in tokens(text)[:MOST_WORDS]]
    words += [f"r:{word}" for word in tokens(around)[:MOST_WORDS]]
    return " ".join(words)


def outlinks(response: Response) -> dict[str, str]:
    """Return the pages that a page links to, each with its words."""
    kind = response.header("content-type")
    found: dict[str, str] = {}
    for link in links(response.body, response.url, kind, around=NEAREST, wanted=is_page):
        if link.tag in ("a", "area", "iframe", "frame") and len(found) < MOST_LINKS:
            found.setdefault(link.url, link_words(link.url, link.text, link.around))
    return found


def link_classifier() -> OnlineClassifier:
    """Return a classifier of links' words that knows nothing yet."""
    return OnlineClassifier(LinearModel.nothing())


def chances(classifier: OnlineClassifier, words: Iterable[str]) -> list[float]:
    """Return how likely each link leads to what is looked for."""
    return [squashed(score) for score in classifier.scores([one.split() for one in words])]


def squashed(score: float) -> float:
    """Return a score as a number between 0 and 1."""
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, score))))


class Frontier(Stateful):
    """Tasks by promise: pages before hubs, then the higher score, then the older."""

    STATE = (
        stored("_waiting", keyed(parts(SAME, TASK), lambda one: key(one[1].url))),
        "_count",
        "_sites",
    )

    def __init__(self, tasks: Tasks, per_site: int) -> None:
        self._tasks = tasks
        self._per_site = per_site
        self._waiting: dict[str, tuple[int, Task]] = {}
        self._heap: list[tuple[bool, float, int, str]] = []
        self._count = 0
        self._sites: Counter[str] = Counter()

    def put(self, task: Task) -> None:
        """Let a link wait; of two to the same page the more promising."""
        name = key(task.url)
        known = self._waiting.get(name)
        if self._tasks.met(task.url) or (known and known[1].score >= task.score):
            return
        if self._spent(task.url):
            return
        self._count += 1
        self._waiting[name] = self._count, task
        heapq.heappush(self._heap, _place(name, self._count, task))
        if len(self._heap) > 2 * MOST_WAITING or len(self._waiting) > MOST_WAITING:
            self._rebuild()

    def put_all(self, way: Task, found: Mapping[str, str], scores: Sequence[float]) -> None:
        """Let several links wait: by address, each with its words. way: what they share."""
        for (url, words), score in zip(found.items(), scores, strict=True):
            self.put(replace(way, url=url, link_words=words, score=score))

    def take(self) -> bool:
        """Hand the most promising link over to the tasks; False: none waits."""
        while self._heap:
            _, _, number, name = heapq.heappop(self._heap)
            if self._waiting.get(name, (0, None))[0] != number:
                continue  # a more promising link to the same page came later
            task = self._waiting.pop(name)[1]
            if not self._spent(task.url) and self._tasks.want(task.url, task):
                self.visit(task.url)
                return True
        return False

    def visit(self, url: str) -> None:
        """Take note that a page of its site is asked for."""
        self._sites[site_of(url, self._tasks.brief.sites)] += 1

    def _spent(self, url: str) -> bool:
        return self._sites[site_of(url, self._tasks.brief.sites)] >= self._per_site

    def rescore(self, judge: Callable[[Sequence[Task]], Sequence[float]]) -> None:
        """Let all links be judged anew."""
        tasks = [task for _, task in self._waiting.values()]
        for (name, (number, task)), score in zip(
            list(self._waiting.items()), judge(tasks), strict=True
        ):
            self._waiting[name] = number, replace(task, score=score)
        self._rebuild()

    def _rebuild(self) -> None:
        """Order anew; where too many wait, the better three quarters stay."""
        order = sorted(_place(name, *one) for name, one in self._waiting.items())
        if len(order) > MOST_WAITING:
            order = order[: MOST_WAITING * 3 // 4]
        kept = {name for *_, name in order}
        self._waiting = {name: one for name, one in self._waiting.items() if name in kept}
        self._heap = order

    def __len__(self) -> int:
        return len(self._waiting)

    def restored(self) -> None:
        """Order what waits."""
        self._heap = sorted(_place(name, *one) for name, one in self._waiting.items())


def _place(name: str, number: int, task: Task) -> tuple[bool, float, int, str]:
    return task.kind == "hub", -task.score, number, name


#: Texts of each kind that are learnt from: a fit takes the square of their number.
MOST_TEXTS = 400
#: Pages that must have been turned down before they are learnt from: so many for each example.
TURNED_DOWN = 2
#: How like the examples a page must be, as a share of how like they are among themselves.
LIKE = 0.5
#: Sites that the summary names.
MOST_TOLD = 1_000


class Judge(Stateful):
    """Says whether a page is of the kind, and keeps the best page of each site that is."""

    STATE = (
        "_examples",
        "_others",
        stored("_found", keyed(record(Found), lambda found: found.site)),
        "_counts",
        "ready",
    )

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._examples: list[str] = []
        self._others = [str(text) for text in tasks.brief.others[:MOST_TEXTS]]
        self._model = LinearModel.nothing()
        self._known: list[list[str]] = []
        self._least = 0.0
        self._found: dict[str, Found] = {}
        self._counts = [0, 0]  # pages turned down, pages taken
        self.ready = False

    @property
    def examples(self) -> Sequence[str]:
        """The texts of the examples that could be read."""
        return self._examples

    def learn(self, page: Page) -> None:
        """Take an example: its site is known, and no find."""
        self._tasks.settle(page.site)
        if len(self._examples) < MOST_TEXTS:
            self._examples.append(page.words)

    def begin(self) -> None:
        """Learn from the examples, which are complete now."""
        self.ready = True
        self._known = [grams(text) for text in self._examples]
        if self._known:
            alike = cosine(self._known, (), self._known)
            self._least = LIKE * float(alike.mean())
            self._fit()

    def _fit(self) -> None:
        """Fit the SVM, if there is what it needs."""
        least = 1 if self._tasks.brief.others else TURNED_DOWN * len(self._known)
        if len(self._others) >= least:
            texts = [*self._known, *map(grams, self._others)]
            labels = [True] * len(self._known) + [False] * len(self._others)
            self._model = LinearModel.fit(texts, labels)

    def take(self, page: Page) -> tuple[float, list[Find]]:
        """Return how much a page is of the kind (above 0: it is), and the find that it is."""
        score = self._score(page)
        good = score > 0
        self._counts[good] += 1
        if not good:
            return score, []
        finds = self._tasks.discovers(page)
        best = self._found.get(page.site)
        if finds or (best and best.score < score):
            self._found[page.site] = found_site(page, score)
        return score, finds

    def _score(self, page: Page) -> float:
        if not self._known:
            return -1.0
        text = grams(page.words)
        if len(self._model.weights):
            return self._model.scores([text])[0]
        score = float(cosine(self._known, (), [text])[0]) - self._least
        if score <= 0 and len(self._others) < MOST_TEXTS:
            self._others.append(page.words)
            self._fit()
        return score

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first, each by its best page; 0: all."""
        found = sorted(self._found.values(), key=lambda one: (-one.score, one.site))
        return found[:most] if most else found

    def summary(self) -> dict[str, Any]:
        """Say how many pages were judged how, and tell the sites that were found."""
        down, taken = self._counts
        found = [one.row() for one in self.ranked(MOST_TOLD)]
        return {"judged": {"of the kind": taken, "others": down}, "found": found}

    def restored(self) -> None:
        """Learn again: the same texts give the same model."""
        ready, self.ready = self.ready, False
        self._model, self._known = LinearModel.nothing(), []
        if ready:
            self.begin()


class Crawl(Stateful):
    """The tasks, the judge of pages, the links that wait, and when it is time to learn.

    options: "each", the pages that are asked for of each site, and "every", the pages between two
        fits of the link classifiers.
    """

    STATE = (stored("tasks", key="ground"), "judge", "frontier", group("read", "_read", "fits"))

    def __init__(self, name: str, brief: Brief, options: Mapping[str, float | str]) -> None:
        needs_examples(name, brief)
        self.tasks = Tasks(brief)
        self.judge = Judge(self.tasks)
        self.frontier = Frontier(self.tasks, whole(options, "each"))
        self.fits = 0
        self._every = whole(options, "every")
        self._read = 0  # pages since the last fit
        for url in brief.seeds:
            if self.tasks.want(url, Task(kind="seed")):
                self.frontier.visit(url)

    def propose(self) -> Step | None:
        """Return the examples, then what the tasks has waiting, then the most promising link."""
        while True:
            if step := self.tasks.propose():
                return step
            if not self.judge.ready:
                if not self.tasks.idle:
                    return None
                self.judge.begin()
            if self.tasks.full or not self.frontier.take():
                return None

    def due(self, able: bool) -> bool:
        """Count a page; True: it is time to fit. able: there is something to learn from."""
        self._read += 1
        if self._read < self._every or not able:
            return False
        self._read, self.fits = 0, self.fits + 1
        return True

    def summary(self) -> dict[str, Any]:
        """Say what was found, what waits, and how often the link classifiers were fitted."""
        summary = {**self.tasks.summary(), **self.judge.summary()}
        return summary | {"waiting": len(self.frontier), "fits": self.fits}


class Crawler(Stateful, ABC):
    """A strategy that crawls: what ACHE and the bipartite crawl share.

    name: its own. options: its options, with those of `Crawl`.
    """

    STATE: ClassVar[Fields] = (version(1), "crawl")

    def __init__(self, name: str, brief: Brief, options: Mapping[str, float | str]) -> None:
        self.crawl = Crawl(name, brief, options)

    def propose(self) -> Step | None:
        """Return the examples first, then what is asked for, then the most promising link."""
        return self.crawl.propose()

    def observe(self, step: Step, response: Response) -> list[Find]:
        """Take in what a search or a page brought; learn from where a link led."""
        tasks, judge = self.crawl.tasks, self.crawl.judge
        task = tasks.landed(step)
        if task.kind == "search":
            self.searched(task, tasks.results(task, response))
            return []
        page = tasks.read(task, response)
        if response.redirects:
            return []
        if page is None:
            self.learn(task, False)
            return []
        if task.kind == "seed":
            judge.learn(page)
            self.follow(task, page, response, math.inf)
            return []
        score, finds = judge.take(page)
        self.follow(task, page, response, score)
        self.learn(task, score > 0)
        return finds

    def searched(self, task: Task, urls: Sequence[str]) -> None:
        """Let what a search brought wait."""

    @abstractmethod
    def follow(self, task: Task, page: Page, response: Response, score: float) -> None:
        """Go on from a page; score: how much it is of the kind, above 0 if it is."""

    @abstractmethod
    def learn(self, task: Task, good: bool) -> None:
        """Take note of where a link led."""

    def elsewhere(self, step: Step) -> bool:
        """Say whether what a step asks can be asked of another service."""
        return self.crawl.tasks.elsewhere(step)

    def services(self) -> list[Summary]:
        """Return the services that were asked, for people."""
        return self.crawl.tasks.searching.summary()

    def ranked(self, most: int = 0) -> list[Found]:
        """Return the sites that were found, best first; 0: all."""
        return self.crawl.judge.ranked(most)

    def summary(self) -> Summary:
        """Say what was found."""
        return self.crawl.summary()


def needs_examples(name: str, brief: Brief) -> None:
    """Refuse to begin without examples: the page classifier learns from them."""
    if not brief.seeds:
        raise UserError(f"The strategy {name} learns from examples: give some pages of the kind.")


def whole(options: Mapping[str, float | str], name: str) -> int:
    """Return an option that counts something."""
    try:
        number = float(options[name])
    except ValueError:
        number = 0.0
    if number < 1 or number != int(number):
        raise UserError(f"The option {name} must be a whole number from 1, not {options[name]!r}.")
    return int(number)
