"""What scout has decided to ask for, what is under way, and what was ever asked: nothing twice."""

from collections import Counter, deque
from dataclasses import replace

from filon.core import Reason, Request, Response, Step
from filon.core.forms import each, parts, record, table
from filon.core.state import Stateful, group, stored
from filon.learn.arrays import NUMBERS
from filon.page.types import UNWANTED
from filon.page.url import join, key, parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.ground import MOST_BYTES, MOST_HOPS, mark, number
from filon.verbs.discover.strategies.page import Page, is_page, read_page
from filon.verbs.discover.strategies.scout.errand import SEARCH_OF, Errand, arm_of, kind_of, why
from filon.verbs.discover.strategies.searching import Searching

_PAGES = ("text/html", "application/xhtml+xml", "text/plain", "")
_ACCEPT = (("Accept", "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5"),)


class Errands(Stateful):
    """A short line of decided errands, and those whose answers are awaited."""

    STATE = (
        "searching",
        group("counts", "pages", "requests"),
        "troubles",
        stored("_line", each(parts(record(Errand), record(Request)))),
        stored("_flying", table(record(Errand))),
        stored("_seen", NUMBERS),
    )

    def __init__(self, brief: Brief) -> None:
        self._brief = brief
        self.searching = Searching(brief)
        self._searchers = {one.name: one for one in brief.searchers}
        self.pages = 0
        self.requests = 0
        self.troubles: Counter[str] = Counter()
        self._line: deque[tuple[Errand, Request]] = deque()
        self._flying: dict[str, Errand] = {}
        self._seen: set[int] = set()

    @property
    def idle(self) -> bool:
        """Nothing waits, and no answer is awaited."""
        return not self._line and not self._flying

    @property
    def full(self) -> bool:
        """As many pages were asked for as are allowed."""
        return self.pages >= self._brief.limits.pages

    def fresh(self, url: str) -> bool:
        """Say whether a page was never asked for."""
        return number(key(url)) not in self._seen

    def page(self, errand: Errand, url: str) -> bool:
        """Put a page in line; False: it was seen before, or is no page, or enough were read."""
        url = parse(url)
        if not url or self.full or not is_page(url) or not self._mark(key(url)):
            return False
        self.pages += 1
        request = Request(url=url, headers=_ACCEPT, unwanted=UNWANTED, max_bytes=MOST_BYTES)
        self._line.append((replace(errand, url=url), request))
        return True

    def call(self, errand: Errand, request: Request) -> bool:
        """Put a call of an API in line; False: it was made before."""
        if not self._mark(name_of(request)):
            return False
        self._line.append((replace(errand, url=request.url), request))
        return True

    def search(self, errand: Errand) -> bool:
        """Put a search in line; False: it was asked before."""
        searcher = self._searchers[errand.searcher]
        request = searcher.request(SEARCH_OF[errand.operator], errand.query, errand.cursor)
        if not self._mark(name_of(request)):
            return False
        self.searching.note(errand.searcher, "calls")
        self._line.append((errand, request))
        return True

    def propose(self, outlook: str) -> Step | None:
        """Return the next step; None: nothing was decided."""
        if not self._line:
            return None
        errand, request = self._line.popleft()
        self.requests += 1
        self._flying[name_of(request)] = errand
        reason = Reason(
            kind=kind_of(errand),
            arm=arm_of(errand),
            score=round(errand.score, 4),
            expected=round(min(1.0, errand.score), 4),
            text=why(errand),
            outlook=outlook,
        )
        parent = errand.parent if errand.parent.startswith(("http://", "https://")) else ""
        return Step(request=request, reason=reason, parent=parent)

    def landed(self, step: Step) -> Errand:
        """Return the errand that a step was for."""
        return self._flying.pop(name_of(step.request))

    def follow(self, errand: Errand, response: Response) -> bool:
        """Put the goal of a redirect first in line; False: there is none to go to."""
        goal = join(response.url, response.header("location"))
        if not goal or errand.hops >= MOST_HOPS:
            return False
        moved = replace(errand, url=goal, hops=errand.hops + 1)
        if errand.kind == "call":
            request = Request(url=goal)
            new = self._mark(name_of(request))
        else:
            request = Request(url=goal, headers=_ACCEPT, unwanted=UNWANTED, max_bytes=MOST_BYTES)
            new = is_page(goal) and self._mark(key(goal))
        if new:
            self._line.appendleft((moved, request))
            self.pages += errand.kind != "call"
        return new

    def read(self, errand: Errand, response: Response) -> Page | None:
        """Return the page of an answer; None where there is none."""
        if not response.ok or response.cut or response.mime not in _PAGES:
            self.troubles[_trouble(response)] += 1
            return None
        return read_page(response, errand, self._brief.sites)

    def _mark(self, text: str) -> bool:
        return mark(self._seen, text)


def name_of(request: Request) -> str:
    """Return what tells a request from others."""
    body = f" {number(request.body.decode('latin-1')):x}" if request.body else ""
    return f"{request.method} {request.url}{body}"


def _trouble(response: Response) -> str:
    if response.error or not 200 <= response.status < 300:
        return response.error or str(response.status)
    return "cut" if response.cut else "no page"
