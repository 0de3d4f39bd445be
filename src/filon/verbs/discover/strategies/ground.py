"""The web as discovery sees it: tasks in order, pages read once, sites told apart.

Every strategy that discovers stands on this, so that all agree on what a page and a site are, on
redirects, and on never asking twice.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import mmh3

from filon.core import Find, Reason, Request, Response, Step
from filon.core.forms import KEYS, each, table
from filon.core.state import Stateful, stored
from filon.learn.arrays import NUMBERS
from filon.page.types import UNWANTED
from filon.page.url import join, key, parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.operators import SEARCH_OF, reason
from filon.verbs.discover.strategies.page import Page, is_page, read_page, site_of
from filon.verbs.discover.strategies.searching import Searching
from filon.verbs.discover.strategies.task import TASK, Task

#: A longer chain of redirects has no end.
MOST_HOPS = 5
#: Pages for people are shorter.
MOST_BYTES = 5_000_000
_PAGES = ("text/html", "application/xhtml+xml", "text/plain", "")
_ACCEPT = (("Accept", "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5"),)


class Ground(Stateful):
    """Tasks that wait and fly, seen addresses, known sites."""

    STATE = (
        "searching",
        "pages",
        "most_pages",
        "troubles",
        stored("_queue", each(TASK)),
        stored("_flying", table(TASK)),
        stored("_seen", NUMBERS),
        stored("_sites", KEYS),
    )

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.searching = Searching(brief)
        self.pages = 0
        self.most_pages = brief.limits.pages
        self.troubles: Counter[str] = Counter()
        self._queue: deque[Task] = deque()
        self._flying: dict[str, Task] = {}
        self._seen: set[int] = set()
        self._sites: dict[str, None] = {}

    @property
    def idle(self) -> bool:
        """Nothing waits, and no answer is awaited."""
        return not self._queue and not self._flying

    @property
    def full(self) -> bool:
        """As many pages were looked at as are allowed; those in flight count."""
        return self.pages >= self.most_pages

    def want(self, url: str, task: Task) -> bool:
        """Let a page wait to be asked for; False: it was seen before, or is no page."""
        url = parse(url)
        if not url or not is_page(url) or not self._mark(key(url)):
            return False
        self._queue.append(replace(task, url=url))
        return True

    def search(self, operator: str, query: str, arm: str, parent: str = "") -> bool:
        """Let a search wait; False: nobody can be asked, or it was asked before."""
        task = self.searching.task(operator, query, arm, parent)
        if task is None or not self._mark(f"{operator} {query}"):
            return False
        self._queue.append(task)
        return True

    def open_hub(self, task: Task, url: str) -> bool:
        """Let the service that told of a hub tell its links too, if it can; else it is read."""
        url = parse(url)
        if not url or not self.searching.opens(task.searcher, url):
            return False
        if self._mark(f"outlinks {url}"):
            hub = Task(
                kind="search", operator="outlinks", searcher=task.searcher, query=url, parent=url
            )
            self._queue.append(hub)
        return True

    def list_sites(self, topic: str) -> int:
        """Let every registry be asked for the sites of a topic; return how many are."""
        asked = 0
        for name in self.searching.able("seeds", topic):
            if self._mark(f"seeds {name} {topic}"):
                task = Task(kind="search", operator="seeds", searcher=name, query=topic)
                self._queue.append(task)
                asked += 1
        return asked

    def propose(self) -> Step | None:
        """Return the next step; None: no task waits."""
        while self._queue:
            task = self._queue.popleft()
            step = self._search(task) if task.kind == "search" else self._fetch(task)
            if step:
                return step
        return None

    def _fetch(self, task: Task) -> Step | None:
        if self.full:
            self.troubles["left out"] += 1
            return None
        self.pages += 1
        return self._step(task, page_request(task.url))

    def _search(self, task: Task) -> Step | None:
        routed = self.searching.routed(task, SEARCH_OF[task.operator])
        if routed is None:
            self.troubles["nobody to ask"] += 1
            return None
        request = self.searching.request(routed, SEARCH_OF[task.operator])
        return self._step(routed, request) if self._mark(_name(request)) else None

    def _step(self, task: Task, request: Request) -> Step:
        self._flying[_name(request)] = task
        return Step(request=request, reason=_reason(task), parent=parent_of(task))

    def landed(self, step: Step) -> Task:
        """Return the task that a step was for."""
        return self._flying.pop(_name(step.request))

    def results(self, task: Task, response: Response) -> Sequence[str]:
        """Return what a search brought; its next page of results waits first in line."""
        found, further = self.brought(task, response)
        if further:
            self.resume(further)
        return found

    def brought(self, task: Task, response: Response) -> tuple[Sequence[str], Task | None]:
        """Return what a search brought, and the search for more of it, if there may be more."""
        return self.searching.read(task, SEARCH_OF[task.operator], response)

    def resume(self, task: Task) -> None:
        """Let a search for more results wait, first in line."""
        self._queue.appendleft(task)

    def read(self, task: Task, response: Response) -> Page | None:
        """Return the page; None where there is none, and the goal of a redirect waits."""
        if response.redirects:
            goal = join(response.url, response.header("location"))
            if goal and task.hops < MOST_HOPS and is_page(goal) and self._mark(key(goal)):
                self._queue.appendleft(replace(task, url=goal, hops=task.hops + 1))
            return None
        if problem := trouble(response):
            self.troubles[problem] += 1
            return None
        return read_page(response, task, self.brief.sites)

    def discovers(self, page: Page, kind: str = "site") -> list[Find]:
        """Return the find that a page of a new site is."""
        if not self.settle(page.site):
            return []
        return [Find(kind=kind, url=page.url, name=page.title or page.site, parent=page.parent)]

    def settle(self, site: str) -> bool:
        """Take note of a site; True if it was new."""
        if site in self._sites:
            return False
        self._sites[site] = None
        return True

    def knows(self, url: str) -> bool:
        """Say whether a page of this site was discovered before."""
        return site_of(url, self.brief.sites) in self._sites

    def met(self, url: str) -> bool:
        """Say whether a page waits, flies or was asked for."""
        return number(key(url)) in self._seen

    def _mark(self, text: str) -> bool:
        """Take note of an address or a question; True if it is new."""
        return mark(self._seen, text)

    def summary(self) -> dict[str, Any]:
        """Say what was asked and what went wrong."""
        return {
            "pages": self.pages,
            "sites": len(self._sites),
            "searchers": self.searching.told(),
            "troubles": {name: count for name, count in sorted(self.troubles.items()) if count},
        }


def number(text: str) -> int:
    """Return a number for an address or a question: millions are remembered by it."""
    return int(mmh3.hash64(text.encode("utf-8", "surrogatepass"), signed=False)[0])


def mark(seen: set[int], text: str) -> bool:
    """Take note of an address or a question; True if it is new."""
    one = number(text)
    if one in seen:
        return False
    seen.add(one)
    return True


def _name(request: Request) -> str:
    body = f" {mmh3.hash64(request.body, signed=False)[0]:x}" if request.body else ""
    return f"{request.method} {request.url}{body}"


def page_request(url: str) -> Request:
    """Return the request for a page: what is no text is not wanted, nor what is too long."""
    return Request(url=url, headers=_ACCEPT, unwanted=UNWANTED, max_bytes=MOST_BYTES)


def parent_of(task: Task) -> str:
    """Return the address of the page that led to a task; "" where a search did."""
    return task.parent if task.parent.startswith(("http://", "https://")) else ""


def trouble(response: Response) -> str:
    """Return why an answer is no page that can be read; "" if it is one."""
    if response.ok and not response.cut and response.mime in _PAGES:
        return ""
    if response.error or not 200 <= response.status < 300:
        return response.error or str(response.status)
    return "cut" if response.cut else "no page"


def _reason(task: Task) -> Reason:
    kind = {"seed": "start", "search": "search"}.get(task.kind, "link")
    kind = "redirect" if task.hops else kind
    return Reason(kind=kind, arm=task.operator, score=task.score, text=reason(task))
