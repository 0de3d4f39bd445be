"""What scout has decided to ask for and why, and what is under way.

A task tells why it is run: the raw material of `filon why`.
"""

from collections import deque
from dataclasses import dataclass, replace

from filon.core import Reason, Request, Response, Step
from filon.core.forms import each, parts, record, table
from filon.core.state import group, stored
from filon.page.url import join, key, parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.page import is_page, links_in, page_of, page_request, trouble
from filon.verbs.discover.strategies.reasons import MET, SEARCHED
from filon.verbs.discover.strategies.scout.reading import Reading, reading_of
from filon.verbs.discover.strategies.tasks import (
    MOST_HOPS,
    SEARCH_OF,
    Asked,
    Task,
    number,
    parent_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoutTask(Task):
    """One thing to ask for.

    kind: a Task's, or "call": of a portal's API, or of a sitemap.
    software, role: of a call: which portal, and "confirm", "list" or "sitemap". Of a search, the
        role says whether it is the last thing to do.
    origins: the arms and sources that led to a page.
    opening: of a search, as of its question. score: what it is expected to bring for each request.
    """

    software: str = ""
    role: str = ""
    opening: int = 0
    origins: tuple[tuple[str, str], ...] = ()
    score: float = 0.0


#: The role of a question to a service whose quota is spent, as nothing else is left to do.
LAST = "last"
#: What is said otherwise than of other strategies' tasks.
_SEARCHED = {"seeds": "registries may know repositories of “{query}”"}
_MET = {"seeds": "{searcher} has it for “{query}”"}


def arm_of(task: ScoutTask) -> str:
    """Return the arm that a task is booked on."""
    return task.origins[0][0] if task.origins else arm_named(task.operator, task.searcher)


def arm_named(operator: str, searcher: str) -> str:
    """Return the name of an arm: an operator, and who serves it."""
    return f"{operator} · {searcher}" if searcher else operator


def why(task: ScoutTask) -> str:
    """Say why a task is run: a clause that continues "because"."""
    if task.kind == "seed":
        return "it is one of the examples"
    if task.kind == "search":
        asked = (SEARCHED | _SEARCHED)[task.operator].format(**task.way)
        return f"{asked}, and {task.searcher} paid best for its cost or was tried least"
    if task.kind == "call":
        return _called(task)
    if task.kind == "look":
        return f"it is the likeliest way to data files from {task.entry}, {task.depth} links away"
    return _met(task)


def _called(task: ScoutTask) -> str:
    if task.role == "sitemap":
        return f"{task.entry} looks like a repository, and its sitemap may name its datasets"
    return f"{task.entry} looks like {task.software}: its API, if it is there, lists its data"


def _met(task: ScoutTask) -> str:
    also = len(task.origins) - 1
    more = f"; {also} other{'s' * (also > 1)} led there too" if also > 0 else ""
    if task.kind == "hub":
        return f"it is said to link to {task.parent}, so it may link to others of the kind{more}"
    met = (MET | _MET).get(task.operator, "{parent} links to it").format(**task.way)
    return f"{met}{more}, and nothing that waits promises more for a request"


def kind_of(task: ScoutTask) -> str:
    """Return what kind of reason a task has."""
    if task.hops:
        return "redirect"
    return {"seed": "start", "search": "search", "call": "portal"}.get(task.kind, "link")


class ScoutTasks(Asked[ScoutTask]):
    """A short line of decided tasks, and those whose answers are awaited."""

    STATE = (
        group("counts", "pages", "requests"),
        stored("_line", each(parts(record(ScoutTask), record(Request)))),
        stored("_flying", table(record(ScoutTask))),
    )

    def __init__(self, brief: Brief) -> None:
        super().__init__(brief)
        self._searchers = {one.name: one for one in brief.searchers}
        self.requests = 0
        self._line: deque[tuple[ScoutTask, Request]] = deque()

    def page(self, task: ScoutTask, url: str) -> bool:
        """Put a page in line; False: it was seen before, or is no page, or enough were read."""
        url = parse(url)
        if not url or self.full or not is_page(url) or not self.mark(key(url)):
            return False
        self.pages += 1
        self._line.append((replace(task, url=url), page_request(url)))
        return True

    def reading_in(self, task: ScoutTask, response: Response) -> Reading | None:
        """Return the page of an answer with its links; None where there is none."""
        if problem := trouble(response):
            self.troubles[problem] += 1
            return None
        found = links_in(response)
        page = replace(page_of(response, found, self.brief.sites), **task.way)
        return reading_of(page, found, response, self.brief.sites)

    def call(self, task: ScoutTask, request: Request) -> bool:
        """Put a call of an API in line; False: it was made before."""
        if not self.mark(self.name_of(request)):
            return False
        self._line.append((replace(task, url=request.url), request))
        return True

    def search(self, task: ScoutTask) -> bool:
        """Put a search in line; False: it was asked before."""
        searcher = self._searchers[task.searcher]
        request = searcher.request(SEARCH_OF[task.operator], task.query, task.cursor)
        if not self.mark(self.name_of(request)):
            return False
        self.searching.note(task.searcher, "calls", int(task.role != LAST))  # that one may wait
        self._line.append((task, request))
        return True

    def refused(self, task: ScoutTask) -> None:
        """Let a search be asked again that was refused for a quota."""
        searcher = self._searchers[task.searcher]
        request = searcher.request(SEARCH_OF[task.operator], task.query, task.cursor)
        self.unmark(self.name_of(request))

    @property
    def idle(self) -> bool:
        """Nothing is in line, and no answer is awaited."""
        return not self._line and not self._flying

    def waits_for(self, searcher: str) -> bool:
        """Say whether an answer of a service is awaited."""
        flying = self._flying.values()
        return any(one.kind == "search" and one.searcher == searcher for one in flying)

    def elsewhere(self, step: Step) -> bool:
        """Say whether to hear of a refusal: not if nothing was left to do but to ask this."""
        task = self._flying.get(self.name_of(step.request))
        return task is not None and not self.searching.is_spent(task.searcher)

    def propose(self, outlook: str) -> Step | None:
        """Return the next step; None: nothing was decided."""
        if not self._line:
            return None
        task, request = self._line.popleft()
        self.requests += 1
        self._flying[self.name_of(request)] = task
        reason = Reason(
            kind=kind_of(task),
            arm=arm_of(task),
            score=round(task.score, 4),
            expected=round(min(1.0, task.score), 4),
            text=why(task),
            outlook=outlook,
        )
        return Step(request=request, reason=reason, parent=parent_of(task))

    def follow(self, task: ScoutTask, response: Response) -> bool:
        """Put the goal of a redirect first in line; False: there is none to go to."""
        goal = join(response.url, response.header("location"))
        if not goal or task.hops >= MOST_HOPS:
            return False
        moved = replace(task, url=goal, hops=task.hops + 1)
        if task.kind == "call":
            request = Request(url=goal)
            new = self.mark(self.name_of(request))
        else:
            request = page_request(goal)
            new = is_page(goal) and self.mark(key(goal))
        if new:
            self._line.appendleft((moved, request))
            self.pages += task.kind != "call"
        return new

    def name_of(self, request: Request) -> str:
        """Return what tells a request from others, as runs of earlier versions have stored it."""
        body = f" {number(request.body.decode('latin-1')):x}" if request.body else ""
        return f"{request.method} {request.url}{body}"
