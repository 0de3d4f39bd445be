"""Verified repositories, ranked by BM25 against a query made of their own words (section 4.6)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from filon.core import Find
from filon.core.forms import KEYS, keyed
from filon.core.state import Stateful, stored
from filon.learn.rank.bm25 import bm25
from filon.page.datafile import format_of
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.ground import Ground
from filon.verbs.discover.strategies.looks import LOOK, Look, ask
from filon.verbs.discover.strategies.operators import all_words, frequent
from filon.verbs.discover.strategies.page import Page
from filon.verbs.discover.strategies.task import Task

#: Frequent words that the query has beside the topic: the paper's example has three.
QUERY_TERMS = 3
#: Repositories that the summary names.
MOST_TOLD = 1_000


class Repositories(Stateful):
    """Looks that ended well, in order."""

    STATE = (
        stored("_found", keyed(LOOK, lambda look: look.entry.url)),
        "order",
        "scores",
        stored("_reported", KEYS),
    )

    def __init__(self, topic: str, stop: Iterable[str]) -> None:
        self._topic = topic.lower().split()
        self._stop = [*stop, *self._topic]
        self._found: dict[str, Look] = {}
        self.order: list[str] = []
        self.scores: dict[str, float] = {}
        self._reported: dict[str, None] = {}  # dataset pages

    def __len__(self) -> int:
        return len(self._found)

    def add(self, look: Look) -> list[Find]:
        """Take a repository in; return it and its dataset pages as finds."""
        entry = look.entry
        self._found[entry.url] = look
        find = Find(
            kind="repository", url=entry.url, name=entry.title or entry.site, parent=entry.parent
        )
        return [find, *self._datasets(look)]

    def _datasets(self, look: Look) -> list[Find]:
        new = {url: title for url, title in look.datasets.items() if url not in self._reported}
        self._reported.update(dict.fromkeys(new))
        return [
            Find(kind="dataset", url=url, name=title or url, parent=look.entry.url)
            for url, title in new.items()
        ]

    def rank(self) -> None:
        """Order all anew."""
        self.scores = self._scored()
        self.order = _in_order(self.scores)

    def _scored(self) -> dict[str, float]:
        """Judge all by the topic, their most frequent words, and "data"."""
        pages = [look.entry for look in self._found.values()]
        terms = frequent(pages, all_words, self._stop, QUERY_TERMS)
        query = [*self._topic, *terms, "data"]
        scores = bm25(query, [all_words(page) for page in pages])
        return {page.url: score for page, score in zip(pages, scores, strict=True)}

    def best(self) -> list[Page]:
        """Return the entry pages, best first."""
        return [self._found[url].entry for url in self.order]

    def collect(self, ground: Ground) -> int:
        """Let the next page of each repository wait (the second phase); return how many do."""
        task = Task(kind="collect")
        return sum(self._next(ground, self._found[url], task) for url in self.order)

    def _next(self, ground: Ground, look: Look, task: Task) -> bool:
        while look.waiting:
            _, depth, url = look.waiting.pop(0)
            if ask(ground, look, task, url, depth):
                return True
        return False

    def read(self, task: Task, page: Page | None, ground: Ground) -> list[Find]:
        """Take in a page of the second phase; the next of its repository waits."""
        look = self._found[task.entry]
        if page is not None and page.site == look.entry.site:
            look.read(page, task.depth, deepest=task.depth + 1)
        self._next(ground, look, task)
        return self._datasets(look)

    def meet(self, page: Page) -> list[Find]:
        """Take in a page of a repository that was asked for as a candidate."""
        finds = []
        for look in self._found.values():
            if look.entry.site == page.site and page.url in look.met:
                look.read(page, look.met[page.url])
                finds += self._datasets(look)
        return finds

    def told(self, most: int = 0) -> list[Found]:
        """Return the repositories, best first, and why; 0: all.

        Those of this round are judged for it where all are asked for; else they come last.
        """
        scores = self.scores if most else self._scored()
        order = self.order if most else _in_order(scores)
        late = (url for url in self._found if url not in scores)
        shown = [*order, *late][: most or None]
        return [self._told(self._found[url], scores.get(url, 0.0)) for url in shown]

    def _told(self, look: Look, score: float) -> Found:
        site = found_site(look.entry, score)
        formats = Counter(filter(None, map(format_of, look.files)))
        return replace(
            site,
            kind="repository",
            files=len(look.files),
            datasets=len(look.datasets),
            formats=tuple(name for name, _ in formats.most_common()),
        )


def _in_order(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda url: -round(scores[url], 9))
