"""What discovery asks of the web: tasks that wait or are under way, and what was ever asked.

Every strategy that discovers stands on this, so that all agree on what a page and a site are, on
redirects, and on never asking twice. A search goes to the first service that takes it; a service
that fails is told apart from one that finds nothing: its question goes to the next (`Searching`).
Where there is none, what was refused for a quota waits in a guard (`filon.guards.quota`).
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

import mmh3

from filon.core import Find, Reason, Request, Response, Step
from filon.core.forms import KEYS, Form, each, record, table
from filon.core.service import Hits, Searcher
from filon.core.state import Fields, Stateful, stored
from filon.learn.arrays import NUMBERS
from filon.page.url import join, key, origin, parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import (
    Met,
    Page,
    is_page,
    page_request,
    read_page,
    site_of,
    trouble,
)
from filon.verbs.discover.strategies.reasons import why

#: What each asks of a search service; `forward` asks nothing. Registries are asked for their
#: sites in the rounds of `keyword`.
SEARCH_OF = {
    "related": "related",
    "backward": "backlinks",
    "keyword": "keyword",
    "seeds": "seeds",
    "outlinks": "outlinks",
}
#: What the next question will meet too. A spent quota is waited for when nobody else is left.
_KEY, _QUOTA = "key", "quota"
#: So many other problems in a row, and a service is left alone: for good, or where it was only
#: down, until the next round; and so many such rests are enough.
PATIENCE, MOST_RESTS = 3, 5
#: A registry may name a site a page; so many pages in a row without a result, and it has no more.
MOST_BARREN = 10
#: A longer chain of redirects has no end.
MOST_HOPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Met):
    """One request to make, and on whose behalf.

    kind: "seed", "search", "hub" (a page that links to a known one), "page" (a candidate),
        "look" (a page within a site that is being looked at), or "collect" (within one that was
        found to be a repository).
    url: the page; empty for a search.
    cursor: of a search, for which page of the results.
    got: results that the search has brought so far; barren: pages in a row that brought none.
    hops: redirects that led here.
    entry: of the last two, the page where it began; depth: how far this is from there. Of a page
        that a search brought, the address it gave.
    link_words, score: of a link, the words by which it was judged, and how it was.
    """

    kind: str
    url: str = ""
    cursor: str = ""
    got: int = 0
    barren: int = 0
    hops: int = 0
    entry: str = ""
    depth: int = 0
    link_words: str = ""
    score: float = 0.0

    def brought(self, kind: str, parent: str, entry: str = "") -> "Task":
        """Return the task of a page that this search brought."""
        return Task(kind=kind, **self.way | {"parent": parent}, entry=entry)


#: A task in a declared state.
TASK = record(Task, {"link_words": "clue"})


class Searching(Stateful):
    """The services, which of them still answer, and how often each was asked."""

    STATE = (
        "_failures",
        "_rests",
        "_out",
        "_details",
        stored("_told", table(Form(dict, Counter))),
    )

    def __init__(self, brief: Brief) -> None:
        self._limits = brief.limits
        self._searchers: dict[str, Searcher] = {one.name: one for one in brief.searchers}
        self._failures = dict.fromkeys(self._searchers, 0)
        self._rests = dict.fromkeys(self._searchers, 0)
        self._out: dict[str, str] = {}
        self._told = {name: Counter[str]() for name in self._searchers}
        self._details: dict[str, str] = {}  # what the last failure of each was

    def serves(self, operator: str) -> bool:
        """Say whether a service is left that can be asked this."""
        return any(operator in self._searchers[name].operators for name in self._awake())

    def lists(self, topic: str) -> bool:
        """Say whether a registry can be asked for the sites of a topic."""
        return bool(topic and self.able("seeds", topic))

    def opens(self, name: str, hub: str) -> bool:
        """Say whether a service lists the links of this page, which is its own: of a wiki's."""
        searcher = self._searchers[name]
        if not searcher.takes("outlinks", hub):
            return False
        return origin(searcher.request("outlinks", hub).url) == origin(hub)

    def _awake(self, after: str = "") -> list[str]:
        names = list(self._searchers)
        start = names.index(after) + 1 if after else 0
        return [name for name in names[start:] if name not in self._out]

    def able(self, operator: str, query: str, after: str = "") -> list[str]:
        """Return the services that take such a question, in their order."""
        return [name for name in self._awake(after) if self._searchers[name].takes(operator, query)]

    def is_spent(self, name: str) -> bool:
        """Say whether a service has no calls left for now; a guard keeps what it is asked."""
        return self._out.get(name) == _QUOTA and self._rests[name] < MOST_RESTS

    def give_up(self, name: str) -> None:
        """Ask a service no more that refused what there was nobody else for: no guard keeps it."""
        self._rests[name] = MOST_RESTS

    def forgive(self, problem: str, name: str = "") -> list[str]:
        """Ask services again, or one, that are out for a problem; return those that were."""
        out = [
            one for one, why_out in self._out.items() if why_out == problem and name in ("", one)
        ]
        for one in out:
            del self._out[one]
            self._failures[one] = self._rests[one] = 0
        return out

    def renew(self) -> bool:
        """Ask services again whose quota is spent, as nobody else is left; False: none is."""
        spent = [name for name in self._out if self.is_spent(name)]
        for name in spent:
            del self._out[name]
        return bool(spent)

    def task(self, operator: str, query: str, arm: str, parent: str = "") -> Task | None:
        """Return the search for the first service that can do it; None: there is none."""
        names = [*self._awake(), *filter(self.is_spent, self._searchers)]
        name = next((one for one in names if self._searchers[one].takes(operator, query)), "")
        if not name:
            return None
        return Task(kind="search", operator=arm, searcher=name, query=query, parent=parent)

    def routed(self, task: Task, operator: str) -> Task | None:
        """Return a search that waited, for whoever answers by now; None: nobody does."""
        if task.searcher not in self._out:
            return task
        return self.elsewhere(task, operator) or (task if self.is_spent(task.searcher) else None)

    def elsewhere(self, task: Task, operator: str) -> Task | None:
        """Return a search for the next service; None: there is none after the one it was for."""
        # Every registry is asked for its own sites.
        names = [] if operator == "seeds" else self.able(operator, task.query, task.searcher)
        return replace(task, searcher=names[0], cursor="", barren=0) if names else None

    def request(self, task: Task, operator: str) -> Request:
        """Return the request of a search."""
        self._told[task.searcher]["calls"] += 1
        return self._searchers[task.searcher].request(operator, task.query, task.cursor)

    def answers(self, name: str) -> bool:
        """Say whether a service still does."""
        return name not in self._out

    def note(self, name: str, what: str, count: int = 1) -> None:
        """Count calls or results for the summary."""
        self._told[name][what] += count

    def hear(self, name: str, operator: str, response: Response) -> Hits:
        """Return what a service says, and take note of how it goes with it."""
        answer = self._searchers[name].parse(operator, response)
        if answer.problem:
            self._told[name][f"failed: {answer.problem}"] += 1
            self._details[name] = answer.detail
            self._failed(name, answer.problem)
        else:
            self._failures[name] = 0
            if self._out.get(name) in ("down", _QUOTA):  # a question that waited was answered
                del self._out[name]
        return answer

    def read(
        self, task: Task, operator: str, response: Response
    ) -> tuple[Sequence[str], Task | None]:
        """Return the addresses that a search brought, and the search to go on with, if any."""
        name, counts = task.searcher, self._told[task.searcher]
        answer = self.hear(name, operator, response)
        if answer.problem:
            if answer.more and name not in self._out:  # one of many pages: others may be there
                return (), self._further(task, answer.more, 0, operator)
            other = self.elsewhere(task, operator)
            if other is None and self.is_spent(name):
                self.give_up(name)
            return (), other
        room = self._limits.results(operator) - task.got
        found = [url for hit in answer.hits if (url := parse(hit.url))][:room]
        counts["results"] += len(found)
        return found, self._further(task, answer.more, len(found), operator)

    def _further(self, task: Task, more: str, found: int, operator: str) -> Task | None:
        """Return the search for the next page; None: there is none, or there was enough."""
        got, barren = task.got + found, 0 if found else task.barren + 1
        if not more or got >= self._limits.results(operator) or barren >= MOST_BARREN:
            return None
        return replace(task, cursor=more, got=got, barren=barren)

    def _failed(self, name: str, problem: str) -> None:
        if problem == "query":
            return  # the question was wrong for it, not the service
        self._failures[name] += 1
        if problem in (_KEY, _QUOTA) or self._failures[name] >= PATIENCE:
            self._out[name] = problem
            self._rests[name] += problem != _QUOTA

    def wake(self) -> None:
        """Begin a round: a service that was down may be up again."""
        for name, problem in list(self._out.items()):
            if problem == "down" and self._rests[name] < MOST_RESTS:
                del self._out[name]
                self._failures[name] = 0

    def summary(self) -> list[dict[str, Any]]:
        """Return the services for people; "out" says why one is asked no more."""
        return [
            {
                "searcher": name,
                **dict(sorted(counts.items())),
                "out": self._out.get(name, ""),
                "detail": self._details.get(name, ""),
            }
            for name, counts in self._told.items()
        ]

    def restored(self) -> None:
        """Begin to count for services that are new since."""
        nothing = dict.fromkeys(self._searchers, 0)
        self._failures, self._rests = nothing | self._failures, nothing | self._rests
        self._told = {name: self._told.get(name, Counter()) for name in self._searchers}


