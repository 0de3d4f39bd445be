"""What scout has decided to ask for and why, what is under way, and what was ever asked.

Nothing is asked twice. A task tells why it is run: the raw material of `filon why`.
"""

from collections import Counter, deque
from dataclasses import dataclass, replace

from filon.core import Reason, Request, Response, Step
from filon.core.forms import each, parts, record, table
from filon.core.state import Stateful, group, stored
from filon.learn.arrays import NUMBERS
from filon.page.types import UNWANTED
from filon.page.url import join, key, parse
from filon.verbs.discover.strategies.brief import Brief
from filon.verbs.discover.strategies.ground import MOST_BYTES, MOST_HOPS, mark, number
from filon.verbs.discover.strategies.page import Page, is_page, read_page
from filon.verbs.discover.strategies.searching import Searching
from filon.verbs.discover.strategies.task import Task

#: What each operator asks of a search service.
SEARCH_OF = {
    "keyword": "keyword",
    "related": "related",
    "backward": "backlinks",
    "seeds": "seeds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Task):
    """One thing to ask for.

    kind: a Task's, or "call": of a portal's API, or of a sitemap.
    software, role: of a call: which portal, and "confirm", "list" or "sitemap".
    origins: the arms and sources that led to a page.
    score: what it is expected to bring for each request.
    """

    software: str = ""
    role: str = ""
    origins: tuple[tuple[str, str], ...] = ()
    score: float = 0.0


def arm_of(errand: Errand) -> str:
    """Return the arm that an errand is booked on."""
    return errand.origins[0][0] if errand.origins else arm_named(errand.operator, errand.searcher)


def arm_named(operator: str, searcher: str) -> str:
    """Return the name of an arm: an operator, and who serves it."""
    return f"{operator} · {searcher}" if searcher else operator


def why(errand: Errand) -> str:
    """Say why an errand is run: a clause that continues "because"."""
    if errand.kind == "seed":
        return "it is one of the examples"
    if errand.kind == "search":
        return _searched(errand)
    if errand.kind == "call":
        return _called(errand)
    if errand.kind == "look":
        return (
            f"it is the likeliest way to data files from {errand.entry}, {errand.depth} links away"
        )
    return _met(errand)


def _searched(errand: Errand) -> str:
    asked = {
        "keyword": f"pages about “{errand.query}” are wanted",
        "related": f"sites like {errand.query} are wanted",
        "seeds": f"registries may know repositories of “{errand.query}”",
    }.get(errand.operator, f"pages that link to {errand.query} may link to others of the kind")
    return f"{asked}, and {errand.searcher} paid best for its cost or was tried least"


def _called(errand: Errand) -> str:
    if errand.role == "sitemap":
        return f"{errand.entry} looks like a repository, and its sitemap may name its datasets"
    return f"{errand.entry} looks like {errand.software}: its API, if it is there, lists its data"


def _met(errand: Errand) -> str:
    also = len(errand.origins) - 1
    more = f"; {also} other{'s' * (also > 1)} led there too" if also > 0 else ""
    if errand.kind == "hub":
        return f"it is said to link to {errand.parent}, so it may link to others of the kind{more}"
    told = {
        "keyword": f"a search for “{errand.query}” brought it",
        "related": f"it is said to be related to {errand.parent}",
        "seeds": f"{errand.searcher} has it for “{errand.query}”",
    }.get(errand.operator, f"{errand.parent} links to it")
    return f"{told}{more}, and nothing that waits promises more for a request"


def kind_of(errand: Errand) -> str:
    """Return what kind of reason an errand has."""
    if errand.hops:
        return "redirect"
    return {"seed": "start", "search": "search", "call": "portal"}.get(errand.kind, "link")


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
