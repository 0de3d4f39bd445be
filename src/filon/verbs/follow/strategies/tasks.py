"""Requests beside the URIs that are mentioned: dumps, pages of an endpoint, a context.

They go first: one of them tells more than many documents. Domains take turns.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from filon.core import Reason, Request, Step
from filon.core.forms import Form, each, keyed, pairs, record
from filon.core.state import Stateful, stored
from filon.page.domain import registered_domain
from filon.page.url import host, parse, split
from filon.verbs.follow.strategies.brief import CANDIDATE, Candidate

#: What a task is for, as a clause that continues "because".
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
class Task:
    """A request of its own kind. name: of the endpoint, catalogue or context that it is for."""

    kind: str
    candidate: Candidate
    name: str = ""


_RECORD = record(Task, candidate=CANDIDATE)
#: A task in a declared state; older runs call its candidate a lead.
TASK = Form(
    _RECORD.write,
    lambda stored: _RECORD.read(
        {"candidate" if key == "lead" else key: stored[key] for key in stored}
    ),
)


class Tasks(Stateful):
    """Tasks that wait, domain by domain in turn, and those on their way.

    claim: marks a URL as asked for; False where it was before, or is out of scope.
    """

    STATE = (
        stored("_queues", keyed(each(TASK, deque), lambda queue: _domain(queue[0]))),
        stored("_flying", pairs(TASK)),
    )

    def __init__(self, claim: Callable[[str], bool]) -> None:
        self._claim = claim
        self._queues: dict[str, deque[Task]] = {}  # the first is the next whose turn it is
        self._flying: dict[str, Task] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def visit(self, kind: str, url: str, origin: Candidate, name: str = "") -> bool:
        """Add a task to a URL, unless that was asked for before or is out of scope."""
        url = parse(url)
        if not url or not self._claim(url):
            return False
        self.push(Task(kind, candidate_at(url, kind, origin), name))
        return True

    def push(self, task: Task) -> None:
        """Add a task; within a domain, first come is first served."""
        if self._size < MOST:
            self._queues.setdefault(_domain(task), deque()).append(task)
            self._size += 1

    def pop(self, busy: Collection[str] = ()) -> Task | None:
        """Take the next task of a domain that is not busy with others; None: there is none.

        busy: hosts that must not be asked now.
        """
        flying = Counter(_domain(one) for one in self._flying.values())
        domain = next(
            (
                one
                for one, queue in self._queues.items()
                if flying[one] < AT_ONCE and split(queue[0].candidate.document).netloc not in busy
            ),
            None,
        )
        if domain is None:
            return None
        queue = self._queues.pop(domain)
        task = queue.popleft()
        self._size -= 1
        if queue:
            self._queues[domain] = queue  # its turn comes again after all others
        return task

    def send(self, task: Task, request: Request) -> Step:
        """Return the step of a task."""
        self._flying[_key(request)] = task
        reason = Reason(kind=task.kind, text=WHY[task.kind])
        return Step(request=request, reason=reason, parent=task.candidate.referrer)

    def flying(self) -> list[str]:
        """Return the documents of the tasks on their way."""
        return [task.candidate.document for task in self._flying.values()]

    def back(self, step: Step) -> Task | None:
        """Return the task that a step was sent for; None: it was no task."""
        return self._flying.pop(_key(step.request), None)

    def restored(self) -> None:
        """Count what waits."""
        self._size = sum(map(len, self._queues.values()))


def candidate_at(url: str, kind: str, origin: Candidate) -> Candidate:
    """Return the candidate of a task: as far from a seed as what led to it."""
    return Candidate(
        uri=url, document=url, referrer=origin.referrer, roles=(kind,), depth=origin.depth
    )


def _domain(task: Task) -> str:
    return registered_domain(host(task.candidate.document))


def _key(request: Request) -> str:
    return f"{request.method} {request.url} {request.body.decode('utf-8', 'replace')}"