T = TypeVar("T", bound=Task)


class Asked(Stateful, Generic[T]):
    """What was ever asked for, the tasks whose answers are awaited, and what went wrong."""

    STATE: ClassVar[Fields] = ("searching", "troubles", stored("_seen", NUMBERS))

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.searching = Searching(brief)
        self.pages = 0
        self.most_pages = brief.limits.pages
        self.troubles: Counter[str] = Counter()
        self._flying: dict[str, T] = {}
        self._seen: set[int] = set()

    @property
    def full(self) -> bool:
        """As many pages were asked for as are allowed; those in flight count."""
        return self.pages >= self.most_pages

    def met(self, url: str) -> bool:
        """Say whether a page waits, flies or was asked for."""
        return number(key(url)) in self._seen

    def landed(self, step: Step) -> T:
        """Return the task that a step was for."""
        return self._flying.pop(self.name_of(step.request))

    def name_of(self, request: Request) -> str:
        """Return what tells a request from others."""
        body = f" {mmh3.hash64(request.body, signed=False)[0]:x}" if request.body else ""
        return f"{request.method} {request.url}{body}"

    def page_in(self, task: T, response: Response) -> Page | None:
        """Return the page of an answer; None where there is none."""
        if problem := trouble(response):
            self.troubles[problem] += 1
            return None
        return replace(read_page(response, self.brief.sites), **task.way)

    def mark(self, text: str) -> bool:
        """Take note of an address or a question; True if it is new."""
        one = number(text)
        if one in self._seen:
            return False
        self._seen.add(one)
        return True

    def unmark(self, text: str) -> None:
        """Forget that an address or a question was taken note of."""
        self._seen.discard(number(text))


