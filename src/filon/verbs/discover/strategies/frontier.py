"""Links that wait, the most promising first, as ACHE keeps them.

Bounded: of too many the least promising are dropped. Of one site only so many pages are asked for.
"""

import heapq
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from filon.core import Response
from filon.core.forms import SAME, keyed, parts
from filon.core.state import Stateful, stored
from filon.learn.rank.augmented import LinearModel, OnlineClassifier
from filon.learn.rank.vectors import tokens
from filon.page.links import links
from filon.page.url import key
from filon.verbs.discover.strategies.ground import Ground
from filon.verbs.discover.strategies.page import is_page, site_of
from filon.verbs.discover.strategies.task import TASK, Task

#: Links that wait, and those that are taken of one page.
MOST_WAITING, MOST_LINKS = 20_000, 200
#: Words that are kept of an address, of a link's text, and of what stands around it.
MOST_WORDS = 12
_APART = re.compile(r"[\W\d_]+")


def clue(url: str, text: str = "", around: str = "") -> str:
    """Return the words by which a link is judged, marked by where they stand.

    >>> clue("http://a.org/courses/cs101.html", "Databases", "Databases, spring term")
    'u:org u:courses u:cs u:html a:databases r:databases r:spring r:term'
    """
    address = _APART.split(url.partition("://")[2].lower())
    words = [f"u:{word}" for word in address if len(word) > 1][:MOST_WORDS]
    words += [f"a:{word}" for word in tokens(text)[:MOST_WORDS]]
    words += [f"r:{word}" for word in tokens(around)[:MOST_WORDS]]
    return " ".join(words)


def leads(response: Response) -> dict[str, str]:
    """Return the pages that a page links to, each with its clue."""
    kind = response.header("content-type")
    found: dict[str, str] = {}
    for link in links(response.body, response.url, kind, around=True, wanted=is_page):
        if link.tag in ("a", "area", "iframe", "frame") and len(found) < MOST_LINKS:
            found.setdefault(link.url, clue(link.url, link.text, link.around))
    return found


def link_classifier() -> OnlineClassifier:
    """Return a classifier of clues that knows nothing yet."""
    return OnlineClassifier(LinearModel.nothing())


def chances(classifier: OnlineClassifier, clues: Iterable[str]) -> list[float]:
    """Return how likely each link leads to what is looked for."""
    return [squashed(score) for score in classifier.scores([one.split() for one in clues])]


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

    def __init__(self, ground: Ground, per_site: int) -> None:
        self._ground = ground
        self._per_site = per_site
        self._waiting: dict[str, tuple[int, Task]] = {}
        self._heap: list[tuple[bool, float, int, str]] = []
        self._count = 0
        self._sites: Counter[str] = Counter()

    def put(self, task: Task) -> None:
        """Let a link wait; of two to the same page the more promising."""
        name = key(task.url)
        known = self._waiting.get(name)
        if self._ground.met(task.url) or (known and known[1].score >= task.score):
            return
        if self._spent(task.url):
            return
        self._count += 1
        self._waiting[name] = self._count, task
        heapq.heappush(self._heap, _place(name, self._count, task))
        if len(self._heap) > 2 * MOST_WAITING or len(self._waiting) > MOST_WAITING:
            self._rebuild()

    def put_all(self, way: Task, found: Mapping[str, str], scores: Sequence[float]) -> None:
        """Let several links wait: by address, each with its clue. way: what they share."""
        for (url, words), score in zip(found.items(), scores, strict=True):
            self.put(replace(way, url=url, clue=words, score=score))

    def take(self) -> bool:
        """Hand the most promising link over to the ground; False: none waits."""
        while self._heap:
            _, _, number, name = heapq.heappop(self._heap)
            if self._waiting.get(name, (0, None))[0] != number:
                continue  # a more promising link to the same page came later
            task = self._waiting.pop(name)[1]
            if not self._spent(task.url) and self._ground.want(task.url, task):
                self.visit(task.url)
                return True
        return False

    def visit(self, url: str) -> None:
        """Take note that a page of its site is asked for."""
        self._sites[site_of(url, self._ground.brief.sites)] += 1

    def _spent(self, url: str) -> bool:
        return self._sites[site_of(url, self._ground.brief.sites)] >= self._per_site

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
