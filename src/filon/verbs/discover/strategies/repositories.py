"""The repositories of DSDD: looking whether a page leads to data files, and their order.

Looking (section 4.5): from a page that may be the entry of a repository, pages of the same site are
read up to three links away, those first that promise data. Ten files are enough: the look ends
there, and what it had not read is left for the second phase. Pages that were read for another
reason count where a link leads to them; nothing is asked for twice.

Those that were verified are ranked by BM25 against a query made of their own words (section 4.6).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from filon.core import Find
from filon.core.forms import KEYS, TUPLE, each, keyed, record
from filon.core.state import Stateful, stored
from filon.learn.rank.bm25 import bm25
from filon.page.datafile import format_of
from filon.page.url import key
from filon.verbs.discover.strategies.found import Found, found_site
from filon.verbs.discover.strategies.page import PAGE, Page, all_words, frequent
from filon.verbs.discover.strategies.tasks import Task, Tasks

#: "within three hops"; "a threshold of 10 was effective".
DEPTH, ENOUGH = 3, 10
#: Pages that are asked for of one site before it is given up: the paper has no number.
MOST_PAGES = 60
#: After so many pages without a single file there will be none.
HOPELESS = 20
#: Links that a look remembers, and pages that all remember.
MOST_LINKS, MOST_REMEMBERED = 1_000, 5_000


@dataclass(slots=True)
class Look:
    """One site that is being looked at.

    waiting: pages to read, as (does not promise data, depth, URL).
    met: how far from the entry each page is that a link led to.
    datasets: pages with data files, and their titles (Definition 1).
    pages: that were asked for. busy: an answer is awaited.
    """

    entry: Page
    waiting: list[tuple[bool, int, str]] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)
    datasets: dict[str, str] = field(default_factory=dict)
    pages: int = 0
    busy: bool = False

    def read(self, page: Page, depth: int, deepest: int = DEPTH) -> None:
        """Take in a page of the site."""
        self.files.update(dict.fromkeys(page.files))
        if page.files:
            self.datasets[page.url] = page.title
        if depth >= deepest:
            return
        for number, url in enumerate(page.within):
            if url not in self.met and len(self.met) < MOST_LINKS:
                self.met[url] = depth + 1
                self.waiting.append((number >= page.promising, depth + 1, url))
        self.waiting.sort(key=lambda one: one[:2])  # stable: links stay in the order of the page

    @property
    def enough(self) -> bool:
        """It is the entry page of a repository (Definition 2)."""
        return len(self.files) >= ENOUGH

    @property
    def hopeless(self) -> bool:
        """No more pages are worth a request."""
        return self.pages >= (MOST_PAGES if self.files else HOPELESS)


#: A look in a declared state.
LOOK = record(Look, entry=PAGE, waiting=each(TUPLE), files=KEYS)


class Looks(Stateful):
    """All looks of a round, by the address of their entry page."""

    STATE = (
        stored("_open", keyed(LOOK, lambda look: look.entry.url)),
        stored("_remembered", keyed(PAGE, lambda page: key(page.url))),
    )

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._open: dict[str, Look] = {}
        self._remembered: dict[str, Page] = {}

    def begin(self, entry: Page, arm: str) -> Look | None:
        """Look at a site; return the look if there is enough at once."""
        look = self._open[entry.url] = Look(entry)
        look.read(entry, 0)
        return self._go_on(look, Task(kind="look", operator=arm))

    def read(self, task: Task, page: Page | None) -> Look | None:
        """Take in an answer to a look's own question; return the look if that is enough."""
        look = self._open.get(task.entry)
        if look is None:
            return None
        look.busy = False
        if page is not None and page.site == look.entry.site:
            self._remember(page)
            look.read(page, task.depth)
        return self._go_on(look, task)

    def meet(self, page: Page) -> Look | None:
        """Take in a page that was asked for as a candidate; return a look that it completes."""
        self._remember(page)
        for look in list(self._open.values()):
            if look.entry.site == page.site and page.url in look.met:
                look.read(page, look.met[page.url])
                if done := self._go_on(look, Task(kind="look", operator=page.operator)):
                    return done
        return None

    def _go_on(self, look: Look, task: Task) -> Look | None:
        while look.waiting and not (look.enough or look.busy or look.hopeless):
            _, depth, url = look.waiting.pop(0)
            if ask(self._tasks, look, task, url, depth):
                look.busy, look.pages = True, look.pages + 1
            elif known := self._remembered.get(key(url)):
                look.read(known, depth)
        return self._close(look) if look.enough else None

    def _close(self, look: Look) -> Look:
        """End a look that found enough; what of the rest is known already needs no second phase."""
        for one in list(look.waiting):
            if known := self._remembered.get(key(one[2])):
                look.waiting.remove(one)
                look.read(known, one[1])
        return self._open.pop(look.entry.url)

    def _remember(self, page: Page) -> None:
        kept = replace(page, meta="", text="", abroad=())
        self._remembered[key(page.url)] = kept
        if len(self._remembered) > MOST_REMEMBERED:
            del self._remembered[next(iter(self._remembered))]

    def end(self) -> list[Look]:
        """End the looks that did not find enough, and return them."""
        failed = list(self._open.values())
        self._open = {}
        return failed


def ask(tasks: Tasks, look: Look, task: Task, url: str, depth: int) -> bool:
    """Let a page of a site wait; False: it was seen."""
    wanted = Task(
        kind=task.kind,
        operator=task.operator,
        entry=look.entry.url,
        depth=depth,
        parent=task.url or look.entry.url,
    )
    return tasks.want(url, wanted)


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

    def collect(self, tasks: Tasks) -> int:
        """Let the next page of each repository wait (the second phase); return how many do."""
        task = Task(kind="collect")
        return sum(self._next(tasks, self._found[url], task) for url in self.order)

    def _next(self, tasks: Tasks, look: Look, task: Task) -> bool:
        while look.waiting:
            _, depth, url = look.waiting.pop(0)
            if ask(tasks, look, task, url, depth):
                return True
        return False

    def read(self, task: Task, page: Page | None, tasks: Tasks) -> list[Find]:
        """Take in a page of the second phase; the next of its repository waits."""
        look = self._found[task.entry]
        if page is not None and page.site == look.entry.site:
            look.read(page, task.depth, deepest=task.depth + 1)
        self._next(tasks, look, task)
        return self._datasets(look)

    def meet(self, page: Page) -> list[Find]:
        """Take in a page of a repository that was asked for as a candidate."""
        finds = []
        for look in self._found.values():
            if look.entry.site == page.site and page.url in look.met:
                look.read(page, look.met[page.url])
                finds += self._datasets(look)
        return finds

    def ranked(self, most: int = 0) -> list[Found]:
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
