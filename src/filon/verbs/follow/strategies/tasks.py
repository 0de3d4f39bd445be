"""Requests beside the URIs that are mentioned: dumps, pages of an endpoint, a context.

They go first: one of them tells more than many documents. Domains take turns.
"""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from filon.core import Reason, Request, Step
from filon.core.forms import each, keyed, pairs, record
from filon.core.state import Stateful, stored
from filon.page.domain import registered_domain
from filon.page.url import host, parse
from filon.verbs.follow.strategies.brief import LEAD, Lead

#: What an errand is for, as a clause that continues "because".
WHY = {
    "void": "its host may describe its datasets there",
    "sitemap": "a sitemap may list the documents of its host",
    "dump": "a catalogue says that a whole dataset is there",
    "endpoint": "a catalogue says that an endpoint is there",
    "sparql": "an endpoint tells a thousand triples at a time",
    "ckan": "a catalogue lists its datasets there",
    "context": "a document needs it to be understood",
}
#: Errands that wait; beyond them catalogues only repeat themselves.
MOST = 20_000
#: Errands to one domain that are on their way: the others need not wait for a slow one.
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Errand:
    """A request of its own kind. name: of the endpoint, catalogue or context that it is for."""

    kind: str
    lead: Lead
    name: str = ""


ERRAND = record(Errand, lead=LEAD)


class Errands(Stateful):
    """Errands that wait, domain by domain in turn, and those on their way.

    claim: marks a URL as asked for; False where it was before, or is out of scope.
    """

    STATE = (
        stored("_queues", keyed(each(ERRAND, deque), lambda queue: _domain(queue[0]))),
        stored("_flying", pairs(ERRAND)),
    )

    def __init__(self, claim: Callable[[str], bool]) -> None:
        self._claim = claim
        self._queues: dict[str, deque[Errand]] = {}  # the first is the next whose turn it is
        self._flying: dict[str, Errand] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def visit(self, kind: str, url: str, origin: Lead, name: str = "") -> bool:
        """Add an errand to a URL, unless that was asked for before or is out of scope."""
        url = parse(url)
        if not url or not self._claim(url):
            return False
        self.push(Errand(kind, lead_to(url, kind, origin), name))
        return True

    def push(self, errand: Errand) -> None:
        """Add an errand; within a domain, first come is first served."""
        if self._size < MOST:
            self._queues.setdefault(_domain(errand), deque()).append(errand)
            self._size += 1

    def pop(self) -> Errand | None:
        """Take the next errand of a domain that is not busy with others; None: there is none."""
        busy = Counter(_domain(one) for one in self._flying.values())
        domain = next((one for one in self._queues if busy[one] < AT_ONCE), None)
        if domain is None:
            return None
        queue = self._queues.pop(domain)
        errand = queue.popleft()
        self._size -= 1
        if queue:
            self._queues[domain] = queue  # its turn comes again after all others
        return errand

    def send(self, errand: Errand, request: Request) -> Step:
        """Return the step of an errand."""
        self._flying[_key(request)] = errand
        reason = Reason(kind=errand.kind, text=WHY[errand.kind])
        return Step(request=request, reason=reason, parent=errand.lead.referrer)

    def back(self, step: Step) -> Errand | None:
        """Return the errand that a step was sent for; None: it was no errand."""
        return self._flying.pop(_key(step.request), None)

    def restored(self) -> None:
        """Count what waits."""
        self._size = sum(map(len, self._queues.values()))


def lead_to(url: str, kind: str, origin: Lead) -> Lead:
    """Return the lead of an errand: as far from a seed as what led to it."""
    return Lead(uri=url, document=url, referrer=origin.referrer, roles=(kind,), depth=origin.depth)


def _domain(errand: Errand) -> str:
    return registered_domain(host(errand.lead.document))


def _key(request: Request) -> str:
    return f"{request.method} {request.url} {request.body.decode('utf-8', 'replace')}"