class Tasks(Asked[Task]):
    """Tasks in their order, and known sites."""

    STATE = (
        "pages",
        "most_pages",
        stored("_queue", each(TASK)),
        stored("_flying", table(TASK)),
        stored("_sites", KEYS),
    )

    def __init__(self, brief: Brief) -> None:
        super().__init__(brief)
        self._queue: deque[Task] = deque()
        self._sites: dict[str, None] = {}

    @property
    def idle(self) -> bool:
        """Nothing waits, and no answer is awaited."""
        return not self._queue and not self._flying

    def want(self, url: str, task: Task) -> bool:
        """Let a page wait to be asked for; False: it was seen before, or is no page."""
        url = parse(url)
        if not url or not is_page(url) or not self.mark(key(url)):
            return False
        self._queue.append(replace(task, url=url))
        return True

    def search(self, operator: str, query: str, arm: str, parent: str = "") -> bool:
        """Let a search wait; False: nobody can be asked, or it was asked before."""
        task = self.searching.task(operator, query, arm, parent)
        if task is None or not self.mark(f"{operator} {query}"):
            return False
        self._queue.append(task)
        return True

    def open_hub(self, task: Task, url: str) -> bool:
        """Let the service that told of a hub tell its links too, if it can; else it is read."""
        url = parse(url)
        if not url or not self.searching.opens(task.searcher, url):
            return False
        if self.mark(f"outlinks {url}"):
            hub = Task(
                kind="search", operator="outlinks", searcher=task.searcher, query=url, parent=url
            )
            self._queue.append(hub)
        return True

    def list_sites(self, topic: str) -> int:
        """Let every registry be asked for the sites of a topic; return how many are."""
        asked = 0
        for name in self.searching.able("seeds", topic):
            if self.mark(f"seeds {name} {topic}"):
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
        return self._step(routed, request) if self.mark(self.name_of(request)) else None

    def _step(self, task: Task, request: Request) -> Step:
        self._flying[self.name_of(request)] = task
        return Step(request=request, reason=_reason(task), parent=parent_of(task))

    def elsewhere(self, step: Step) -> bool:
        """Say whether what a step asks can be asked of another service."""
        task = self._flying.get(self.name_of(step.request))
        if task is None or task.kind != "search":
            return False
        return self.searching.elsewhere(task, SEARCH_OF[task.operator]) is not None

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
        if not response.redirects:
            return self.page_in(task, response)
        goal = join(response.url, response.header("location"))
        if goal and task.hops < MOST_HOPS and is_page(goal) and self.mark(key(goal)):
            self._queue.appendleft(replace(task, url=goal, hops=task.hops + 1))
        return None

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

    def summary(self) -> dict[str, Any]:
        """Say what was asked and what went wrong."""
        return {
            "pages": self.pages,
            "sites": len(self._sites),
            "searchers": self.searching.summary(),
            "troubles": {name: count for name, count in sorted(self.troubles.items()) if count},
        }


def number(text: str) -> int:
    """Return a number for an address or a question: millions are remembered by it."""
    return int(mmh3.hash64(text.encode("utf-8", "surrogatepass"), signed=False)[0])


def parent_of(task: Task) -> str:
    """Return the address of the page that led to a task; "" where a search did."""
    return task.parent if task.parent.startswith(("http://", "https://")) else ""


def _reason(task: Task) -> Reason:
    kind = {"seed": "start", "search": "search"}.get(task.kind, "link")
    kind = "redirect" if task.hops else kind
    return Reason(kind=kind, arm=task.operator, score=task.score, text=why(task))
